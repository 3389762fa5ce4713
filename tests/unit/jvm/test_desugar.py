"""Copies of jars in which lambdas are classes do what the jars do (`jvm/desugar`)."""

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from testevo.ground.jars import tool_jar

SOURCES = Path(__file__).parent / "sources" / "lambdas"
LEFT = {"8": 1, "11": 1, "17": 4}
"""By level of the class files, how many lambdas stay: the serialisable one, and since javac has instructions refer to
private members of nested classes directly, those."""


def jar_of(jdk_home: Path, folder: Path, level: str) -> Path:
    classes, jar = folder / "classes", folder / "lambdas.jar"
    java(jdk_home, "javac", "--release", level, "-nowarn", "-d", str(classes), *map(str, SOURCES.glob("*.java")))
    java(jdk_home, "jar", "--create", "--file", str(jar), "-C", str(classes), ".")
    return jar


def java(jdk_home: Path, program: str, *arguments: str) -> str:
    done = subprocess.run(
        [jdk_home / "bin" / program, *arguments], capture_output=True, text=True, check=False,
        env={"LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def desugared(jdk_home: Path, jar: Path) -> Path:
    copy = jar.with_name("copy.jar")
    java(jdk_home, "java", "-jar", str(tool_jar("desugar")), str(jar), str(copy))
    return copy


def lambdas(jdk_home: Path, jar: Path) -> int:
    """How many objects the JVM makes of lambdas when the program runs."""
    said = java(jdk_home, "java", "-Xlog:class+load", "-cp", str(jar), "lambdas.Main")
    return sum(1 for line in said.splitlines() if "lambdas." in line and "$$Lambda" in line)


@pytest.mark.parametrize("level", LEFT)
def test_a_program_does_the_same_without_lambdas(jdk_home: Path, tmp_path: Path, level: str) -> None:
    jar = jar_of(jdk_home, tmp_path, level)
    copy = desugared(jdk_home, jar)
    expected = java(jdk_home, "java", "-cp", str(jar), "lambdas.Main")
    assert "[above b, below own, hello from above, hello from above]" in expected
    assert "lambda$main$" in expected, "frames of bodies keep their names"
    assert java(jdk_home, "java", "-Xverify:all", "-cp", str(copy), "lambdas.Main") == expected
    assert lambdas(jdk_home, jar) > 30
    assert lambdas(jdk_home, copy) == LEFT[level]


def test_equal_jars_have_equal_copies(jdk_home: Path, tmp_path: Path) -> None:
    jar = jar_of(jdk_home, tmp_path, "8")
    first = desugared(jdk_home, jar).read_bytes()
    os.utime(jar, (1, 1))
    assert desugared(jdk_home, jar).read_bytes() == first


@pytest.mark.parametrize(("name", "content"), [("META-INF/A.SF", b"signed"), ("a/Broken.class", b"\xca\xfe\xba\xbe")])
def test_what_is_signed_or_cannot_be_read_stays_as_it_is(
    jdk_home: Path, tmp_path: Path, name: str, content: bytes
) -> None:
    jar = jar_of(jdk_home, tmp_path, "8")
    with zipfile.ZipFile(jar, "a") as archive:
        archive.writestr(name, content)
    with zipfile.ZipFile(jar) as one, zipfile.ZipFile(desugared(jdk_home, jar)) as other:
        assert one.namelist() == other.namelist()
        assert all(one.read(entry) == other.read(entry) for entry in one.namelist())


def test_what_is_no_jar_is_an_error(jdk_home: Path, tmp_path: Path) -> None:
    (tmp_path / "no.jar").write_text("no jar")
    done = subprocess.run(
        [jdk_home / "bin" / "java", "-jar", tool_jar("desugar"), tmp_path / "no.jar", tmp_path / "copy.jar"],
        capture_output=True, check=False)
    assert done.returncode != 0
    assert b"ZipException" in done.stderr
