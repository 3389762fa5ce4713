"""One repository on one core and on two: the stages from builds to refactorings, one after the other.

`python -m tests.bench --only processes` makes a history; `python -m tests.bench.processes --history FOLDER --start TAG`
takes a clone. Build models and downloads are there before the first turn; class trees and verdicts are made anew.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from testevo.config.load import load_config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.deployment.rules import read_rules
from testevo.runtime.files.project import PROJECT
from tests.bench.ratios import Comparison, measure
from tests.bench.synthetic_history import Shape, make_history
from tests.workflow.snapshots import warm_cache

CACHE = PROJECT / "results" / "cache"
"""Downloads outlive the bench."""
STAGES = ("build_check", "commit_pair", "instrument", "triple_execute", "refactoring_filter")
"""Scripts, after `clone`."""
SHAPE = Shape(classes=12, commits=12)
NAME, SLUG = "bench/history", "bench+history"


@dataclass(frozen=True)
class Repository:
    """A cloned history and what its stages take from before."""

    folder: Path
    address: Path
    start: str
    overrides: dict[str, Any]

    def stages(self, cores: int, turn: int) -> str:
        """Run all stages with as many processes as cores, on no more cores; the digest of all that they write."""
        place = self.folder / f"{cores}-{turn}"
        layout = self._prepared(place)
        for stage in STAGES:
            self._run(stage, layout, cores)
        digest = digest_of(layout.root)
        shutil.rmtree(place)
        return digest

    def _prepared(self, place: Path) -> Layout:
        cache = warm_cache(self.folder / "cache", place / "cache", "models")
        repository = {"name": NAME, "address": str(self.address), "start": self.start, "overrides": self.overrides}
        config = load_config(
            {
                "snapshot": "bench",
                "results": str(place),
                "preset": "released",
                "build": {"cache": str(cache)},
                "execution": {"repeats": 1, "sandbox": "none"},
                "sources": {"repositories": [repository]},
            }
        )
        layout = Layout.of(config)
        write_resolved(config, layout.config)
        cloned = self.folder / "clone"
        if cloned.is_dir():
            shutil.copytree(cloned, layout.root / "clone")
        else:
            self._run("clone", layout, 1)
            shutil.copytree(layout.root / "clone", cloned)
        return layout

    @staticmethod
    def _run(stage: str, layout: Layout, cores: int) -> None:
        command = [sys.executable, str(PROJECT / "scripts" / f"{stage}.py"), "--config", str(layout.config)]
        command += ["--slug", SLUG, "--processes", str(cores), *files_of(stage, layout.of_repository(SLUG))]
        allowed = sorted(os.sched_getaffinity(0))[:cores]
        finished = subprocess.run(
            command, capture_output=True, check=False, preexec_fn=partial(os.sched_setaffinity, 0, allowed)
        )
        assert finished.returncode == 0, finished.stderr[-2000:]


def files_of(stage: str, files: RepositoryFiles) -> Iterator[str]:
    """The options of a stage that name files, as its rule gives them."""
    order = ("clone", *STAGES)
    rule = next(one for one in read_rules(PROJECT) if one.name == stage)
    for option, name in re.findall(r"(--[\w-]+) \{(?:input|output)\.(\w+):q\}", rule.directives["shell"]):
        if name == "failure":
            yield from (option, str(files.failure(stage)))
        elif name == "failure_before":
            yield from (option, str(files.failure(order[order.index(stage) - 1])))
        elif name != "shards":
            yield from (option, str(getattr(files, name)))


def digest_of(root: Path) -> str:
    """Of all records of the stages."""
    files = sorted(file for stage in STAGES for file in (root / stage).rglob("*.jsonl"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def comparison(repository: Repository, name: str) -> Comparison:
    """One core against two, after a run that makes the build models; every run must find the same."""
    expected = repository.stages(2, -1)

    def stages(cores: int, turn: int) -> None:
        assert repository.stages(cores, turn) == expected, f"{cores} cores find something else"

    return Comparison(name, partial(stages, 1), partial(stages, 2), 1.7)


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """What is compared, for a history of its own."""
    made = make_history(folder / "history", SHAPE)
    warm_cache(CACHE, folder / "cache")
    yield [comparison(Repository(folder, made, "main", {}), "one repository on two cores, against one core")]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.processes", description=__doc__)
    parser.add_argument("--history", type=Path, help="a clone; a history is made when not given")
    parser.add_argument("--start", default="main", help="tag or branch where the walk starts")
    parser.add_argument("--level", help="Java level that overrides the declared one")
    parser.add_argument("--turns", type=int, default=1)
    options = parser.parse_args()
    overrides = {"level": options.level, "reason": "asked for by the bench"} if options.level else {}
    with tempfile.TemporaryDirectory(prefix="testevo-bench-") as name:
        folder = Path(name)
        history = options.history or make_history(folder / "history", SHAPE)
        warm_cache(CACHE, folder / "cache")
        repository = Repository(folder, history.resolve(), options.start, overrides)
        print(measure(comparison(repository, f"{history.name} on two cores, against one core"), options.turns))


if __name__ == "__main__":
    main()
