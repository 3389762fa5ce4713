"""What tests compile and run small Java trees with: the jars of each JUnit, and the JDK on the PATH."""

import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
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


RESOLVED = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>jars</artifactId>
<version>1</version><dependencies>{dependencies}</dependencies></project>"""


def local_jar(coordinates: str) -> Path:
    """A jar in the local Maven repository, fetched when missing: `group:artifact:version[:jar:classifier]`."""
    return local_jars([coordinates])[0]


def local_jars(all_coordinates: Sequence[str]) -> list[Path]:
    """Jars in the local Maven repository; one Maven run fetches what is missing, whatever processes ask at once."""
    jars = {coordinates: _place(coordinates) for coordinates in all_coordinates}
    if not all(jar.is_file() for jar in jars.values()):
        with (Path(tempfile.gettempdir()) / "jars-of-tests.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if missing := [coordinates for coordinates, jar in jars.items() if not jar.is_file()]:
                _fetch(missing)
    return list(jars.values())


def _place(coordinates: str) -> Path:
    group, artifact, version, *classifier = coordinates.split(":")
    name = "-".join([artifact, version, *classifier[1:]])
    return Path.home() / ".m2/repository" / group.replace(".", "/") / artifact / version / f"{name}.jar"


def _fetch(all_coordinates: Sequence[str]) -> None:
    names = ("groupId", "artifactId", "version", "type", "classifier")
    given = [zip(names, coordinates.split(":"), strict=False) for coordinates in all_coordinates]
    elements = ["".join(f"<{name}>{value}</{name}>" for name, value in one) for one in given]
    dependencies = "".join(f"<dependency>{one}</dependency>" for one in elements)
    with tempfile.TemporaryDirectory() as folder:
        pom = Path(folder) / "pom.xml"
        pom.write_text(RESOLVED.format(dependencies=dependencies))
        resolve = ["mvn", "-q", "-B", "-f", str(pom), "dependency:resolve", "-DexcludeTransitive=true"]
        subprocess.run(resolve, check=True, capture_output=True)


def libraries_of(framework: str) -> list[Path]:
    """The jars that tests of a framework are compiled with."""
    return local_jars(LIBRARIES[framework])


def engines_of(framework: str) -> tuple[Path, ...]:
    """The jars that run tests of a framework, besides those that they are compiled with."""
    return tuple(local_jars(ENGINES)) if framework == "platform" else ()


@cache
def this_jdk() -> Jdk:
    """The JDK whose javac is first on the PATH."""
    javac = shutil.which("javac")
    if javac is None or not (JARS / "launcher.jar").is_file():
        pytest.skip("no JDK on this machine, or the Java side is not built; run `make setup`")
    home = Path(javac).resolve().parents[1]
    version = subprocess.run([javac, "-version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    return Jdk(home, int(version.split(".")[0]), version)
