"""`testevo plan` plans the jobs that the workflow runs."""

import json
from pathlib import Path

import pytest
from snapshots import Snapshot, command_line

from testevo.cli.mining.import_results import planned_jobs

TARGETS = ("all", "evaluate", "aggregate", "validate")


@pytest.mark.parametrize("shard_minutes", [None, 0.1])
def test_the_plan_counts_the_jobs_of_a_dry_run(tmp_path: Path, shard_minutes: float | None) -> None:
    """By rule, for a configuration with embedded histories and releases; shards are known once histories are cloned."""
    sources = {"worlds": ["savings", "orchard"], "releases": [{"coordinates": "g:a", "versions": ["1", "2"]}]}
    machine = {} if shard_minutes is None else {"machine": {"shard_minutes": shard_minutes}}
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", sources, **machine)
    finished = snapshot.run(snapshot.workflow("--dry-run", *TARGETS))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    jobs = planned_jobs(finished.stdout + finished.stderr)
    planned = snapshot.run(command_line("plan", "--configuration", "snapshot.yaml", "--json"))
    assert planned.returncode == 0, planned.stderr
    by_rule = {one["stage"]: one["jobs"] for one in json.loads(planned.stdout)["stages"]}
    known = {rule: count for rule, count in by_rule.items() if not rule.endswith("_shard")}
    assert known == {rule: count for rule, count in jobs.items() if rule not in ("all", "evaluate")}
