"""The package `java` reads what the compiler reads: names, erased signatures, first and last lines (TEB-M17).

`JavacDeclarations.java`, run from source by a JDK of 17 or newer, is the reference. Without such a JDK the tests are
skipped and say so.
"""

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from testevo.builds.project.jdks import find_jdks
from testevo.java.signatures import CONSTRUCTOR, method_key
from testevo.java.syntax import parse_java
from testevo.runtime.processes.processes import run_command

PROGRAM = Path(__file__).with_name("JavacDeclarations.java")
SHOWN_METHOD = re.compile(r"([\w.$]+)\([^\n]*\n +descriptor: (\(\S+)")
"""Name and descriptor of a method as `javap -s` prints them."""
SHOWN_TYPE = re.compile(r"(?:class|interface) ([\w.$]+)")
UNKNOWN_TYPE = "<any>"
"""What the compiler calls a type with type arguments that it cannot find."""

Declared = tuple[str, int, int]
"""Method key, first line, last line."""

TRICKY = {
    "generics": """
        package a.b;
        class A<T extends Comparable<T> & Runnable, U extends T, V> {
          <S extends U> S f(S s, U u, T[] t, V... v) { return s; }
          <V extends java.util.Map.Entry<?, ?>> void g(V v, java.util.Map.Entry<V, T>[] e) { }
          class In<V extends Number> { void f(V v, U u) { } class T { } void g(T t) { } <T> void h(T t) { } }
          static class Nested<T> { void f(T t) { } }
          interface I<K> { <T extends K, K> void f(T t, K k); }
        }""",
    "shapes": """package a;
        @interface N { int value() default
            1; String[] names() default { "a", "}" }; }
        record R<X extends Number>(X x, int... ys) implements Runnable {
          static int z;
          @Deprecated
          R {
            if (ys == null) throw new Error();
          }
          R(int i) { this(null, i); }
          public void run() { }
          record Inner(java.util.List<String> l) { Inner { } }
        }
        enum E { A { void k() { } }, B { void k() { } void hidden(int i) { } }; E() { } abstract void k();
          enum F { P, Q, } enum G { P; } enum H { ; void f() { } } }
        interface I { default void d() { new Object() { void anonymous() { } }; class L { void local() { } } }
          static void s() { } private void p() { } int X = 1; class C { void f() { } } }
        sealed interface S permits P1 { } final class P1 implements S { }
        """,
    "parameters": """package a; import java.lang.annotation.*;
        class A {
          @Target({ElementType.TYPE_USE, ElementType.PARAMETER}) @interface T { String value() default ""; }
          void f(final @T("a,b(") String s, @T int a[], String @T [] @T [] b) { }
          void g(java.util.Map.@T Entry<String, int[]> e, java.util. @T("x") List<? extends @T Number>... l) { }
          void receiver(@T A this, int a) { }
          class In { In(A A.this) { } void f(A.In this, In i) { } }
          int[] back(int[] a[])[] { return null; }
          void annotated(@T String @T... z) { }
          abstract static class B { abstract <X> void f(X x, Unknown u, a.b.Other o); native int g(); }
          A(String... a) { } <X extends Exception> A(X x) throws X { }
          @Target(ElementType.TYPE_PARAMETER) @interface V { int n(); }
          @interface Q { int n() default 0; boolean b() default true; }
          void shift(@Q(n = 1024 >> 2) int a, String b) { } void less(@Q(b = 1 < 2) int a, @Q(b = 2 > 1) int... b) { }
          <@V(n = 8 >>> 1) X extends Number, Y extends Runnable> void bound(X x, Y y) { }
        }""",
    "lines": """package a; /* x */ class A { void one() { } void two(
          int a,
          int b) { }
          /** doc */ /* more */ @Deprecated // why
          /* between */ public
          static
          int three()
          {
            return 1; } ; ; int i = 1, j; void four() { }
          ;
          <T>
          void five() { String s = \"\"\"
              } " \\\""" {
              \"\"\"; char c = '"'; char d = '\\''; }
          /** @deprecated */
          void six() { } // }
        }""",
    "statements": """package a; import java.util.function.*;
        class A {
          static { class L { void f() { } } } { int x = 1; }
          Runnable r = () -> { };
          Supplier<Integer> f = new Supplier<>() { public Integer get() { return 1; } };
          int f(Object o) {
            return switch (o.hashCode()) { case 1, 2 -> { yield 3; } default -> o instanceof String s ? 1 : 0; };
          }
          void g() { label: for (int i = 0, j = 1; i < j; i >>>= 1) { if (i >> 1 > 2) break label; } }
          int record, sealed, permits; void record() { record = 1; var yield = 1; } void permits(int sealed) { }
          <T> void h() { this.<T>h(); Supplier<A> s = A::new; Function<Integer, int[]> n = int[]::new; h(); }
        }""",
    "unicode": """package a; /* \u00e4\u4e16\U0001f600 */ class \u00c4\u00df {
          void m\u00fc(\u00c4\u00df \u00e4) { String s = "\U0001f600}"; }
          void $_1(String... $) { } }""",
    "nothing": "package a; import java.util.*;",
    "broken": "class A { void f( { }",
}

OF_JAVA_25 = """package a; import module java.base; import java.lang.annotation.ElementType;
    class A {
      @java.lang.annotation.Target({ElementType.TYPE_USE, ElementType.PARAMETER, ElementType.LOCAL_VARIABLE})
      @interface T { String value() default ""; }
      record P(int a, Object... b) { P(String s) { int i = s.length(); this(i, s); } void one() { } }
      A(int i) { if (i < 0) { throw new Error(); } /* why */ super(); }
      class In { In(A this_) { } }
      class Sub extends In { Sub(A a) { int i = 1; a.super(a); } void two() { } }
      void three(int[] @T("[") ... x) { } void four(@T Object @T... x) { } int[] @T [] five() { return null; }
      int six(Object o) { return switch (o) {
        case P(final int a, _) when a > 1 -> 1; case String _, Map.Entry<?, ?> _ when o != null -> 2;
        case @T final Integer i -> { yield i; } default -> 0_7; }; }
      void seven(Object o) { switch (o) { case P(_, _): break; default: } if (o instanceof P(@T int a, var _)) { }
        if (o instanceof A.P(int a, A.P(_, _)) && a > 1 || o instanceof A.Box<?>(A.Box<?>(_))) { } }
      record Box<X>(X x) { }
      enum E { X, Y; E() { int i = 1; this(i); } E(int i) { } void eight() { } }
      void nine() { }
    }"""


@pytest.fixture(scope="module")
def java() -> str:
    """A `java` of version 17 or newer that can run a source file."""
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java")
    if program is None:
        pytest.skip("no java on the path: nothing to compare with")
    probe = run_command([program, "-version"], seconds=60)
    version = re.search(rb'version "(\d+)', probe.stderr)
    if version is None or int(version.group(1)) < 17:
        pytest.skip("java is older than 17: the reference program does not run")
    return program


def read_by_javac(java: str, groups: Iterable[Iterable[Path]], folder: Path) -> dict[Path, list[Declared] | None]:
    """What the compiler reads from groups of files, each compiled together; None for a file with syntax errors."""
    listed = [list(group) for group in groups]
    request = folder / "files.txt"
    request.write_text("\n\n".join("\n".join(map(str, group)) for group in listed), encoding="utf-8")
    finished = run_command([java, "-Dfile.encoding=UTF-8", str(PROGRAM), str(request)], seconds=300)
    assert finished.ok, finished.tail()
    read: dict[Path, list[Declared] | None] = {path: [] for group in listed for path in group}
    for line in finished.stdout.decode().split("\n")[:-1]:
        path, *fields = line.split("\t")
        if fields == ["!"]:
            read[Path(path)] = None
            continue
        type_name, name, parameters, first, last = fields
        methods = read[Path(path)]
        assert methods is not None
        methods.append((f"{type_name}#{name}({parameters})", int(first), int(last)))
    return read


def read_by_room(path: Path) -> list[Declared]:
    methods = parse_java(path.read_bytes(), path.name).methods
    return [(str(method.key), method.span.first_line, method.span.last_line) for method in methods]


def differences(ours: list[Declared], theirs: list[Declared]) -> list[str]:
    """Methods that only one side reads. An unknown type of the compiler's equals any of ours."""
    left, missing = list(ours), []
    for key, first, last in theirs:
        pattern = re.compile(re.escape(key).replace(UNKNOWN_TYPE, r"[^,\[\]]+"))
        found = next((one for one in left if one[1:] == (first, last) and pattern.fullmatch(one[0])), None)
        if found is None:
            missing.append(f"only javac: {key} {first}-{last}")
        else:
            left.remove(found)
    return missing + [f"only the reader: {key} {first}-{last}" for key, first, last in left]


def test_tricky_sources_are_read_as_the_compiler_reads_them(java: str, tmp_path: Path) -> None:
    line_ends = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
    groups = []
    for name, source in TRICKY.items():
        for line_end, characters in line_ends.items():
            path = tmp_path / f"{name}-{line_end}.java"
            path.write_bytes(source.replace("\n", characters).encode())
            groups.append([path])
    read = read_by_javac(java, groups, tmp_path)
    assert {path.name for path, theirs in read.items() if theirs is None} == {f"broken-{end}.java" for end in line_ends}
    found = {path.name: differences(read_by_room(path), theirs) for path, theirs in read.items() if theirs is not None}
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert {path.name for path, theirs in read.items() if theirs == []} == {f"nothing-{end}.java" for end in line_ends}


def test_the_syntax_of_java_25_is_read_as_its_compiler_reads_it(tmp_path: Path) -> None:
    homes = [jdk.home for jdk in find_jdks() if jdk.feature >= 25]
    if not homes:
        pytest.skip("no JDK of 25 or newer: nothing to compare with")
    path = tmp_path / "A.java"
    path.write_text(OF_JAVA_25, encoding="utf-8")
    theirs = read_by_javac(str(homes[0] / "bin" / "java"), [[path]], tmp_path)[path]
    assert theirs is not None and differences(read_by_room(path), theirs) == []
    assert len(theirs) == 16 and not parse_java(path.read_bytes(), path.name).has_errors


@pytest.mark.parametrize("name", ["generics", "shapes", "unicode"])
def test_compiled_methods_have_the_keys_of_their_sources(java: str, tmp_path: Path, name: str) -> None:
    """All but the constructors of inner classes and enums, which get parameters that no source shows."""
    source = tmp_path / "A.java"
    source.write_text(TRICKY[name], encoding="utf-8")
    tools = Path(java).resolve().parent
    compiler = [str(tools / "javac"), "-encoding", "UTF-8", "-XDrawDiagnostics", "-d", str(tmp_path), str(source)]
    compiled = run_command(compiler, seconds=60)
    assert compiled.ok, compiled.tail()
    classes = sorted(map(str, tmp_path.rglob("*.class")))
    shown = run_command([str(tools / "javap"), "-J-Dfile.encoding=UTF-8", "-p", "-s", *classes], seconds=60)
    compiled_keys = set()
    for printed in shown.stdout.decode().split("Compiled from")[1:]:
        type_name = SHOWN_TYPE.findall(printed)[0]
        for declared, descriptor in SHOWN_METHOD.findall(printed):
            compiled_keys.add(method_key(type_name, CONSTRUCTOR if declared == type_name else declared, descriptor))
    file = parse_java(source.read_bytes(), "A.java")
    other = {type_.name for type_ in file.types if type_.kind == "enum" or "$" in type_.name}
    keys = {method.key for method in file.methods if not (method.is_constructor and method.key.type_name in other)}
    assert len(compiled_keys) > len(classes)
    assert keys - compiled_keys == set()


@pytest.mark.mirror
def test_real_repositories_are_read_as_the_compiler_reads_them(java: str, tmp_path: Path) -> None:
    """All Java files at the head of every clone that `TESTEVO_MIRROR` (`<folder>/{owner}+{name}/repo`) names."""
    template = os.environ.get("TESTEVO_MIRROR")
    if not template:
        pytest.skip("TESTEVO_MIRROR names no clones of real repositories")
    mirrors = sorted(Path("/").glob(re.sub(r"\{\w+\}", "*", template).lstrip("/")))
    groups = [head_of(mirror, tmp_path / str(at)) for at, mirror in enumerate(mirrors)]
    assert groups, f"no clone matches {template}"
    read = read_by_javac(java, groups, tmp_path)
    found = {
        str(path.relative_to(tmp_path)): differences(read_by_room(path), theirs)
        for path, theirs in read.items()
        if theirs is not None
    }
    assert {name: lines for name, lines in found.items() if lines} == {}
    assert sum(len(theirs) for theirs in read.values() if theirs) > 0


def head_of(mirror: Path, folder: Path) -> list[Path]:
    """The Java files at the head of a clone, written below `folder`."""
    folder.mkdir()
    archive = folder / "head.tar"
    made = run_command(["git", "-C", str(mirror), "archive", "-o", str(archive), "HEAD"])
    assert made.ok, made.tail()
    shutil.unpack_archive(archive, folder, filter="data")
    return sorted(path for path in folder.rglob("*.java") if path.is_file())
