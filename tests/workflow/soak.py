"""Kill the mining of embedded histories at random points, again and again, and compare what comes out in the end.

    python tests/workflow/soak.py FOLDER [--kills 50] [--seed 1] [--worlds greetings savings temperature]

It ends with status 1 when a byte differs from an undisturbed run, when a journal holds a key twice, when a process
outlives its workflow, or when the last run fails.
"""

import argparse
import contextlib
import json
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from snapshots import Snapshot, signal_group

LONGEST_LIFE = 25.0
"""Seconds that a run is left alone at most; the shortest is a moment."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worlds", nargs="+", default=["greetings", "savings", "temperature"])
    options = parser.parse_args()

    calm = Snapshot.made(options.folder / "calm", options.folder / "cache", {"worlds": options.worlds})
    finish(calm)
    killed = Snapshot.made(options.folder / "killed", options.folder / "killed-cache", {"worlds": options.worlds})
    wrong = disturb(killed, options.kills, random.Random(options.seed))
    finish(killed)
    wrong += differences(calm, killed)
    print(json.dumps({"kills": options.kills, "seed": options.seed, "outputs": len(calm.outputs()), "wrong": wrong}))
    return 1 if wrong else 0


def finish(snapshot: Snapshot) -> None:
    """Run the workflow to its end on two cores."""
    finished = snapshot.run(snapshot.workflow(cores=2))
    if finished.returncode:
        sys.exit(f"the workflow failed:\n{finished.stdout[-3000:]}{finished.stderr[-3000:]}")


def disturb(snapshot: Snapshot, kills: int, chance: random.Random) -> list[str]:
    """Start and kill it; a run that comes to its end is begun anew. What outlived it, in words."""
    outlived = []
    for number in range(1, kills + 1):
        child = snapshot.start(snapshot.workflow(cores=2))
        end = time.monotonic() + chance.uniform(0.0, LONGEST_LIFE)
        while time.monotonic() < end and child.poll() is None:
            time.sleep(0.02)
        if child.poll() is not None:
            forget_last_stages(snapshot)
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            signal_group(child, signal.SIGKILL)
        outlived += [f"after kill {number}: {name}" for name in left_after(snapshot)]
        print(f"kill {number} of {kills}: {len(snapshot.outputs())} outputs", file=sys.stderr, flush=True)
    return outlived


def forget_last_stages(snapshot: Snapshot) -> None:
    """Remove what the stages behind the builds made, journals included, so that there is work to disturb again."""
    root = snapshot.layout.root
    for stage in ("instrument", "triple_execute", "refactoring_filter", "measure_gold", "package"):
        for file in [*(root / stage).rglob("*"), *(root / "journals" / stage).glob("*")]:
            if file.is_file():
                file.unlink()


def left_after(snapshot: Snapshot) -> list[str]:
    """Processes that are there still when all had time to go."""
    for _ in range(300):
        if not snapshot.processes():
            return []
        time.sleep(0.1)
    return [" ".join(process.cmdline())[:200] for process in snapshot.processes()]


def differences(calm: Snapshot, killed: Snapshot) -> list[str]:
    """Outputs that differ, and journal entries that are lost or there twice."""
    expected, found = calm.outputs(), killed.outputs()
    wrong = [path for path in sorted(expected.keys() | found.keys()) if expected.get(path) != found.get(path)]
    for stage in ("build_check", "instrument", "triple_execute", "refactoring_filter", "measure_gold"):
        keys = Counter(killed.journal_keys(stage))
        wrong += [f"{stage}: {key} is there {count} times" for key, count in keys.items() if count > 1]
        if set(keys) != set(calm.journal_keys(stage)):
            wrong.append(f"{stage}: other journal entries than without kills")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
