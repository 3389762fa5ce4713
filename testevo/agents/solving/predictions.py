"""Runs as an ordinary file of predictions (docs/predictions.md), which goes through the same door as any other."""

import json
from collections.abc import Iterable
from typing import Any

from testevo.config.systems import attempt_name
from testevo.records.agents.runs import AgentRun, RunStatus


def predictions_text(runs: Iterable[AgentRun]) -> str:
    """A line for each run that says something of its system; further attempts have names of their own, `name@2`."""
    counted = [run for run in runs if run.status is not RunStatus.INFRASTRUCTURE]
    return "".join(f"{json.dumps(_line(run), sort_keys=True)}\n" for run in counted)


def _line(run: AgentRun) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "instance_id": run.task_id,
        "track": run.track.value,
        "model_name_or_path": attempt_name(run.system, run.attempt),
        "model_patch": run.patch,
        "cost_usd": run.spent.usage.cost_usd,
        "tokens_in": run.spent.usage.input_tokens,
        "tokens_out": run.spent.usage.output_tokens,
        "wall_s": run.spent.wall_s,
        "exit_status": run.status.value,
        "trajectory": run.trajectory,
    }
