"""Both engines on one small project of two modules: same verdicts, same classes, immutable trees."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from testevo.builds.compilation.worker import Worker
from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, BuiltTree, Checkout, Engine
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.maven.line_service import RequestRefusedError
from testevo.builds.project.jdks import Jdk, find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import folder_digest
from testevo.runtime.files.project import PROJECT
from tests.java_versions import JDKS

pytestmark = pytest.mark.maven

PARENT = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>parent</artifactId>
<version>1</version>
<packaging>pom</packaging><modules><module>app</module><module>core</module></modules>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding><argLine>-Xss2m</argLine></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope>
</dependency></dependencies></project>"""
CHILD = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>parent</artifactId>
<version>1</version></parent><artifactId>{name}</artifactId>{body}</project>"""
DEPENDENCY = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>1</version></dependency>"
ON_CORE = f"<dependencies>{DEPENDENCY.format('g', 'core')}</dependencies>"
FILTERED = (
    "<build><resources><resource><directory>src/main/resources</directory><filtering>true</filtering></resource>"
    "</resources></build>"
)
FILES = {
    "pom.xml": PARENT,
    "core/pom.xml": CHILD.format(name="core", body=FILTERED),
    "app/pom.xml": CHILD.format(name="app", body=ON_CORE),
    "core/src/main/resources/version.txt": "${project.version}",
    "core/src/main/java/g/Core.java": "package g;\npublic class Core { public static int one() { return 1; } }\n",
    "core/src/test/java/g/CoreTest.java": (
        "package g;\nimport org.junit.*;\npublic class CoreTest {\n"
        "  @Test public void one() { Assert.assertEquals(1, Core.one()); }\n}\n"
    ),
    "app/src/main/java/g/App.java": "package g;\npublic class App { int two() { return Core.one() + 1; } }\n",
}
TEST = "core/src/test/java/g/CoreTest.java"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkout")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture(scope="module", params=["direct", "maven"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    scratch = tmp_path_factory.mktemp(request.param)
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
    context = BuildContext(local, scratch / "cache", scratch / "work", find_jdks())
    engine: Engine = DirectEngine(context) if request.param == "direct" else MavenEngine(context)
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def base(engine: Engine, folder: Path) -> BuiltTree:
    result = engine.build(Checkout("owner/repo", "1a2b3c4d5e", folder, "key"))
    assert result.built, result.reason
    assert result.tree is not None
    return result.tree


def class_names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_modules_come_in_reactor_order_with_classes_resources_and_run_settings(base: BuiltTree, folder: Path) -> None:
    """TEB-M18; the checkout itself is never written to."""
    core, app = base.modules
    assert (core.path, app.path) == ("core", "app")
    assert class_names(core.production_classes) == ["g/Core.class", "version.txt"]
    assert (core.production_classes / "version.txt").read_text() == "1"
    assert class_names(core.test_classes) == ["g/CoreTest.class"]
    assert class_names(app.production_classes) == ["g/App.class"]
    assert [path.name for path in core.class_path[2:]] == ["junit-4.13.2.jar", "hamcrest-core-1.3.jar"]
    assert core.class_path[:2] == (core.test_classes, core.production_classes)
    assert core.production_classes in app.class_path
    assert (core.framework, core.engine_jars) == ("junit4", ())
    assert core.jvm_arguments == ("-ea", "-Xss2m", f"-Dbasedir={core.folder}")
    assert core.test_roots == ("core/src/test/java",)
    assert base.module_of(TEST) is core
    assert not (folder / "core" / "target").exists()


def test_a_test_that_does_not_compile_is_named_by_place(engine: Engine, base: BuiltTree) -> None:
    """TEB-X04: both engines give the same outcome, path and line."""
    result = engine.build_variant(base, {TEST: b"package g;\nclass CoreTest {\n  int x = Core.missing();\n}\n"})
    assert (result.outcome, result.tree) == (BuildOutcome.TEST_COMPILE_ERROR, None)
    assert [(item.path, item.line) for item in result.diagnostics] == [(TEST, 3)]
    assert "Test code of owner/repo at 1a2b3c4 does not compile (1 error), first at core/src/test" in result.reason


DOUBLED = "; ".join(f"static final String S{number + 1} = S{number} + S{number}" for number in range(40))
HOSTILE = {
    "overflow": (f'static final String S0 = "{"s" * 1000}"; {DOUBLED}', BuildOutcome.BUILD_TOOL_FAILED, 60),
    "parentheses": ("int o = " + "(" * 60_000 + "1" + ")" * 60_000, BuildOutcome.TIMED_OUT, 2),
    "hang": ("Object o = " + 'l(1, l("a", ' * 200 + "null" + "))" * 200, BuildOutcome.TIMED_OUT, 2),
    "flood": (";\n".join(f"Missing m{n}" for n in range(5000)), BuildOutcome.TEST_COMPILE_ERROR, 60),
}


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("engine", ["direct"], indirect=True)
def test_a_candidate_costs_the_compiler_its_own_limit_and_nobody_else_anything(
    engine: Engine, base: BuiltTree, hostile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Maven is not asked what the compiler gave no answer to: a concatenation of 30,000 terms took 210 s."""
    monkeypatch.setattr(MavenEngine, "build_prepared", lambda *_: pytest.fail("Maven was asked"))
    helper = "static <T> java.util.List<T> l(T a, T b) { return null; }"
    declared, outcome, limit = HOSTILE[hostile]
    content = f"package g;\nclass CoreTest {{ {helper} {declared}; }}\n"
    result = engine.build_variant(base, {TEST: content.encode()}, limit)
    assert result.outcome is outcome, result.reason[:1000]
    if outcome is BuildOutcome.TIMED_OUT:
        assert result.reason.endswith("passed the limit of 2 s. Raise evaluation.build_seconds.")
    assert engine.build_variant(base, {TEST: FILES[TEST].replace("one()", "honest()", 1).encode()}, 60).built


def test_a_changed_production_file_breaks_modules_downstream(engine: Engine, base: BuiltTree) -> None:
    core = b"package g;\npublic class Core { public static int uno() { return 1; } }\n"
    test = b"package g;\npublic class CoreTest { }\n"
    result = engine.build_variant(base, {"core/src/main/java/g/Core.java": core, TEST: test})
    assert result.outcome is BuildOutcome.PRODUCTION_COMPILE_ERROR
    assert [item.path for item in result.diagnostics] == ["app/src/main/java/g/App.java"]


def test_a_variant_leaves_the_base_alone_and_compiles_in_fresh_folders(engine: Engine, base: BuiltTree) -> None:
    before = folder_digest(base.modules[0].test_classes)
    other = "core/src/test/java/g/OtherTest.java"
    result = engine.build_variant(base, {TEST: None, other: b"package g;\nclass OtherTest { }\n"})
    assert result.tree is not None, result.reason
    core = result.tree.modules[0]
    assert class_names(core.test_classes) == ["g/OtherTest.class"]
    assert core.test_classes != base.modules[0].test_classes
    assert folder_digest(base.modules[0].test_classes) == before
    assert result.tree.key != base.key
    if engine.name == "direct":
        assert core.production_classes == base.modules[0].production_classes, "unchanged trees are shared"
        assert core.folder == base.modules[0].folder, "no copy is needed for Java files"


def test_a_replaced_data_file_is_seen_at_its_path_in_the_working_folder(engine: Engine, base: BuiltTree) -> None:
    path = "core/src/test/resources/data.txt"
    result = engine.build_variant(base, {path: b"new"})
    assert result.tree is not None, result.reason
    core = result.tree.modules[0]
    assert (core.folder / "src/test/resources/data.txt").read_bytes() == b"new"
    assert (core.test_classes / "data.txt").read_bytes() == b"new"


def test_a_missing_dependency_is_named(engine: Engine, base: BuiltTree) -> None:
    """The artifact is in the reason."""
    missing = f"<dependencies>{DEPENDENCY.format('no.such.group', 'nothing')}</dependencies>"
    pom = FILES["core/pom.xml"].replace("<build>", f"{missing}<build>")
    result: BuildResult = engine.build_variant(base, {"core/pom.xml": pom.encode()})
    assert result.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE
    assert "no.such.group:nothing:jar:1" in result.reason


def refuse(*asked: object, **more: object) -> None:
    raise RequestRefusedError("no such compiler")


@pytest.fixture(scope="module")
def keys(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Jdk, bool], tuple[str, str]]:
    """The keys of a revision and of a variant, each built with a JDK by the direct engine or, refused, by Maven."""

    @cache
    def built(jdk: Jdk, refused: bool) -> tuple[str, str]:
        scratch = tmp_path_factory.mktemp("keys")
        local = local_repository(PROJECT / "results" / "cache", "worlds", None)
        engine = DirectEngine(BuildContext(local, scratch / "cache", scratch / "work", [jdk]))
        with pytest.MonkeyPatch.context() as patch:
            if refused:
                patch.setattr(Worker, "compile", refuse)
            whole = engine.build(Checkout("owner/repo", "1a2b3c4d5e", folder, "key"))
            assert whole.tree is not None, whole.reason
            changed = engine.build_variant(whole.tree, {TEST: FILES[TEST].replace("one()", "uno()", 1).encode()})
        engine.close()
        assert changed.tree is not None, changed.reason
        assert [result.fallback is not None for result in (whole, changed)] == [refused, refused], whole.fallback
        assert whole.jdk_feature == jdk.feature
        return whole.tree.key, changed.tree.key

    return built


@pytest.mark.parametrize("jdk", JDKS[:2])
def test_keys_do_not_tell_who_compiled(keys: Callable[[Jdk, bool], tuple[str, str]], jdk: Jdk) -> None:
    assert keys(jdk, False) == keys(jdk, True)


@pytest.mark.parametrize("jdk", JDKS[:1])
def test_keys_do_not_tell_which_jdk_compiled(keys: Callable[[Jdk, bool], tuple[str, str]], jdk: Jdk) -> None:
    assert keys(jdk, False) == keys(find_jdks()[-1], False)
