"""What the goals of the resources plugin copy beside the classes of a module, and what of it only Maven does.

The goals `resources` and `testResources` have a class folder each; `copy-resources` is served by the same rules where
it copies into such a folder, or into one below it: before or after compiling, as the order of the executed goals says.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import islink
from pathlib import PurePosixPath
from posixpath import normpath

from testevo.builds.model.ant_runs import is_documentation
from testevo.builds.model.build_record import Goal, Project, Resource
from testevo.builds.model.model import CHECKOUT, Places, ResourceFolder
from testevo.builds.model.parameters.build import not_implemented
from testevo.builds.model.resources.class_folders import RESOURCES, SIDE_OF, class_folders, compiles, output_of, side_of
from testevo.builds.model.resources.default_excludes import default_excludes, unknown_excludes
from testevo.builds.model.sources import SourceView

COPY = "copy-resources"
RESOURCE_GOALS = (*SIDE_OF[RESOURCES], COPY)
"""All that copy."""
_LEADS_OUT = ("/", "{")
"""Of a path that does not begin in the checkout: that of another place, or of none."""


@dataclass(frozen=True)
class ResourceGoals:
    """Those that a finished run of Maven has executed for one module."""

    project: Project
    goals: Sequence[Goal]
    """All goals of the module that were not left out, in their order."""
    places: Places
    """With the copy of the checkout in which Maven ran."""
    is_made: Callable[[str], bool]
    """Whether the build has made the file at a repository-relative path, so that the revision has none there."""

    @property
    def outputs(self) -> Mapping[str, str]:
        """The class folder of each side."""
        return class_folders(self.project, self.goals)

    def folders(self, side: str) -> tuple[ResourceFolder, ...]:
        """All of the checkout that is copied into the class folder of a side, in the order of the goals."""
        found: list[ResourceFolder] = []
        for position, goal in enumerate(self.goals):
            if goal.plugin == RESOURCES and side in (into := self._into(goal)):
                is_late = side in self._compiled(self.goals[:position])
                inside = (one for one in goal.resources() if not self._is_outside(one))
                found += [self._folder(one, into[side], is_late=is_late) for one in inside]
        return tuple(found)

    def why_maven(self, goal: Goal) -> Iterator[str]:
        """Why the direct engine would leave other files beside the classes than a goal of the plugin does."""
        name, output = f"{goal.plugin}:{goal.goal}", output_of(goal)
        position = next((place for place, one in enumerate(self.goals) if one is goal), None)
        if position is None or (goal.goal == COPY and is_documentation(output, self.project.folder)):
            return
        into = self._into(goal)
        yield from not_implemented(goal)
        if goal.resources() and (reason := unknown_excludes(self.project.plugin(RESOURCES))):
            yield reason
        if len(into) != 1:
            yield f"{name} copies to {output}"
        yield from (f"{name} {when}" for side in into if (when := self._too_late(position, side)))
        for resource in goal.resources():
            target = resource.target or ""
            if target.startswith(_LEADS_OUT) or ".." in target:
                yield f"{name} copies to {target}"
            if self._is_outside(resource) or self._is_filled(resource):
                yield f"{name} copies from {resource.folder}"

    def _into(self, goal: Goal) -> Mapping[str, str]:
        """By side into whose class folder a goal copies: the folder below it, '' for itself."""
        if side := side_of(goal):
            return {side: ""}
        output = PurePosixPath(output_of(goal))
        if goal.goal != COPY or ".." in output.parts or not any(map(compiles, self.goals)):
            return {}
        inside = {side: folder for side, folder in self.outputs.items() if output.is_relative_to(folder)}
        return {side: output.relative_to(folder).as_posix() for side, folder in inside.items()}

    def _compiled(self, goals: Sequence[Goal]) -> set[str | None]:
        return {side_of(goal) for goal in goals if compiles(goal)}

    def _too_late(self, position: int, side: str) -> str | None:
        """In which way a goal comes between compilations of which some would see its files, and some would not."""
        before, after = self._compiled(self.goals[:position]), self._compiled(self.goals[position:])
        if side in before and side in after:
            return "runs between two compilations"
        if side == "production" and "test" in before:
            return f"copies to {self.outputs[side]} behind the compilation of tests"
        return None

    def _folder(self, resource: Resource, below: str, *, is_late: bool) -> ResourceFolder:
        target = normpath(f"{below}/{resource.target or ''}".strip("/"))
        return ResourceFolder(
            folder=self._path(resource),
            target="" if target == "." else target,
            filtered=resource.filtered,
            includes=resource.includes,
            excludes=resource.excludes,
            after_compiling=is_late,
        )

    def _told(self, resource: Resource) -> str:
        is_whole = resource.folder.startswith(_LEADS_OUT)
        return resource.folder if is_whole else f"{self.project.folder}/{resource.folder}"

    def _path(self, resource: Resource) -> str:
        """Relative to the repository, without detours; the whole of one that does not begin there."""
        told = self._told(resource)
        if told != CHECKOUT and not told.startswith(f"{CHECKOUT}/"):
            return told
        path = normpath(told.removeprefix(CHECKOUT).strip("/"))
        return "" if path == "." else path

    def _is_outside(self, resource: Resource) -> bool:
        """Whether a folder lies elsewhere than in the checkout, or beyond a link."""
        path = self._path(resource)
        return path.startswith((*_LEADS_OUT, "../")) or path == ".." or self._through_link(resource)

    def _is_filled(self, resource: Resource) -> bool:
        """Whether files of a folder are copied that only the build has made."""
        excludes = default_excludes(self.project.plugin(RESOURCES))
        files = SourceView(self.places.checkout).resources(self._folder(resource, "", is_late=False), excludes)
        return any(map(self.is_made, files.values()))

    def _through_link(self, resource: Resource) -> bool:
        """Whether `..` in the path of a folder may follow a link, and so lead elsewhere than the path says."""
        steps = PurePosixPath(self._told(resource).removeprefix(CHECKOUT).strip("/")).parts
        places = (self.places.checkout.joinpath(*steps[:count]) for count in range(1, len(steps) + 1))
        return ".." in steps and any(map(islink, places))
