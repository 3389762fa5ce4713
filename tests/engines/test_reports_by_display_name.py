"""Tests whose POM lets Surefire report display names: it tells classes and methods all the same."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.execution.runner import Limits
from testevo.records.evidence.certificates import CertificateVerdict
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.revisions.suites.certification import compared
from tests.engines.small_projects import direct_engine, pom, runner_by_tree, write_project

pytestmark = pytest.mark.maven

REPORTER = "org.apache.maven.plugin.surefire.extensions.junit5.JUnit5Xml30StatelessReporter"
PHRASED = "".join(
    f"<usePhrased{what}>true</usePhrased{what}>"
    for what in ("TestSuiteClassName", "TestCaseClassName", "TestCaseMethodName")
)
PATH = "src/test/java/g/SumTest.java"
TEST = """package g;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
@DisplayName("A sum") class SumTest {
  @Test @DisplayName("adds two numbers") void adds() { assertEquals(3, 1 + 2); }
  @Test @DisplayName("knows more") void fails() { assertEquals(4, 1 + 2); }
}
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectEngine]:
    scratch = tmp_path_factory.mktemp("reports")
    with direct_engine(scratch / "work", scratch / "cache", certifies=True) as engine:
        yield engine


def built(engine: DirectEngine, folder: Path, reporter: str) -> BuiltTree:
    usual = "<version>3.2.5</version></plugin>"
    asked = f'<statelessTestsetReporter implementation="{REPORTER}">{reporter}</statelessTestsetReporter>'
    configuration = f"<version>3.2.5</version><configuration>{asked}</configuration></plugin>"
    result = engine.build(write_project(folder, {"pom.xml": pom().replace(usual, configuration), PATH: TEST}))
    assert result.tree is not None, result.reason
    return result.tree


@pytest.mark.parametrize("reporter", [PHRASED, "<disable>true</disable>"], ids=["display names", "no reports"])
def test_surefire_tells_the_tests_by_class_and_method(engine: DirectEngine, tmp_path: Path, reporter: str) -> None:
    tree = built(engine, tmp_path / "checkout", reporter)
    limits = Limits(method_seconds=120)
    by_tree = runner_by_tree(engine, tmp_path / "runs", limits)
    found = compared(engine, by_tree, tree)
    assert (found.verdict, found.tests) == (CertificateVerdict.CERTIFIED, 2), found.reason
    reference = engine.by_maven(tree).tree
    assert reference is not None
    for name, outcome in {"adds": Outcome.PASSED, "fails": Outcome.ASSERTION_FAILED}.items():
        run = by_tree.surefire.run_method(reference, TestKey(module="", path=PATH, type_name="g.SumTest", name=name))
        assert run.outcome is outcome, run.message
