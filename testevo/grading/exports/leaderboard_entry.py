"""Entries of the released leaderboard: written from graded tasks, and read back (TEB-D06, R03, R09).

Read off the released file: an entry stands under `tracks.test_update` or `tracks.test_generation` and has a row per
task, `{d, pass, exec, cmpl, hrns, cov, mut}` and, for generation, `disc`. `d` is the UTC day of the new revision; rates
are shares of the task's methods, 0 to 1, rounded to four digits; `pass` counts Redundant too, `disc` is Success. A task
without a prediction is a row of zeros, for no harness failed. `cov` and `mut` are means over the methods that passed
and were measured, null without any.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

from pydantic import Field, ValidationError

from testevo.grading.exports.swe_bench_report import tracks_of
from testevo.packaging.exports.released_export import TRACK_KEYS
from testevo.records.base import Part
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.tasks import Track
from testevo.runtime.clock import utc_date
from testevo.runtime.errors import UserError

DIGITS = 4
Rate = float


class Row(Part):
    """A task of an entry."""

    d: str
    pass_: Rate = Field(alias="pass")
    exec: Rate
    cmpl: Rate
    hrns: Rate
    cov: Rate | None
    mut: Rate | None
    disc: Rate | None = None
    """Generation only."""


class Entry(Part):
    """A system on one track."""

    agent: str
    model: str
    organization: str | None = None
    submission_date: str
    paper_url: str | None = None
    tasks: tuple[Row, ...]


class Submitter(Part):
    """The description of a system in an entry, beside its results."""

    agent: str
    model: str
    organization: str | None = None
    submission_date: str
    """ISO day; given, because equal inputs give equal entries."""
    paper_url: str | None = None


def entries(graded: Sequence[GradedTask], submitter: Submitter) -> dict[Track, Entry]:
    """The entries of one system, one for each track that was graded, rows by day and task.

    Quarantined tasks are left out, as everywhere in aggregates.

    Raises:
        UserError: the harness failed on a task, so the rows would not be the system's.
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
    ordered = sorted(counted, key=lambda task: (utc_date(task.new_time), task.task_id))
    return {
        track: Entry(**submitter.model_dump(), tasks=tuple(_row(task) for task in ordered if task.track is track))
        for track in tracks_of(counted)
    }


def _row(task: GradedTask) -> Row:
    success, redundant = task.share(Grade.SUCCESS), task.share(Grade.REDUNDANT)
    passed = [method for method in task.methods if method.grade in (Grade.SUCCESS, Grade.REDUNDANT)]
    return Row.model_validate(
        {
            "d": str(utc_date(task.new_time)),
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


def leaderboard_document(found: dict[Track, Sequence[Entry]], generated_at: str) -> dict[str, object]:
    """A leaderboard file with the given entries, keys in the released order.

    Args:
        generated_at: a fixed time, never the time of day: equal inputs give equal files.
    """
    tracks = {key: [_plain(entry, track) for entry in found.get(track, ())] for track, key in TRACK_KEYS.items()}
    return {"generated_at": generated_at, "tracks": tracks}


def _plain(entry: Entry, track: Track) -> dict[str, object]:
    plain = entry.model_dump(mode="json", by_alias=True)
    if track is not Track.GENERATION:
        for row in plain["tasks"]:
            del row["disc"]
    return plain


def read_leaderboard(path: Path) -> dict[Track, tuple[Entry, ...]]:
    """The entries of a leaderboard file by track, in its order.

    Raises:
        UserError: the file cannot be read, or an entry has another shape; the message names it.
    """
    try:
        tracks = json.loads(path.read_bytes())["tracks"]
        return {track: tuple(Entry.model_validate(one) for one in tracks[key]) for track, key in TRACK_KEYS.items()}
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}. Give a leaderboard file.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"{path} has an entry of another shape ({where}: {first['msg']}). Fetch it again.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not a leaderboard file ({error!r}). Give one with `tracks`.") from error
