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

from testevo.cli.inspecting.compare_engines import both_engines, run_engine
from testevo.config.snapshot.layout import RepositoryFiles
from testevo.execution.verdicts.agreement import Agreement
from testevo.records.base import read_records
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair
from testevo.records.executions import Execution
from testevo.records.verdicts import BuildVerdict
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.project import PROJECT
from testevo.runtime.stopwatch import read_profile
from tests.bench.synthetic_history import Shape, make_history
from tests.workflow.snapshots import warm_cache

CACHE = PROJECT / "results" / "cache"
UNMEASURED = {"gold_runs": 1, "coverage": False, "mutation": {"enabled": False}}
MINING = ("build_check", "commit_pair", "instrument", "triple_execute")
LOOK_SECONDS = 0.2
CLASSES, CHECKED, MINED, WINDOW = 40, 40, 6, 25


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


@dataclass(frozen=True)
class Seconds:
    """What the same work took."""

    reference: float
    direct: float

    def record(self, name: str, at_least: float, agreement: Agreement) -> dict[str, Any]:
        """The record of a comparison; prints it, and every difference of verdicts."""
        ratio = self.reference / self.direct
        print(
            f"{name}: {ratio:.1f} times (reference {self.reference:.1f} s, direct {self.direct:.1f} s)\n{agreement}",
            flush=True,
        )
        return {
            "name": name,
            "at_least": at_least,
            "ratio": round(ratio, 2),
            "spread": 0.0,
            "differences": len(agreement.differences),
        }


def given(
    folder: Path, address: Path, start: str, limit: int, overrides: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """A configuration of one history, with results of its own and a cache that holds nothing but downloads and archives
    of class data."""
    repository = {"name": "bench/history", "address": str(address), "start": start, "overrides": dict(overrides or {})}
    cache = warm_cache(CACHE, folder / f"cache-{limit}")
    return {
        "snapshot": f"bench-{limit}",
        "results": str(folder),
        "sources": {"repositories": [repository]},
        "preset": "released",
        "evaluation": UNMEASURED,
        "rules": {"walk": {"limit": limit}},
        "build": {"cache": str(cache)},
        "execution": {"sandbox": "none"},
    }


def rows() -> list[dict[str, Any]]:
    """Build-check and mining of histories that are made for it; Maven mines a few commits only, for it is slow."""
    found = []
    for commits, longer in ((CHECKED, None), (MINED, WINDOW)):
        with tempfile.TemporaryDirectory(prefix="testevo-histories-") as folder:
            address = make_history(Path(folder) / "made", Shape(CLASSES, longer or commits))
            configuration = given(Path(folder), address, "main", commits)
            if longer is None:
                found += engines(configuration, 2, mine=False)
            else:
                found += window(configuration, given(Path(folder), address, "main", longer), 2)
    return found


def engines(configuration: Mapping[str, Any], cores: int, *, mine: bool) -> list[dict[str, Any]]:
    """Build-check, or everything up to the labels, by both engines: ratio of wall times and every difference."""
    compared = both_engines(configuration, "labels" if mine else "builds", cores, shared=False)
    name = f"{'search to labels' if mine else 'build-check'} over {compared.agreement.compared['builds']} commits"
    took = Seconds(seconds_of(compared.reference), seconds_of(compared.direct))
    return [took.record(name, 12.0 if mine else 10.0, compared.agreement)]


def window(sample: Mapping[str, Any], whole: Mapping[str, Any], cores: int) -> list[dict[str, Any]]:
    """Search to labels of a window by the direct engine, against what the reference takes for a sample of it.

    Each stage of the reference is extrapolated by its own work, since the sample may have few candidates a commit, or
    many: commits built, pairs, revisions instrumented, runs.
    """
    compared = both_engines(sample, "labels", cores, shared=False)
    files = run_engine(whole, "direct", "labels", cores)
    units, sampled = work_of(files), work_of(compared.reference)
    extrapolated = 0.0
    for stage in MINING:
        profile = read_profile(compared.reference.profile(stage))
        if profile is not None and sampled[stage]:
            extrapolated += profile.wall * units[stage] / sampled[stage]
            print(f"{stage}: the reference took {profile.wall:.1f} s for {sampled[stage]} of {units[stage]}")
    commits = f"{units['build_check']} commits, Maven extrapolated from {sampled['build_check']}"
    took = Seconds(extrapolated, seconds_of(files))
    return [took.record(f"search to labels over {commits}", 12.0, compared.agreement)]


def work_of(files: RepositoryFiles) -> dict[str, int]:
    """How much each stage did; outcomes that no JVM was needed for have no logs."""
    return {
        "build_check": sum(1 for _ in read_records(files.builds, BuildVerdict)),
        "commit_pair": sum(1 for _ in read_records(files.pairs, CommitPair)),
        "instrument": len({calls.revision for calls in read_records(files.calls, CallMap)}),
        "triple_execute": sum(len(one.outcomes) for one in read_records(files.executions, Execution) if one.logs),
    }


def seconds_of(files: RepositoryFiles) -> float:
    """Wall time of the stages that build, compare and run."""
    found = [read_profile(files.profile(stage)) for stage in MINING]
    return sum(profile.wall for profile in found if profile is not None)


def growth(configurations: Mapping[int, Mapping[str, Any]], cores: int) -> None:
    """Mine windows of several lengths, one after the other."""
    for limit, configuration in configurations.items():
        began = time.monotonic()
        with watched() as memory:
            files = run_engine(configuration, "direct", "labels", cores)
        took, work = time.monotonic() - began, work_of(files)
        print(
            f"{limit} commits: {took:.1f} s, {took / limit * 1000:.0f} ms a commit, {work['build_check']} built, "
            f"{work['triple_execute']} runs, peak {memory.peak:.0f} MiB",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.histories", description=__doc__)
    parser.add_argument("--history", type=Path, help="a clone; a history is made when not given")
    parser.add_argument("--start", default="main", help="tag or branch where the walk starts")
    parser.add_argument("--classes", type=int, default=CLASSES, help="production classes of a history that is made")
    parser.add_argument("--commits", type=int, default=CHECKED, help="commits that both engines check")
    parser.add_argument("--mine", action="store_true", help="compare everything up to the labels")
    parser.add_argument("--window", type=int, help="mine so many commits, and let Maven mine --commits of them only")
    parser.add_argument("--growth", type=int, nargs="*", default=[], help="mine windows of these lengths instead")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--overrides", type=json.loads, default={}, help="JSON: build overrides of the repository")
    parser.add_argument("--output", type=Path, default=PROJECT / "results" / "bench" / "histories.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="testevo-histories-") as name:
        folder = Path(name)
        longest = max([options.commits, options.window or 0, *options.growth])
        address = options.history or make_history(folder / "made", Shape(options.classes, longest))
        lengths = options.growth or dict.fromkeys([options.commits, options.window or options.commits])
        configurations = {
            limit: given(folder, address.resolve(), options.start, limit, options.overrides) for limit in lengths
        }
        if options.growth:
            growth(configurations, options.cores)
            return
        sample, *whole = configurations.values()
        if whole:
            records = window(sample, whole[0], options.cores)
        else:
            records = engines(sample, options.cores, mine=options.mine)
    write_atomically(options.output, (json.dumps(records, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
