"""What a folder of results keeps so that it need not be made again: sizes, last use, and what may be removed.

What is missing is made again, at the cost of time, and of downloads for `maven` and `models`. Nothing is removed that
a run uses: a run holds the cache of its builds (`testevo.config.snapshot.lock`), and its own snapshot.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.lock import SnapshotInUseError, held_snapshot, unused_cache
from testevo.runtime.errors import MachineError, UserError
from testevo.runtime.files.json_and_yaml import parsed_json

KINDS = {
    "classes": "compiled revisions",
    "models": "Maven's models of builds",
    "builds": "what Maven has made of revisions",
    "maven": "local Maven repositories, one per project",
    "releases": "downloaded releases",
    "references": "what classes refer to",
    "jar-packages": "packages of JARs",
    "certificates": "comparisons of engines",
    "archives": "class-data archives of JVMs",
    "clones": "histories as bundles",
    "journals": "finished work of a snapshot; the next date takes it over, and paid runs of agents stay",
    "graded": "results of grading",
    "scratch": "working folders",
}
_TWO_LEVELS = frozenset({"classes", "references", "jar-packages"})
"""Kinds with a folder for the first two letters of a key."""
_OF_SNAPSHOT = {"clones": "clone", "journals": "journals", "graded": "graded", "scratch": "scratch"}
_REMOVED = ".removed-"
"""The beginning of the name of what is being removed."""


@dataclass(frozen=True)
class KeptWork:
    """One thing that is kept."""

    kind: str
    path: Path
    bytes: int
    last_use: float
    """Seconds since 1970: when a file of it was last read or written, as far as the disk notes it."""
    needed: str | None = None
    """Why it must not be removed now."""


@dataclass(frozen=True)
class _Snapshot:
    layout: Layout
    cache: Path
    predecessor: str | None
    is_dated: bool
    """Whether it is of a series."""
    is_running: bool


def kept_work(results: Path, held: ExitStack | None = None) -> list[KeptWork]:
    """All that is kept for a folder of results, sorted by kind and name; caches elsewhere that it uses included.

    Args:
        held: takes the locks that keep runs from beginning to use a cache that none uses now.
    """
    snapshots = snapshots_of(results)
    caches = caches_of(results, snapshots)
    with ExitStack() as looking:
        unused = {cache: (held or looking).enter_context(unused_cache(cache)) for cache in caches}
    running = {one.cache for one in snapshots if one.is_running}
    unused = {cache: is_unused and cache not in running for cache, is_unused in unused.items()}
    seen: set[tuple[int, int]] = set()
    found = [*_in_caches(unused, seen), *_in_snapshots(snapshots, seen)]
    return sorted(found, key=lambda one: (one.kind, one.path))


def snapshots_of(results: Path) -> list[_Snapshot]:
    found = []
    for file in sorted(results.glob("*/config.json")):
        layout = Layout(file.parent)
        try:
            with held_snapshot(layout):
                running = False
        except SnapshotInUseError:
            running = True
        found.append(_read(layout, running))
    return found


def _read(layout: Layout, running: bool) -> _Snapshot:
    """The few keys that matter here, also of configurations that other versions have written.

    Raises:
        UserError: the file is not a configuration.
    """
    try:
        config = parsed_json(layout.config.read_bytes())
        cache = Path(config["build"]["cache"]).resolve()
        return _Snapshot(layout, cache, config.get("predecessor"), config.get("lock") is not None, running)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"{layout.config} cannot be read ({error!r}). Move {layout.root} away.") from error


def caches_of(results: Path, snapshots: Iterable[_Snapshot]) -> list[Path]:
    """The caches of builds: those that snapshots name, and `<results>/cache`."""
    named = {one.cache for one in snapshots} | {(results / "cache").resolve()}
    return sorted(cache for cache in named if cache.is_dir())


def _in_caches(unused: Mapping[Path, bool], seen: set[tuple[int, int]]) -> Iterator[KeptWork]:
    for cache, is_unused in unused.items():
        for kind in sorted(KINDS.keys() - _OF_SNAPSHOT.keys()):
            for path in _parts(cache / kind, 2 if kind in _TWO_LEVELS else 1):
                yield _measured(kind, path, seen, None if is_unused else f"a run uses {cache}")


def _in_snapshots(snapshots: Sequence[_Snapshot], seen: set[tuple[int, int]]) -> Iterator[KeptWork]:
    followed = {one.predecessor for one in snapshots}
    taken_over = {one.predecessor for one in snapshots if one.is_running}
    for one in snapshots:
        root = one.layout.root
        needed = "it is running" if one.is_running else None
        if root.name in taken_over:
            needed = needed or "a running snapshot takes over from it"
        newest = one.is_dated and root.name not in followed
        reasons = {
            "clones": "part of the snapshot",
            "journals": needed or ("the next date takes over from it" if newest else _paid(root)),
        }
        for kind, name in _OF_SNAPSHOT.items():
            if (root / name).is_dir():
                yield _measured(kind, root / name, seen, reasons.get(kind, needed))
        for left in sorted(root.glob(f"{_REMOVED}*")):  # by a killed removal
            yield _measured("scratch", left, seen, needed)


def _paid(root: Path) -> str | None:
    """Runs of agents, which a model's provider was paid for, cannot be made again for nothing."""
    held = any(file.stat().st_size for file in (root / "journals" / "solve").glob("*.jsonl"))
    return "runs of agents were paid for" if held else None


def _parts(folder: Path, depth: int) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if (path.name.startswith(".") and not path.name.startswith(_REMOVED)) or path.suffix == ".lock":
            continue
        if depth > 1 and path.is_dir():
            yield from _parts(path, depth - 1)
        else:
            yield path


def _measured(kind: str, path: Path, seen: set[tuple[int, int]], needed: str | None) -> KeptWork:
    """Size on disk, files of several names counted once, and last use."""
    size, used = 0, 0.0
    for file in [path, *path.rglob("*")] if path.is_dir() else [path]:
        try:
            status = file.lstat()
        except FileNotFoundError:  # a run goes on
            continue
        if (status.st_dev, status.st_ino) not in seen:
            seen.add((status.st_dev, status.st_ino))
            size += status.st_blocks * 512
        used = max(used, status.st_mtime, 0.0 if file.is_dir() else status.st_atime)
    return KeptWork(kind, path, size, used, needed)


def to_remove(kept: Sequence[KeptWork], older_than: float | None, larger_than: int | None) -> list[KeptWork]:
    """What to remove, longest unused first.

    Args:
        older_than: seconds since 1970; all that was not used since then.
        larger_than: bytes; the longest unused until all that is kept together is no larger.
    """
    left = sum(one.bytes for one in kept)
    chosen = []
    for one in sorted(kept, key=lambda one: (one.last_use, one.path)):
        old = older_than is not None and one.last_use < older_than
        large = larger_than is not None and left > larger_than
        if one.needed is None and (old or large):
            chosen.append(one)
            left -= one.bytes
    return chosen


def remove(one: KeptWork) -> str | None:
    """Remove a thing, at once for whoever looks; says why not, if a run has begun with its snapshot meanwhile.

    Raises:
        OSError: it cannot be removed.
    """
    away = one.path.with_name(f"{_REMOVED}{one.path.name}")
    with ExitStack() as held:
        if one.kind in _OF_SNAPSHOT:
            try:
                held.enter_context(held_snapshot(Layout(one.path.parent)))
            except MachineError as error:
                return str(error)
        one.path.rename(away)
    if away.is_dir():
        shutil.rmtree(away)
    else:
        away.unlink()
    return None
