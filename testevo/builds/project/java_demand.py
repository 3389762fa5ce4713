"""Read the Java level a project declares, and the JDK it demands (TEB-M07)."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lxml import etree

from testevo.builds.project.pom_file import PomFile, children, find, text_of

COMPILER_PLUGIN = "maven-compiler-plugin"

COMMON_LEVEL_PROPERTIES = (
    "java.version",
    "javaVersion",
    "java.source.version",
    "java.target.version",
    "java.level",
    "jdk.version",
    "version.java",
    "java.source",
    "java.release",
    "source.version",
    "compileSource",
    "project.build.targetJdk",
)
"""Names by which parents in registries let a project set its level."""

_DEMANDS = (
    ("maven-enforcer-plugin", "requireJavaVersion", "requireJavaVersion"),
    ("maven-toolchains-plugin", "jdk", "toolchain"),
    (COMPILER_PLUGIN, "jdkToolchain", "jdkToolchain"),
)
"""Plugins that ask for a JDK, the elements that say of which version, and what reasons call them."""


@dataclass(frozen=True)
class Declared:
    """A Java level or JDK as written, with where it stands."""

    feature: int
    text: str
    place: str
    """For example `maven.compiler.source in pom.xml`."""


@dataclass(frozen=True)
class JavaDemand:
    """The demands of all modules on a JDK."""

    lowest: Declared | None = None
    """Lowest level that some module compiles for; None when no module declares one."""
    highest: Declared | None = None
    jdk: Declared | None = None
    """Oldest JDK that an enforcer rule or a toolchain accepts."""
    complete: bool = True
    """False when a parent in a registry may declare more than the POMs in the repository."""

    @property
    def level(self) -> str | None:
        """The declared level as records show it: the highest, as written."""
        return self.highest.text if self.highest else None


def feature_of(text: str | None) -> int | None:
    """Feature version of a level or version as written: 8 for `1.8`, `8`, `1.8.0_292`, `[1.8,)`; None if it is none."""
    match = re.match(r"\s*[\[(]?\s*(?:1\.)?(\d+)", text or "")
    return int(match.group(1)) if match else None


def declared_level(pom: PomFile) -> Declared | None:
    """The level of one module: release, else source, else target, of the compiler plugin or as a property."""
    return next((found for written, where in _levels(pom) if (found := _declared(written, where))), None)


def _levels(pom: PomFile) -> Iterator[tuple[str | None, str]]:
    for name in ("release", "source", "target"):
        yield from _plugin_values(pom, name)
        yield from _property_values(pom, f"maven.compiler.{name}")
    if any(above.remote_parent for above in pom.chain()):
        for name in COMMON_LEVEL_PROPERTIES:
            yield from _property_values(pom, name)


def demanded_jdk(pom: PomFile) -> Declared | None:
    """The oldest JDK that the enforcer rule `requireJavaVersion` or a toolchain of this module accepts."""
    found = (
        _declared(pom.resolve(text_of(holder, "version")), f"{what} in {above.path}")
        for above in pom.chain()
        for artifact, element, what in _DEMANDS
        for plugin in _plugins(above, artifact)
        for holder in plugin.iter(f"{{*}}{element}")
    )
    return max(filter(None, found), key=lambda declared: declared.feature, default=None)


def java_demand(poms: Collection[PomFile]) -> JavaDemand:
    """The demand of all modules of a project."""
    levels = [level for pom in poms if (level := declared_level(pom))]
    jdks = [jdk for pom in poms if (jdk := demanded_jdk(pom))]
    return JavaDemand(
        min(levels, key=lambda level: level.feature, default=None),
        max(levels, key=lambda level: level.feature, default=None),
        max(jdks, key=lambda jdk: jdk.feature, default=None),
        complete=not any(above.remote_parent for pom in poms for above in pom.chain()),
    )


def _declared(written: str | None, place: str) -> Declared | None:
    feature = feature_of(written)
    return Declared(feature, written, place) if written and feature else None


def _plugins(pom: PomFile, artifact: str) -> Iterator[etree._Element]:
    """Entries of a plugin in this POM alone; used ones before managed ones."""
    for path in (("build", "plugins"), ("build", "pluginManagement", "plugins")):
        for section in pom.sections():
            for plugin in children(find(section, *path), "plugin"):
                if text_of(plugin, "artifactId") == artifact:
                    yield plugin


def _plugin_values(pom: PomFile, name: str) -> Iterator[tuple[str | None, str]]:
    for above in pom.chain():
        for plugin in _plugins(above, COMPILER_PLUGIN):
            executions = children(find(plugin, "executions"), "execution")
            main = [run for run in executions if text_of(run, "id") == "default-compile"]
            for holder in (*main, plugin):
                written = text_of(holder, "configuration", name)
                if written:
                    yield pom.resolve(written), f"<{name}> of {COMPILER_PLUGIN} in {above.path}"


def _property_values(pom: PomFile, name: str) -> Iterator[tuple[str | None, str]]:
    if pom.raw_property(name):
        yield pom.property(name), f"{name} in {pom.path}"
