"""Read cost and amount of work of a mined snapshot: rows for the cost model.

Work is counted in the records of the stages, time comes from their profiles (`testevo.runtime.stopwatch`), space from
what they left on disk. Processor time, not wall time, because other work on the machine changes it little.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.history.bundle import java_megabytes
from testevo.runtime.errors import UserError
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.stopwatch import read_profile

UNITS_OF = {
    "clone": ("commits", "megabytes"),
    "build_check": ("kept", "fingerprints", "suites"),
    "commit_pair": ("pairs", "changes"),
    "instrument": ("pairs", "calls"),
    "triple_execute": ("candidates", "runs"),
    "refactoring_filter": ("labelled",),
    "package_repository": ("tasks",),
    "measure_gold": ("tasks", "mutants"),
    "evaluate": ("tasks", "mutants"),
}
"""The rules that work on one repository, in order, and the work units that their cost is linear in."""
FOLDERS_OF = {
    "clone": ("clone",),
    "build_check": ("build_check", "journals/build_check"),
    "commit_pair": ("commit_pair", "journals/changes"),
    "instrument": ("instrument", "journals/instrument"),
    "triple_execute": ("triple_execute", "journals/triple_execute"),
    "refactoring_filter": ("refactoring_filter", "journals/refactoring_filter"),
    "package_repository": ("package",),
    "measure_gold": ("journals/measure_gold",),
}
"""Where a rule leaves files; the outputs of `measure_gold` lie beside those of `package_repository`."""


@dataclass(frozen=True)
class Space:
    """Bytes and files on disk."""

    bytes: int
    files: int
    """Folders included: both count as inodes."""

    def __add__(self, other: "Space") -> "Space":
        return Space(self.bytes + other.bytes, self.files + other.files)


@dataclass(frozen=True)
class StageCost:
    """One rule on one repository; for `evaluate` also of one system."""

    repository: str
    stage: str
    seconds: float
    """Of processor time."""
    space: Space


@dataclass(frozen=True)
class MinedRepository:
    """One repository of a mined snapshot."""

    name: str
    real: bool
    """Not an embedded history."""
    units: Mapping[str, float]
    costs: tuple[StageCost, ...]
    jdks: frozenset[int]


def mined_repositories(root: Path) -> list[MinedRepository]:
    """All repositories of a snapshot that were mined to the end and have profiles that can be read.

    Raises:
        UserError: the folder is not a snapshot.
    """
    layout = Layout(root)
    if not layout.config.is_file():
        raise UserError(f"{root} is not a snapshot: it has no config.json. Give a folder such as results/demo.")
    slugs = sorted(file.parent.name for file in root.glob("package/*/measured.jsonl"))
    found = [mined_repository(layout, slug) for slug in slugs]
    return [one for one in found if any(cost.stage == "build_check" for cost in one.costs)]


def mined_repository(layout: Layout, slug: str) -> MinedRepository:
    files = layout.of_repository(slug)
    costs = [cost for stage in UNITS_OF for cost in stage_costs(layout, slug, stage)]
    builds = list(lines_of(files.builds))
    return MinedRepository(
        name=slug.replace("+", "/", 1),
        real=not slug.startswith("worlds+"),
        units=work_units(files),
        costs=tuple(costs),
        jdks=frozenset(build["jdk"] for build in builds if build["jdk"]),
    )


def work_units(files: RepositoryFiles) -> dict[str, float]:
    """How much of each work unit there was."""
    commits = list(lines_of(files.commits))
    labels = list(lines_of(files.first_labels))
    pairs = [pair for pair in lines_of(files.pairs) if pair["rejection"] is None]
    return {
        "commits": len(commits),
        "megabytes": files.bundle.stat().st_size / 1e6 if files.bundle.is_file() else 0.0,
        "java_megabytes": _java_megabytes(files, commits),
        "kept": sum(commit["rejection"] is None for commit in commits),
        "fingerprints": len({build["fingerprint"] for build in lines_of(files.builds)} - {None}),
        "suites": sum(suite["outcome"] != "not_run" for suite in lines_of(files.suites)),
        "pairs": len(pairs),
        "changes": sum(1 for _ in lines_of(files.changes)),
        "calls": sum(1 for _ in lines_of(files.calls)),
        "candidates": len(labels),
        "runs": sum(len(execution["outcomes"]) for execution in lines_of(files.executions)),
        "labelled": sum(label["label"] != "none" for label in labels),
        "tasks": sum(1 for _ in lines_of(files.tasks)),
        "mutants": sum(1 for _ in lines_of(files.mutants)),
    }


def _java_megabytes(files: RepositoryFiles, commits: Sequence[Mapping[str, Any]]) -> float:
    built = [commit for commit in commits if commit["rejection"] is None]
    if not built or not files.bundle.is_file():
        return 0.0
    return java_megabytes(files.bundle, built[0]["revision"])


def stage_costs(layout: Layout, slug: str, stage: str) -> Iterator[StageCost]:
    """One row for each finished run of a rule; none when its profile is missing or of an older form."""
    folder = layout.root / "profile" / stage
    parts = sorted(folder.glob(f"{slug}@*.jsonl"))  # of systems, or of shards of one repository
    runs = [[part] for part in parts] if stage == "evaluate" else [[folder / f"{slug}.jsonl", *parts]]
    left = space_of(*(place for name in FOLDERS_OF.get(stage, ()) for place in _places(layout.root / name, slug)))
    for files in runs:
        try:
            profiles = [profile for file in files if (profile := read_profile(file)) is not None]
        except KeyError:
            continue
        if profiles:
            yield StageCost(slug.replace("+", "/", 1), stage, sum(one.processor for one in profiles), left)


def _places(folder: Path, slug: str) -> list[Path]:
    return [folder / slug, folder / f"{slug}.jsonl"]


def space_of(*places: Path) -> Space:
    """Measure the space of files and folders together; those that do not exist take none."""
    whole = Space(0, 0)
    for place in places:
        inside = [place, *place.rglob("*")] if place.is_dir() else [place] if place.is_file() else []
        sizes = [one.lstat().st_size for one in inside if not one.is_dir()]
        whole += Space(sum(sizes), len(inside))
    return whole


def cache_of(root: Path) -> Path:
    """The folder of the cache that a snapshot was mined with."""
    return Path(parsed_json((root / "config.json").read_bytes())["build"]["cache"])


def grading_space(layout: Layout) -> tuple[Space, int]:
    """Measure the space of grades, and count them."""
    grades = sum(1 for file in layout.evaluation.glob("*/*+*.jsonl") for _ in lines_of(file))
    return space_of(layout.evaluation, layout.graded), grades


def lines_of(file: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file of records; none when there is no such file."""
    if file.is_file():
        for line in file.read_bytes().splitlines():
            yield parsed_json(line)
