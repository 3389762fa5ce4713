"""The way a project is built: what of POMs, options and JDK decides how classes and verdicts come about.

Commits that are built alike share one certificate (`testevo.records.evidence.certificates`). Left out is what changes
from release to release without changing the way: versions of the project and of its libraries, properties that
nothing but these refers to, the places of artifacts, reports, and plugins that are switched off in every build.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from lxml import etree

from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.model.model import BuildModel
from testevo.builds.project.normalised_pom import normalised_elements, take_out
from testevo.builds.project.pom import MavenProject
from testevo.builds.project.pom_file import children, find, local_name, text_of
from testevo.runtime.files.files import content_key

_UNREAD = ("repositories", "pluginRepositories", "reporting")
_OF_EVERY_BUILD = ("maven-compiler-plugin", "maven-resources-plugin", "maven-surefire-plugin")
_REFERENCE = re.compile(r"\$\{([^${}]+)\}")


def build_procedure(folder: Path, project: MavenProject, options: str, model: BuildModel, skips: PluginSkips) -> str:
    """A key of the way of building.

    Args:
        folder: the checkout that `project` was read from.
        options: key of what decides besides POMs (`Preparation.options`).
        model: what Maven made of the project; only its test frameworks count, and what profiles find.

    Raises:
        UnreadableBuildFileError: a POM of `project` cannot be read any more.
    """
    poms = list(normalised_elements(folder, project).values())
    left_out = [element for pom in poms for element in (*_unread(pom, skips), *_versions(pom))]
    for element in left_out:
        take_out(element)
    _take_out_properties(poms, _referred(left_out))
    texts = [etree.tostring(pom, method="c14n") for pom in poms]
    frameworks = [f"{one.path}:{one.framework}{one.framework_version.split('.')[0]}" for one in model.modules]
    found = [path for path, was_there in sorted(model.asked.items()) if was_there]
    return content_key(options, *project.pom_files, *texts, *frameworks, *found)


def _unread(pom: etree._Element, skips: PluginSkips) -> Iterator[etree._Element]:
    """What no build up to its tests reads."""
    off = {skip.plugin for skip in skips.properties} & skips.harmless
    yield from (one for one in pom.iter("{*}plugin") if text_of(one, "artifactId") in off)
    for section in _sections(pom):
        yield from (one for name in _UNREAD for one in children(section, name))


def _versions(pom: etree._Element) -> Iterator[etree._Element]:
    """The versions of libraries, and of plugins that have no part in a build up to its tests."""
    for section in _sections(pom):
        for place in (section, find(section, "dependencyManagement")):
            for library in children(find(place, "dependencies"), "dependency"):
                yield from children(library, "version")
    for plugin in pom.iter("{*}plugin"):
        if not _takes_part(plugin):
            yield from children(plugin, "version")


def _take_out_properties(poms: Collection[etree._Element], names: Collection[str]) -> None:
    """Take out properties of these names, and those that they refer to, unless anything else refers to them."""
    holders = [one for pom in poms for section in _sections(pom) for one in children(section, "properties")]
    found = [(holder, one) for holder in holders for one in holder if isinstance(one.tag, str)]
    names = set(names)
    while more := _referred(one for _, one in found if local_name(one) in names) - names:
        names |= more
    taken = [(holder, one) for holder, one in found if local_name(one) in names]
    for holder, one in taken:
        holder.remove(one)
    while back := [pair for pair in taken if local_name(pair[1]) in _referred(poms)]:
        for holder, one in back:
            holder.append(one)
        taken = [pair for pair in taken if pair not in back]
    for holder in holders:
        holder[:] = sorted(holder, key=lambda one: str(one.tag))


def _takes_part(plugin: etree._Element) -> bool:
    """Whether a plugin compiles or tests, or is bound to a phase by the POM."""
    return text_of(plugin, "artifactId") in _OF_EVERY_BUILD or find(plugin, "executions") is not None


def _sections(pom: etree._Element) -> Iterator[etree._Element]:
    yield pom
    yield from children(find(pom, "profiles"), "profile")


def _referred(elements: Iterable[etree._Element]) -> set[str]:
    return {name for one in elements for name in _REFERENCE.findall(etree.tostring(one, encoding="unicode"))}
