"""`testevo builds`: every walked commit with its build, its suite and the reason why it was no use."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from testevo.cli.mined_records import files_of, read_commits
from testevo.cli.options import require_one_of
from testevo.cli.output import Line, columns, show
from testevo.cli.places import DatasetOption, SnapshotOption, find_snapshot
from testevo.config.resolved import read_resolved
from testevo.labels.reasons.explanation import Mined, failing_tests
from testevo.packaging.dataset.served import BY_SUREFIRE, by_whom
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildVerdict, Outcome, SuiteVerdict
from testevo.runtime.clock import utc_date
from testevo.runtime.errors import NotFoundError

SHORT = 12
"""Characters of a revision in the table; `--json` has all."""
LEFT_OUT = "left_out"
WAITING = "waiting"
HEADINGS = ("repository", "commit", "date", "build", "suite", "reason", "tests", "passed", "failed", "first failing")


@dataclass(frozen=True)
class CommitState:
    """The outcome of one walked commit."""

    repository: str
    revision: str
    date: str
    """UTC day of the committer."""
    build: str
    """A build outcome; `left_out` for a commit that the walk left out, `waiting` for one without a verdict so far."""
    suite: str
    reason: str
    """The word that stands for why it is of no use; '' for a green one."""
    tests: int
    passed: int
    failed: int
    first_failing: str
    said: str
    """The whole sentence about the build or the suite."""


def builds(
    snapshot: SnapshotOption = None,
    dataset: DatasetOption = None,
    repository: Annotated[str | None, typer.Option(help="Only commits of this repository, owner/name.")] = None,
    reason: Annotated[str | None, typer.Option(help="Only commits with this reason, such as red.")] = None,
    log: Annotated[
        str | None,
        typer.Option(metavar="COMMIT", help="Everything known about one commit, given the beginning of its hash."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the walked commits, newest first: verdict, reason, tests of the suite and the first that fails.

    testevo builds --snapshot results/demo --reason red
    """
    require_one_of({"--log": log, "--json": as_json})
    layout = find_snapshot(snapshot, dataset)
    config = read_resolved(layout.config)
    mined = read_commits(files_of(config, layout))
    states = chosen(commit_states(mined), repository, reason)
    if log is not None:
        show(whole_story(mined, one_commit(states, log)))
    elif as_json:
        print(json.dumps([asdict(state) for state in states], indent=1))
    else:
        show(table_of(states))


def commit_states(mined: Mined) -> list[CommitState]:
    """Every walked commit of every repository, in walk order."""
    build_of = {(one.repository, one.revision): one for one in mined.builds}
    suite_of = {(one.repository, one.revision): one for one in mined.suites}
    keys = [(commit, (commit.repository, commit.revision)) for commit in mined.commits]
    return [state_of(commit, build_of.get(key), suite_of.get(key)) for commit, key in keys]


def state_of(commit: Commit, build: BuildVerdict | None, suite: SuiteVerdict | None) -> CommitState:
    tests = suite.tests if suite is not None else ()
    failing = failing_tests(suite) if suite is not None else []
    return CommitState(
        repository=commit.repository,
        revision=commit.revision,
        date=str(utc_date(commit.committer_time)),
        build=built(commit, build),
        suite=suite.outcome.value if suite is not None else "",
        reason=reason_of(commit, build, suite),
        tests=len(tests),
        passed=sum(test.outcome is Outcome.PASSED for test in tests),
        failed=len(failing),
        first_failing=failing[0] if failing else "",
        said=said_of(commit, build, suite),
    )


def built(commit: Commit, build: BuildVerdict | None) -> str:
    """What became of the build of a commit, in a word."""
    if build is not None:
        return build.outcome.value
    return LEFT_OUT if commit.rejection is not None else WAITING


def reason_of(commit: Commit, build: BuildVerdict | None, suite: SuiteVerdict | None) -> str:
    """The first reason against a commit, in a word."""
    if commit.rejection is not None:
        return commit.rejection.value
    if build is None or suite is None:
        return ""
    word = build.outcome.value if build.outcome.value != "built" else suite.outcome.value
    return "" if word in ("green", "tolerated") else word


def said_of(commit: Commit, build: BuildVerdict | None, suite: SuiteVerdict | None) -> str:
    if commit.rejection is not None:
        return commit.rejection.doc
    return (build.reason if build is not None else "") or (suite.reason if suite is not None else "")


def chosen(states: Sequence[CommitState], repository: str | None, reason: str | None) -> list[CommitState]:
    """The commits that are asked for."""
    require(repository, {one.repository for one in states}, "repository")
    found = [one for one in states if repository in (None, one.repository)]
    require(reason, {one.reason for one in found if one.reason}, "reason")
    return [one for one in found if reason in (None, one.reason)]


def require(wanted: str | None, known: Iterable[str], what: str) -> None:
    if wanted is not None and wanted not in known:
        raise NotFoundError(f"No commit has the {what} {wanted!r}. There are: {', '.join(sorted(known)) or 'none'}.")


def one_commit(states: Sequence[CommitState], begin: str) -> CommitState:
    """The commit whose hash begins so."""
    found = [one for one in states if one.revision.startswith(begin.lower())]
    if len(found) != 1:
        raise NotFoundError(f"{begin!r} begins {len(found)} of {len(states)} commits. `testevo builds` lists them.")
    return found[0]


def table_of(states: Sequence[CommitState]) -> list[Line]:
    rows = []
    for one in states:
        counts = map(str, (one.tests, one.passed, one.failed))
        row = (one.repository, one.revision[:SHORT], one.date, one.build, one.suite, one.reason)
        rows.append((*row, *counts, one.first_failing))
    return columns(HEADINGS, rows, right=(6, 7, 8))


def whole_story(mined: Mined, state: CommitState) -> list[str]:
    """The kept output of a commit: the end of the build's log, compiler messages, tests that failed."""
    build = next((one for one in mined.builds if one.revision == state.revision), None)
    suite = next((one for one in mined.suites if one.revision == state.revision), None)
    lines = [f"{state.repository} {state.revision}, {state.date}", f"build  {state.build}"]
    if build is not None:
        lines += [f"  JDK {build.jdk}, Java level {build.java_level}"] if build.jdk else []
        lines += [
            f"  {text}" for text in (build.jdk_reason, build.fallback and f"{by_whom(build)}: {build.fallback}") if text
        ]
        why_surefire = dict.fromkeys(reason for reason in build.surefire.values() if reason != build.fallback)
        lines += [f"  {BY_SUREFIRE}: {reason}" for reason in why_surefire]
        lines += [f"  {one.path}:{one.line}: {one.message}" for one in build.diagnostics]
    lines += [f"  {line}" for line in state.said.splitlines()]
    if suite is not None:
        lines += [f"suite  {state.suite}, {state.passed} of {state.tests} tests passed"]
        others = [one for one in suite.tests if one.outcome is not Outcome.PASSED]
        lines += [f"  {one.test.short}: {one.outcome.value}" for one in others]
    return lines
