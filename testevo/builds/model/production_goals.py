"""Goals that work on production code alone: an edit of a test changes nothing of what they make."""

from collections.abc import Iterator

from testevo.builds.model.build_record import Goal, Project
from testevo.builds.model.resources.class_folders import side_of
from testevo.runtime.files.files import canonical_json

_PHASES = (
    "validate",
    "initialize",
    "generate-sources",
    "process-sources",
    "generate-resources",
    "process-resources",
    "compile",
    "process-classes",
)
"""Those before anything is done for tests."""
_USUAL_PLACE = "src/test"


def works_on_production(goal: Goal, project: Project, test_output: str) -> bool:
    """Whether a goal runs before anything is done for tests, and is told no place of tests.

    Args:
        goal: one that Maven has executed.
        project: the module.
        test_output: the class folder of its tests, as Maven names it.
    """
    if side := side_of(goal):
        return side == "production"
    plugin = project.plugin(goal.plugin)
    execution = next((one for one in plugin.executions if one.id == goal.execution), None) if plugin else None
    if plugin is None or execution is None:
        return False
    phase = next((bound.phase for bound in execution.goals if bound.name == goal.goal), None)
    written = [one.model_dump(mode="json") for one in (plugin.configuration, execution.configuration) if one]
    told = canonical_json([goal.settings, *written])
    return phase in _PHASES and not any(place in told for place in _places(project, test_output))


def _places(project: Project, test_output: str) -> Iterator[str]:
    yield _USUAL_PLACE
    yield test_output
    for goal in project.goals:
        if side_of(goal) == "test":
            yield from goal.listed("compileSourceRoots")
            yield from (resource.folder for resource in goal.resources())
