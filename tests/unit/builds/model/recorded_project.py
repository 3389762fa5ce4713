"""Records of Maven's about a project, written in tests as the piece of an effective POM that they come from."""

from collections.abc import Mapping

from lxml import etree

from testevo.builds.model.build_record import BoundGoal, BuildPlugin, Element, PluginExecution, Project
from testevo.builds.project.pom_file import children, find, local_name, text_of


def recorded_project(
    pom: str, *, path: str = "", class_path: tuple[str, ...] = (), usual_phases: Mapping[str, str] | None = None
) -> Project:
    """A module at `path` whose effective POM has this text.

    Args:
        usual_phases: by goal, for executions that name no phase; Maven does not know that of any other.
    """
    project = etree.fromstring(pom)
    properties = find(project, "properties")
    return Project(
        folder=f"{{checkout}}/{path}".rstrip("/"),
        properties={local_name(one): one.text or "" for one in properties} if properties is not None else {},
        class_path=class_path,
        plugins=tuple(
            _plugin(one, usual_phases or {}) for one in children(find(project, "build", "plugins"), "plugin")
        ),
    )


def _plugin(plugin: etree._Element, usual_phases: Mapping[str, str]) -> BuildPlugin:
    dependencies = children(find(plugin, "dependencies"), "dependency")
    return BuildPlugin(
        artifact=text_of(plugin, "artifactId") or "",
        version=text_of(plugin, "version"),
        dependencies=tuple(f"{text_of(one, 'groupId')}:{text_of(one, 'artifactId')}" for one in dependencies),
        configuration=_element(find(plugin, "configuration")),
        executions=tuple(_execution(one, usual_phases) for one in children(find(plugin, "executions"), "execution")),
    )


def _execution(execution: etree._Element, usual_phases: Mapping[str, str]) -> PluginExecution:
    phase = text_of(execution, "phase")
    goals = [goal.text or "" for goal in children(find(execution, "goals"), "goal")]
    return PluginExecution(
        id=text_of(execution, "id") or "default",
        phase=phase,
        goals=tuple(BoundGoal(name=goal, phase=phase or usual_phases.get(goal)) for goal in goals),
        configuration=_element(find(execution, "configuration")),
    )


def _element(element: etree._Element | None) -> Element | None:
    if element is None:
        return None
    return Element(
        name=local_name(element),
        text=(element.text or "").strip(),
        attributes={str(name): str(value) for name, value in element.attrib.items()},
        children=tuple(child for one in element if (child := _element(one)) is not None),
    )
