"""A git history of any length and size, for measurements: one class and its test change at each commit."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>shelves</artifactId>
  <version>1.{version}</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>
    <groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version>
    <scope>test</scope>
  </dependency></dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
</project>
"""
SHELF = """package bench;

/** A shelf that stands {below}. */
public class Shelf{number} {{
    public int hold(int books) {{
        int held = books;
        for (int i = 0; i < 3; i++) {{
            held += i * {value};
        }}
        return {call};
    }}
}}
"""
TEST = """package bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class Shelf{number}Test {{
    @Test
    void holds() {{
        assertEquals({expected}, new Shelf{number}().hold(1));
    }}

    @Test
    void holdsMore() {{
        assertEquals(new Shelf{number}().hold(1) + 1, new Shelf{number}().hold(2));
    }}
}}
"""
CHAIN = 5
"""Shelves stand in rows of this length; each but the last calls the next."""
RELEASE = 10
"""Every so many commits only the version changes."""
BEGIN = 1_700_000_000
HOUR = 3600


@dataclass(frozen=True)
class Shape:
    """How large a history is: production classes, as many test classes, commits."""

    classes: int
    commits: int


def make_history(folder: Path, shape: Shape) -> Path:
    """A bare repository at `folder` with the branch `main`; equal bytes for equal shapes."""
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(folder)], check=True)
    stream = b"".join(_commands(shape))
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet"], input=stream, check=True)
    return folder


def _commands(shape: Shape) -> Iterator[bytes]:
    values = [1] * shape.classes
    yield _commit(0, {"pom.xml": POM.format(version=0), **_all(values)})
    version, turn = 0, 0
    for number in range(1, shape.commits):
        if number % RELEASE == 0:
            version += 1
            yield _commit(number, {"pom.xml": POM.format(version=version)})
            continue
        changed = turn * 7 % shape.classes
        turn += 1
        values[changed] += 1
        yield _commit(number, dict(_files_of(changed, values)))


def _all(values: list[int]) -> dict[str, str]:
    return {path: text for number in range(len(values)) for path, text in _files_of(number, values, whole=True)}


def _files_of(changed: int, values: list[int], *, whole: bool = False) -> Iterator[tuple[str, str]]:
    """The class, and the tests of all that call it."""
    chained = changed % CHAIN < CHAIN - 1 and changed + 1 < len(values)
    call = f"new Shelf{changed + 1}().hold(held)" if chained else "held"
    below = f"on shelf {changed + 1}" if chained else "on the floor"
    shelf = SHELF.format(number=changed, value=values[changed], call=call, below=below)
    yield f"src/main/java/bench/Shelf{changed}.java", shelf
    first = changed if whole else changed - changed % CHAIN
    for number in range(first, changed + 1):
        expected = 1 + sum(3 * values[at] for at in range(number, _end_of_row(number, len(values))))
        yield f"src/test/java/bench/Shelf{number}Test.java", TEST.format(number=number, expected=expected)


def _end_of_row(number: int, classes: int) -> int:
    return min(number - number % CHAIN + CHAIN, classes)


def _commit(number: int, files: dict[str, str]) -> bytes:
    who = f"Bench <bench@example.org> {BEGIN + number * HOUR} +0000"
    message = f"Change {number}"
    lines = [f"commit refs/heads/main\nmark :{number + 1}\nauthor {who}\ncommitter {who}\n".encode(), _data(message)]
    for path, text in files.items():
        lines += [f"M 100644 inline {path}\n".encode(), _data(text)]
    return b"".join(lines)


def _data(text: str) -> bytes:
    content = text.encode()
    return f"data {len(content)}\n".encode() + content + b"\n"
