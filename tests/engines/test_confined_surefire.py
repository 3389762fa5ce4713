"""Surefire in bubblewrap tests a copy of the build: nothing else can be changed, and little can be seen."""

import shutil
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.execution.runner import Limits
from testevo.execution.runners.maven_tests import ConfinedMaven
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome
from testevo.runtime.errors import MachineError
from testevo.sandboxes.sandbox import Bubblewrap, bubblewrap_works
from tests.engines.small_projects import REVISION, direct_engine, pom, write_project

pytestmark = [
    pytest.mark.maven,
    pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine"),
]

TEST_FILE = "src/test/java/g/LooksTest.java"
TEST = """package g;
import static org.junit.jupiter.api.Assertions.*;
import java.io.*;
import java.nio.file.*;
import org.junit.jupiter.api.*;
class LooksTest {{
  @Test void runsBelowSurefire() {{ assertNotNull(System.getProperty("surefire.real.class.path")); }}
  @Test void writesInItsFolder() throws Exception {{ Files.write(Paths.get("written"), new byte[] {{1}}); }}
  @Test void readsASecret() throws Exception {{ Files.readAllBytes(Paths.get("{secret}")); }}
  @Test void changesAnArtifact() throws Exception {{
    Path jar = Paths.get(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Files.write(jar.resolveSibling("written"), new byte[] {{1}});
  }}
  @Test void connects() throws Exception {{ new java.net.Socket("127.0.0.1", {port}).close(); }}
  @Test void fillsSharedMemory() throws Exception {{
    try (OutputStream out = Files.newOutputStream(Paths.get("/dev/shm/large"))) {{
      for (int i = 0; i < 64; i++) out.write(new byte[1 << 20]);
    }}
  }}
}}
"""
WORKS = ("runsBelowSurefire", "writesInItsFolder")
REFUSED = ("readsASecret", "changesAnArtifact", "connects", "fillsSharedMemory")
LIMITS = Limits(method_seconds=120, suite_seconds=240, disk_mb=32)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectEngine]:
    scratch = tmp_path_factory.mktemp("confined")
    with direct_engine(scratch / "work", scratch / "cache", surefire={REVISION: {"": "asked for"}}) as engine:
        yield engine


@pytest.fixture(scope="module")
def built(engine: DirectEngine, port: int, tmp_path_factory: pytest.TempPathFactory) -> BuiltTree:
    folder = tmp_path_factory.mktemp("checkout")
    secret = tmp_path_factory.mktemp("somebody") / "secret"
    secret.write_text("not for tests", encoding="utf-8")
    result = engine.build(write_project(folder, {"pom.xml": pom(), TEST_FILE: TEST.format(secret=secret, port=port)}))
    assert result.tree is not None, result.reason
    return result.tree


def confined(work: Path) -> SurefireRunner:
    return SurefireRunner(OneShotRunner(work), LIMITS, maven=ConfinedMaven(Bubblewrap(), work, LIMITS))


def test_a_suite_sees_and_changes_its_own_copy_alone(built: BuiltTree, tmp_path: Path) -> None:
    assert built.maven_folder is not None
    before = sorted(built.maven_folder.rglob("*"))
    runner = confined(tmp_path / "runs")
    suite = runner.run_suite(built)
    found = {one.test.name: one.outcome for one in suite.tests}
    assert {name for name, outcome in found.items() if outcome is Outcome.PASSED} == set(WORKS), (found, suite.reason)
    assert set(found) == {*WORKS, *REFUSED}
    assert suite.outcome is SuiteOutcome.RED
    assert sorted(built.maven_folder.rglob("*")) == before
    assert [*(tmp_path / "runs").iterdir()] == []
    assert runner.sandbox == "bubblewrap"
    assert runner.key != SurefireRunner(OneShotRunner(tmp_path)).key


@pytest.mark.parametrize("name", ["runsBelowSurefire", "readsASecret"])
def test_a_single_method_ends_as_in_the_suite(name: str, built: BuiltTree, tmp_path: Path) -> None:
    test = TestKey(module="", path=TEST_FILE, type_name="g.LooksTest", name=name)
    expected = Outcome.PASSED if name in WORKS else Outcome.EXCEPTION
    assert confined(tmp_path / "runs").run_method(built, test).outcome is expected


def test_a_maven_that_does_not_start_inside_is_the_fault_of_the_machine(built: BuiltTree, tmp_path: Path) -> None:
    """Such as a script that leads to an installation below the user's home."""
    real = shutil.which("mvn")
    assert real is not None
    elsewhere = tmp_path / "elsewhere" / "mvn"
    elsewhere.parent.mkdir()
    elsewhere.write_text(f'#!/bin/sh\nexec {real} "$@"\n', encoding="utf-8")
    script = tmp_path / "shims" / "bin" / "mvn"
    script.parent.mkdir(parents=True)
    script.write_text(f'#!/bin/sh\nexec {elsewhere} "$@"\n', encoding="utf-8")
    for file in (elsewhere, script):
        file.chmod(0o755)
    tree = replace(built, maven=(str(script), *built.maven[1:]))
    with pytest.raises(MachineError, match=r"does not start in the sandbox `bubblewrap`: .*\n?.*whole installation"):
        confined(tmp_path / "runs").run_suite(tree)
