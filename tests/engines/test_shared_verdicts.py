"""A submission for a module of Surefire has the verdict that Surefire and the launcher share, and no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.config.model import Config
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.runners.runners import runner_for
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.sandboxes.sandbox import bubblewrap_works
from tests.engines.small_projects import direct_engine, pom, write_project

pytestmark = [
    pytest.mark.maven,
    pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine"),
]

REASON = "the property groups sets groups of maven-surefire-plugin"
TEST_FILE = "src/test/java/g/EditTest.java"
TEST = """package g;
import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import java.nio.file.*;
import org.junit.jupiter.api.*;
@Tag("fast") class EditTest {
  @Test void holds() { assertEquals(1, 1); }
  @Test void fails() { assertEquals(1, 2); }
  @Test void assumes() { assumeTrue(false); }
  @Test void ends() { Runtime.getRuntime().halt(3); }
  @Test void seesSurefire() { assertNotNull(System.getProperty("surefire.real.class.path")); }
  @Test void seesNoSurefire() { assertNull(System.getProperty("surefire.real.class.path")); }
}
"""
SHARED = {
    "holds": Outcome.PASSED,
    "fails": Outcome.ASSERTION_FAILED,
    "assumes": Outcome.ABORTED,
    "ends": Outcome.CRASHED,
}
NOT_SHARED = {
    "seesSurefire": (Outcome.PASSED, Outcome.ASSERTION_FAILED),
    "seesNoSurefire": (Outcome.ASSERTION_FAILED, Outcome.PASSED),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectEngine]:
    scratch = tmp_path_factory.mktemp("shared-verdicts")
    with direct_engine(scratch / "work", scratch / "cache") as engine:
        yield engine


@pytest.fixture(scope="module")
def tree(engine: DirectEngine, tmp_path_factory: pytest.TempPathFactory) -> BuiltTree:
    files = {"pom.xml": pom(properties="<groups>fast &amp; !slow</groups>"), TEST_FILE: TEST}
    result = engine.build(write_project(tmp_path_factory.mktemp("checkout"), files))
    assert result.tree is not None, result.reason
    assert result.tree.surefire == {"": REASON}
    return result.tree


def runner(engine: DirectEngine, work: Path, *, own_tests: bool) -> RunnerByTree:
    config = Config.model_validate({"execution": {"sandbox": "bubblewrap", "method_seconds": 120}})
    made = runner_for(config, work, by_maven=engine.by_maven, own_tests=own_tests)
    assert isinstance(made, RunnerByTree)
    return made


def named(method: str) -> TestKey:
    return TestKey(module="", path=TEST_FILE, type_name="g.EditTest", name=method)


@pytest.mark.parametrize(("method", "outcome"), SHARED.items(), ids=SHARED)
def test_a_verdict_of_both_counts(
    method: str, outcome: Outcome, engine: DirectEngine, tree: BuiltTree, tmp_path: Path
) -> None:
    run = runner(engine, tmp_path, own_tests=False).run_method(tree, named(method), tmp_path / "logs")
    assert run.outcome is outcome, run.message
    assert (tmp_path / "logs" / "result.xml").is_file()


@pytest.mark.parametrize(("method", "ends"), NOT_SHARED.items(), ids=NOT_SHARED)
def test_what_only_one_of_them_says_is_no_verdict(
    method: str, ends: tuple[Outcome, Outcome], engine: DirectEngine, tree: BuiltTree, tmp_path: Path
) -> None:
    surefire, launcher = ends
    run = runner(engine, tmp_path / "edits", own_tests=False).run_method(tree, named(method))
    assert run.outcome is Outcome.INFRASTRUCTURE
    assert run.message is not None and run.message.startswith(f"{REASON}: Surefire says {surefire.value}")
    assert f"the launcher {launcher.value}" in run.message
    own = runner(engine, tmp_path / "own", own_tests=True).run_method(tree, named(method))
    assert own.outcome is surefire
