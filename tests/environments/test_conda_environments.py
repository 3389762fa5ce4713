"""Conda environments, checked without a channel: form, exact versions, and that they hold what the code asks for.

No environment is solved or made here.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from rattler import MatchSpec

from testevo.deployment.conda import conda_files
from testevo.deployment.imports import reach_of
from testevo.deployment.lock import normalised, read_lock, with_dependencies
from testevo.deployment.rules import read_rules, scripts_of_stages
from testevo.deployment.stages import read_table

PROJECT = Path(__file__).resolve().parents[2]
STAGES = sorted(scripts_of_stages(PROJECT))


def environment(stage: str) -> dict[str, Any]:
    given: dict[str, Any] = yaml.safe_load((PROJECT / "envs" / f"{stage}.yaml").read_text())
    return given


def specs(stage: str) -> dict[str, MatchSpec]:
    """The packages of conda-forge, by name."""
    given = [one for one in environment(stage)["dependencies"] if isinstance(one, str)]
    return {one.split("=")[0]: MatchSpec(one, strict=True) for one in given}


def python_pins(stage: str) -> dict[str, str]:
    """The distributions that pip installs, by name, those of the script after it included."""
    given = next(one["pip"] for one in environment(stage)["dependencies"] if isinstance(one, dict))
    script = PROJECT / "envs" / f"{stage}.post-deploy.sh"
    later = re.findall(r"^([a-z0-9-]+==\S+)", script.read_text(), re.MULTILINE) if script.is_file() else []
    return dict(one.split("==") for one in [*given, *later])


def test_the_files_are_those_that_follow_from_the_code() -> None:
    """When this fails: `python -m testevo.deployment.conda`."""
    there = {file.name: file.read_text() for file in (PROJECT / "envs").glob("*") if file.is_file()}
    written_by_hand = ("stages.yaml", "check_machine.sh")
    assert {name: text for name, text in there.items() if name not in written_by_hand} == conda_files(PROJECT)


def test_every_environment_is_used_and_every_rule_has_one() -> None:
    used = {rule.directives["conda"].strip('"') for rule in read_rules(PROJECT) if "shell" in rule.directives}
    assert used == {f"../envs/{file.name}" for file in (PROJECT / "envs").glob("*.yaml") if file.name != "stages.yaml"}
    assert set(STAGES) == set(read_table(PROJECT).stages)


@pytest.mark.parametrize("stage", STAGES)
def test_every_package_is_pinned_to_one_release(stage: str) -> None:
    for name, spec in specs(stage).items():
        numbers = re.fullmatch(r"(?:==)?(\d+(?:\.\d+){2,})(?:\.\*)?", spec.version or "")
        assert numbers, f"{name}: {spec.version} is not an exact release"
    assert environment(stage)["channels"] == ["conda-forge", "nodefaults"]
    assert "pip" in specs(stage)
    assert specs(stage)["python"].version.startswith("3.11.")


@pytest.mark.parametrize("stage", STAGES)
def test_the_pins_are_those_of_the_lock_and_cover_the_imports(stage: str) -> None:
    lock, pins = read_lock(PROJECT), python_pins(stage)
    assert {name: lock[name].version for name in pins} == pins
    imported = reach_of(PROJECT, scripts_of_stages(PROJECT)[stage]).distributions
    assert {normalised(name) for name in imported} <= set(pins)
    assert set(pins) == {pin.name for pin in with_dependencies(lock, imported)}


@pytest.mark.parametrize("stage", STAGES)
def test_programs_come_from_the_channel_where_it_has_them(stage: str) -> None:
    reached = reach_of(PROJECT, scripts_of_stages(PROJECT)[stage]).files
    wanted = {one.conda.split("=")[0] for one in read_table(PROJECT).programs_of(stage, reached).values() if one.conda}
    assert wanted == set(specs(stage)) - {"python", "pip"}


def test_nothing_relative_is_in_them() -> None:
    """Snakemake copies an environment's file before use, so that `-r ../requirements.lock` would lead nowhere."""
    for stage in STAGES:
        for one in (PROJECT / "envs" / f"{stage}.yaml").read_text().splitlines():
            assert not re.search(r"^\s+- -|\.\./", one), f"{stage}: {one}"


def test_the_lock_says_who_asks_for_what() -> None:
    lock = read_lock(PROJECT)
    assert "testevo" in lock["pydantic"].wanted_by
    assert "pydantic-core" in {pin.name for pin in with_dependencies(lock, ["pydantic"])}
    assert all("--hash=sha256:" in pin.text and "#" not in pin.text for pin in lock.values())
    with pytest.raises(KeyError):
        with_dependencies(lock, ["no-such-distribution"])
