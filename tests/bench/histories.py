"""Whole stages over a history: both engines on its newest commits, and how the cost grows with its length.

`python -m tests.bench.histories` makes a history of its own; `--history FOLDER --start TAG` takes a clone. Each thing
is done once, since it is long; the spread of short things is in `python -m tests.bench`.
"""

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from testevo.cli.compare_engines import both_engines, configured, run_engine
from testevo.config.layout import Layout, RepositoryFiles
from testevo.ground.files import write_atomically
from testevo.ground.jars import PROJECT
from testevo.ground.stopwatch import read_profile
from tests.bench.synthetic_history import Shape, make_history

CACHE = PROJECT / "results" / "cache"
UNMEASURED = {"gold_runs": 1, "coverage": False, "mutation": {"enabled": False}}
MINING = ("build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter")
LOOK_SECONDS = 0.2
CLASSES, CHECKED, MINED = 40, 40, 6


@dataclass
class Memory:
    """The largest resident memory of this process and all below it at one moment, in MiB."""

    peak: float = 0.0
    stop: threading.Event = field(default_factory=threading.Event)

    def watch(self) -> None:
        own = psutil.Process()
        while not self.stop.wait(LOOK_SECONDS):
            total = 0
            for process in [own, *own.children(recursive=True)]:
                try:
                    total += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self.peak = max(self.peak, total / 2**20)


@contextmanager
def watched() -> Iterator[Memory]:
    memory = Memory()
    thread = threading.Thread(target=memory.watch)
    thread.start()
    try:
        yield memory
    finally:
        memory.stop.set()
        thread.join()


def given(folder: Path, address: Path, start: str, limit: int, cache: Path = CACHE) -> dict[str, Any]:
    """A configuration of one history, with results of its own and, if nothing is said, the shared cache."""
    repositories = [{"name": "bench/history", "address": str(address), "start": start}]
    return {"snapshot": f"bench-{limit}", "results": str(folder), "sources": {"repositories": repositories},
            "preset": "released", "evaluation": UNMEASURED, "rules": {"walk": {"limit": limit}},
            "build": {"cache": str(cache)}}  # fmt: skip


def rows() -> list[dict[str, Any]]:
    """Build-check and mining of histories that are made for it; mining on a few commits only, for Maven is slow."""
    found = []
    for commits, mine in ((CHECKED, False), (MINED, True)):
        with tempfile.TemporaryDirectory(prefix="testevo-histories-") as folder:
            address = make_history(Path(folder) / "made", Shape(CLASSES, commits))
            configuration = given(Path(folder), address, "main", commits)
            found += engines(configuration, 2, mine=mine)
    return found


def engines(configuration: Mapping[str, Any], cores: int, *, mine: bool) -> list[dict[str, Any]]:
    """Build-check, or everything up to the labels, by both engines: ratio of wall times and every difference."""
    compared = both_engines(configuration, "labels" if mine else "builds", cores, shared=False)
    took = (seconds_of(compared.direct), seconds_of(compared.reference))
    name = "search to labels" if mine else "build-check"
    commits = compared.agreement.compared["builds"]
    print(f"{name} over {commits} commits: {took[1] / took[0]:.1f} times "
          f"(reference {took[1]:.1f} s, direct {took[0]:.1f} s)\n{compared.agreement}", flush=True)  # fmt: skip
    return [{"name": f"{name} over {commits} commits", "at_least": 12.0 if mine else 10.0,
             "ratio": round(took[1] / took[0], 2), "spread": 0.0,
             "differences": len(compared.agreement.differences)}]  # fmt: skip


def seconds_of(files: RepositoryFiles) -> float:
    """Wall time of the stages that build, compare and run."""
    found = [read_profile(files.profile(stage)) for stage in MINING]
    return sum(profile.wall for profile in found if profile is not None)


def growth(folder: Path, address: Path, start: str, lengths: list[int], cores: int) -> None:
    """Mine windows of several lengths, each with results and class trees of its own."""
    for limit in lengths:
        configuration = given(folder / str(limit), address, start, limit, cache=folder / str(limit) / "cache")
        layout = Layout.of(configured(configuration, "direct"))
        began = time.monotonic()
        with watched() as memory:
            run_engine(configuration, "direct", "labels", cores)
        took = time.monotonic() - began
        print(f"{limit} commits: {took:.1f} s, {took / limit * 1000:.0f} ms a commit, peak {memory.peak:.0f} MiB "
              f"({layout.root})", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.histories", description=__doc__)
    parser.add_argument("--history", type=Path, help="a clone; a history is made when not given")
    parser.add_argument("--start", default="main", help="tag or branch where the walk starts")
    parser.add_argument("--classes", type=int, default=CLASSES, help="production classes of a history that is made")
    parser.add_argument("--commits", type=int, default=CHECKED, help="commits that both engines check")
    parser.add_argument("--mine", action="store_true", help="compare everything up to the labels")
    parser.add_argument("--growth", type=int, nargs="*", default=[], help="mine windows of these lengths instead")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--overrides", type=json.loads, default={}, help="JSON: build overrides of the repository")
    parser.add_argument("--output", type=Path, default=PROJECT / "results" / "bench" / "histories.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="testevo-histories-") as name:
        folder = Path(name)
        longest = max([options.commits, *options.growth])
        address = options.history or make_history(folder / "made", Shape(options.classes, longest))
        if options.growth:
            growth(folder, address.resolve(), options.start, options.growth, options.cores)
            return
        configuration = given(folder, address.resolve(), options.start, options.commits)
        configuration["sources"]["repositories"][0]["overrides"] = options.overrides
        records = engines(configuration, options.cores, mine=options.mine)
    write_atomically(options.output, (json.dumps(records, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
