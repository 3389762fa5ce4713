"""Runs of test classes with and without selection, over the commits of one history, and whether verdicts are equal.

What is counted are runs, so nothing depends on the machine. `python -m tests.bench.selection` makes a history of its
own; `--history FOLDER --start TAG` takes a clone, `--every` all commits of the window, not only those that change Java
files.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from testevo.cli.inspecting.compare_engines import run_engine
from testevo.config.snapshot.layout import RepositoryFiles
from testevo.records.base import read_records
from testevo.records.verdicts import Outcome, SuiteVerdict
from testevo.revisions.suites.suite_selection import SuiteJobResult
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.project import PROJECT
from tests.bench.synthetic_history import Shape, make_history

MADE = Shape(classes=20, commits=30)
AT_LEAST = 3.0
CACHE = PROJECT / "results" / "cache"


def suites(given: Mapping[str, Any], cores: int, *, selection: bool) -> RepositoryFiles:
    """Build and run the suites of a history."""
    execution = {**given.get("execution", {}), "selection": selection}
    snapshot = f"bench-selection-{'on' if selection else 'off'}"
    return run_engine({**given, "snapshot": snapshot, "execution": execution}, "direct", "builds", cores)


def class_runs(files: RepositoryFiles) -> tuple[int, int]:
    """How many test classes with tests were run, each run of one at a commit counted, and in how many jobs."""
    lines = files.journal("build_check").read_text(encoding="utf-8").splitlines()
    values = [json.loads(line)["value"] for line in lines]
    results = [SuiteJobResult.model_validate(value) for value in values if "job" in value]
    classes = [
        {(test.test.module, test.test.type_name.split("$")[0]) for test in result.verdict.tests} for result in results
    ]
    return sum(map(len, classes)), len(results)


def differences(selected: RepositoryFiles, whole: RepositoryFiles) -> tuple[list[str], int]:
    """Suites and tests that end differently, and how many tests there are."""
    verdicts = [
        {suite.revision: suite for suite in read_records(files.suites, SuiteVerdict)} for files in (selected, whole)
    ]
    found, compared = [], 0
    for revision, other in verdicts[1].items():
        one = verdicts[0][revision]
        if one.outcome is not other.outcome:
            found.append(f"{revision[:7]}: {one.outcome} with selection, {other.outcome} without")
        left, right = outcomes(one), outcomes(other)
        compared += len(right)
        found += [
            f"{revision[:7]} {name}: {left.get(name)} with selection, {right.get(name)} without"
            for name in sorted(left.keys() | right.keys())
            if left.get(name) != right.get(name)
        ]
    return found, compared


def outcomes(suite: SuiteVerdict) -> dict[str, Outcome]:
    return {str(test.test): test.outcome for test in suite.tests}


def measured(given: Mapping[str, Any], name: str, cores: int) -> dict[str, str | float]:
    """The record of one history; prints what it says, and every difference."""
    selected, whole = (suites(given, cores, selection=selection) for selection in (True, False))
    (few, few_jobs), (many, many_jobs) = class_runs(selected), class_runs(whole)
    found, tests = differences(selected, whole)
    ran = f"{few} runs of test classes in {few_jobs} jobs instead of {many} in {many_jobs}"
    print(
        f"suite runs avoided by selection, {name}: {many / few:.2f} times fewer ({ran}; "
        f"{tests} verdicts, {len(found)} differ)",
        flush=True,
    )
    for line in found:
        print(f"  {line}", flush=True)
    return {
        "name": f"suite runs avoided by selection, {name}",
        "at_least": AT_LEAST,
        "ratio": round(many / few, 2),
        "spread": 0.0,
        "differences": len(found),
    }


def row(
    history: Path | None = None,
    start: str = "main",
    *,
    walk: Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
    cache: Path = CACHE,
    cores: int = 2,
) -> dict[str, str | float]:
    """The record of a clone, or of a history that is made for it."""
    with tempfile.TemporaryDirectory(prefix="testevo-selection-") as folder:
        address = history or make_history(Path(folder) / "made", MADE)
        listed = {
            "name": "bench/history",
            "address": str(address.resolve()),
            "start": start,
            "overrides": overrides or {},
        }
        given = {
            "results": folder,
            "build": {"cache": str(cache)},
            "sources": {"repositories": [listed]},
            "preset": "released",
            "rules": {"walk": walk or {}},
            "execution": {"sandbox": "none"},
        }
        return measured(given, history.resolve().parent.name if history else "made history", cores)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.selection", description=__doc__)
    parser.add_argument("--history", type=Path, help="a clone; a history is made when not given")
    parser.add_argument("--start", default="main", help="tag or branch where the walk starts")
    parser.add_argument("--commits", type=int, default=300, help="how many commits are walked")
    parser.add_argument("--every", action="store_true", help="check every commit of the window")
    parser.add_argument("--overrides", type=json.loads, default={}, help="JSON: build overrides of the repository")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of class trees")
    parser.add_argument("--output", type=Path, default=PROJECT / "results" / "bench" / "selection.json")
    options = parser.parse_args()
    walk: dict[str, Any] = {"limit": options.commits} | ({"collapse": "none"} if options.every else {})
    record = row(
        options.history, options.start, walk=walk, overrides=options.overrides, cache=options.cache, cores=options.cores
    )
    write_atomically(options.output, (json.dumps([record], indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
