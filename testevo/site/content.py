"""All that the pages of a site are made of, read once."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from testevo.analysis.paper.released import Released, read_released
from testevo.analysis.reporting.run_folder import funnel_of
from testevo.analysis.statistics.attempts import first_attempts
from testevo.analysis.statistics.costs import capped
from testevo.analysis.statistics.results import TaskResult, task_results
from testevo.config.model import CONTROLS, Analysis
from testevo.config.snapshot.layout import Layout
from testevo.execution.verdicts.log_archive import packed_traces
from testevo.grading.dataset.voided_results import of_part, void_impossible
from testevo.grading.verdicts.impossible import Impossible
from testevo.packaging.dataset.dataset_folder import DatasetFolder, open_dataset
from testevo.packaging.dataset_writer import TestRecord
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.executions import Execution
from testevo.records.methods import TestKey
from testevo.records.repository import slug_of
from testevo.records.tasks import FunnelStage, Task, Track
from testevo.records.verdicts import Outcome
from testevo.site.code_size import MeasuredCode, measure_code

TaskKey = tuple[str, Track]
"""Tasks of both tracks may share an id."""
RunKey = tuple[str, str, str, TestKey]
"""Repository, old and new revision, test."""
TraceKey = tuple[str, str]
"""Repository, folder of the execution's logs."""


@dataclass(frozen=True)
class SiteContent:
    """A dataset, what was graded on it, and what else is known."""

    dataset: DatasetFolder
    tasks: Sequence[Task]
    graded: Sequence[GradedTask] = ()
    """Results of first attempts, on tasks of the dataset alone; those that cannot be are harness failures."""
    found_impossible: Sequence[Impossible] = ()
    """Why they cannot be; also of attempts and tasks that are not shown."""
    controls: Sequence[str] = CONTROLS
    settings: Analysis = field(default_factory=Analysis)
    cost_cap: float | None = None
    released: Released | None = None
    """The public leaderboard of the paper's authors, imported beside our own results."""
    before: DatasetFolder | None = None
    """An earlier snapshot to compare with."""
    executions: Mapping[RunKey, Sequence[Execution]] = field(default_factory=dict)
    """What each run of a task's tests said; empty for a copy of a dataset, which has outcomes alone."""
    traces: Mapping[TraceKey, str] = field(default_factory=dict)
    """What the first failing run of an execution threw, as its JVM printed it; none where the logs were removed."""

    @property
    def name(self) -> str:
        return str(self.dataset.description.get("snapshot", "without a name"))

    def name_of(self, task: Task) -> str:
        """What pages call a task: its id; of several tasks of one id, all but the first have their test file behind it.

        Predictions name the id alone, so that results of such tasks are shown with the first.
        """
        is_first = self._first_files[task.task_id, task.track] == task.test_file
        return task.task_id if is_first else f"{task.task_id} ({task.test_file})"

    @cached_property
    def _first_files(self) -> dict[TaskKey, str]:
        return {(task.task_id, task.track): task.test_file for task in reversed(self.tasks)}

    @cached_property
    def funnel(self) -> list[FunnelStage]:
        return funnel_of(self.dataset.folder)

    @cached_property
    def code(self) -> MeasuredCode:
        """Sizes of the repositories that have tasks, and tokens of the tasks that are shown."""
        return measure_code(self.dataset, self.tasks)

    @cached_property
    def results(self) -> list[TaskResult]:
        return capped(task_results(self.graded, self.tasks), self.cost_cap)

    @cached_property
    def systems(self) -> list[str]:
        """Submitted systems, then controls, each sorted."""
        names = {one.system for one in self.graded}
        return sorted(names, key=lambda name: (name in self.controls, name))

    @property
    def impossible(self) -> tuple[Impossible, ...]:
        """Outcomes that cannot be, of the results and tasks that are shown."""
        return of_part(self.found_impossible, self.tasks, self.systems)

    @cached_property
    def graded_by_task(self) -> dict[TaskKey, list[GradedTask]]:
        found: dict[TaskKey, list[GradedTask]] = defaultdict(list)
        for one in sorted(self.graded, key=GradedTask.sort_key):
            found[one.task_id, one.track].append(one)
        return dict(found)

    @cached_property
    def dropped(self) -> list[TestRecord]:
        """Every judged candidate that became part of no task, with its reason."""
        files = sorted((self.dataset.folder / "records").glob("*.jsonl"))
        return [one for file in files for one in read_records(file, TestRecord) if one.reason is not None]


def read_content(
    dataset: Path,
    graded: Sequence[GradedTask] = (),
    *,
    controls: Sequence[str] = CONTROLS,
    settings: Analysis | None = None,
    cost_cap: float | None = None,
    released: Path | None = None,
    before: Path | None = None,
) -> SiteContent:
    """Read what a site shows.

    Args:
        dataset: folder of the dataset.
        graded: results on its tasks as they were graded; those on other tasks, and of attempts after the first, are
            left out, and those that cannot be become harness failures.
        controls: names of control submissions.
        settings: level and weights of statistics.
        cost_cap: US dollars above which a task counts as a harness failure.
        released: folder of the public leaderboard and index.
        before: folder of an earlier dataset.

    Raises:
        UserError: a folder does not hold what it should.
    """
    opened = open_dataset(dataset)
    snapshot = Layout(dataset.absolute().parents[1])
    executions = executions_of(snapshot, opened.tasks)
    known = {(task.task_id, task.track) for task in opened.tasks}
    results = void_impossible(opened, [one for one in graded if (one.task_id, one.track) in known], opened.tasks)
    return SiteContent(
        dataset=opened,
        tasks=opened.tasks,
        graded=first_attempts(results.graded, controls),
        found_impossible=results.impossible,
        controls=controls,
        settings=settings or Analysis(),
        cost_cap=cost_cap,
        released=None if released is None else read_released(released),
        before=None if before is None else open_dataset(before),
        executions=executions,
        traces=traces_of(snapshot, executions),
    )


def executions_of(snapshot: Layout, tasks: Iterable[Task]) -> dict[RunKey, list[Execution]]:
    """What the runs of the tasks' tests said; nothing for a dataset that does not lie in the snapshot it is of."""
    wanted: dict[str, set[RunKey]] = defaultdict(set)
    for task in tasks:
        wanted[task.slug] |= {run_key(task, one.test) for one in task.tests}
    found: dict[RunKey, list[Execution]] = defaultdict(list)
    for slug, keys in sorted(wanted.items()):
        file = snapshot.of_repository(slug).executions
        for one in read_records(file, Execution) if file.is_file() else ():
            key = (one.repository, one.old_revision, one.new_revision, one.test)
            if key in keys:
                found[key].append(one)
    return dict(found)


def traces_of(snapshot: Layout, executions: Mapping[RunKey, Sequence[Execution]]) -> dict[TraceKey, str]:
    """The stack trace of the first failing run of each execution, where the snapshot has its log."""
    wanted: dict[str, dict[str, str]] = defaultdict(dict)
    for one in (one for of_test in executions.values() for one in of_test):
        failing = next((at for at, outcome in enumerate(one.outcomes) if outcome is not Outcome.PASSED), None)
        if one.logs is not None and failing is not None:
            wanted[one.repository][f"{one.logs}/{failing}"] = one.logs
    found = {}
    for repository, folders in sorted(wanted.items()):
        archive = snapshot.of_repository(slug_of(repository)).packed_runs
        for folder, trace in packed_traces(archive, sorted(folders)) if archive.is_file() else ():
            found[repository, folders[folder]] = trace
    return found


def run_key(task: Task, test: TestKey) -> RunKey:
    return (task.repository, task.old_revision, task.new_revision, test)
