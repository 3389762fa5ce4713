"""Edited tests are compiled beside production classes that Maven has made, where that gives what Maven gives."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.verdicts import BuildOutcome, Outcome
from testevo.sandboxes.sandbox import Bubblewrap, bubblewrap_works
from tests.engines.small_projects import direct_engine, pom, write_project

pytestmark = pytest.mark.maven

TEST = "src/test/java/g/CodeTest.java"
RESOURCE = "src/test/resources/data.txt"
ANT = """<plugin><artifactId>maven-antrun-plugin</artifactId><version>3.1.0</version><executions><execution>
<phase>{phase}</phase><goals><goal>run</goal></goals><configuration><target>{target}</target></configuration></execution>
</executions></plugin>"""
WRITES = '<echo file="${project.build.outputDirectory}/made.txt" message="made"/>'
COUNTS = (
    '<resourcecount property="tests"><fileset dir="src" includes="t*/java/**/*.java"/></resourcecount>'
    '<echo file="${project.build.outputDirectory}/made.txt" message="${tests}"/>'
)
NAMES = '<copy file="src/test/resources/data.txt" todir="${project.build.outputDirectory}"/>'
CODE = "package g;\npublic class Code { public static int one() { return 1; } }\n"


def source(value: int, *, made: str = "made", data: str = "data") -> str:
    return f"""package g;
import static org.junit.jupiter.api.Assertions.*;
import java.nio.file.*;
import org.junit.jupiter.api.Test;
class CodeTest {{
  private static String read(String path) throws Exception {{ return new String(Files.readAllBytes(Paths.get(path))); }}
  @Test void works() {{ assertEquals({value}, Code.one()); }}
  @Test void finds() throws Exception {{
    assertEquals("{made}", read("target/classes/made.txt").trim());
    assertEquals("{data}", read("target/test-classes/data.txt"));
    assertEquals("{data}", read("src/test/resources/data.txt"));
    assertTrue(CodeTest.class.getResource("/made.txt").getPath().contains("target/classes"));
  }}
}}
"""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DirectEngine]:
    with direct_engine(tmp_path / "work", tmp_path / "cache") as engine:
        yield engine


def base_of(engine: DirectEngine, folder: Path, target: str = WRITES, phase: str = "process-classes") -> BuiltTree:
    files = {
        "pom.xml": pom(plugins=ANT.format(phase=phase, target=target)),
        "src/main/java/g/Code.java": CODE,
        TEST: source(1),
        RESOURCE: "data",
    }
    result = engine.build(write_project(folder, files))
    assert result.tree is not None, result.reason
    assert result.tree.engine == "maven"
    return result.tree


def outcomes(result: BuildResult, tmp_path: Path) -> dict[str, Outcome]:
    assert result.tree is not None, result.reason
    suite = OneShotRunner(tmp_path / "runs").run_suite(result.tree)
    return {entry.test.name: entry.outcome for entry in suite.tests}


class Questions:
    """Counts what Maven is asked to build."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        build = MavenEngine.build_prepared

        def counted(*given: object) -> BuildResult:
            self.number += 1
            return build(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(MavenEngine, "build_prepared", counted)


def test_maven_builds_the_first_edit_only(
    engine: DirectEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = base_of(engine, tmp_path / "checkout")
    asked = Questions(monkeypatch)
    first = engine.build_variant(base, {TEST: source(2).encode()})
    assert asked.number == 1
    assert outcomes(first, tmp_path) == {"works": Outcome.ASSERTION_FAILED, "finds": Outcome.PASSED}
    second = engine.build_variant(base, {TEST: source(1, data="other").encode(), RESOURCE: b"other"})
    assert outcomes(second, tmp_path) == {"works": Outcome.PASSED, "finds": Outcome.PASSED}
    broken = engine.build_variant(base, {TEST: b"package g;\nclass CodeTest { int x = Code.two(); }\n"})
    assert broken.outcome is BuildOutcome.TEST_COMPILE_ERROR
    assert [(item.path, item.line) for item in broken.diagnostics] == [(TEST, 2)]
    assert asked.number == 1
    reference = engine.reference.build_variant(base, {TEST: source(2).encode()})
    assert (first.tree and first.tree.key) == (reference.tree and reference.tree.key)


def test_an_edit_leaves_no_class_of_the_tests_before_it(engine: DirectEngine, tmp_path: Path) -> None:
    base = base_of(engine, tmp_path / "checkout")
    other = "src/test/java/g/OtherTest.java"
    edit = {TEST: None, other: source(1).replace("CodeTest", "OtherTest").encode()}
    for _ in range(2):
        result = engine.build_variant(base, edit)
        assert outcomes(result, tmp_path) == {"works": Outcome.PASSED, "finds": Outcome.PASSED}
        assert result.tree is not None
        folder = result.tree.modules[0].test_classes
        assert sorted(path.name for path in folder.rglob("*.class")) == ["OtherTest.class"]
        assert not list((result.tree.modules[0].folder / "target").rglob("CodeTest.class"))


@pytest.mark.parametrize(
    ("target", "phase", "edits"),
    [
        (NAMES, "process-classes", {TEST: source(2).encode()}),  # a goal that is told a folder of tests
        (WRITES, "generate-test-sources", {TEST: source(2).encode()}),  # it runs where tests are prepared
        (WRITES, "process-classes", {TEST: source(2).encode(), "src/main/java/g/Code.java": CODE.encode() + b"\n"}),
        (WRITES, "process-classes", {TEST: source(2).encode(), "notes.txt": b"read by any goal"}),
    ],
)
def test_maven_builds_every_edit_that_may_touch_production_code(
    engine: DirectEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    phase: str,
    edits: dict[str, bytes | None],
) -> None:
    base = base_of(engine, tmp_path / "checkout", target, phase)
    asked = Questions(monkeypatch)
    for number in (1, 2):
        result = engine.build_variant(base, edits)
        assert result.tree is not None, result.reason
        assert result.tree.engine == "maven"
        assert asked.number == number


def test_goals_that_count_tests_unseen_are_found_by_the_first_edit(
    engine: DirectEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pattern names no folder of tests, and what the goal writes depends on them all the same."""
    base = base_of(engine, tmp_path / "checkout", COUNTS)
    another = {"src/test/java/g/MoreTest.java": b"package g;\nclass MoreTest { }\n"}
    asked = Questions(monkeypatch)
    for _ in range(2):
        result = engine.build_variant(base, another)
        assert result.tree is not None, result.reason
        made = result.tree.modules[0].production_classes / "made.txt"
        assert made.read_text().strip() == "2"
        assert result.fallback is not None
        assert "made.txt" in result.fallback
    assert asked.number == 3, "the comparison, and Maven for each"


def test_what_was_made_of_a_revision_goes_with_it(engine: DirectEngine, tmp_path: Path) -> None:
    """Builds by Maven, of edits too, and copies: a history of large ones would fill the disk."""
    base = base_of(engine, tmp_path / "checkout")
    twin = replace(base.checkout, revision="f" * 40)  # a later revision with the same files
    edit = {TEST: source(2).encode(), RESOURCE: b"other"}

    def use(checkout: Checkout) -> list[BuildResult]:
        built = engine.build(checkout)
        assert built.tree is not None, built.reason
        edited = [engine.reference.build_variant(built.tree, edit), engine.build_variant(built.tree, edit)]
        return [built, engine.by_maven(built.tree), *edited]

    folders = [
        {module.folder for result in use(checkout) if result.tree for module in result.tree.modules}
        for checkout in (base.checkout, twin)
    ]
    assert len(folders[1]) == len({"the revision", "its edit by Maven", "its edit"})
    engine.forget(base.checkout.revision)
    assert all(folder.is_dir() for folder in folders[1]), "what both share stays"
    assert not any(folder.is_dir() for folder in folders[0] - folders[1])
    engine.forget(twin.revision)
    assert not list(engine.context.work.rglob("made.txt"))
    assert not list(engine.context.work.rglob("CodeTest*"))
    assert outcomes(engine.build(base.checkout), tmp_path) == {"works": Outcome.PASSED, "finds": Outcome.PASSED}


SEES = """package g;
import static org.junit.jupiter.api.Assertions.*;
import java.io.File;
import org.junit.jupiter.api.Test;
class CodeTest {{
  @Test void finds() {{
    assertTrue(new File("../beside/notes.txt").isFile());
    assertTrue(new File("../beside/target/classes/made.txt").isFile());
    assertFalse(new File("{checkout}").exists());
    assertFalse(new File("{maven}").exists());
  }}
}}
"""
MODULE = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>a</artifactId>
<version>1</version></parent><artifactId>{name}</artifactId></project>"""


@pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap cannot start here")
@pytest.mark.parametrize("alone", [True, False])
def test_a_run_sees_its_own_repository_and_not_the_revision_it_comes_from(
    engine: DirectEngine, tmp_path: Path, alone: bool
) -> None:
    """The revision holds the developer's test: an edit could read it. Module folders lie beside each other as ever."""
    test = "code/src/test/java/g/CodeTest.java"
    plugins = ANT.format(phase="process-classes", target=WRITES)
    modules = "<packaging>pom</packaging><modules><module>beside</module><module>code</module></modules>"
    checkout = write_project(
        tmp_path / "checkout",
        {
            "pom.xml": pom(plugins=plugins).replace("<properties>", f"{modules}<properties>"),
            "beside/pom.xml": MODULE.format(name="beside"),
            "beside/notes.txt": "notes",
            "code/pom.xml": MODULE.format(name="code"),
            test: "package g;\nclass CodeTest { @org.junit.jupiter.api.Test void works() { } }\n",
        },
    )
    base = engine.build(checkout).tree
    assert base is not None
    assert base.maven_folder is not None
    folders = {"checkout": f"{checkout.folder}/{test}", "maven": f"{base.maven_folder}/{test}"}
    edits: dict[str, bytes | None] = {test: SEES.format(**folders).encode()}
    result = (engine if alone else engine.reference).build_variant(base, edits)
    assert result.tree is not None, result.reason
    assert result.tree.engine == ("direct" if alone else "maven")
    runner = OneShotRunner(tmp_path / "runs", sandbox=Bubblewrap())
    suite = runner.run_suite(result.tree)
    assert {entry.test.name: entry.outcome for entry in suite.tests} == {"finds": Outcome.PASSED}, suite
