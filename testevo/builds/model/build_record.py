"""What Maven records of a build that has succeeded (`jvm/maven`, package `testevo.maven.record`; docs/jvm.md)."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from testevo.builds.model.model import CHECKOUT, Places
from testevo.records.base import Part
from testevo.runtime.errors import MachineError

_BASE = re.compile(r"^\$\{(project\.)?basedir\}/*")


class Element(Part):
    """A piece of a POM whose form only a plugin knows, with its placeholders filled in as far as Maven does so."""

    name: str
    text: str = ""
    attributes: dict[str, str] = {}
    children: tuple["Element", ...] = ()

    def named(self, name: str) -> Iterator["Element"]:
        """The children called `name`."""
        return (child for child in self.children if child.name == name)

    def find(self, name: str) -> "Element | None":
        """The first child called `name`."""
        return next(self.named(name), None)

    def below(self, name: str) -> tuple["Element", ...]:
        """The children of the first child called `name`."""
        found = self.find(name)
        return () if found is None else found.children

    def text_at(self, name: str) -> str:
        """The text of the first child called `name`; empty when there is none."""
        found = self.find(name)
        return "" if found is None else found.text

    def everywhere(self, name: str) -> Iterator["Element"]:
        """All elements called `name` at any depth."""
        for child in self.children:
            yield from (child,) if child.name == name else ()
            yield from child.everywhere(name)


class BoundGoal(Part):
    """A goal that an execution names."""

    name: str
    phase: str | None = None
    """That of the execution, or the usual one of the goal, '' for none; None when Maven itself does not know it."""


class PluginExecution(Part):
    """An execution of a plugin as the POM, its parents and the packaging have it."""

    id: str
    phase: str | None = None
    """As written."""
    goals: tuple[BoundGoal, ...] = ()
    configuration: Element | None = None


class BuildPlugin(Part):
    """A plugin of a project."""

    artifact: str
    version: str | None = None
    dependencies: tuple[str, ...] = ()
    """`group:artifact` of each."""
    configuration: Element | None = None
    executions: tuple[PluginExecution, ...] = ()


class Goal(Part):
    """A goal that Maven has executed."""

    plugin: str
    goal: str
    execution: str
    settings: dict[str, JsonValue] = {}
    """Parameters that the configuration, a property or a default sets, with their evaluated values."""
    command_line: str | None = None
    """That of javac, words with spaces between; None when the plugin did not compile."""

    def text(self, name: str) -> str:
        """A setting as text; a list or map as its parts with commas between, '' when it is empty or not set."""
        value = self.settings.get(name)
        if isinstance(value, dict):
            return ", ".join(f"{key}={one}" for key, one in value.items())
        return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")

    def listed(self, name: str) -> tuple[str, ...]:
        """A setting that is a list."""
        value = self.settings.get(name)
        return tuple(map(str, value)) if isinstance(value, list) else ()

    def flag(self, name: str) -> bool:
        return self.settings.get(name) == "true"

    def resources(self) -> "tuple[Resource, ...]":
        """The folders that a goal of the resources plugin copies."""
        value = self.settings.get("resources")
        return tuple(map(Resource.model_validate, value)) if isinstance(value, list) else ()


class Resource(Part):
    """A folder that a goal of the resources plugin copies, as the goal is told."""

    folder: str
    """Absolute, or relative to the folder of the module."""
    target: str | None
    filtered: bool
    includes: tuple[str, ...]
    excludes: tuple[str, ...]


class Project(Part):
    """A project of a build at its end."""

    folder: str
    artifact: str = ""
    properties: dict[str, str] = {}
    asked: tuple[str, ...] = ()
    """What its profiles and those of its parents, also in a registry, ask for: files and folders as written."""
    class_path: tuple[str, ...] = ()
    """Of its tests, without its own two output folders."""
    plugins: tuple[BuildPlugin, ...] = ()
    goals: tuple[Goal, ...] = ()
    """In the order of execution."""

    @property
    def path(self) -> str:
        """Its folder relative to the repository."""
        return self.folder.removeprefix(CHECKOUT).strip("/")

    def plugin(self, artifact: str) -> BuildPlugin | None:
        """The first plugin with this artifact id."""
        return next((plugin for plugin in self.plugins if plugin.artifact == artifact), None)


class BuildRecord(Part):
    """The projects of a build in the order in which Maven builds them."""

    projects: tuple[Project, ...]

    @property
    def asked(self) -> list[str]:
        """Repository-relative paths that profiles ask for, as Maven resolves them: from the folder of each project."""
        found = {
            posixpath.normpath(posixpath.join(project.folder, _BASE.sub("", text.strip())))
            for project in self.projects
            for text in project.asked
        }
        return sorted(path.removeprefix(f"{CHECKOUT}/") for path in found if path.startswith(f"{CHECKOUT}/"))


def read_record(file: Path, places: Places) -> BuildRecord:
    """The record that Maven wrote, with machine paths hidden behind places.

    Raises:
        MachineError: there is none, although Maven has succeeded.
    """
    if not file.is_file():
        raise MachineError(
            "Maven has built a project and recorded nothing. Run make setup, which compiles the part that records, "
            "and use Maven 3.8 or 3.9."
        )
    return BuildRecord.model_validate_json(places.hide(file.read_text("utf-8")))


_RELEASE = 1000
"""Sorts a release behind its milestones."""


def version_key(version: str) -> tuple[int, ...]:
    """Major, minor, patch and milestone of a version of a plugin, to compare; a release comes after its milestones."""
    match = re.match(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-M(\d+))?", version)
    if match is None:
        return ()
    major, minor, patch, milestone = match.groups()
    return int(major), int(minor or 0), int(patch or 0), int(milestone) if milestone else _RELEASE
