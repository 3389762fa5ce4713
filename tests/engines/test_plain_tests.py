"""Plain test classes, which Surefire runs where there is JUnit 3 or no JUnit, go to Surefire by name."""

import shutil
from pathlib import Path

import pytest

from testevo.execution.runner import Limits
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from tests.engines.small_projects import direct_engine, pom, write_project

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

JUPITER = """<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.10.2</version><scope>test</scope></dependency>"""
JUNIT_3 = "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>3.8.2</version></dependency>"
PLAIN = "public class PlainTest { public void testRuns() {} public static void testNot() {} public void other() {} }"
OTHERS = {
    "OfJUnitTest": "public class OfJUnitTest extends junit.framework.TestCase { public void testRuns() {} }",
    "HiddenTest": "class HiddenTest { public void testRuns() {} }",
    "MadeTest": "public class MadeTest { public MadeTest(int a) {} public void testRuns() {} }",
    "AbstractTest": "public abstract class AbstractTest { public void testRuns() {} }",
    "Helper": "public class Helper { public void testRuns() {} }",
}


def test_an_edit_that_adds_a_plain_test_goes_to_surefire(tmp_path: Path) -> None:
    files = {f"src/test/java/{name}.java": text for name, text in OTHERS.items()}
    checkout = write_project(tmp_path / "junit3", {"pom.xml": pom().replace(JUPITER, JUNIT_3), **files})
    launcher = OneShotRunner(tmp_path / "runs")
    with direct_engine(tmp_path / "work", tmp_path / "cache") as engine:
        surefire = SurefireRunner(launcher, Limits())
        runner = RunnerByTree(launcher, surefire, by_maven=engine.by_maven, surefire_may_run=True)
        built = engine.build(checkout)
        assert built.tree is not None and (built.fallback, built.tree.surefire) == (None, {}), built
        assert [one.test.type_name for one in runner.run_suite(built.tree).tests] == ["OfJUnitTest"]
        edited = engine.build_variant(built.tree, {"src/test/java/PlainTest.java": PLAIN.encode()})
        assert edited.tree is not None, edited
        assert edited.tree.surefire == {"": edited.fallback} == {"": "Surefire runs the plain test class PlainTest"}
        assert edited.tree.key != built.tree.key
        suite = runner.run_suite(edited.tree)
    assert suite.tests, suite.reason
    assert {(one.test.type_name, one.test.name) for one in suite.tests} == {
        ("OfJUnitTest", "testRuns"),
        ("PlainTest", "testRuns"),
    }
