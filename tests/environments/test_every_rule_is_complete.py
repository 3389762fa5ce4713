"""Every rule says what it needs and what it runs in (TEB-E14, TEB-E15)."""

import subprocess
import sys
from pathlib import Path

import pytest

from testevo.deployment.imports import reach_of
from testevo.deployment.rules import Rule, read_rules, scripts_of_stages
from testevo.deployment.stages import read_table

PROJECT = Path(__file__).resolve().parents[2]
RULES = [rule for rule in read_rules(PROJECT) if "shell" in rule.directives]
NEEDED = ("log", "threads", "resources", "conda", "container", "envmodules", "message", "shell")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_has_everything_that_a_cluster_asks_for(rule: Rule) -> None:
    missing = [name for name in NEEDED if not rule.directives.get(name)]
    resources = rule.directives.get("resources", "")
    missing += [f"resources: {name}" for name in ("mem_mb", "runtime") if f"{name}=" not in resources]
    assert not missing, f"{rule.file}: rule {rule.name} lacks {', '.join(missing)}"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_runs_in_the_same_stage_by_every_means(rule: Rule) -> None:
    assert rule.stage in read_table(PROJECT).stages
    assert rule.directives["conda"] == f'"../envs/{rule.stage}.yaml"'
    assert rule.directives["envmodules"] == f'*modules_of("{rule.stage}"),'


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_starts_the_script_of_its_name(rule: Rule) -> None:
    """The jobs of shards do a part of what the job of the whole repository does, by the same script."""
    assert rule.scripts == [rule.name.removesuffix("_shard")]
    assert (PROJECT / "scripts" / f"{rule.scripts[0]}.py").is_file()


def test_scripts_are_what_rules_start_and_what_that_imports() -> None:
    started = [file for files in scripts_of_stages(PROJECT).values() for file in files]
    needed = {file for file in reach_of(PROJECT, started).files if file.startswith("scripts/")}
    assert needed == {file.relative_to(PROJECT).as_posix() for file in (PROJECT / "scripts").glob("*.py")}


def test_no_rule_is_overlooked() -> None:
    """Snakemake itself lists the same rules."""
    listed = subprocess.run(
        [sys.executable, "-m", "snakemake", "--list-rules", "--configfile", "config/snapshots/worlds.yaml"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(listed.stdout.split()) == {rule.name for rule in read_rules(PROJECT)}
