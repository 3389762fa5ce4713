"""Files beside the classes that no resource is copied to: who has written them while Maven built.

Annotation processors write theirs again whenever javac runs, for the sources of that revision. A goal that is known to
write a file writes it in every build of the same POMs. What neither explains may follow from sources that another
revision does not have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from pydantic import JsonValue

from testevo.builds.model.build_record import Goal, Project
from testevo.builds.model.model import Places, SavedFile, SideModel
from testevo.builds.model.resources.class_folders import COMPILER, RESOURCES
from testevo.builds.project.processors import may_run_processors

_NAMED_BY_FOLDER = {"MANIFEST.MF": ("maven-bundle-plugin",)}
"""By the name of a file, the plugins that are told only its folder."""
OF_THE_COMPILER = ("META-INF/jpms.args",)
"""What the compiler plugin writes for tests of a named module: a list of its options, which nothing reads."""
FIRST_WITHOUT_IMPLICIT_PROCESSORS = 23
"""Version of the JDK whose javac runs no processor that nothing but the class path offers."""


@dataclass(frozen=True)
class PluginFiles:
    """The files that goals of a module are told to write into one class folder."""

    goals: Sequence[Goal]
    output: str
    """The class folder, as Maven names it."""

    @classmethod
    def of(cls, project: Project, output: str) -> "PluginFiles":
        return cls([goal for goal in project.goals if goal.plugin not in (COMPILER, RESOURCES)], output)

    def has(self, path: str) -> bool:
        """Whether a parameter of a goal names the file at a path below the folder, or it is the compiler's own."""
        file = Path(self.output, path)
        return path in OF_THE_COMPILER or any(self._writes(goal, file) for goal in self.goals)

    def unexplained(self, files: Sequence[SavedFile]) -> str | None:
        """The first path that no goal is told to write."""
        return next((file.path for file in files if not self.has(file.path)), None)

    def _writes(self, goal: Goal, file: Path) -> bool:
        told = {Path(text) for text in chain.from_iterable(map(_texts, goal.settings.values())) if text}
        by_folder = goal.plugin in _NAMED_BY_FOLDER.get(file.name, ()) and file.parent in told
        return file in told or by_folder


def runs_processors(side: SideModel, places: Places, jdk: int) -> bool:
    """Whether a compiler of the side may run annotation processors.

    Args:
        places: with the folder in which Maven has built.
        jdk: feature version.
    """
    for compilation in side.compilations:
        entries = map(Path, map(places.path, (*compilation.class_path, *compilation.module_path)))
        is_asked = jdk < FIRST_WITHOUT_IMPLICIT_PROCESSORS or "-proc:full" in compilation.options
        path = (entry for entry in entries if entry.exists()) if is_asked else ()
        if may_run_processors(compilation.options, path):
            return True
    return False


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | Mapping):
        yield from chain.from_iterable(map(_texts, value.values() if isinstance(value, Mapping) else value))
