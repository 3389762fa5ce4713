"""Our reader of class files reads what `javap` prints: names, flags, methods, annotations, source file."""

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from testevo.builds.classes.class_files import ClassFile, read_class
from testevo.builds.project.jdks import find_jdks
from testevo.runtime.files.jars import tool_jar
from testevo.runtime.processes.processes import run_command

DECODED_FROM = 17
"""The first JDK of those we support whose javap prints the names of annotations."""

SOURCE = r"""
package a;
import java.lang.annotation.*;
@Retention(RetentionPolicy.RUNTIME) @interface Mark {
  String[] names() default { }; Class<?> type() default void.class; Deep deep() default @Deep;
  ElementType kind() default ElementType.TYPE; long big() default 1L << 40; char letter() default 'x';
}
@Retention(RetentionPolicy.RUNTIME) @interface Deep { int[] value() default {1, 2}; }
@Retention(RetentionPolicy.CLASS) @interface Hidden { }
abstract class Base<T> implements java.util.Comparator<T>, Runnable { protected abstract T made(); }
@Mark(names = {"a", "b"}, type = A[].class, deep = @Deep({3}), letter = 'y') @Deprecated
public class A extends Base<String> {
  static final double D = 1.5; static final long L = 1L << 40; static String nothing = "\0";
  @Hidden @Mark(kind = ElementType.METHOD) @Deprecated public synchronized String made() { return "x"; }
  @Deep public int compare(String a, String b) { Runnable r = () -> made(); r.run(); return 0; }
  public void run() { }
  native void n(); static void s(int[][] a, A.In.Deeper d, long... l) { }
  void \u00e9t\u00e9() { } void \ud835\udc9cdds() { }
  class In { private class Deeper { } }
  enum E { X { void f() { } }; void f() { } }
  Object o = new Object() { };
}
"""


@dataclass(frozen=True)
class Shown:
    """What javap prints and our reader reads of a class; methods by name, descriptor, flags and annotations."""

    name: str
    parent: str | None
    interfaces: int
    access: int
    methods: tuple[tuple[str, str, int, tuple[str, ...]], ...]
    annotations: tuple[str, ...]
    source_file: str | None


def of_ours(read: ClassFile) -> Shown:
    methods = tuple((one.name, one.descriptor, one.access, one.annotations) for one in read.methods)
    return Shown(
        read.name, read.super_name, len(read.interfaces), read.access, methods, read.annotations, read.source_file
    )


def of_javap(printed: str) -> Shown:
    """Read what `javap -v -p` prints of one class: a head, members between braces, attributes."""
    head, _, rest = printed.partition("\n{\n")
    body, tail = re.split(r"^}\n", rest, maxsplit=1, flags=re.MULTILINE)
    name = found(r'this_class: #\d+ +// "?([^\s"]+)', head)
    parent = found(r'super_class: #\d+ +// "?([^\s"]+)', head)
    source = found(r'^SourceFile: "(.*)"$', tail)
    assert name is not None
    return Shown(
        name=name.replace("/", "."),
        parent=parent and parent.replace("/", "."),
        interfaces=int(found(r"interfaces: (\d+)", head) or 0),
        access=flags(head),
        methods=tuple(method(member, name) for member in body.split("\n\n") if "    descriptor: (" in member),
        annotations=annotations(tail, ""),
        source_file=source,
    )


def method(member: str, class_name: str) -> tuple[str, str, int, tuple[str, ...]]:
    declared = member.lstrip("\n").partition("\n")[0]
    name = "<clinit>" if "(" not in declared else declared.partition("(")[0].split(" ")[-1]
    descriptor = found(r"descriptor: (\S+)", member)
    assert descriptor is not None
    is_constructor = name == class_name.replace("/", ".")
    return "<init>" if is_constructor else name, descriptor, flags(member), annotations(member, "    ")


def flags(text: str) -> int:
    return int(found(r"flags: \(0x([0-9a-f]{4})\)", text) or "", 16)


def annotations(text: str, indent: str) -> tuple[str, ...]:
    section = found(rf"^{indent}RuntimeVisibleAnnotations:\n((?:{indent} +.*\n?)+)", text) or ""
    return tuple(re.findall(rf"^{indent}    ([^\s()]+)\(?$", section, re.MULTILINE))


def found(pattern: str, text: str) -> str | None:
    match = re.search(pattern, text, re.MULTILINE)
    return match and match[1]


@pytest.fixture
def tools() -> Path:
    """The folder of javac and javap."""
    jdks = [jdk for jdk in find_jdks() if jdk.feature >= DECODED_FROM]
    if not jdks:
        pytest.skip(f"no JDK {DECODED_FROM} or newer here")
    return min(jdks, key=lambda jdk: jdk.feature).home / "bin"


def held_against_javap(tools: Path, files: list[Path]) -> list[Shown]:
    options = [f"-J-D{name}" for name in ("file.encoding=UTF-8", "stdout.encoding=UTF-8", "user.language=en")]
    printed = run_command([str(tools / "javap"), *options, "-v", "-p", *map(str, files)], seconds=120)
    assert printed.ok, printed.tail()
    theirs = [of_javap(one) for one in re.split(r"^Classfile ", printed.stdout.decode(), flags=re.MULTILINE)[1:]]
    ours = [of_ours(read_class(file.read_bytes())) for file in files]
    assert ours == theirs
    return ours


def test_a_class_with_all_kinds_of_annotations_and_names_is_read_as_javap_reads_it(tools: Path, tmp_path: Path) -> None:
    source = tmp_path / "A.java"
    source.write_text(SOURCE)
    compiled = run_command([str(tools / "javac"), "-d", str(tmp_path), str(source)], seconds=120)
    assert compiled.ok, compiled.tail()
    read = held_against_javap(tools, sorted((tmp_path / "a").glob("*.class")))
    assert len(read) == 10
    [one] = [shown for shown in read if shown.name == "a.A"]
    assert one.annotations == ("a.Mark", "java.lang.Deprecated")
    assert {"\u00e9t\u00e9", "\U0001d49cdds", "<init>", "<clinit>"} <= {name for name, *_ in one.methods}


def test_the_classes_of_our_launcher_are_read_as_javap_reads_them(tools: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tool_jar("launcher")) as jar:
        jar.extractall(tmp_path)
    read = held_against_javap(tools, sorted(tmp_path.rglob("*.class")))
    assert len(read) > 20
