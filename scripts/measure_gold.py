"""measure_gold: grade the developer's test of every task, several times, and make the mutants (stage `package`).

Reads `Task` records, writes them again with gold coverage, kill sets, gold mutation scores and, for those whose
developer's test does not succeed every time, the reason of their quarantine; writes `Mutant` records and class files
(TEB-K06, K09).
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from stage import Stage, run_stage

from testevo.config.snapshot.layout import RepositoryFiles
from testevo.execution.journal import Journal
from testevo.grading.gold import GoldMeasurement, GoldMeter, is_settled, require_coverage, shared_ids
from testevo.grading.mutation.mutant_archive import write_archive, write_collection
from testevo.packaging.start_states.start_state import target_file
from testevo.records.base import Part, read_records, write_records
from testevo.records.evidence.mutants import Mutant
from testevo.records.tasks import Task, surefire_of
from testevo.records.verdicts import SurefireReasons
from testevo.runtime.files.files import content_key, write_atomically


class MeasuredTask(Part):
    """The journal entry of a task; the class files of its mutants lie beside it."""

    task: Task
    mutants: tuple[Mutant, ...]


def main(stage: Stage) -> None:
    tasks = read_records(stage.files.tasks, Task)
    measured = measure(stage, tasks) if tasks else []
    require_coverage(one.task for one in measured)
    write_records(stage.files.mutants, [mutant for one in measured for mutant in one.mutants])
    both = zip(tasks, measured, strict=True) if measured else ()
    archives = {task.task_id: archive_of(stage.work, key_of(stage, task)) for task, one in both if one.mutants}
    write_collection(stage.files.mutant_archives, archives)
    write_records(stage.files.measured, [one.task for one in measured])


def measure(stage: Stage, tasks: Sequence[Task]) -> list[MeasuredTask]:
    """Every task with its mutants; those finished by an interrupted run come from its journal."""
    with stage.journal() as journal:
        measure_one = partial(measuring, stage, journal, shared_ids(tasks), surefire_of(tasks))
        return stage.results_of(tasks, measure_one, "developers' tests measured", journal)


@contextmanager
def measuring(
    stage: Stage, journal: Journal, shared: frozenset[str], surefire: Mapping[str, SurefireReasons], process: int
) -> Iterator[Callable[[Task], MeasuredTask]]:
    """Measure tasks; each process has one."""
    with (
        stage.workspace(process, bundle=stage.files.task_history, surefire=surefire) as workspace,
        closing(GoldMeter(workspace, stage.work.kept("measure_gold") / "graded", shared)) as meter,
    ):

        def measured(task: Task) -> MeasuredTask:
            key = key_of(stage, task)
            known = journal.record(key, MeasuredTask)
            if known is not None and (not known.mutants or has_archive(stage, key)):
                return known
            made = kept(stage, key, meter.measure(task, target_file(task, workspace.git.read)))
            if is_settled(made.task):
                journal.put(key, made.model_dump(mode="json"))
            return made

        yield measured


def kept(stage: Stage, key: str, found: GoldMeasurement) -> MeasuredTask:
    """Write the class files of the mutants; the rest is what the journal remembers."""
    for problem in found.problems:
        print(f"{found.task.task_id}: {problem}", file=sys.stderr)
    if found.mutants and found.classes is not None:
        write_archive(archive_of(stage.work, key), found.classes)
    return MeasuredTask(task=found.task, mutants=found.mutants)


def key_of(stage: Stage, task: Task) -> str:
    return content_key(stage.work_key, task.line())


def archive_of(files: RepositoryFiles, key: str) -> Path:
    return files.kept("measure_gold") / "mutants" / f"{key}.zip"


def has_archive(stage: Stage, key: str) -> bool:
    """Whether the class files are here, or can be taken over from the earlier snapshot."""
    here = archive_of(stage.work, key)
    if not here.is_file() and stage.earlier and (there := archive_of(stage.earlier, key)).is_file():
        write_atomically(here, there.read_bytes())
    return here.is_file()


if __name__ == "__main__":
    run_stage(
        main, __doc__, reads=("repository", "tasks", "task_history"), writes=("measured", "mutants", "mutant_archives")
    )
