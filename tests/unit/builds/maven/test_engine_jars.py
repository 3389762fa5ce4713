"""Engines that a project does not name are resolved by Maven once for each project (TEB-E05)."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.maven import engine_jars
from testevo.builds.maven.engine_jars import resolve_engine_jars
from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.model import BuildModel, ModuleModel, Places, SideModel
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.runtime.files.project import PROJECT

pytestmark = pytest.mark.maven

VINTAGE = "org.junit.vintage:junit-vintage-engine:5.10.2"
LAUNCHER = "org.junit.platform:junit-platform-launcher:1.10.2"


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Of Maven."""
    made: list[object] = []
    run = Maven.run

    def counted(maven: Maven, folder: Path, goals: Sequence[str], **more: object) -> object:
        made.append(goals)
        return run(maven, folder, goals, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Maven, "run", counted)
    return made


def test_most_models_of_a_project_want_the_same_and_maven_is_asked_once(tmp_path: Path, runs: list[object]) -> None:
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
    maven = Maven(local, find_jdks()[0], plugin_skips())
    places = Places(tmp_path, local.artifacts, maven.jdk.home)
    for kept in (local.folder / "engines").glob("*.json"):
        kept.unlink()
    first = resolve_engine_jars(wanting(LAUNCHER), maven, places, offline=False)
    assert any("junit-platform-launcher" in jar for jar in first.modules[0].engine_jars)
    asked = len(runs)
    assert asked >= 1
    assert resolve_engine_jars(wanting(LAUNCHER), maven, places, offline=False) == first
    assert len(runs) == asked
    other = resolve_engine_jars(wanting(VINTAGE), maven, places, offline=False)
    assert any("junit-vintage-engine" in jar for jar in other.modules[0].engine_jars)
    assert len(runs) > asked


def test_what_is_kept_counts_only_while_its_jars_are_there(
    tmp_path: Path, runs: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    local = local_repository(tmp_path / "cache", "owner+repo", None)
    maven = Maven(local, find_jdks()[0], plugin_skips())
    places = Places(tmp_path, local.artifacts, maven.jdk.home)
    jar = local.artifacts / "launcher.jar"
    asked: list[object] = []

    def answer(*given: object, **more: object) -> tuple[str, ...]:
        asked.append(given)
        jar.write_bytes(b"a jar")
        return (places.hide(str(jar)),)

    monkeypatch.setattr(engine_jars, "_asked", answer)
    for _ in range(2):
        resolve_engine_jars(wanting(LAUNCHER), maven, places, offline=True)
    assert len(asked) == 1
    jar.unlink()
    resolve_engine_jars(wanting(LAUNCHER), maven, places, offline=True)
    assert len(asked) == 2


def wanting(engine: str) -> BuildModel:
    """A model of one module that lacks an engine."""
    production, test = SideModel(output="{checkout}/target/classes"), SideModel(output="{checkout}/target/test-classes")
    module = ModuleModel(path="", production=production, test=test, engine_jars=(engine,))
    return BuildModel(fingerprint="f", modules=(module,))
