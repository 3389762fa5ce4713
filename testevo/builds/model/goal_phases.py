"""The phase of a goal that a POM binds without naming one: plugins tell it in their descriptor."""

import zipfile
from pathlib import Path

from lxml import etree

from testevo.builds.project.pom_file import children, find, text_of

_DESCRIPTOR = "META-INF/maven/plugin.xml"
_GROUP = "org.apache.maven.plugins"
"""Of plugins that name none."""


def default_phase(repository: Path, plugin: etree._Element, goal: str) -> str | None:
    """The phase in which a goal runs by itself, '' when it runs only where a POM names one.

    None when nothing tells: Maven has read the descriptor of each plugin with such a goal, so that its jar is there,
    unless the plugin comes from the build itself.

    Args:
        repository: the local repository.
        plugin: element of an effective POM.
    """
    group, name, version = (text_of(plugin, part) for part in ("groupId", "artifactId", "version"))
    if name is None or version is None:
        return None
    folder = repository.joinpath(*(group or _GROUP).split("."), name, version)
    try:
        with zipfile.ZipFile(folder / f"{name}-{version}.jar") as jar:
            descriptor = etree.fromstring(jar.read(_DESCRIPTOR), etree.XMLParser(resolve_entities=False))
    except (OSError, KeyError, zipfile.BadZipFile, etree.XMLSyntaxError):
        return None
    goals = {text_of(one, "goal"): one for one in children(find(descriptor, "mojos"), "mojo")}
    return (text_of(goals[goal], "phase") or "") if goal in goals else None
