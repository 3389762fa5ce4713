"""Compiling small Java sources and running their tests with the launcher."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from testevo.runtime.files.jars import JARS
from testevo.runtime.files.whole_files import locked

_SOURCES = Path(__file__).parent / "sources"
_HAMCREST = "org.hamcrest:hamcrest-core:1.3"
_OPENTEST = "org.opentest4j:opentest4j:1.3.0"
_GUARDIAN = "org.apiguardian:apiguardian-api:1.1.2"
_ANNOTATIONS = "org.jspecify:jspecify:1.0.0"


def _jupiter(jupiter: str, platform: str, *more: str) -> tuple[str, ...]:
    return (
        *(f"org.junit.jupiter:junit-jupiter-{part}:{jupiter}" for part in ("api", "engine", "params")),
        *(f"org.junit.platform:junit-platform-{part}:{platform}" for part in ("commons", "engine", "launcher")),
        _GUARDIAN,
        *more,
    )


CLASS_PATHS: Mapping[str, tuple[str, ...]] = {
    "junit-3.8.2": ("junit:junit:3.8.2",),
    "junit-4.4": ("junit:junit:4.4",),
    "junit-4.11": ("junit:junit:4.11", _HAMCREST),
    "junit-4.13.2": ("junit:junit:4.13.2", _HAMCREST),
    "jupiter-5.0": _jupiter("5.0.3", "1.0.3", "org.opentest4j:opentest4j:1.0.0"),
    "jupiter-5.3": _jupiter("5.3.2", "1.3.2", _OPENTEST),
    "jupiter-5.10": _jupiter("5.10.5", "1.10.5", _OPENTEST),
    "jupiter-5.14": _jupiter("5.14.1", "1.14.1", _OPENTEST),
    "jupiter-6": _jupiter("6.0.1", "6.0.1", _OPENTEST, _ANNOTATIONS),
    "vintage-5.10": (
        *_jupiter("5.10.5", "1.10.5", _OPENTEST),
        "org.junit.vintage:junit-vintage-engine:5.10.5",
        "junit:junit:4.13.2",
        _HAMCREST,
    ),
}

_ITEM = "<artifactItem><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></artifactItem>"
_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>t</groupId>
<artifactId>jars</artifactId><version>1</version><packaging>pom</packaging><build><plugins><plugin>
<artifactId>maven-dependency-plugin</artifactId><version>3.7.1</version><configuration>
<outputDirectory>{folder}</outputDirectory><artifactItems>{items}</artifactItems></configuration></plugin></plugins>
</build></project>"""


def fetch_jars(folder: Path) -> Path:
    """All jars of `CLASS_PATHS` in `folder`, by one Maven call when one is missing; test processes take turns."""
    coordinates = sorted({each for path in CLASS_PATHS.values() for each in path})
    with locked(folder / "lock"):
        if not all((folder / _file_name(each)).is_file() for each in coordinates):
            _fetch(folder, coordinates)
    return folder


def _fetch(folder: Path, coordinates: Sequence[str]) -> None:
    if shutil.which("mvn") is None:
        pytest.skip("no Maven to fetch JUnit with")
    items = "".join(_ITEM.format(*each.split(":")) for each in coordinates)
    (folder / "pom.xml").write_text(_POM.format(folder=folder, items=items))
    command = ["mvn", "-q", "-B", "-f", str(folder / "pom.xml"), "dependency:copy"]
    fetched = subprocess.run(command, capture_output=True, text=True, check=False)
    if fetched.returncode:
        pytest.skip(f"JUnit cannot be fetched: {fetched.stdout[:300]}")


def class_path(folder: Path, name: str) -> list[Path]:
    """The jars of one JUnit, from the folder that `fetch_jars` filled."""
    return [folder / _file_name(each) for each in CLASS_PATHS[name]]


def _file_name(coordinates: str) -> str:
    _, artifact, version = coordinates.split(":")
    return f"{artifact}-{version}.jar"


def compile_java(jdk: Path, sources: Sequence[str], output: Path, libraries: Sequence[Path], *options: str) -> Path:
    """Compile folders of `sources/` beside this file into `output`."""
    output.mkdir(parents=True, exist_ok=True)
    files = [file for folder in sources for file in sorted((_SOURCES / folder).rglob("*.java"))]
    joined = os.pathsep.join(map(str, libraries))
    done = subprocess.run(
        [jdk / "bin/javac", "-nowarn", "-encoding", "UTF-8", "-cp", joined, "-d", output, *options, *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return output


@dataclass(frozen=True)
class Launch:
    """What one launcher left behind."""

    status: int
    output: bytes
    events: list[dict[str, Any]]

    @property
    def ended(self) -> bool:
        return bool(self.events) and self.events[-1]["event"] == "end"

    @property
    def found(self) -> int:
        assert self.ended, self.output.decode(errors="replace")
        return int(self.events[-1]["found"])

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [event for event in self.events if event["event"] == kind]

    @property
    def outcomes(self) -> list[tuple[str | None, str]]:
        """`method(types)` (None for the class) and outcome of everything that finished."""
        return [(test_name(event), event["outcome"]) for event in self.of("finished")]


def test_name(event: Mapping[str, Any]) -> str | None:
    """`method(types)` of an event."""
    if event["method"] is None:
        return None
    return f"{event['method']}({','.join(event['parameters'])})" if event["parameters"] is not None else event["method"]


test_name.__test__ = False  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Launcher:
    """Runs selections with one JUnit on one JDK."""

    jdk: Path
    back_end: str
    project: tuple[Path, ...]
    folder: Path

    def run(
        self,
        *selections: str,
        jvm: Sequence[str] = (),
        probe: Path | None = None,
        seconds: float = 60,
        own_loader: bool = False,
        settings: Sequence[str] = (),
    ) -> Launch:
        """Selections are `a.B` or `a.B#c(types)`; `probe` is the configuration file of the call probe, `settings` are
        more lines of the request.

        Everything is on the class path of the JVM, or with `own_loader` only the launcher.
        """
        channel = self.folder / "channel"
        channel.unlink(missing_ok=True)
        lines = [f"backend {self.back_end}"]
        lines += [f"class-path {entry}" for entry in self.project]
        launcher, back_end = JARS / "launcher.jar", JARS / f"launcher-{self.back_end}.jar"
        lines.append(f"backend-path {back_end}" if own_loader else "on-class-path true")
        lines += [f"select-{'method' if '#' in each else 'class'} {each}" for each in selections]
        lines += settings
        agent = [f"-javaagent:{JARS / 'probe.jar'}={probe}"] if probe else []
        lines += ["probe-hook true"] if probe else []
        request = self.folder / "request"
        request.write_text("\n".join(lines), encoding="utf-8")
        done = subprocess.run(
            [
                self.jdk / "bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                *agent,
                *jvm,
                "-cp",
                launcher if own_loader else ":".join(map(str, (launcher, back_end, *self.project))),
                "testevo.launcher.Main",
                request,
                channel,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds,
            cwd=self.folder,
            check=False,
        )
        written = channel.read_bytes() if channel.exists() else b""
        return Launch(done.returncode, done.stdout, [json.loads(line) for line in written.splitlines()])
