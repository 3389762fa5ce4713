"""What the runs of a system took, by track: in their last tries, and in all tries, which are paid."""

import csv
import io
from collections.abc import Sequence
from functools import reduce
from operator import add

from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.agents.usage import Spent
from testevo.records.tasks import Track

_HEADINGS = (
    *("system", "track", "of", "runs", "without_result", "tries", "calls", "input_tokens", "cached_input_tokens"),
    *("output_tokens", "cost_usd", "wall_s", "cpu_s"),
)


def usage_table(runs: Sequence[AgentRun]) -> str:
    """CSV with two rows per system and track; a cost is empty where a call has no price."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_HEADINGS)
    for system in sorted({run.system for run in runs}):
        for track in Track:
            own = [run for run in runs if (run.system, run.track) == (system, track)]
            if own:
                writer.writerow(_row(system, track, "last tries", own, [run.last for run in own]))
                writer.writerow(_row(system, track, "all tries", own, [run.spent for run in own]))
    return stream.getvalue()


def _row(system: str, track: Track, of: str, runs: Sequence[AgentRun], took: Sequence[Spent]) -> list[object]:
    whole = reduce(add, took, Spent())
    usage = whole.usage
    without = sum(run.status is RunStatus.INFRASTRUCTURE for run in runs)
    counts = (len(runs), without, whole.tries, usage.calls)
    tokens = (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens)
    cost = "" if usage.cost_usd is None else f"{usage.cost_usd:.6f}"
    return [system, track.value, of, *counts, *tokens, cost, whole.wall_s, whole.cpu_s]
