"""build_check: compile every kept commit and run its suite.

Reads the walk, writes one `BuildVerdict` and one `SuiteVerdict` per kept commit (TEB-M08, M09, M13, M14), and one
`Certificate` per way of building. First the newest commits are built, one after the other, until one builds. If none
does, no other is tried. Then all commits are built; then each way of building commits whose tests our launcher runs,
all or some, is compared with plain Maven, and where they differ the commits are built again for Surefire; then suites
are run in rounds of jobs that do not depend on each other, until no more are needed. A suite that is run whole, and
that no certificate can send to Surefire, has been run by then where its commit was built.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from stage import Stage, run_stage

from testevo.execution.journal import Journal
from testevo.labels.baseline import baseline, is_built, not_tried
from testevo.records.base import Part, read_records, write_records
from testevo.records.evidence.certificates import Certificate, Comparison
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildVerdict, SuiteOutcome, SuiteVerdict, SurefireReasons, is_settled_work
from testevo.revisions.suites.certification import certified, procedure_of
from testevo.revisions.suites.suite_selection import CommitSuite, SuiteJob, SuiteJobResult, SuitePlan
from testevo.revisions.suites.suite_work import commit_suite, run_job
from testevo.revisions.workspace import Workspace, overrides_of
from testevo.runtime.files.files import canonical_json, content_key


class BuiltCommit(Part):
    """How a commit builds, and what there is to run when it does."""

    build: BuildVerdict
    suite: CommitSuite | None
    procedure: str | None = None
    """The way in which it was built; None where no certificate is asked for."""


@dataclass(frozen=True)
class Checked:
    """Everything that is known of some commits, in their order."""

    builds: Sequence[BuildVerdict] = ()
    suites: Sequence[SuiteVerdict] = ()
    certificates: Sequence[Certificate] = ()


def main(stage: Stage) -> None:
    kept = [commit for commit in read_records(stage.files.commits, Commit) if commit.rejection is None]
    commits = stage.share(kept)
    checked = check(stage, kept, commits) if commits else Checked()
    if stage.note_shard(len(commits)):
        return
    write_records(stage.files.builds, checked.builds)
    write_records(stage.files.suites, checked.suites)
    write_records(stage.files.certificates, checked.certificates)


def check(stage: Stage, kept: Sequence[Commit], commits: Sequence[Commit]) -> Checked:
    """Both verdicts of each of `commits`, a part of `kept`; what an interrupted run finished comes from its journal."""
    with stage.journal(taken_over=is_settled_work) as journal:
        if failed := failed_baseline(stage, journal, kept):
            tried = {verdict.revision: verdict for verdict in failed}
            builds = [tried.get(commit.revision) or not_tried(commit, failed) for commit in commits]
            return Checked(builds, [not_run(commit) for commit in commits])
        built = stage.results_of(commits, partial(building, stage, journal), "commits built", journal)
        certificates = [] if stage.shard is not None else certify(stage, built)
        surefire = reasons(certificates, built)
        if again := [commit for commit in commits if commit.revision in surefire]:
            opened = partial(building, stage, journal, surefire=surefire)
            rebuilt = stage.results_of(again, opened, "commits built for Surefire", journal)
            by_revision = {one.build.revision: one for one in rebuilt}
            built = [by_revision.get(one.build.revision, one) for one in built]
        tolerated = overrides_of(stage.config, stage.repository).tolerated_tests
        plan = SuitePlan([one.suite for one in built if one.suite is not None], tolerated)
        while jobs := plan.next_jobs():
            plan = plan.after(
                stage.results_of(jobs, partial(running, stage, journal, surefire=surefire), "suites run", journal)
            )
    suites = {verdict.revision: verdict for verdict in plan.verdicts()}
    verdicts = [suites.get(commit.revision) or not_run(commit) for commit in commits]
    return Checked([one.build for one in built], verdicts, certificates)


def certify(stage: Stage, built: Sequence[BuiltCommit]) -> list[Certificate]:
    """A certificate of each way of building; the first commit in walk order that is built so is compared."""
    first: dict[str, BuiltCommit] = {}
    for one in built:
        if one.procedure is not None:
            first.setdefault(one.procedure, one)
    if not first:
        return []
    found = stage.results_of([*first.values()], partial(certifying, stage), "ways of building compared")
    commits = Counter(one.procedure for one in built)
    return [
        Certificate(
            repository=stage.repository.name,
            procedure=key,
            commits=commits[key],
            comparison=comparison,
            compiled_by_maven=first[key].build.fallback is not None,
            other_modules=tuple(sorted(first[key].build.surefire)),
        )
        for key, comparison in zip(first, found, strict=True)
    ]


def reasons(certificates: Sequence[Certificate], built: Sequence[BuiltCommit]) -> dict[str, SurefireReasons]:
    """By revision, why only Surefire runs the tests of all its modules as Maven does, where a certificate says so."""
    by_procedure = {one.procedure: one.surefire for one in certificates if one.surefire is not None}
    return {
        one.build.revision: dict.fromkeys(one.build.modules, by_procedure[one.procedure])
        for one in built
        if one.procedure in by_procedure
    }


@contextmanager
def certifying(stage: Stage, process: int) -> Iterator[Callable[[BuiltCommit], Comparison]]:
    """Compare ways of building with plain Maven; each process has one."""
    with stage.workspace(process, surefire={}) as workspace:

        def compare(one: BuiltCommit) -> Comparison:
            assert one.procedure is not None, "chosen for its way of building"
            return certified(workspace, one.build.revision, one.procedure)

        yield compare


def failed_baseline(stage: Stage, journal: Journal, kept: Sequence[Commit]) -> list[BuildVerdict]:
    """The verdicts on the baseline when none of it builds; empty when one does, or where there is no gate.

    Every shard asks for the same commits, so that the cut changes nothing.
    """
    asked = baseline(kept, stage.config.build.baseline_commits)
    known = [built.build for one in asked if (built := journal.record(build_key(stage, one), BuiltCommit))]
    if is_built(known):
        return []
    if len(known) == len(asked):
        return known
    [verdicts] = stage.results_of([asked], partial(trying, stage, journal), "baselines built", journal)
    return [] if is_built(verdicts) else verdicts


@contextmanager
def trying(stage: Stage, journal: Journal, process: int) -> Iterator[Callable[[Sequence[Commit]], list[BuildVerdict]]]:
    """Build commits one after the other, up to the first that builds; each process has one."""
    with building(stage, journal, process) as build:

        def build_until_one_does(commits: Sequence[Commit]) -> list[BuildVerdict]:
            verdicts: list[BuildVerdict] = []
            for commit in commits:
                verdicts.append(build(commit).build)
                if is_built(verdicts):
                    break
            return verdicts

        yield build_until_one_does


@contextmanager
def building(
    stage: Stage, journal: Journal, process: int, surefire: Mapping[str, SurefireReasons] | None = None
) -> Iterator[Callable[[Commit], BuiltCommit]]:
    """Build commits; each process has one.

    Args:
        surefire: by revision, why only Surefire runs the tests of its modules as Maven does.
    """
    told = surefire or {}
    with stage.workspace(process, surefire=told) as workspace:

        def build(commit: Commit) -> BuiltCommit:
            by_surefire = [canonical_json(told[commit.revision])] if told else []
            return journal.remembered(build_key(stage, commit, *by_surefire), BuiltCommit, lambda: built(commit))

        def built(commit: Commit) -> BuiltCommit:
            result = workspace.checked(commit.revision)
            suite = commit_suite(workspace, commit.revision) if result.built else None
            verdict = result.verdict(workspace.checkout(commit.revision))
            procedure = procedure_of(workspace, result)
            if suite is not None and suite.inputs is None and procedure is None:
                # It runs whole and as it is, in the folder that Maven has just built.
                remembered_run(stage, journal, workspace, told, SuiteJob(revision=commit.revision, classes=None))
            return BuiltCommit(build=verdict, suite=suite, procedure=procedure)

        yield build


@contextmanager
def running(
    stage: Stage, journal: Journal, process: int, surefire: Mapping[str, SurefireReasons]
) -> Iterator[Callable[[SuiteJob], SuiteJobResult]]:
    """Run parts of suites; each process has one; `surefire` as that of `building`."""
    with stage.workspace(process, surefire=surefire) as workspace:
        yield partial(remembered_run, stage, journal, workspace, surefire)


def remembered_run(
    stage: Stage, journal: Journal, workspace: Workspace, surefire: Mapping[str, SurefireReasons], job: SuiteJob
) -> SuiteJobResult:
    """What a job found, from the journal where it is there; `surefire` as that of `building`."""
    by_surefire = [canonical_json(surefire[job.revision])] if job.revision in surefire else []
    key = content_key(stage.work_key, "suite", canonical_json(job.model_dump(mode="json")), *by_surefire)
    return journal.remembered(key, SuiteJobResult, lambda: run_job(workspace, job))


def build_key(stage: Stage, commit: Commit, *by_surefire: str) -> str:
    key = content_key(stage.work_key, "build with procedure", commit.revision)
    return content_key(key, *by_surefire) if by_surefire else key


def not_run(commit: Commit) -> SuiteVerdict:
    return SuiteVerdict(repository=commit.repository, revision=commit.revision, outcome=SuiteOutcome.NOT_RUN, reason="")


if __name__ == "__main__":
    run_stage(
        main,
        __doc__,
        reads=("repository", "commits", "bundle"),
        writes=("builds", "suites", "certificates"),
        is_cut=True,
    )
