"""Rows of the leaderboard: what one system reached on each task (TEB-D06, R03, R09).

Read off the released file: an entry stands under `tracks.test_update` or `tracks.test_generation` and has a row per
task, `{d, pass, exec, cmpl, hrns, cov, mut}` and, for generation, `disc`. `d` is the UTC day of the new revision; rates
are shares of the task's methods, 0 to 1, rounded to four digits; `pass` counts Redundant too, `disc` is Success. A task
without a prediction is a row of zeros, for no harness failed. `cov` and `mut` are means over the methods that passed
and were measured, null without any.
"""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean

from testevo.grading.exports.swe_bench_report import tracks_of
from testevo.records.evaluation.grading import NOT_HERE, PASSING, Grade, GradedTask, MethodResult
from testevo.records.evaluation.submissions import BoardRow
from testevo.records.tasks import Track
from testevo.runtime.clock import utc_date
from testevo.runtime.errors import UserError

DIGITS = 4


def board_rows(graded: Sequence[GradedTask]) -> dict[Track, tuple[BoardRow, ...]]:
    """The rows of one system by day and task, for each track that was graded.

    Quarantined tasks are left out, as everywhere in aggregates; not those that only this machine is to blame for, with
    which entries would have other tasks.

    Raises:
        UserError: the harness failed on a task, or the machine cannot prove it, so the rows would not be the system's.
        ValueError: records of several systems.
    """
    if len({task.system for task in graded}) > 1:
        raise ValueError(f"an entry is about one system, got {sorted({task.system for task in graded})}")
    counted = [task for task in graded if task.quarantined is None]
    failed = [task.task_id for task in counted if task.infrastructure is not None]
    if failed:
        raise UserError(
            f"The harness failed on {len(failed)} tasks, such as {failed[0]}, so the results are not the system's "
            f"alone. Grade them again, then export."
        )
    unproven = [task.task_id for task in graded if task.quarantined and task.quarantined.startswith(NOT_HERE)]
    if unproven:
        raise UserError(
            f"The preconditions of {len(unproven)} tasks, such as {unproven[0]}, do not hold on this machine, so the "
            f"results are of fewer tasks than those of others. Grade them again where they do, then export."
        )
    ordered = sorted(counted, key=lambda task: (utc_date(task.new_time), task.task_id))
    return {track: tuple(_row(task) for task in ordered if task.track is track) for track in tracks_of(counted)}


def _row(task: GradedTask) -> BoardRow:
    success, redundant = task.share(Grade.SUCCESS), task.share(Grade.REDUNDANT)
    passed = [method for method in task.methods if method.grade in PASSING]
    return BoardRow.model_validate(
        {
            "d": utc_date(task.new_time),
            "pass": round(success + redundant, DIGITS),
            "exec": round(task.share(Grade.EXEC_FAIL), DIGITS),
            "cmpl": round(task.share(Grade.COMPILE_FAIL), DIGITS),
            "hrns": 0.0 if task.is_missing else round(task.share(Grade.HARNESS_FAIL), DIGITS),
            "cov": _mean(passed, lambda method: method.coverage.raw if method.coverage else None),
            "mut": _mean(passed, lambda method: method.mutation.paper if method.mutation else None),
            "disc": round(success, DIGITS) if task.track is Track.GENERATION else None,
        }
    )


def _mean(methods: Iterable[MethodResult], value_of: Callable[[MethodResult], float | None]) -> float | None:
    values = [value for method in methods if (value := value_of(method)) is not None]
    return round(fmean(values), DIGITS) if values else None
