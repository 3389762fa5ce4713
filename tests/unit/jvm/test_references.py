"""The classes that a class can reach by the names in it, for the selection of tests; see also `ReferencesTest`."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from testevo.builds.compilation.project_classes import ProjectClasses, project_classes
from testevo.builds.compilation.worker import Worker


class Compiled:
    """Compiles sources into class folders."""

    def __init__(self, worker: Worker, folder: Path) -> None:
        self._worker = worker
        self._folder = folder
        self._count = 0

    def folder(self, sources: Mapping[str, str], *class_path: Path, debug: str = "-g") -> Path:
        self._count += 1
        output = self._folder / f"classes-{self._count}"
        output.mkdir()
        files = [self._folder / f"sources-{self._count}" / path for path in sources]
        for file, text in zip(files, sources.values(), strict=True):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        result = self._worker.compile(files, class_path, ["-proc:none", debug], output)
        assert result.success, result.diagnostics
        return output

    def read(self, *folders: Path) -> ProjectClasses:
        return project_classes(self._worker.references(folders))

    def classes(self, sources: Mapping[str, str], *, debug: str = "-g") -> ProjectClasses:
        return self.read(self.folder(sources, debug=debug))


@pytest.fixture
def compiled(worker: Worker, tmp_path: Path) -> Compiled:
    return Compiled(worker, tmp_path)


TARGET = {"b/Target.java": "package b; public class Target { public static class In {} }"}


@pytest.mark.parametrize(
    "test",
    [
        "class T { Object o = new b.Target(); }",
        "class T { b.Target[][] grid; }",
        "class T { void take(int n, b.Target one) {} }",
        "class T { java.util.List<? extends b.Target> all; }",
        "class T extends b.Target {}",
        "class T { boolean is(Object o) { return o instanceof b.Target; } }",
        "class T { @Mark(b.Target.class) void m() {} } @interface Mark { Class<?> value(); }",
        'class T { @Mark("b.Target") void m() {} } @interface Mark { String value(); }',
        'class T { String name = "b.Target"; }',
        'class T { String name = "b/Target"; }',
        'class T { String file = "/b/Target.class"; }',
        'class T { String names = "a.Other, b.Target"; }',
        "class T { static class In { Object o = new b.Target(); } }",
        "class T { Runnable r = () -> { new b.Target(); }; }",
        "class T { Object o = new Object() { b.Target t; }; }",
        "class T { Middle m; } class Middle extends Last {} class Last { b.Target t; }",
    ],
)
def test_a_class_reaches_what_it_names(compiled: Compiled, test: str) -> None:
    classes = compiled.classes({**TARGET, "a/T.java": f"package a; {test}"})
    assert "b.Target" in classes.reached_from(["a.T"])
    assert "a.T" not in classes.reached_from(["b.Target"])


def test_a_class_reaches_its_member_classes_and_no_class_called_alike(compiled: Compiled) -> None:
    classes = compiled.classes({**TARGET, "b/Targets.java": "package b; class Targets {}"})
    assert classes.reached_from(["b.Target"]) == {"b.Target", "b.Target$In"}


def test_a_class_that_finds_others_by_names_put_together_at_run_time_reads_all_code(compiled: Compiled) -> None:
    """S-E4: another test class of the same run may name the class that is found."""
    finds = 'package a; class T { Class<?> c(String p) throws Exception { return Class.forName(p + ".Target"); } }'
    names = "package a; class U { b.Target target; }"
    read = compiled.classes({**TARGET, "a/T.java": finds, "a/U.java": names})
    assert read.reached_from(["a.T"]) == {"a.T"}
    assert {name for name, one in read.classes.items() if one.reads_code} == {"a.T"}


def test_debug_data_is_no_part_of_a_digest(compiled: Compiled) -> None:
    one = compiled.classes({"A.java": "class A { int f(int a) { return a; } }"})
    other = compiled.classes({"A.java": "// why\nclass A {\n int f(int b) {\n return b; } }"}, debug="-g:none")
    changed = compiled.classes({"A.java": "class A { int f(int a) { return -a; } }"})
    assert one.classes["A"].digest == other.classes["A"].digest != changed.classes["A"].digest


@pytest.mark.parametrize(
    ("body", "reads"),
    [
        ('String s = "src/main/java";', True),
        ('String s = "pom.xml";', True),
        ('String f(String n) { return n + ".java"; }', True),
        ('String f(String n) { return n + ".class"; }', True),
        ('String s = "README.md";', True),
        ("int line() { return new Throwable().getStackTrace()[0].getLineNumber(); }", True),
        ('String s = "target/test-classes";', True),
        ('Object f() { return java.nio.file.Paths.get("target", "classes", "p"); }', True),
        ('String s = "target/out.txt";', False),
        ('String s = "src/test/resources/data.csv";', False),
        ('String s = "an example of javac";', False),
        ("Class<?> c = Object.class;", False),
    ],
)
def test_classes_that_look_at_code_are_known_by_what_they_name(compiled: Compiled, body: str, reads: bool) -> None:
    assert compiled.classes({"A.java": f"class A {{ {body} }}"}).classes["A"].reads_code is reads
