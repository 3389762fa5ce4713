"""Made-up files in the shape of the released leaderboard, index and task files."""

import json
from pathlib import Path

REPOSITORIES = {
    # day, track letter, methods of each task
    "o/steady": [("2016-03-01", "u", 2), ("2020-05-01", "g", 1), ("2020-05-01", "g", 3)],
    "o/heavy": [("2016-12-18", "u", 30), ("2016-12-18", "u", 1), ("2016-12-25", "u", 1)],
    "o/other": [("2021-01-01", "u", 4), ("2020-06-01", "g", 2), ("2021-02-02", "g", 25)],
    "o/twin": [("2021-01-01", "u", 4)],
}
NAMES = {"u": "test_update", "g": "test_generation"}


def index() -> dict:
    repositories = [
        {
            "project_name": f"{name.replace('/', '_')}-v1",
            "display_name": name,
            "rev_pairs": [{"d": day, "t": letter, "n": methods} for day, letter, methods in tasks],
        }
        for name, tasks in REPOSITORIES.items()
    ]
    stats = {}
    for letter, track in NAMES.items():
        own = [task for tasks in REPOSITORIES.values() for task in tasks if task[1] == letter]
        stats[track] = {"tasks": len(own), "changes": sum(task[2] for task in own)}
    return {"stats": stats, "repos": repositories}


def leaderboard() -> dict:
    """Two systems; rows in different orders, as in the released file. Everything of o/heavy fails by executing."""
    tracks: dict[str, list] = {}
    for letter, track in NAMES.items():
        rows = []
        for name, tasks in REPOSITORIES.items():
            for day, own, _ in tasks:
                if own == letter:
                    rows.append(row(day, letter, 0.0 if name == "o/heavy" else 1.0))
        tracks[track] = [
            {"agent": "A", "model": "m", "tasks": rows},
            {"agent": "B", "model": "m", "tasks": [dict(one) for one in reversed(rows)]},
        ]
    return {"tracks": tracks}


def row(day: str, letter: str, passing: float) -> dict:
    found = {
        "d": day,
        "pass": passing,
        "exec": 1 - passing,
        "cmpl": 0.0,
        "hrns": 0.0,
        "cov": 0.8 if passing else None,
        "mut": None,
    }
    return found | ({"disc": passing / 2} if letter == "g" else {})


def write_released(folder: Path, *, with_tasks: bool = False, board: dict | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.json").write_text(json.dumps(index()))
    (folder / "leaderboard.json").write_text(json.dumps(board or leaderboard()))
    if with_tasks:
        (folder / "repos").mkdir()
        for name, tasks in REPOSITORIES.items():
            listed: dict[str, list] = {track: [] for track in NAMES.values()}
            for day, letter, methods in tasks:
                listed[NAMES[letter]].append(
                    {
                        "rev1": f"a{day}",
                        "rev2": f"b{day}",
                        "test_methods": ["T#t"] * methods,
                        "dependency_methods": ["A#a", "A#b"],
                    }
                )
            document = {"display_name": name, "tracks": listed}
            (folder / "repos" / f"{name.replace('/', '_')}-v1.json").write_text(json.dumps(document))
    return folder
