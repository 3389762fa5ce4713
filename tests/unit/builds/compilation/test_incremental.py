"""Incremental compilation makes the very bytes of a full one, whatever is changed."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from testevo.builds.compilation import compiling
from testevo.builds.compilation.class_trees import ClassTree, ClassTreeStore, TreeOutcome, files_of
from testevo.builds.compilation.compiling import Compiled, ModuleCompiler
from testevo.builds.compilation.incremental import Incremental, InDoubt, RecentTrees
from testevo.builds.compilation.jar_packages import JarPackages
from testevo.builds.compilation.worker import Worker
from testevo.builds.model.model import BuildModel, Compilation, ModuleModel, Places, ResourceFolder, SideModel
from testevo.builds.model.sources import SourceView
from testevo.builds.project.jdks import Jdk
from testevo.runtime.files.jars import JARS
from tests.java_versions import JDKS

pytestmark = pytest.mark.skipif(not (JARS / "worker.jar").is_file(), reason="jvm/lib/worker.jar is not built")

Files = Mapping[str, str]

BASE: dict[str, str] = {
    "main/p/Shape.java": """package p; public abstract class Shape {
        protected final String label; public static final int SIDES = 3;
        protected Shape(String label, int size) { this.label = label; }
        public void draw(String where) { System.out.println(where); }
        public abstract int area();
        public static Shape of(int size) { return new Shape("s", size) { public int area() { return size; } }; }
    }""",
    "main/p/Square.java": """package p; public class Square extends Shape implements Drawn<String> {
        public Square() { super("square", 2); }
        public int area() { Runnable run = () -> System.out.println(label); run.run(); return 4 * SIDES; }
    }""",
    "main/p/Drawn.java": "package p; public interface Drawn<T> { void draw(T where); }",
    "main/p/Other.java": """package p; public class Other {
        Shape shape() { return new Shape("other", 1) { public int area() { return Shape.SIDES; } }; }
        int of(Colour colour) { switch (colour) { case RED: return 1; case BLUE: return 2; default: return 3; } }
    }""",
    "main/p/Colour.java": "package p; public enum Colour { RED { int n() { return 1; } }, BLUE; int n() { return 0; }}",
    "main/p/Alone.java": "package p; class Alone { int one() { return new Object() { int n = 1; }.n; } }",
    "main/p/deep/Inner.java": """package p.deep; import p.*; public class Inner {
        @Mark("x") public static class Member { int n; Object o = new Object() {}; private int hidden; }
        Square square = new Square(); int f() { return square.area() + new Member().hidden; }
    }""",
    "main/p/Mark.java": """package p; import java.lang.annotation.*;
        @Retention(RetentionPolicy.CLASS) public @interface Mark { String value() default ""; }""",
    "main/p/Uses.java": """package p; import p.deep.Inner; class Uses {
        void f(Inner.Member member, Square square) { square.draw("here"); take(null); }
        void take(Object o) {} void take(String s) {}
    }""",
    "main/p/More.java": "package p; class More { int n = 1; }",
    "main/p/Rest.java": "package p; class Rest { int n = 1; class In { int m = n; } }",
    "test/p/SquareTest.java": "package p; class SquareTest { int f() { return new Square().area() + Shape.SIDES; } }",
    "test/p/AloneTest.java": "package p; class AloneTest { int f() { return new Alone().one(); } }",
    "test/p/OtherTest.java": "package p; class OtherTest extends Support { void f() { help(new Other()); } }",
    "test/p/Support.java": "package p; class Support { void help(Object other) {} }",
    "test/p/ThirdTest.java": "package p; class ThirdTest { void f(OtherTest other) { other.help(new Other()); } }",
    "test/p/LastTest.java": "package p; class LastTest {}",
    "res/data.txt": "data",
}


@dataclass
class Project:
    """A module in a folder, compiled from earlier trees and, for comparison, from nothing."""

    folder: Path
    jdk: Jdk
    worker: Worker
    recent: RecentTrees = field(default_factory=RecentTrees)
    said: list[str] = field(default_factory=list)
    """How each tree of the last compilation was made: `incremental`, or a doubt."""
    options: tuple[str, ...] = ("-g", "-nowarn", "-encoding", "UTF-8", "-XDuseUnsharedTable=true")
    _numbers: Iterator[int] = field(default_factory=count)

    def compile(self, files: Files, replaced: Mapping[str, bytes | None] | None = None) -> Compiled:
        """Compile both ways and compare all bytes and messages; the incremental outcome."""
        checkout = self.folder / f"checkout-{next(self._numbers)}"
        for path, text in files.items():
            (checkout / path).parent.mkdir(parents=True, exist_ok=True)
            (checkout / path).write_text(text, encoding="utf-8")
        self.said.clear()
        view = SourceView(checkout, replaced, checkout / "overlay")
        found = self._compiler(checkout, self.folder / "store", self.recent).compile(view)
        full = self._compiler(checkout, checkout / "store", None).compile(view)
        assert found.failed == full.failed
        assert found.trees.keys() == full.trees.keys()
        for place, tree in found.trees.items():
            assert content(tree) == content(full.trees[place])
            assert tree.outcome.diagnostics == full.trees[place].outcome.diagnostics
        return found

    def _compiler(self, checkout: Path, store: Path, recent: RecentTrees | None) -> ModuleCompiler:
        return ModuleCompiler(
            model=self._model(),
            places=Places(checkout, self.folder, self.jdk.home),
            jdk=self.jdk,
            level=None,
            store=ClassTreeStore(store),
            saved=self.folder,
            worker=self.worker,
            ends=time.monotonic() + 60,
            jars=JarPackages(self.folder / "jars"),
            recent=recent,
        )

    def _model(self) -> BuildModel:
        production = Compilation(execution="main", roots=("main",), options=self.options)
        test = Compilation(
            execution="test", roots=("test",), options=self.options, class_path=("{checkout}/target/classes",)
        )
        module = ModuleModel(
            path="",
            production=SideModel(
                output="{checkout}/target/classes",
                compilations=(production,),
                resources=(ResourceFolder(folder="res"),),
            ),
            test=SideModel(output="{checkout}/target/test-classes", compilations=(test,)),
        )
        return BuildModel(fingerprint="f", modules=(module,))


def content(tree: ClassTree) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files_of(tree.folder).items()}


@pytest.fixture(scope="module", params=JDKS)
def compiler(request: pytest.FixtureRequest) -> Iterator[tuple[Jdk, Worker]]:
    jdk: Jdk = request.param
    with Worker(jdk.home, memory_mb=512, seconds=120) as worker:
        yield jdk, worker


@pytest.fixture
def project(compiler: tuple[Jdk, Worker], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, *compiler)

    class Noted(Incremental):
        def compile_into(self, classes: Path, scratch: Path) -> TreeOutcome:
            try:
                outcome = super().compile_into(classes, scratch)
            except InDoubt as doubt:
                project.said.append(str(doubt))
                raise
            project.said.append("incremental")
            return outcome

    monkeypatch.setattr(compiling, "Incremental", Noted)
    project.compile(BASE)
    return project


def changed(path: str, old: str, new: str) -> dict[str, str]:
    assert old in BASE[path]
    return {**BASE, path: BASE[path].replace(old, new)}


ALONE = {
    "a body": changed("main/p/Square.java", "4 * SIDES", "5 * SIDES"),
    "a body that others' tests see": changed("main/p/Alone.java", "n = 1", "n = 2"),
    "a comment": changed("main/p/Shape.java", "package p;", "/* new */ package p;"),
    "an anonymous class less": changed("main/p/Alone.java", "new Object() { int n = 1; }.n", "1"),
    "a lambda more": changed("main/p/Square.java", "run.run();", "run.run(); Runnable r = () -> {}; r.run();"),
    "a line above": changed("main/p/Other.java", "package p;", "package p;\n\n"),
    "a hidden class in an initialiser": changed("main/p/deep/Inner.java", "new Object() {}", "new Object() { int i; }"),
    "a type that nobody knows": changed("main/p/More.java", "int n = 1;", "int n = 1; int m; class Own {}"),
}
"""Changes of production code after which only the changed file is compiled, and no test."""


@pytest.mark.parametrize("name", ALONE)
def test_a_change_that_nobody_can_see_compiles_one_file_and_no_tests(project: Project, name: str) -> None:
    before = project.compile(BASE).trees["", "test"]
    after = project.compile(ALONE[name])
    assert project.said[:1] == ["incremental"]
    if name != "a type that nobody knows":
        assert after.trees["", "test"] == before, "production looks the same to javac"
        assert len(project.said) == 1


SEEN = {
    "the name of a constructor parameter": changed("main/p/Shape.java", "int size) { this", "int big) { this"),
    "a final parameter of an inherited method": changed("main/p/Shape.java", "draw(String", "draw(final String"),
    "a constant": changed("main/p/Shape.java", "SIDES = 3", "SIDES = 4"),
    "a method inherited": changed(
        "main/p/Shape.java", "public abstract int area();", "public abstract int area(); public void take(String s) {}"
    ),
    "an overload": changed(
        "main/p/Shape.java",
        "public void draw(String where)",
        "public void draw(Object o) {} public void draw(String where)",
    ),
    "the order of enum constants": changed("main/p/Colour.java", "RED { int n() { return 1; } }, BLUE", "BLUE, RED"),
    "an enum constant": changed("main/p/Colour.java", "BLUE;", "BLUE, GREEN;"),
    "a retention": changed("main/p/Mark.java", "CLASS", "RUNTIME"),
    "a member type": changed(
        "main/p/deep/Inner.java",
        "public static class Member",
        "public static class Fresh {} public static class Member",
    ),
    "access of a member type": changed(
        "main/p/deep/Inner.java", "public static class Member", "public static final class Member"
    ),
    "a super type": changed("main/p/Drawn.java", "Drawn<T>", "Drawn<T> extends java.io.Serializable"),
    "a type that stands before one of java.lang": {
        **BASE,
        "main/p/Runnable.java": "package p; interface Runnable { void run(); }",
    },
    "a file more": {**BASE, "main/p/Added.java": "package p; public class Added {}"},
    "a file less": {path: text for path, text in BASE.items() if path != "main/p/More.java"},
    "a new package": {**BASE, "main/p/neu/Added.java": "package p.neu; public class Added {}"},
    "two files": {
        **changed("main/p/Alone.java", "n = 1", "n = 3"),
        **{"main/p/Rest.java": "package p; class Rest { private int n = 2; class In { int m = n++; } }"},
    },
    "a method moved between files": {
        **changed("main/p/More.java", "int n = 1;", "int n = 1; int moved;"),
        "main/p/Rest.java": "package p; class Rest { class In {} }",
    },
    "a test": changed("test/p/SquareTest.java", "int f()", "void g() {} int f()"),
    "what tests inherit": changed(
        "test/p/Support.java", "void help(Object other) {}", "void help(Object other) {} void help(Other other) {}"
    ),
    "a test less": {path: text for path, text in BASE.items() if path != "test/p/AloneTest.java"},
    "a resource": {**BASE, "res/data.txt": "other"},
    "a class as resource": {**BASE, "res/p/Given.class": "not read"},
    "package annotations": {**BASE, "main/p/package-info.java": '@Mark("y") package p;'},
    "an error in a file alone": changed("main/p/More.java", "int n = 1;", "int n = missing;"),
    "an error that others see": changed("main/p/Shape.java", "int area();", "Missing area();"),
    "an error in another file": changed("main/p/Colour.java", "BLUE;", "GREEN;"),
    "a syntax error": changed("main/p/Square.java", "return 4", "return ) 4"),
    "a syntax error and another": {
        **changed("main/p/Square.java", "return 4", "return ) 4"),
        "main/p/More.java": "package p; class More { int n = missing; }",
    },
    "an error in a test": changed("test/p/AloneTest.java", "new Alone().one()", "new Alone().two()"),
    "two errors in a test": changed("test/p/AloneTest.java", "return new Alone().one();", "String s = 1; int k; k++;"),
    "a missing return": changed("test/p/AloneTest.java", "return new Alone().one();", ""),
    "a duplicate": {**BASE, "test/p/Again.java": "package p; class AloneTest {}"},
}


@pytest.mark.parametrize("name", SEEN)
def test_every_change_gives_the_bytes_and_the_messages_of_a_full_compilation(project: Project, name: str) -> None:
    project.compile(SEEN[name])
    project.compile(BASE)


@pytest.mark.parametrize("name", ["the name of a constructor parameter", "a final parameter of an inherited method"])
@pytest.mark.parametrize("option", ["-parameters", "-g:none"])
def test_names_of_parameters_go_where_options_put_them(project: Project, name: str, option: str) -> None:
    project.options = (*project.options, option)
    project.compile(BASE)
    project.compile(SEEN[name])


def test_a_method_more_in_a_test_class_compiles_that_class_alone(project: Project) -> None:
    project.compile(SEEN["a test"])
    assert project.said == ["incremental"]


def test_files_that_see_a_class_by_way_of_others_are_compiled_with_those(project: Project) -> None:
    project.compile(SEEN["what tests inherit"])
    assert project.said == ["incremental"]


@pytest.mark.parametrize("name", ["an error in a test", "a missing return", "a syntax error"])
def test_an_error_costs_no_full_compilation_where_nobody_sees_the_file(project: Project, name: str) -> None:
    project.compile(SEEN[name])
    assert project.said == ["incremental"]


def test_another_resource_compiles_nothing_and_lies_beside_the_same_classes(project: Project) -> None:
    before = project.compile(BASE).trees["", "production"]
    after = project.compile(SEEN["a resource"]).trees["", "production"]
    assert project.said == []
    assert (after.folder / "data.txt").read_text() == "other"
    assert after.key != before.key
    assert (after.folder / "p/More.class").samefile(before.folder / "p/More.class")


def test_trees_that_share_files_never_change(project: Project) -> None:
    before = project.compile(BASE)
    kept = {place: content(tree) for place, tree in before.trees.items()}
    for files in (*ALONE.values(), *SEEN.values()):
        project.compile(files)
    assert {place: content(tree) for place, tree in before.trees.items()} == kept


def test_a_file_that_a_variant_removes_is_not_found_where_it_still_lies(project: Project) -> None:
    """An old test file that goes with its class leaves the tests that use it broken (TEB-X04)."""
    compiled = project.compile(BASE, {"test/p/Support.java": None})
    assert compiled.failed == ("", "test")
    broken = {found.path for found in compiled.trees["", "test"].outcome.diagnostics}
    assert broken == {"test/p/OtherTest.java", "test/p/ThirdTest.java"}, "one inherits, one calls what is inherited"


def test_no_base_is_used_where_warnings_are_errors(project: Project) -> None:
    project.options = (*project.options, "-Werror")
    project.compile(BASE)
    project.compile(ALONE["a body"])
    assert project.said == []
