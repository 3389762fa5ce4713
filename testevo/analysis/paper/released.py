"""The released leaderboard and index as task results (TEB-R01 to R04).

A leaderboard row carries a date and rates, but neither its task nor its repository, and the rows of each system come
in an order of their own. The index lists, per repository, date, track and number of methods of every task. The join
rests on dates alone: `Index.check` proves that the dates of every system's rows are, as a multiset, those of the
index. A row whose date belongs to one repository of the track then belongs to that repository. Rows of a date that
several repositories share are kept as a group named after all of them; no guess is made. Which row of a repository is
which task stays unknown unless the repository has one task that day, so the position in a row's name says nothing
across systems.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from testevo.analysis.statistics.results import TaskResult
from testevo.analysis.statistics.windows import half_year
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.json_and_yaml import parsed_json

TRACKS = {Track.GENERATION: ("test_generation", "g"), Track.UPDATE: ("test_update", "u")}
"""Name of a track in the leaderboard and letter in the index."""
HOW_TO_GET = (
    "Clone the public repository of the TestEvo-Bench site at the revision given in docs/reproduction.md and name the "
    "folder that holds leaderboard.json and index.json: `reproduction: {released: <folder>}`."
)


@dataclass(frozen=True)
class IndexedTask:
    """A task's row of the index."""

    repository: str
    day: date
    track: Track
    methods: int


@dataclass(frozen=True)
class Released:
    """Index and leaderboard, joined."""

    tasks: tuple[IndexedTask, ...]
    results: Mapping[Track, tuple[TaskResult, ...]]
    systems: Mapping[Track, tuple[str, ...]]
    """In the order of the leaderboard."""
    repositories: int

    def methods_in(self, track: Track, *, without: str | None = None) -> dict[str, int]:
        """Number of methods per half-year, which the leaderboard does not tell; optionally without a repository."""
        counts: Counter[str] = Counter()
        for task in self.tasks:
            if task.track is track and task.repository != without:
                counts[half_year(task.day)] += task.methods
        return dict(counts)


def read_released(folder: Path) -> Released:
    """Read `leaderboard.json` and `index.json` of a folder, and join them.

    Raises:
        UserError: a file is missing or malformed, or the two do not belong together.
    """
    index, leaderboard = (read_json(folder / name) for name in ("index.json", "leaderboard.json"))
    try:
        tasks = indexed_tasks(index)
        results = {track: joined(tasks, track, leaderboard) for track in TRACKS}
        systems = {
            track: tuple(system_name(entry) for entry in leaderboard["tracks"][name])
            for track, (name, _) in TRACKS.items()
        }
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(
            f"{folder} does not hold the released files in the expected shape ({error!r}). {HOW_TO_GET}"
        ) from error
    return Released(tasks, results, systems, len(index["repos"]))


def read_json(path: Path) -> Any:
    try:
        return parsed_json(path.read_bytes())
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}. {HOW_TO_GET}") from error
    except ValueError as error:
        raise UserError(f"{path} is not valid JSON ({error}). {HOW_TO_GET}") from error


def indexed_tasks(index: Mapping[str, Any]) -> tuple[IndexedTask, ...]:
    letters = {letter: track for track, (_, letter) in TRACKS.items()}
    return tuple(
        IndexedTask(repository["display_name"], date.fromisoformat(one["d"]), letters[one["t"]], int(one["n"]))
        for repository in index["repos"]
        for one in repository["rev_pairs"]
    )


def system_name(entry: Mapping[str, Any]) -> str:
    return f"{entry['agent']} + {entry['model']}"


def joined(tasks: Sequence[IndexedTask], track: Track, leaderboard: Mapping[str, Any]) -> tuple[TaskResult, ...]:
    """The rows of a track with their repositories.

    Raises:
        UserError: the dates of a system's rows are not those of the index.
    """
    name = TRACKS[track][0]
    days = Counter(task.day for task in tasks if task.track is track)
    owners = owners_by_day(tasks, track)
    results = []
    for entry in leaderboard["tracks"][name]:
        rows = sorted(entry["tasks"], key=lambda row: json.dumps(row, sort_keys=True))
        check_days(system_name(entry), name, days, Counter(date.fromisoformat(row["d"]) for row in rows))
        place: Counter[str] = Counter()
        for row in rows:
            place[row["d"]] += 1
            results.append(row_result(system_name(entry), track, owners, row, place[row["d"]]))
    return tuple(results)


def check_days(system: str, track: str, wanted: Counter[date], found: Counter[date]) -> None:
    if wanted != found:
        wrong = sorted((wanted - found) + (found - wanted))
        raise UserError(
            f"The leaderboard rows of {system} in {track} do not belong to the index: they differ on {len(wrong)} "
            f"days, first on {wrong[0]}. Take both files from the same revision."
        )


def owners_by_day(tasks: Sequence[IndexedTask], track: Track) -> dict[date, list[IndexedTask]]:
    owners: dict[date, list[IndexedTask]] = defaultdict(list)
    for task in tasks:
        if task.track is track:
            owners[task.day].append(task)
    return owners


def row_result(
    system: str, track: Track, owners: Mapping[date, Sequence[IndexedTask]], row: Mapping[str, Any], place: int
) -> TaskResult:
    day = date.fromisoformat(row["d"])
    candidates = owners[day]
    names = sorted({task.repository for task in candidates})
    repository = " | ".join(names)
    success = row["disc"] if track is Track.GENERATION else row["pass"]
    values: dict[str, float | None] = {
        "success": success,
        "pass": row["pass"],
        "exec_fail": row["exec"],
        "compile_fail": row["cmpl"],
        "harness_fail": row["hrns"],
        "compiles": row["pass"] + row["exec"],
        "coverage_pred_success": row["cov"],
        "mutation_score_pred_success": row["mut"],
        # Every passing method has coverage, so that narrow value times passing share is the wide one. A row without
        # mutation value has no mutants; the share of a row's methods with mutants is unknown, so this is a bound.
        "coverage_pred": row["pass"] * (row["cov"] or 0.0),
        "mutation_score_pred": row["pass"] * (row["mut"] or 0.0),
    }
    if track is Track.GENERATION:
        values["redundant"] = row["pass"] - row["disc"]
    return TaskResult(
        system=system,
        task_id=f"{repository} {row['d']} {place}",
        track=track,
        repository=repository,
        pair=f"{repository} {row['d']}",
        day=day,
        values=values,
        methods=candidates[0].methods if len(candidates) == 1 else None,
    )


def join_report(released: Released, track: Track) -> dict[str, int]:
    """How far the join reaches: rows of one system with one possible repository, and with several."""
    first = [one for one in released.results[track] if one.system == released.systems[track][0]]
    shared = sum(" | " in one.repository for one in first)
    tasks = sum(one.methods is not None for one in first)
    return {"rows": len(first), "repository_known": len(first) - shared, "shared_day": shared, "task_known": tasks}
