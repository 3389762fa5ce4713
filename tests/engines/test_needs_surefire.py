"""A build that sets what the launcher does not implement is built by Maven and run by Surefire, with a reason."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.builds.engine import BuildResult
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.execution.runner import Limits
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome
from tests.engines.small_projects import REVISION, direct_engine, pom, runner_by_tree, write_project

pytestmark = pytest.mark.maven

POM = pom(properties="<groups>fast &amp; !slow</groups>")
TEST_FILE = "src/test/java/g/TaggedTest.java"
TEST = """package g;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class TaggedTest {
  @Test @Tag("fast") void holds() { assertEquals(1, VALUE); }
  @Test @Tag("slow") void fails() { fail(); }
}
"""
SEES_SUREFIRE = """package g;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class TaggedTest {
  @Test void holds() { assertNotNull(System.getProperty("surefire.real.class.path")); }
}
"""
REASON = "the property groups sets groups of maven-surefire-plugin"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectEngine]:
    scratch = tmp_path_factory.mktemp("needs-surefire")
    with direct_engine(scratch / "work", scratch / "cache") as engine:
        yield engine


@pytest.fixture(scope="module")
def built(engine: DirectEngine, tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    folder = tmp_path_factory.mktemp("checkout")
    return engine.build(write_project(folder, {"pom.xml": POM, TEST_FILE: TEST.replace("VALUE", "1")}))


def runner(engine: DirectEngine, folder: Path, *, surefire_may_run: bool) -> RunnerByTree:
    return runner_by_tree(engine, folder, Limits(method_seconds=60), surefire_may_run=surefire_may_run)


def named(method: str) -> TestKey:
    return TestKey(module="", path=TEST_FILE, type_name="g.TaggedTest", name=method)


def test_groups_are_those_of_maven(engine: DirectEngine, built: BuildResult, tmp_path: Path) -> None:
    tree = built.tree
    assert tree is not None, built.reason
    assert (built.fallback, tree.surefire) == (REASON, {"": REASON})
    assert built.verdict(tree.checkout).surefire == {"": REASON}
    by_tree = runner(engine, tmp_path, surefire_may_run=True)
    suite = by_tree.run_suite(tree)
    assert {one.test.name: one.outcome for one in suite.tests} == {"holds": Outcome.PASSED}
    assert suite.outcome is SuiteOutcome.GREEN
    assert by_tree.run_method(tree, named("holds")).outcome is Outcome.PASSED
    assert by_tree.run_method(tree, named("fails")).outcome is Outcome.NOT_FOUND
    variant = engine.build_variant(tree, {TEST_FILE: TEST.replace("VALUE", "2").encode()}).tree
    assert variant is not None
    assert by_tree.run_method(variant, named("holds")).outcome is Outcome.ASSERTION_FAILED


def test_where_surefire_may_not_run_nothing_runs(engine: DirectEngine, built: BuildResult, tmp_path: Path) -> None:
    assert built.tree is not None, built.reason
    by_tree = runner(engine, tmp_path, surefire_may_run=False)
    suite = by_tree.run_suite(built.tree)
    assert (suite.outcome, suite.tests) == (SuiteOutcome.NEEDS_SUREFIRE, ())
    assert suite.reason.startswith(REASON)
    assert "--sandbox none" in suite.reason
    run = by_tree.run_method(built.tree, named("holds"))
    assert (run.outcome, run.message) == (Outcome.INFRASTRUCTURE, suite.reason)


def test_on_the_word_of_a_certificate_single_methods_run_through_surefire(tmp_path: Path) -> None:
    """Nothing in the model tells; the test passes below Surefire only."""
    differs = "certificate_differs: a test"
    checkout = write_project(tmp_path / "certified", {"pom.xml": pom(), TEST_FILE: SEES_SUREFIRE})
    ends = {}
    for name, told in (("believed", {}), ("differs", {"": differs})):
        with direct_engine(tmp_path / name, tmp_path / "cache", surefire={REVISION: told}) as engine:
            tree = engine.build(checkout).tree
            assert tree is not None and tree.surefire == told
            by_tree = runner(engine, tmp_path / f"runs-{name}", surefire_may_run=True)
            ends[name] = by_tree.run_method(tree, named("holds")).outcome
    assert ends == {"believed": Outcome.ASSERTION_FAILED, "differs": Outcome.PASSED}


def test_what_a_certificate_needs_is_fetched_for_the_offline_half(tmp_path: Path) -> None:
    checkout = write_project(tmp_path / "fetched", {"pom.xml": pom(), TEST_FILE: SEES_SUREFIRE})
    with direct_engine(tmp_path / "online", tmp_path / "cache", certifies=True) as online:
        assert online.fetch(checkout).built
    with direct_engine(tmp_path / "offline", tmp_path / "cache", offline=True, certifies=True) as offline:
        result = offline.build(checkout)
        assert offline.procedure(result) is not None and result.tree is not None
        reference = offline.for_comparison(result.tree)
        assert reference.tree is not None, reference.reason
        direct, maven = offline.class_folders(result.tree, reference.tree)
        assert direct == maven and direct
