"""Find the results of a grading run."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from testevo.config.snapshot.layout import Layout
from testevo.records.base import read_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.second_opinions import SecondOpinion
from testevo.records.tasks import FunnelStage, Task
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import url_safe_name
from testevo.runtime.files.json_and_yaml import parsed_json


def graded_tasks(layout: Layout, systems: Iterable[str]) -> list[GradedTask]:
    """The records of the named systems over all repositories, sorted.

    Raises:
        UserError: a system has no graded repository at all, or a record is of another system than its folder.
    """
    records: list[GradedTask] = []
    for system in sorted(systems):
        folder = layout.of_system(url_safe_name(system), "").graded.parent
        files = sorted(folder.glob("*.jsonl"))
        if not files:
            raise UserError(f"{folder} has no graded tasks. Run `testevo evaluate` first.")
        for file in files:
            records += of_system(file, system)
    return sorted(records, key=GradedTask.sort_key)


def opinions(layout: Layout, systems: Iterable[str]) -> list[SecondOpinion]:
    """PIT's results of the named systems over all repositories, sorted."""
    folders = [layout.of_system(url_safe_name(system), "").opinions.parent for system in systems]
    files = sorted(file for folder in folders for file in folder.glob("*.jsonl"))
    return sorted((one for file in files for one in read_records(file, SecondOpinion)), key=SecondOpinion.sort_key)


def of_system(file: Path, system: str) -> Sequence[GradedTask]:
    records = read_records(file, GradedTask)
    for record in records:
        if record.system != system:
            raise UserError(f"{file} holds a record of {record.system!r}. Remove the file and evaluate again.")
    return records


def not_graded_once(graded: Iterable[GradedTask], tasks: Iterable[Task], systems: Iterable[str]) -> list[str]:
    """A sentence for each task that a system was not graded on exactly once; several tasks may share an id."""
    counts = Counter((record.system, record.task_id, record.track) for record in graded)
    wanted = Counter((task.task_id, task.track) for task in tasks)
    return [
        f"{system}, {task_id}: graded {counts[system, task_id, track]} times instead of {_times(times)}"
        for system in sorted(systems)
        for (task_id, track), times in sorted(wanted.items())
        if counts[system, task_id, track] != times
    ]


def _times(number: int) -> str:
    return "once" if number == 1 else str(number)


def funnel_of(dataset: Path) -> list[FunnelStage]:
    """The funnel of a dataset folder; empty for datasets without one."""
    path = dataset / "funnel.json"
    if not path.is_file():
        return []
    return [FunnelStage.model_validate(stage) for stage in parsed_json(path.read_bytes())]


def recorded_systems(layout: Layout) -> list[GradedTask]:
    """The records of every system that has a folder, sorted; empty when nothing was graded."""
    files = sorted(layout.root.glob("evaluate/*/*.jsonl"))
    return sorted((one for file in files for one in read_records(file, GradedTask)), key=GradedTask.sort_key)
