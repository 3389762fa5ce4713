"""Ratios against the references (Maven and Surefire; console launcher and agent), in one run: `python -m tests.bench`.

Writes `results/bench/bench.json`: a list of name, ratio, the ratio expected at least, and the spread of the turns. What
takes minutes or counts instead of measuring is done once, and has no spread. Nothing fails by the clock; who reads the
file decides.
"""

import argparse
import json
import tempfile
from pathlib import Path

from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.project import PROJECT
from tests.bench import compilation, engines, grading, histories, mutation, one_method, processes, sandboxes, selection
from tests.bench.ratios import measure

GROUPS = {
    "engines": engines.comparisons,
    "one_method": one_method.comparisons,
    "compilation": compilation.comparisons,
    "grading": grading.comparisons,
    "mutation": mutation.comparisons,
    "processes": processes.comparisons,
    "sandboxes": sandboxes.comparisons,
}
ONCE = {"selection": lambda: [selection.row()], "histories": histories.rows}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--turns", type=int, default=7, help="how often each is done, at least 5")
    parser.add_argument("--only", choices=sorted([*GROUPS, *ONCE]), help="one group of comparisons; all when not given")
    parser.add_argument("--output", type=Path, default=PROJECT / "results" / "bench" / "bench.json")
    options = parser.parse_args()
    records = []
    for name, comparisons in GROUPS.items():
        if options.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory(prefix="testevo-bench-") as folder, comparisons(Path(folder)) as compared:
            for comparison in compared:
                measured = measure(comparison, max(5, options.turns))
                print(measured, flush=True)
                records.append(measured.record())
    for name, rows in ONCE.items():
        if options.only in (None, name):
            records += rows()
    write_atomically(options.output, (json.dumps(records, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
