"""Ant scripts in a Maven build that touch nothing that is compiled or on a class path.

Many Apache projects inherit one from their parent that copies the licence beside the API pages; it alone would send
every build of theirs to Maven.
"""

from lxml import etree

from testevo.builds.model.model import CHECKOUT
from testevo.builds.project.pom_file import children, find, local_name, text_of

PLUGIN = "maven-antrun-plugin"
_SPEAKING = ("echo", "tstamp")
_WRITING = {"copy": ("todir", "tofile"), "mkdir": ("dir",)}
_BUILT = ("classes", "test-classes", "generated-sources", "generated-test-sources")
"""Folders below `target` whose content is compiled or run."""


def is_aside(project: etree._Element, execution: str, module: str) -> bool:
    """Whether an execution of the plugin only speaks, copies and makes folders, all below `target` and off the build.

    Args:
        project: the module's element in the effective POM, with machine paths hidden behind places.
        execution: its id.
        module: folder of the module, relative to the repository.
    """
    for plugin in children(find(project, "build", "plugins"), "plugin"):
        if text_of(plugin, "artifactId") != PLUGIN:
            continue
        for found in children(find(plugin, "executions"), "execution"):
            if (text_of(found, "id") or "default") == execution:
                return _is_aside(find(found, "configuration"), f"{CHECKOUT}/{module}".rstrip("/"))
    return False


def _is_aside(configuration: etree._Element | None, folder: str) -> bool:
    if configuration is None:
        return False
    known = all(local_name(item) in ("target", "tasks", "skip") for item in configuration)
    tasks = [task for part in configuration for task in part if local_name(part) != "skip"]
    return known and all(_writes_aside(task, folder) for task in tasks)


def _writes_aside(task: etree._Element, folder: str) -> bool:
    name = local_name(task)
    if name in _SPEAKING:
        return True
    places = [task.get(attribute) for attribute in _WRITING.get(name, ()) if task.get(attribute)]
    return bool(places) and all(place is not None and _is_off_the_build(place, folder) for place in places)


def _is_off_the_build(place: str, folder: str) -> bool:
    target = f"{folder}/target/"
    if not place.startswith(target) or ".." in place or "${" in place:
        return False
    return place.removeprefix(target).split("/")[0] not in (*_BUILT, "")
