"""`testevo compare-engines`: both engines on the commits of one history, every disagreement, and their times."""

import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.analysis.engine_agreement import compare
from testevo.cli.mining.cutoff import resolved_cutoff
from testevo.cli.mining.failed import lines_of
from testevo.cli.mining.mine import adjusted, single
from testevo.cli.mining.rejected import require_history
from testevo.cli.mining.workflow import run_workflow, write_given
from testevo.cli.options import SandboxOption, in_sandbox
from testevo.config.load import load_config
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.config.snapshot.lock import held_snapshot
from testevo.config.snapshot.stage_failures import failed_files, own_failures
from testevo.execution.verdicts.agreement import UNFINISHED, Agreement
from testevo.records.base import read_records, records_so_far
from testevo.records.evidence.certificates import Certificate
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict
from testevo.runtime.errors import ExitStatus, UserError
from testevo.runtime.files.files import file_digest
from testevo.runtime.stopwatch import read_profile
from testevo.sandboxes.consent import require_consent_to_mine
from testevo.sources.candidates import candidates

ENGINES = ("direct", "maven")
SHARED = ("search", "clone", "commit_pair", "instrument")
"""Stages whose outputs the reference takes over, so that both engines run the very same candidates."""
OWN_RULES = ("build_check", "triple_execute")
"""What the reference does itself: everything that compiles revisions for a verdict, or runs a test for one."""
NOT_MADE = {"builds": ("method changes", "runs", "labels"), "labels": ()}
"""By target, the kinds that it does not make: what lies there is of an earlier comparison."""


def compare_engines(
    history: Annotated[str, typer.Argument(help="Git folder, bundle, clone address, or Maven coordinates.")],
    commits: Annotated[int, typer.Option(min=1, help="How many commits below the start are walked.")] = 20,
    start: Annotated[str | None, typer.Option(help="Tag, branch or commit where the walk starts.")] = None,
    until: Annotated[str | None, typer.Option(help="Cutoff, as that of `testevo mine` (YYYY-MM-DD).")] = None,
    versions: Annotated[str | None, typer.Option(help="Releases, comma-separated, oldest first (coordinates).")] = None,
    name: Annotated[str | None, typer.Option(help="owner/name to record; derived from the address if absent.")] = None,
    preset: Annotated[str | None, typer.Option(help="Rules: strict (default) or released.")] = None,
    runs: Annotated[bool, typer.Option("--runs", help="Compare every run of every candidate too.")] = False,
    results: Annotated[Path, typer.Option(help="Folder of all results.")] = Path("results/compare-engines"),
    cores: Annotated[int, typer.Option(min=1, help="Cores of each engine.")] = os.cpu_count() or 1,
    sandbox: SandboxOption = None,
) -> int:
    """Compare the default engine with Maven and Surefire on a history, and print every different verdict.

    It also prints certificates (docs/builds.md); as in mining, Surefire tests the commits whose certificate differs.
    Exit status 8 when verdicts disagree; an error when no commit is kept, so that nothing can be compared. Surefire
    runs tests outside any sandbox, so untrusted histories need `--sandbox none`. Maven takes seconds for every build
    and suite, and much longer with --runs.

    testevo compare-engines ../some-clone --start v1.2.0 --commits 40
    """
    named = single(history, start, versions, name)
    cutoff = resolved_cutoff(until, {"snapshot": snapshot_of(named, "direct")}, results, datetime.now(UTC).date())
    given = in_sandbox(adjusted(named, preset, cutoff, commits, None, results), sandbox)
    for engine in ENGINES:
        require_consent_to_mine(configured(given, engine))
    compared = both_engines(given, "labels" if runs else "builds", cores)
    print(compared.agreement)
    for line in (*unproven(compared.direct), *compared.certificates(), *compared.times()):
        print(line)
    return ExitStatus.NO_SUCCESS if compared.agreement.differences else ExitStatus.OK


@dataclass(frozen=True)
class Compared:
    """What both engines left behind of one repository, and how far it is equal."""

    direct: RepositoryFiles
    reference: RepositoryFiles
    agreement: Agreement

    def seconds(self, rule: str) -> tuple[float, float] | None:
        """Wall time of a rule by the direct engine and by the reference; None when one has not run it."""
        found = [read_profile(files.profile(rule)) for files in (self.direct, self.reference)]
        return (found[0].wall, found[1].wall) if found[0] is not None and found[1] is not None else None

    def certificates(self) -> list[str]:
        """What the direct engine's certificates found, a difference a line."""
        lines = []
        for one in records_so_far(self.direct.certificates, Certificate):
            found = one.comparison
            where = f"{found.files} files and {found.tests} tests at {found.revision[:7]}" if found.revision else ""
            told = ", ".join(part for part in (where, "" if found.differences else one.told) if part)
            lines.append(f"{found.verdict.value}: {one.commits} commits built in one way ({told})")
            lines += [f"  {difference}" for difference in found.differences]
        return lines

    def times(self) -> list[str]:
        return [
            f"{rule}: direct {took[0]:.1f} s, maven {took[1]:.1f} s, {took[1] / took[0]:.1f} times as long"
            for rule in OWN_RULES
            if (took := self.seconds(rule)) is not None
        ]


def both_engines(given: Mapping[str, Any], target: str, cores: int = 1, *, shared: bool = True) -> Compared:
    """Run both engines up to a target and compare every record.

    Args:
        given: a configuration with one repository; snapshot and engine are set here.
        target: `builds` (builds and suites) or `labels` (every run of every candidate too).
        shared: the reference takes over pairs, method changes and call maps; else it makes its own.

    Raises:
        UserError: the history cannot be mined, or a job failed.
    """
    direct = run_engine(given, "direct", target, cores)
    require_history(direct)
    require_kept_commits(direct)
    if not shared:
        reference = run_engine(given, "maven", target, cores)
        return Compared(direct, reference, compare(direct, reference, shared=NOT_MADE[target]))
    layout = Layout.of(configured(given, "maven"))
    with held_snapshot(layout):
        for stage in SHARED:
            take_over(direct.root / stage, layout.root / stage)
    reference = run_engine(given, "maven", target, cores, OWN_RULES)
    return Compared(direct, reference, compare(direct, reference, shared=("method changes", *NOT_MADE[target])))


def require_kept_commits(files: RepositoryFiles) -> None:
    """Refuse to compare nothing.

    Raises:
        UserError: no commit that was walked is to be built; with how many are left out, and why.
    """
    walked = read_records(files.commits, Commit)
    if all(one.rejection for one in walked):
        counts = Counter(one.rejection for one in walked if one.rejection)
        reasons = "; ".join(f"{count} {reason.value}: {reason.doc}" for reason, count in counts.most_common())
        raise UserError(
            f"There is nothing to compare: none of the {len(walked)} commits that were walked is to be built "
            f"({reasons or 'there are none'}). Walk more (--commits), or from another commit (--start)."
        )


def unproven(files: RepositoryFiles) -> list[str]:
    """How many builds and suites end so that no test is compared, with the first reason of each outcome."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for build in records_so_far(files.builds, BuildVerdict):
        if build.outcome is not BuildOutcome.BUILT:
            reasons[f"build {build.outcome.value}"].append(build.reason)
    for suite in records_so_far(files.suites, SuiteVerdict):
        if suite.outcome in (SuiteOutcome.NO_TESTS, *UNFINISHED):
            reasons[f"suite {suite.outcome.value}"].append(suite.reason)
    return [f"{ended}: {len(found)} commits, the first: {found[0]}" for ended, found in sorted(reasons.items())]


def take_over(source: Path, target: Path) -> None:
    """Make a folder equal to another one, and newer than what was made from its earlier content; leave an equal one."""
    if contents(source) == contents(target):
        return
    shutil.rmtree(target, ignore_errors=True)
    if source.is_dir():
        shutil.copytree(source, target, copy_function=shutil.copyfile)


def contents(folder: Path) -> dict[str, str]:
    """The digest of every file of a folder, by relative path; none when there is no folder."""
    return {
        file.relative_to(folder).as_posix(): file_digest(file) for file in sorted(folder.rglob("*")) if file.is_file()
    }


def configured(given: Mapping[str, Any], engine: str) -> Config:
    """The configuration of one engine's snapshot, which is called after it."""
    build = {**given.get("build", {}), "engine": engine}
    return load_config({**given, "snapshot": snapshot_of(given, engine), "build": build})


def snapshot_of(given: Mapping[str, Any], engine: str) -> str:
    return f"{given.get('snapshot', 'compared')}-{engine}"


def run_engine(
    given: Mapping[str, Any], engine: str, target: str, cores: int, rules: tuple[str, ...] = ()
) -> RepositoryFiles:
    """Run the workflow with one engine; `rules` names the only ones that may run."""
    config = configured(given, engine)
    layout = Layout.of(config)
    file, doing = write_given(config, layout), f"running {engine}"
    files = layout.of_repository(candidates(config)[0].slug)
    run_workflow(file, layout, cores=cores, again=failed_files(files), targets=[target], only=rules, doing=doing)
    if lines := [line for failure in own_failures(files) for line in lines_of(files, failure)]:
        raise UserError("\n".join([f"The engine {engine} cannot be compared. Run again, or report this:", *lines]))
    return files
