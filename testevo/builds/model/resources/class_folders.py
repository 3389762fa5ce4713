"""The two class folders of a module, and the goals of every build that write into them."""

from collections.abc import Mapping, Sequence

from testevo.builds.model.build_record import Goal, Project
from testevo.builds.model.model import CHECKOUT

COMPILER = "maven-compiler-plugin"
RESOURCES = "maven-resources-plugin"
SIDE_OF = {
    COMPILER: {"compile": "production", "testCompile": "test"},
    RESOURCES: {"resources": "production", "testResources": "test"},
}
"""By plugin and goal."""
_USUAL = {"production": "classes", "test": "test-classes"}


def side_of(goal: Goal) -> str | None:
    """The side into whose class folder a goal writes, whatever it is told; None of any other goal."""
    return SIDE_OF.get(goal.plugin, {}).get(goal.goal)


def compiles(goal: Goal) -> bool:
    """Whether a goal makes classes of sources."""
    return goal.plugin == COMPILER and side_of(goal) is not None


def class_folders(project: Project, goals: Sequence[Goal]) -> Mapping[str, str]:
    """The class folder of each side, as Maven names it.

    Args:
        project: the module.
        goals: those of it that were not left out; one that compiles says where to.
    """
    usual = {side: f"{CHECKOUT}/{project.path}/target/{name}".replace("//", "/") for side, name in _USUAL.items()}
    told = {side_of(goal): output for goal in reversed(goals) if compiles(goal) and (output := output_of(goal))}
    return {side: told.get(side, folder) for side, folder in usual.items()}


def output_of(goal: Goal) -> str:
    """The folder into which a goal of the compiler or the resources plugin writes, as Maven names it."""
    return goal.text("outputDirectory")
