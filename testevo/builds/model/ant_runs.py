"""Ant scripts in a Maven build that write documentation alone, and other goals that write what tests may read.

Many Apache projects inherit one from their parent that copies the licence beside the API pages; it alone would send
every build of theirs to Maven.
"""

from testevo.builds.model.build_record import Element, Project

PLUGIN = "maven-antrun-plugin"
DEPENDENCY_PLUGIN = "maven-dependency-plugin"
"""Writes class paths to files that tests may read; what other harmless goals write are reports for people."""
_SPEAKING = ("echo", "tstamp")
_WRITING = {"copy": ("todir", "tofile"), "echo": ("file", "output"), "mkdir": ("dir",)}
_DOCUMENTATION = ("apidocs", "reports", "site", "testapidocs")
"""Folders below `target` that no test reads."""


def is_aside(project: Project, execution: str) -> bool:
    """Whether an execution of the plugin only speaks, copies and makes folders, all within documentation.

    Args:
        project: the module.
        execution: its id.
    """
    plugin = project.plugin(PLUGIN)
    found = next((one for one in plugin.executions if one.id == execution), None) if plugin else None
    return found is not None and found.configuration is not None and _is_aside(found.configuration, project.folder)


def _is_aside(configuration: Element, folder: str) -> bool:
    known = all(item.name in ("target", "tasks", "skip") for item in configuration.children)
    tasks = [task for part in configuration.children for task in part.children if part.name != "skip"]
    return known and all(_writes_aside(task, folder) for task in tasks)


def _writes_aside(task: Element, folder: str) -> bool:
    if task.name in _SPEAKING and not {"file", "output"} & task.attributes.keys():
        return True
    places = [task.attributes[name] for name in _WRITING.get(task.name, ()) if task.attributes.get(name)]
    return bool(places) and all(is_documentation(place, folder) for place in places)


def is_documentation(place: str, folder: str) -> bool:
    """Whether a file or folder lies within the documentation of the module in `folder`, which no test reads."""
    target = f"{folder}/target/"
    if not place.startswith(target) or ".." in place or "${" in place:
        return False
    return place.removeprefix(target).split("/")[0] in _DOCUMENTATION
