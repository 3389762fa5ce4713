"""Surefire finds its own parts offline, whatever framework, level or module system the tests of a project use."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import Jdk, find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.runner import SuiteRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.verdicts import Outcome, SuiteOutcome
from tests.engines.small_projects import write_project
from tests.java_versions import JDKS

pytestmark = pytest.mark.maven

ROOT = "<groupId>g</groupId><artifactId>parent</artifactId><version>1</version>"
PARENT = f"""<project><modelVersion>4.0.0</modelVersion>{ROOT}<packaging>pom</packaging>
<modules>{{modules}}</modules><properties><maven.compiler.source>{{level}}</maven.compiler.source>
<maven.compiler.target>{{level}}</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>"""
MODULE = f"""<project><modelVersion>4.0.0</modelVersion><parent>{ROOT}</parent><artifactId>{{name}}</artifactId>
<dependencies><dependency><groupId>{{group}}</groupId><artifactId>{{artifact}}</artifactId><version>{{version}}</version>
<scope>test</scope></dependency></dependencies></project>"""
JUNIT4, JUPITER = ("junit", "junit", "4.13.2"), ("org.junit.jupiter", "junit-jupiter", "5.10.2")
TESTNG, JQWIK = ("org.testng", "testng", "7.5.1"), ("net.jqwik", "jqwik", "1.9.3")
ANNOTATED = "package p; public class ATest {{ @{annotation} public void runs() {{ }} }}"
OLD = "package p; public class ATest extends junit.framework.TestCase { public void testRuns() { } }"


def suite_of(folder: Path, jdk: Jdk, level: str, modules: Mapping[str, Mapping[str, str]], lost: str = "") -> SuiteRun:
    """What Maven's suite says with a local repository that has nothing yet.

    Args:
        lost: artifacts of Surefire that go once the project is built.
    """
    names = "".join(f"<module>{name}</module>" for name in modules)
    files = {f"{name}/{path}": text for name, module in modules.items() for path, text in module.items()}
    files["pom.xml"] = PARENT.format(modules=names, level=level)
    local = local_repository(folder / "cache", "fresh", None)
    engine = MavenEngine(BuildContext(local, folder / "cache", folder / "work", [jdk]))
    built = engine.build(write_project(folder / "project", files))
    assert built.tree is not None, built.reason
    if lost:
        shutil.rmtree(local.artifacts / "org/apache/maven/surefire" / lost)
    suite = SurefireRunner(OneShotRunner(folder / "runs")).run_suite(built.tree)
    engine.close()
    return suite


def passed(suite: SuiteRun) -> set[str]:
    """The modules whose one test passes."""
    return {one.test.module for one in suite.tests if one.outcome is Outcome.PASSED}


def module(name: str, framework: tuple[str, str, str], test: str, **more: str) -> dict[str, str]:
    group, artifact, version = framework
    pom = MODULE.format(name=name, group=group, artifact=artifact, version=version)
    return {"pom.xml": pom, "src/test/java/p/ATest.java": test, **more}


def test_every_framework_and_a_named_module_run_offline(tmp_path: Path) -> None:
    """Suites crashed for a part of Surefire that was missing: with TestNG, engines without JUnit, modules of Java."""
    descriptor = {
        "src/main/java/module-info.java": "module named { }",
        "src/main/java/p/A.java": "package p; public class A { }",
    }
    modules = {
        "testng": module("testng", TESTNG, ANNOTATED.format(annotation="org.testng.annotations.Test")),
        "engine": module("engine", JQWIK, ANNOTATED.format(annotation="net.jqwik.api.Example")),
        "junit4": module("junit4", JUNIT4, ANNOTATED.format(annotation="org.junit.Test")),
        "named": module("named", JUPITER, ANNOTATED.format(annotation="org.junit.jupiter.api.Test"), **descriptor),
    }
    jdk = next(one for one in find_jdks() if one.feature >= 17)
    assert passed(suite_of(tmp_path, jdk, "11", modules)) == set(modules)


@pytest.mark.parametrize("jdk", JDKS[:1])
def test_a_level_without_annotations_runs_offline(jdk: Jdk, tmp_path: Path) -> None:
    assert passed(suite_of(tmp_path, jdk, "1.3", {"old": module("old", JUNIT4, OLD)})) == {"old"}


def test_a_part_that_is_missing_all_the_same_is_named(tmp_path: Path) -> None:
    one = {"one": module("one", JUNIT4, OLD)}
    suite = suite_of(tmp_path, find_jdks()[-1], "8", one, lost="surefire-junit4")
    assert suite.outcome is SuiteOutcome.CRASHED
    assert suite.reason.startswith(
        "module .: Maven failed before or after the tests: the goal maven-surefire-plugin:test failed in module one: "
    )
    assert "surefire-junit4" in suite.reason and str(tmp_path) not in suite.reason
