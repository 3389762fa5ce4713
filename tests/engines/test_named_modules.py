"""Tests of named modules: the launcher runs them on the module path, in a sandbox, too, and tells what they call."""

import shutil
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.grading.coverage.coverage import CoverageMeter
from testevo.java.syntax import parse_java
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.verdicts import Outcome
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, Sandbox, bubblewrap_works
from tests.engines.both_engines import engines
from tests.engines.small_projects import write_project

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

ROOT = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>all</artifactId>
<version>1</version><packaging>pom</packaging><modules><module>base</module><module>app</module></modules>
<properties><maven.compiler.release>11</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><pluginManagement><plugins>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin>
</plugins></pluginManagement></build></project>"""
MODULE = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>all</artifactId>
<version>1</version></parent><artifactId>{name}</artifactId><dependencies>{needed}</dependencies></project>"""
BASE = "<dependency><groupId>g</groupId><artifactId>base</artifactId><version>1</version></dependency>"
JUPITER = """<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<version>5.10.2</version><scope>test</scope></dependency>"""
FILES = {
    "pom.xml": ROOT,
    "base/pom.xml": MODULE.format(name="base", needed=""),
    "base/src/main/java/module-info.java": "module the.base { exports base; }",
    "base/src/main/java/base/Base.java": "package base; public class Base { public static int two() { return 2; } }",
    "app/pom.xml": MODULE.format(name="app", needed=BASE + JUPITER),
    "app/src/main/java/module-info.java": "module the.app { requires the.base; }",
    "app/src/main/java/app/App.java": """package app;
class App { int doubled(int number) { return number * base.Base.two(); } }
""",
    "app/src/test/java/app/AppTest.java": """package app;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.Test;
class AppTest {
  @Test void doubles() { assertEquals(6, new App().doubled(3)); }
  @Test void asksTheOther() { assertEquals(2, base.Base.two()); }
  @Test void isNamed() { assertEquals("the.app", getClass().getModule().getName()); }
  @Test void fails() { assertEquals("the.base", App.class.getModule().getName()); }
}
""",
}
EXPECTED = {
    "doubles": Outcome.PASSED,
    "asksTheOther": Outcome.PASSED,
    "isNamed": Outcome.PASSED,
    "fails": Outcome.ASSERTION_FAILED,
}
SANDBOXES: list[Sandbox] = [NoSandbox(), *([Bubblewrap()] if bubblewrap_works() else [])]


def test_verdicts_are_those_of_surefire_and_calls_are_told(tmp_path: Path) -> None:
    checkout = write_project(tmp_path / "project", FILES)
    with engines(tmp_path) as both:
        direct, maven = both.direct.build(checkout), both.maven.build(checkout)
        assert direct.tree is not None, direct.reason
        assert maven.tree is not None, maven.reason
        assert (direct.fallback, direct.tree.surefire) == (None, {})
        reference = SurefireRunner(both.runs).run_suite(maven.tree)
        assert {one.test.name: one.outcome for one in reference.tests} == EXPECTED
        for sandbox in SANDBOXES:
            runner = OneShotRunner(tmp_path / type(sandbox).__name__, Limits(), sandbox)
            suite = runner.run_suite(direct.tree)
            assert {one.test.name: one.outcome for one in suite.tests} == EXPECTED
            for one in suite.tests:
                assert runner.run_method(direct.tree, one.test).outcome is EXPECTED[one.test.name]
            maps = {one.test.name: one for one in runner.call_maps(direct.tree)}
            called = {name: {callee.method.name for callee in one.direct} for name, one in maps.items()}
            assert called == {"doubles": {"doubled"}, "asksTheOther": {"two"}, "isNamed": set(), "fails": set()}
            assert {callee.method.name for callee in maps["doubles"].closure} >= {"doubled", "two"}
            assert not any(one.uninstrumented for one in maps.values())
        assert (
            covered_by(direct.tree, next(one.test for one in suite.tests if one.test.name == "doubles"), tmp_path) == 1
        )


def covered_by(tree: BuiltTree, test: TestKey, work: Path) -> int:
    """How many lines of `App.doubled` a test covers; it runs on the class path for that."""
    path = "app/src/main/java/app/App.java"
    method = parse_java(FILES[path].encode(), path).methods[0]
    focal = [Dependency(method=method.key, kind=ChangeKind.MODIFIED, path=path, span=method.span)]
    meter = CoverageMeter(tree.jdk.home, work / "coverage")
    try:
        instrumented = meter.instrumented(tree, focal)
        assert instrumented is not None
        run = OneShotRunner(work / "covered").run_method(instrumented, test)
        assert run.outcome is Outcome.PASSED, run.message
        found = meter.measure(tree, focal, run.probes).coverage
        assert found is not None
        return found.covered
    finally:
        meter.close()
