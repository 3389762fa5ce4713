"""Builds the wheel: beside the package it holds the workflow, presets, embedded histories and jars that it works with.

`testevo/runtime/files/project.py` finds them. Everything else about the package stands in pyproject.toml.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PROJECT = Path(__file__).resolve().parent
COPIED = (
    "Snakefile",
    "rules/*.smk",
    "report/*.rst",
    "scripts/*.py",
    "config/**/*",
    "envs/*.yaml",
    "envs/*.sh",
    "profiles/**/*",
    "worlds/**/*",
    "jvm/lib/**/*",
    "jvm/*/jars.sha256",
)
BUILT = PROJECT / "jvm" / "lib" / ".complete"


def project_files() -> Iterator[Path]:
    """The files to copy, relative to the project."""
    for pattern in COPIED:
        for file in sorted(PROJECT.glob(pattern)):
            if file.is_file() and "__pycache__" not in file.parts:
                yield file.relative_to(PROJECT)


def build_jars() -> None:
    """Build `jvm/lib` as `make setup` does, if it is not there or older than its sources.

    Raises:
        SystemExit: there is no Maven, or it failed.
    """
    sources = [*PROJECT.glob("jvm/*/src/main/**/*.java"), *PROJECT.glob("jvm/**/pom.xml")]
    if BUILT.is_file() and all(file.stat().st_mtime <= BUILT.stat().st_mtime for file in sources):
        return
    if shutil.which("mvn") is None:
        raise SystemExit(
            "error: the Java side of testevo has to be built, and there is no Maven. Install Maven and a JDK 17 or "
            "newer (on Debian: apt-get install maven openjdk-17-jdk-headless), then install testevo again."
        )
    call = ["mvn", "--quiet", "--batch-mode", "--no-transfer-progress", "-f", str(PROJECT / "jvm/pom.xml")]
    if subprocess.run([*call, "package", "-Dmaven.test.skip"], check=False).returncode != 0:
        raise SystemExit(
            "error: Maven could not build the Java side of testevo; its messages are above. Correct the cause (often "
            "no way to a Maven repository, or an old JDK), then install testevo again."
        )
    BUILT.touch()


class BuildWithProjectFiles(build_py):
    """Copies the project's files into the package as `testevo/_project`; an editable install uses the checkout's."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        build_jars()
        target = Path(self.build_lib) / "testevo" / "_project"
        shutil.rmtree(target, ignore_errors=True)
        for file in project_files():
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / file, target / file)


setup(cmdclass={"build_py": BuildWithProjectFiles})
