"""Whether a snapshot may be published, judged by what control submissions reached on it.

Publishable: every task that is not quarantined was graded for every control, the developer's test is a success in all
methods, nobody who knows nothing reaches any, and no outcome is impossible. For `trivial` a Success on the update track
counts only when nothing shows that it is hollow: a test of truth passes wherever it compiles, so the grade alone, which
is the paper's, says nothing there (docs/decisions/0005-controls.md).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from testevo.analysis.output.tables import Cell, Column, Table
from testevo.grading.verdicts.impossible import Impossible
from testevo.packaging.start_states.sabotage import kind_of
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.tasks import Task, Track

WITHOUT_SUCCESS = ("trivial", "sabotage", "empty", "broken", "unchanged")
"""Controls that must not reach any Success."""
THE_TASK = "the dataset"
"""Stands for a control where a task is wrong whoever is graded on it."""


@dataclass(frozen=True)
class Complaint:
    """Why a snapshot may not be published: one control on one task."""

    task_id: str
    control: str
    reason: str

    def __str__(self) -> str:
        return f"{self.task_id}: {self.control} {self.reason}"


@dataclass(frozen=True)
class Validation:
    """The results of the controls, task by task."""

    complaints: tuple[Complaint, ...]
    tasks: Table
    sabotage: Table

    @property
    def publishable(self) -> bool:
        return not self.complaints


def validated(
    graded: Iterable[GradedTask], tasks: Sequence[Task], controls: Sequence[str], impossible: Iterable[Impossible] = ()
) -> Validation:
    """Judge the control submissions of a snapshot.

    Args:
        graded: records of the controls; those of other systems are left aside.
        tasks: the tasks that were graded.
        controls: the control submissions of the run.
        impossible: outcomes of these that cannot be, and of the tasks themselves.
    """
    known: dict[tuple[str, str, Track], list[GradedTask]] = defaultdict(list)
    for record in graded:
        known[record.system, record.task_id, record.track].append(record)
    ordered = sorted(tasks, key=Task.sort_key)
    complaints = [
        Complaint("all tasks", control, "is missing in evaluation.controls")
        for control in ("gold", *WITHOUT_SUCCESS)
        if control not in controls
    ]
    for task in ordered:
        for control in controls:
            reason = _complaint(task, control, known[control, task.task_id, task.track])
            if reason is not None and task.quarantined is None:
                complaints.append(Complaint(task.task_id, control, reason))
    for one in impossible:
        complaints.append(Complaint(one.task_id, one.system or THE_TASK, f"has an impossible outcome: {one.text}"))
    only = {key: records[0] for key, records in known.items() if len(records) == 1}
    return Validation(tuple(complaints), _task_table(ordered, only, controls), _sabotage_table(ordered, only))


def own_success(result: MethodResult, track: Track) -> bool:
    """Whether a Success of `trivial` is one that nothing shows to be hollow.

    Hollow, on the update track: it checks less than the old test did, or it executes no line of any
    focal method.
    """
    hollow = bool(result.weakening) or (result.coverage is not None and result.coverage.covered == 0)
    return result.grade is Grade.SUCCESS and not (hollow and track is Track.UPDATE)


def _complaint(task: Task, control: str, records: Sequence[GradedTask]) -> str | None:
    if len(records) != 1:
        return "was not graded" if not records else f"was graded {len(records)} times"
    record = records[0]
    if record.infrastructure is not None:
        return f"could not be graded: {record.infrastructure}"
    if record.quarantined is not None:
        return f"is not judged: {record.quarantined}"
    if control == "gold":
        short = [result for result in record.methods if result.grade is not Grade.SUCCESS]
        return f"is not a success: {_named(short)}" if short else None
    if control not in WITHOUT_SUCCESS:
        return None
    reached = [result for result in record.methods if _counts(control, result, task.track)]
    return f"is a success: {_named(reached)}" if reached else None


def _counts(control: str, result: MethodResult, track: Track) -> bool:
    return own_success(result, track) if control == "trivial" else result.grade is Grade.SUCCESS


def _named(results: Sequence[MethodResult]) -> str:
    def one(result: MethodResult) -> str:
        why = f", old code: {result.discrimination.value}" if result.discrimination else ""
        return f"{result.test.short} ({result.grade.value}{why})"

    return ", ".join(map(one, results))


Graded = Mapping[tuple[str, str, Track], GradedTask]


def _task_table(tasks: Sequence[Task], graded: Graded, controls: Sequence[str]) -> Table:
    columns = [Column("Task"), Column("Track"), Column("Methods", "count"), Column("Quarantined")]
    columns += [Column(f"{control}, Success", "percent") for control in controls]
    columns += [Column("trivial, hollow", "percent")] if "trivial" in controls else []
    rows = []
    for task in tasks:
        records = {control: graded.get((control, task.task_id, task.track)) for control in controls}
        usable = {name: record for name, record in records.items() if record and not record.infrastructure}
        own = {name: _share(name, record) for name, record in usable.items()}
        cells: list[Cell] = [task.task_id, task.track.value, len(task.tests), task.quarantined or ""]
        cells += [own.get(control) for control in controls]
        if "trivial" in controls:
            every = usable["trivial"].share(Grade.SUCCESS) if "trivial" in usable else None
            cells.append(None if every is None else every - own["trivial"])
        rows.append(tuple(cells))
    notes = (
        f"Publishable: gold 100 % and {', '.join(WITHOUT_SUCCESS)} 0 % in every task that is not quarantined.",
        "trivial, hollow: passes on the new code of an update and is seen through, because it checks less than the old "
        "test or executes no focal line.",
    )
    return Table("tasks", "Control submissions by task", tuple(columns), tuple(rows), notes)


def _share(control: str, record: GradedTask) -> float:
    return sum(_counts(control, result, record.track) for result in record.methods) / len(record.methods)


def _sabotage_table(tasks: Sequence[Task], graded: Graded) -> Table:
    found: Counter[tuple[str, str, str]] = Counter()
    for task in tasks:
        record = graded.get(("sabotage", task.task_id, task.track))
        for position, result in enumerate(record.methods if record else ()):
            outcome = result.new_run.value if result.new_run else "none"
            found[kind_of(task, position).value, result.grade.value, outcome] += 1
    rows = tuple((*key, number) for key, number in sorted(found.items()))
    columns = (Column("Sabotage"), Column("Grade"), Column("Outcome on the new code"), Column("Methods", "count"))
    return Table("sabotage", "Sabotage by kind", columns, rows)
