"""Every rule says what it needs and what it runs in (TEB-E14, TEB-E15)."""

import subprocess
import sys
from pathlib import Path

import pytest

from testevo.deployment.rules import Rule, read_rules
from testevo.deployment.stages import read_table

PROJECT = Path(__file__).resolve().parents[2]
RULES = [rule for rule in read_rules(PROJECT) if not rule.is_target]
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
    assert [name for name in rule.scripts if not (PROJECT / "scripts" / f"{name}.py").is_file()] == []
    assert rule.scripts, f"{rule.name} starts no script that is seen here"


def test_no_rule_is_overlooked() -> None:
    """Snakemake itself lists the same rules; `grade` exists only where a dataset is graded instead."""
    listed = subprocess.run(
        [sys.executable, "-m", "snakemake", "--list-rules", "--configfile", "config/snapshots/worlds.yaml"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(listed.stdout.split()) == {rule.name for rule in read_rules(PROJECT)} - {"grade"}


def test_a_rule_made_from_another_one_has_what_it_does_not_replace(tmp_path: Path) -> None:
    (tmp_path / "Snakefile").write_text("")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "some.smk").write_text(
        "if A:\n\n    rule one:\n        input:\n            x,\n        threads: 1\n        shell:\n"
        "            repository_call('x')\n\n\nuse rule one as two with:\n    threads: 2\n\n\nlocalrules:\n    one,\n"
    )
    one, two = read_rules(tmp_path)
    assert (one.directives["threads"], two.directives["threads"]) == ("1", "2")
    assert two.directives["input"] == one.directives["input"] == "x,"
