"""Read the Java level a project declares, and the JDK it demands (TEB-M07)."""

import re
from collections.abc import Iterable, Iterator
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
    for name in ("release", "source", "target"):
        for written, where in (*_plugin_values(pom, name), *_property_values(pom, f"maven.compiler.{name}")):
            feature = feature_of(written)
            if written and feature:
                return Declared(feature, written, where)
    if any(above.remote_parent for above in pom.chain()):
        for name in COMMON_LEVEL_PROPERTIES:
            for written, where in _property_values(pom, name):
                feature = feature_of(written)
                if written and feature:
                    return Declared(feature, written, where)
    return None


def demanded_jdk(pom: PomFile) -> Declared | None:
    """The oldest JDK that the enforcer rule `requireJavaVersion` or a toolchain of this module accepts."""
    found = []
    for above in pom.chain():
        for plugin in _plugins(above, "maven-enforcer-plugin"):
            found += _versions(pom, above, _below(plugin, "requireJavaVersion"), "requireJavaVersion")
        for plugin in _plugins(above, "maven-toolchains-plugin"):
            found += _versions(pom, above, _below(plugin, "jdk"), "toolchain")
        for plugin in _plugins(above, COMPILER_PLUGIN):
            found += _versions(pom, above, _below(plugin, "jdkToolchain"), "jdkToolchain")
    return max(found, key=lambda declared: declared.feature, default=None)


def java_demand(poms: Iterable[PomFile]) -> JavaDemand:
    """The demand of all modules of a project."""
    levels, jdks, complete = [], [], True
    for pom in poms:
        complete = complete and not any(above.remote_parent for above in pom.chain())
        levels.append(declared_level(pom))
        jdks.append(demanded_jdk(pom))
    known = [level for level in levels if level is not None]
    return JavaDemand(
        min(known, key=lambda level: level.feature, default=None),
        max(known, key=lambda level: level.feature, default=None),
        max((jdk for jdk in jdks if jdk), key=lambda jdk: jdk.feature, default=None),
        complete,
    )


def _versions(pom: PomFile, above: PomFile, holders: Iterable[etree._Element], what: str) -> list[Declared]:
    found = []
    for holder in holders:
        written = pom.resolve(text_of(holder, "version"))
        feature = feature_of(written)
        if written and feature:
            found.append(Declared(feature, written, f"{what} in {above.path}"))
    return found


def _below(element: etree._Element, name: str) -> Iterator[etree._Element]:
    for inner in element.iter():
        if isinstance(inner.tag, str) and etree.QName(inner).localname == name:
            yield inner


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
