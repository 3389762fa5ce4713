"""The funnel: how many items entered a stage, went on, or left for which reason (TEB-M10, M20, X16)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from testevo.records.changes import CommitPair, TestFileRejection
from testevo.records.failures import StageFailure
from testevo.records.labels import Label
from testevo.records.methods import TestKey
from testevo.records.repository import Commit, Repository
from testevo.records.snapshots.search import FoundRepository
from testevo.records.tasks import FunnelCount, FunnelStage, Task
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteVerdict
from testevo.runtime.errors import UserError

WENT_ON = ""
STAGE_FAILED = "stage_failed"
"""Why a repository left that made the job of a stage fail (`StageFailure`)."""
TestOfPair = tuple[str, str, str, TestKey]
"""Repository, old and new revision, test method."""
BEFORE_PAIRS = ("warm_up", "prove_offline", "build_check", "commit_pair")
"""The rules after `clone` whose failure leaves a repository without pairs."""


def count_stage(stage: str, unit: str, reasons: Iterable[str | None], entered: int | None = None) -> FunnelStage:
    """Count the reasons of a stage; None or '' for the items that went on.

    Args:
        stage: name of the stage.
        unit: what is counted, such as `commits`.
        reasons: one per item that the stage has written.
        entered: number of items it was given, when known from elsewhere; the number of reasons otherwise.
    """
    counts = Counter(reason or WENT_ON for reason in reasons)
    counts.setdefault(WENT_ON, 0)
    left = tuple(FunnelCount(reason=reason, count=counts[reason]) for reason in sorted(counts))
    return FunnelStage(stage=stage, unit=unit, entered=counts.total() if entered is None else entered, left=left)


def went_on(stage: FunnelStage) -> int:
    """How many items of a stage went on."""
    return sum(count.count for count in stage.left if count.reason == WENT_ON)


def check_funnel(stages: Sequence[FunnelStage]) -> None:
    """Check that every stage's counts add up, and that what went on entered the next stage of the same unit.

    Raises:
        UserError: a sum does not close; the message names the stage.
    """
    before: dict[str, FunnelStage] = {}
    for stage in stages:
        total = sum(count.count for count in stage.left)
        if total != stage.entered:
            raise UserError(
                f"The funnel does not close at stage {stage.stage} ({stage.unit}): {stage.entered} entered, but "
                f"{total} are accounted for. Delete the output of this stage and run it again."
            )
        previous = before.get(stage.unit)
        if previous is not None and went_on(previous) != stage.entered:
            raise UserError(
                f"The funnel does not close at stage {stage.stage} ({stage.unit}): {went_on(previous)} left stage "
                f"{previous.stage}, but {stage.entered} entered. Delete the output of {stage.stage} and run it again."
            )
        before[stage.unit] = stage


def build_funnel(
    *,
    repositories: Sequence[Repository],
    commits: Sequence[Commit],
    builds: Sequence[BuildVerdict],
    suites: Sequence[SuiteVerdict],
    unusable: Sequence[str | None],
    pairs: Sequence[CommitPair],
    labels: Iterable[Label],
    tasks: Sequence[Task],
    failures: Sequence[StageFailure] = (),
    searched: Sequence[FoundRepository] = (),
) -> tuple[FunnelStage, ...]:
    """The funnel of a snapshot from the records of its stages, in pipeline order.

    Repositories are counted as `clone` left them, and again by what their history yielded; labels as `package` leaves
    them, refactoring filter included.

    Args:
        unusable: one entry per built commit: why its suite makes it no end of a pair, None when it is usable.
        failures: of repositories that left with `stage_failed`; the other records are without theirs.
        searched: all that the search of GitHub found; what other sources name goes on with those that passed.
    """
    if len(suites) != len(builds):
        raise UserError(
            f"The funnel does not close at stage build_check (commits): {len(builds)} build verdicts, but "
            f"{len(suites)} suite verdicts. Delete the output of this stage and run it again."
        )
    judged = [(label.reason, None if label.reason else _key(label)) for label in labels]
    built = [verdict for verdict in builds if verdict.outcome == BuildOutcome.BUILT]
    skipped = [TestFileRejection.OTHER_LANGUAGE for pair in pairs for _ in pair.other_language_tests]
    foreign = [TestFileRejection.OTHER_FRAMEWORK for pair in pairs for _ in pair.other_framework_tests]
    return (
        *search_stages(searched, len(repositories)),
        *_repository_stages(repositories, pairs, tasks, {one.repository: one.stage for one in failures}),
        count_stage("clone", "commits", (commit.rejection for commit in commits)),
        count_stage("build_check", "commits", (_build_reason(verdict) for verdict in builds)),
        count_stage("suite_check", "commits", unusable, entered=len(built)),
        count_stage("commit_pair", "commit pairs", (pair.rejection for pair in pairs)),
        *([count_stage("commit_pair", "test files not in Java", skipped)] if skipped else []),
        *([count_stage("commit_pair", "test files of other frameworks", foreign)] if foreign else []),
        count_stage("triple_execute", "test methods", (reason for reason, _ in judged)),
        count_stage("package", "test methods", _packaging_reasons([key for _, key in judged if key], tasks)),
        count_stage("measure_gold", "tasks", ("quarantined" if task.quarantined else None for task in tasks)),
    )


def _repository_stages(
    repositories: Sequence[Repository], pairs: Sequence[CommitPair], tasks: Sequence[Task], failed: Mapping[str, str]
) -> tuple[FunnelStage, ...]:
    """Repositories as `clone` left them, then by what their history yielded; `failed` has the stage by repository."""
    kept = [one.name for one in repositories if one.rejection is None and failed.get(one.name) != "clone"]
    onward = [name for name in kept if failed.get(name) not in BEFORE_PAIRS]
    with_pair = {pair.repository for pair in pairs if pair.rejection is None}
    paired = [name for name in onward if name in with_pair or name in failed]
    yielding = {task.repository for task in tasks}
    reasons: Mapping[str, list[str | None]] = {
        "clone": [STAGE_FAILED if failed.get(one.name) == "clone" else one.rejection for one in repositories],
        "commit_pair": [STAGE_FAILED if name not in onward else None if name in paired else "no_pair" for name in kept],
        "package": [STAGE_FAILED if name in failed else None if name in yielding else "no_task" for name in paired],
    }
    return tuple(count_stage(stage, "repositories", found) for stage, found in reasons.items())


def _key(label: Label) -> TestOfPair:
    return label.repository, label.old_revision, label.new_revision, label.test


def _packaging_reasons(accepted: Iterable[TestOfPair], tasks: Iterable[Task]) -> list[str | None]:
    packaged = {
        (task.repository, task.old_revision, task.new_revision, evidence.test)
        for task in tasks
        for evidence in task.tests
    }
    return [None if one in packaged else "not_packaged" for one in accepted]


def search_stages(searched: Sequence[FoundRepository], candidates: int) -> tuple[FunnelStage, ...]:
    """The stage of the search (TEB-M05); none where nothing was searched.

    Args:
        candidates: how many repositories went on to be cloned, those of other sources included.
    """
    if not searched:
        return ()
    reasons = [one.rejection for one in searched]
    listed = candidates - reasons.count(None)
    return (count_stage("search", "repositories", [*reasons, *[None] * listed]),)


def _build_reason(verdict: BuildVerdict) -> str | None:
    return None if verdict.outcome == BuildOutcome.BUILT else verdict.outcome.value
