"""Small projects, one for each feature of Surefire, the compiler plugin and the lifecycle, and their POMs.

Each `*.yaml` beside this file is one Maven reactor, one module per feature, so that one run of Maven serves all.
"""

from enum import StrEnum
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict

FOLDER = Path(__file__).parent

FRAMEWORKS = {
    "junit3": ("junit:junit:3.8.2",),
    "junit4": ("junit:junit:4.13.2",),
    "jupiter": ("org.junit.jupiter:junit-jupiter:5.10.2",),
    "jupiter-api": ("org.junit.jupiter:junit-jupiter-api:5.10.2",),
    "junit6": ("org.junit.jupiter:junit-jupiter:6.1.3",),
    "vintage": ("org.junit.jupiter:junit-jupiter:5.10.2", "org.junit.vintage:junit-vintage-engine:5.10.2"),
    "testng": ("org.testng:testng:7.5.1",),
    "none": (),
}
"""Test dependencies by the name that a feature gives."""

PROJECT = """<project><modelVersion>4.0.0</modelVersion>{head}<artifactId>{name}</artifactId>
<packaging>{packaging}</packaging>{modules}
<properties>{properties}</properties>
<dependencies>{dependencies}</dependencies>
<build>{build}</build>
</project>
"""
ROOT = "<groupId>features</groupId><version>1</version>"
PARENT = f"<parent>{ROOT}<artifactId>all</artifactId></parent>"
LEVEL = """<maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>"""
MANAGED = "<pluginManagement><plugins>{plugins}</plugins></pluginManagement>"
VERSIONS = {
    "maven-compiler-plugin": "3.13.0",
    "maven-resources-plugin": "3.3.1",
    "maven-surefire-plugin": "3.2.5",
    "maven-antrun-plugin": "3.1.0",
}


class Served(StrEnum):
    """Who builds a feature's module and runs its tests where the engine is `direct`."""

    DIRECT = "direct"
    SUREFIRE = "Surefire"
    MAVEN = "Maven"


class Feature(BaseModel):
    """One feature, and the module that shows it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    configured: str
    """In a few words, for the page."""
    why: str
    """For the page; of a fallback, the reason that the engine names."""
    tests: dict[str, str]
    """`Type#method` -> outcome, by Maven and Surefire."""
    framework: str = "junit4"
    packaging: str = "jar"
    properties: str = ""
    dependencies: str = ""
    surefire: str = ""
    """Inside `<configuration>`, as the next one."""
    compiler: str = ""
    surefire_version: str = VERSIONS["maven-surefire-plugin"]
    executions: str = ""
    """Of Surefire."""
    plugins: str = ""
    build: str = ""
    files: dict[str, str] = {}
    """Path in the module -> content."""


class Reactor(BaseModel):
    """All features of one file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str
    served_by: Served
    files: dict[str, str] = {}
    """Beside the POM of the whole."""
    features: tuple[Feature, ...]


def all_reactors() -> dict[str, Reactor]:
    """Name of the file, without its ending -> its reactor."""
    return {
        path.stem: Reactor.model_validate(yaml.safe_load(path.read_text("utf-8")))
        for path in sorted(FOLDER.glob("*.yaml"))
    }


def write_reactor(reactor: Reactor, folder: Path) -> Path:
    """Write the project with one module per feature; the folder."""
    files = {"pom.xml": _root_pom(reactor), **reactor.files}
    for feature in reactor.features:
        own = {"pom.xml": _pom(feature), **feature.files}
        files |= {f"{feature.name}/{path}": content for path, content in own.items()}
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return folder


def _root_pom(reactor: Reactor) -> str:
    managed = "".join(_plugin(name, f"<version>{version}</version>") for name, version in VERSIONS.items())
    return PROJECT.format(
        head=ROOT,
        name="all",
        packaging="pom",
        modules=f"<modules>{''.join(f'<module>{feature.name}</module>' for feature in reactor.features)}</modules>",
        properties=LEVEL,
        dependencies="",
        build=MANAGED.format(plugins=managed),
    )


def _pom(feature: Feature) -> str:
    surefire = f"<version>{feature.surefire_version}</version><configuration>{feature.surefire}</configuration>"
    surefire += f"<executions>{feature.executions}</executions>"
    plugins = feature.plugins + _plugin("maven-surefire-plugin", surefire)
    if feature.compiler:
        plugins += _plugin("maven-compiler-plugin", f"<configuration>{feature.compiler}</configuration>")
    return PROJECT.format(
        head=PARENT,
        name=feature.name,
        packaging=feature.packaging,
        modules="",
        properties=feature.properties,
        dependencies="".join(map(_dependency, FRAMEWORKS[feature.framework])) + feature.dependencies,
        build=f"{feature.build}<plugins>{plugins}</plugins>",
    )


def _plugin(name: str, inside: str) -> str:
    return f"<plugin><artifactId>{name}</artifactId>{inside}</plugin>\n"


def _dependency(coordinates: str) -> str:
    group, artifact, version = coordinates.split(":")
    return (
        f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>"
        "<scope>test</scope></dependency>\n"
    )
