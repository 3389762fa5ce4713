"""Of a build in which one module needs Surefire, the launcher runs the tests of the others, without any Maven."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest

from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.model_source import ModelSource
from testevo.config.model import Config
from testevo.execution.runner import Limits
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.grading.method_runs import MethodRunner
from testevo.grading.mutation.mutants import make_mutants
from testevo.java.syntax import parse_java
from testevo.records.evaluation.grading import Undefined
from testevo.records.evidence.certificates import CertificateVerdict
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.verdicts import BuildOutcome, Outcome, SuiteOutcome
from testevo.revisions.suites.certification import compared
from tests.engines.small_projects import REVISION, direct_engine, pom, runner_by_tree, write_project
from tests.made_tasks import made_evidence, made_task

pytestmark = pytest.mark.maven

MODULE = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>a</artifactId>
<version>1</version></parent><artifactId>{name}</artifactId>{more}</project>"""
IN_PARALLEL = """<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
<configuration><parallel>classes</parallel></configuration></plugin></plugins></build>"""
LATE = """<build><plugins><plugin><artifactId>maven-antrun-plugin</artifactId><version>3.1.0</version><executions>
<execution><id>late</id><phase>process-test-classes</phase><goals><goal>run</goal></goals><configuration><target>
<touch file="${project.build.testOutputDirectory}/made.txt"/></target></configuration></execution></executions>
</plugin></plugins></build>"""
NAMING = """<build><testResources><testResource><directory>data</directory><filtering>true</filtering></testResource>
</testResources></build>"""
DEPENDS = """<dependencies><dependency><groupId>g</groupId><artifactId>other</artifactId><version>1</version>
</dependency></dependencies>"""
CODE = """package g;
public class Code {
  public static int twice(int one) {
    return one + one;
  }
}
"""
TEST = """package g;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class {name}Test {{
  @Test void runs() {{ assertEquals(VALUE, Code.twice(1)); }}
  @Test void seesWhoRunsIt() {{ assert{seen}Null(System.getProperty("surefire.real.class.path")); }}
}}
""".replace("VALUE", "{value}")
PARALLEL = "maven-surefire-plugin sets parallel in module other"
OTHER, OWN = "other/src/test/java/g/OtherTest.java", "own/src/test/java/g/OwnTest.java"
FILES = {
    OTHER: TEST.format(name="Other", value=2, seen="Not"),
    OWN: TEST.format(name="Own", value=2, seen=""),
    "other/src/main/java/g/Code.java": CODE,
    "own/pom.xml": MODULE.format(name="own", more=DEPENDS),
}
LIMITS = Limits(method_seconds=120)


def checkout(folder: Path, build: str, more: dict[str, str] | None = None) -> Checkout:
    """Two modules, of which `other` has this build; the tests of each pass where the right runner runs them."""
    modules = "<packaging>pom</packaging><modules><module>other</module><module>own</module></modules><properties>"
    top = pom().replace("<properties>", modules, 1)
    other = {"other/pom.xml": MODULE.format(name="other", more=build)}
    return write_project(folder, {"pom.xml": top, **FILES, **other, **(more or {})})


def named(module: str, method: str) -> TestKey:
    path = OTHER if module == "other" else OWN
    return TestKey(module=module, path=path, type_name=f"g.{Path(path).stem}", name=method)


def runner(engine: DirectEngine, folder: Path) -> RunnerByTree:
    return runner_by_tree(engine, folder, LIMITS)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectEngine]:
    scratch = tmp_path_factory.mktemp("by-module")
    with direct_engine(scratch / "work", scratch / "cache", certifies=True) as engine:
        yield engine


@pytest.fixture(scope="module")
def built(engine: DirectEngine, tmp_path_factory: pytest.TempPathFactory) -> BuildResult:
    result = engine.build(checkout(tmp_path_factory.mktemp("checkout"), IN_PARALLEL))
    assert result.tree is not None, result.reason
    return result


@pytest.fixture
def tree(built: BuildResult) -> BuiltTree:
    assert built.tree is not None
    return built.tree


def refuse_maven(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> NoReturn:
        raise AssertionError("Maven builds")

    monkeypatch.setattr(ModelSource, "build", refused)


def test_a_module_with_a_parameter_is_the_only_one_that_surefire_runs(
    engine: DirectEngine, built: BuildResult, tree: BuiltTree, tmp_path: Path
) -> None:
    assert (built.fallback, tree.engine, tree.surefire) == (None, "direct", {"other": PARALLEL})
    assert [module.path for module in tree.launched] == ["own"]
    assert built.verdict(tree.checkout).surefire == {"other": PARALLEL}
    by_tree = runner(engine, tmp_path)
    for module in ("other", "own"):
        assert by_tree.run_method(tree, named(module, "seesWhoRunsIt")).outcome is Outcome.PASSED
    suite = by_tree.run_suite(tree)
    assert suite.outcome is SuiteOutcome.RED, suite.reason
    assert {(one.test.module, one.test.name): one.outcome for one in suite.tests} == {
        ("other", "runs"): Outcome.PASSED,
        ("other", "seesWhoRunsIt"): Outcome.PASSED,
        ("own", "runs"): Outcome.PASSED,
        ("own", "seesWhoRunsIt"): Outcome.ASSERTION_FAILED,
    }


def test_an_edited_test_of_a_launched_module_starts_no_maven(
    engine: DirectEngine, tree: BuiltTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_tree = runner(engine, tmp_path)
    refuse_maven(monkeypatch)
    for value, outcome in ((2, Outcome.PASSED), (3, Outcome.ASSERTION_FAILED)):
        edit = TEST.format(name="Own", value=value, seen="").replace("runs()", "runs() /* edited */")
        variant = engine.build_variant(tree, {OWN: edit.encode()}).tree
        assert variant is not None and variant.engine == "direct"
        assert by_tree.run_method(variant, named("own", "runs")).outcome is outcome
    edit = TEST.format(name="Other", value=3, seen="Not")
    variant = engine.build_variant(tree, {OTHER: edit.encode()}).tree
    monkeypatch.undo()
    assert variant is not None and (variant.engine, variant.surefire) == ("direct", tree.surefire)
    assert by_tree.run_method(variant, named("other", "runs")).outcome is Outcome.ASSERTION_FAILED
    refuse_maven(monkeypatch)
    assert by_tree.run_method(variant, named("other", "seesWhoRunsIt")).outcome is Outcome.PASSED


@pytest.mark.parametrize(
    ("build", "more", "said"),
    [
        (LATE, {}, "maven-antrun-plugin:run runs in the phase process-test-classes in module other"),
        (
            NAMING,
            {"other/data/where.properties": "where=${project.basedir}"},
            "where.properties, which Maven has made, names the folder of the build in module other",
        ),
    ],
    ids=["late-goal", "folder-of-the-build"],
)
def test_what_tests_of_any_module_may_see_makes_surefire_run_all(
    build: str, more: dict[str, str], said: str, engine: DirectEngine, tmp_path: Path
) -> None:
    result = engine.build(checkout(tmp_path / "all", build, more))
    assert result.tree is not None, result.reason
    assert result.tree.surefire == {"other": said, "own": said}
    assert (result.fallback, result.tree.engine) == (said, "maven")
    assert engine.procedure(result) is None
    run = runner(engine, tmp_path).run_method(result.tree, named("own", "seesWhoRunsIt"))
    assert run.outcome is Outcome.ASSERTION_FAILED


def test_a_certificate_compares_the_suites_of_launched_modules(
    engine: DirectEngine, built: BuildResult, tree: BuiltTree, tmp_path: Path
) -> None:
    """The one that sees its runner differs, and its twin in the other module is not asked."""
    procedure = engine.procedure(built)
    assert procedure is not None
    found = compared(engine, runner(engine, tmp_path), tree)
    assert found.verdict is CertificateVerdict.DIFFERS, found.reason
    assert "OwnTest#seesWhoRunsIt" in found.reason
    assert (len(found.differences), found.tests) == (1, 2)
    assert found.files >= len(["Code.class", "OtherTest.class", "OwnTest.class"])


def test_a_launched_module_has_coverage_and_mutants(engine: DirectEngine, tree: BuiltTree, tmp_path: Path) -> None:
    path = "other/src/main/java/g/Code.java"
    (method,) = parse_java(CODE.encode(), path).methods
    focal = Dependency(method=method.key, kind=ChangeKind.MODIFIED, path=path, span=method.span)
    config = Config.model_validate({"evaluation": {"mutation": {"lines": "focal"}}})
    git = SimpleNamespace(read_many=lambda revision, paths: {one: CODE.encode() for one in paths})
    workspace = SimpleNamespace(
        config=config,
        scratch=tmp_path,
        engine=engine,
        runner=runner(engine, tmp_path / "runs"),
        git=git,
        built=lambda revision: tree,
    )
    methods = MethodRunner(workspace)  # type: ignore[arg-type]
    try:
        measured = {name: methods.run(tree, named(name, "runs"), [focal], None).measured for name in ("other", "own")}
    finally:
        methods.close()
    assert measured["own"].coverage is not None and measured["own"].coverage.covered == 1
    assert measured["other"].undefined is Undefined.NEEDS_SUREFIRE
    counts = {}
    for module in ("other", "own"):
        evidence = made_evidence(named(module, "runs"), dependencies=(focal,))
        task = made_task((evidence,), module=module, test_file=evidence.test.path, new_revision=REVISION)
        made = make_mutants(task, workspace)  # type: ignore[arg-type]
        counts[module] = len(made.mutants)
    assert counts["own"] > 0 and counts["other"] == 0


def test_a_tree_that_maven_does_not_build_is_not_run(tree: BuiltTree, tmp_path: Path) -> None:
    """And is not taken for a red suite or a failed test."""
    launcher = OneShotRunner(tmp_path)
    failed = BuildResult(BuildOutcome.DEPENDENCY_UNAVAILABLE, "an artifact is missing")
    by_tree = RunnerByTree(launcher, SurefireRunner(launcher), by_maven=lambda _: failed, surefire_may_run=True)
    suite, run = by_tree.run_suite(tree), by_tree.run_method(tree, named("other", "runs"))
    assert (suite.outcome, suite.tests) == (SuiteOutcome.NEEDS_SUREFIRE, ())
    assert (run.outcome, run.message) == (Outcome.INFRASTRUCTURE, suite.reason)
    assert suite.reason.startswith(PARALLEL) and suite.reason.endswith("an artifact is missing")
