"""Small git folders for the workflow tests: good ones, and ones that cannot be mined."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history

NOON = 1_709_294_400  # 2024-03-01 12:00 UTC
HOUR = 3600

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>thing</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
</project>
"""
UNKNOWN_PARENT = POM.replace(
    "<modelVersion>",
    "<parent><groupId>example.nowhere</groupId><artifactId>none</artifactId><version>1</version></parent><modelVersion>",
)
MALFORMED = POM.replace("</properties>", "<properties>")


def aggregator(*modules: str) -> str:
    """A POM of modules."""
    listed = "".join(f"<module>{module}</module>" for module in modules)
    return POM.replace("<properties>", f"<packaging>pom</packaging><modules>{listed}</modules><properties>")


def module(name: str, needs: str) -> str:
    """The POM of a module that depends on another one."""
    needed = f"<groupId>example</groupId><artifactId>{needs}</artifactId><version>1</version>"
    depends = f"<dependencies><dependency>{needed}</dependency></dependencies>"
    return POM.replace(">thing<", f">{name}<").replace("<properties>", f"{depends}<properties>")


CYCLE = {"pom.xml": aggregator("a", "b"), "a/pom.xml": module("a", "b"), "b/pom.xml": module("b", "a")}


def git_folder(folder: Path, trees: Sequence[Mapping[str, str]], tags: Mapping[str, str] | None = None) -> Path:
    """A bare git folder with a commit an hour per tree, each with a Java file of its own content on top."""
    commits = []
    for number, tree in enumerate(trees):
        files = {**tree, "src/main/java/Thing.java": f"class Thing {{ int number() {{ return {number}; }} }}\n"}
        time = NOON + number * HOUR
        parents = (str(number - 1),) if number else ()
        made = {path: MadeFile(text.encode()) for path, text in files.items()}
        commits.append(MadeCommit(str(number), f"Commit {number}", time, time, parents, made))
    make_history(folder, commits, tags or {})
    return folder


def shallow_clone(folder: Path, origin: Path) -> Path:
    """A clone that has only the newest commit."""
    subprocess.run(["git", "clone", "--quiet", "--bare", "--depth", "1", f"file://{origin}", str(folder)], check=True)
    return folder
