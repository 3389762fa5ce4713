"""What tests compile and run small Java trees with: the jars of each JUnit, and the JDK on the PATH."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from testevo.builds.project.jdks import Jdk
from testevo.runtime.files.jars import JARS

LIBRARIES = {
    "junit3": ("junit:junit:3.8.1",),
    "junit4": ("junit:junit:4.13.2", "org.hamcrest:hamcrest-core:1.3"),
    "platform": (
        "org.junit.jupiter:junit-jupiter-api:5.10.2",
        "org.junit.jupiter:junit-jupiter-params:5.10.2",
        "org.opentest4j:opentest4j:1.3.0",
        "org.apiguardian:apiguardian-api:1.1.2",
        "org.junit.platform:junit-platform-commons:1.10.2",
    ),
    "none": (),
}
"""Coordinates by framework."""
ENGINES = (
    "org.junit.jupiter:junit-jupiter-engine:5.10.2",
    "org.junit.platform:junit-platform-engine:1.10.2",
    "org.junit.platform:junit-platform-launcher:1.10.2",
)
"""What runs tests of the framework `platform`."""


def local_jar(coordinates: str) -> Path:
    """A jar in the local Maven repository, fetched when missing: `group:artifact:version[:jar:classifier]`."""
    group, artifact, version, *classifier = coordinates.split(":")
    name = "-".join([artifact, version, *classifier[1:]])
    jar = Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version / f"{name}.jar"
    if not jar.is_file():
        get = ["mvn", "-q", "-B", "dependency:get", f"-Dartifact={coordinates}", "-Dtransitive=false"]
        subprocess.run(get, check=True, capture_output=True)
    return jar


def libraries_of(framework: str) -> list[Path]:
    """The jars that tests of a framework are compiled with."""
    return [local_jar(coordinates) for coordinates in LIBRARIES[framework]]


def engines_of(framework: str) -> tuple[Path, ...]:
    """The jars that run tests of a framework, besides those that they are compiled with."""
    return tuple(local_jar(coordinates) for coordinates in ENGINES) if framework == "platform" else ()


@cache
def this_jdk() -> Jdk:
    """The JDK whose javac is first on the PATH."""
    javac = shutil.which("javac")
    if javac is None or not (JARS / "launcher.jar").is_file():
        pytest.skip("no JDK on this machine, or the Java side is not built; run `make setup`")
    home = Path(javac).resolve().parents[1]
    version = subprocess.run([javac, "-version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    return Jdk(home, int(version.split(".")[0]), version)
