"""Parse Maven's debug output (`-X`) of each goal: module, configuration, javac options.

The configuration dump comes from Maven itself, so it has one form for every version of every plugin; the line
"Command line options" comes from the compiler plugin, 2.x to 3.x alike.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from testevo.builds.model.model import CHECKOUT, ResourceFolder

_PROJECT_LINE = re.compile(r"^\[INFO\] -+< (\S+:\S+) >-+$")
_HEADER = re.compile(r"^\[INFO\] --- \S+?:\S+?:\S+ \((.+?)\) @ (\S+) ---$")
_CONFIGURING = re.compile(
    r"^\[DEBUG\] Configuring mojo (?:execution )?'([^:']+):([^:']+):([^:']+):([^:']+?)(?::([^']+))?' with"
)
_SETTING = re.compile(r"^\[DEBUG\]   \([fs]\) (\S+) = ?(.*)$")
_MAVEN_PROJECT = re.compile(r"MavenProject: ([^:\s]+:[^:\s]+):\S+ @ (\{checkout\}\S*?)/?[^/\s\]]+\.xml")
_RESOURCE = re.compile(
    r"Resource \{targetPath: (?P<target>.*?), filtering: (?P<filtering>true|false), "
    r"FileSet \{directory: (?P<folder>.*?), "
    r"PatternSet \[includes: \{(?P<includes>.*?)\}, excludes: \{(?P<excludes>.*?)\}\]\}\}"
)


@dataclass(frozen=True)
class Goal:
    """One executed goal of one module."""

    module: str
    """Folder of the module relative to the repository."""
    plugin: str
    version: str
    goal: str
    execution: str
    settings: dict[str, str] = field(default_factory=dict)
    command_line: tuple[str, ...] | None = None
    """Words of javac's command line; None when the plugin did not compile."""

    def listed(self, name: str) -> tuple[str, ...]:
        """A setting that is a list, `[a, b]`."""
        return split_list(self.settings.get(name, ""))

    def flag(self, name: str) -> bool:
        return self.settings.get(name) == "true"


def split_list(text: str) -> tuple[str, ...]:
    """Items of a dumped list or set, `[a, b]`."""
    inner = text.strip().removeprefix("[").removesuffix("]")
    return tuple(item for item in inner.split(", ") if item)


def read_goals(log: str) -> list[Goal]:
    """All goals of a Maven run with `-X`, in order.

    Args:
        log: its output, with machine paths hidden behind places (`Places.hide`).
    """
    folders = {name: _relative(folder) for name, folder in _MAVEN_PROJECT.findall(log)}
    return list(_goals(log.splitlines(), folders))


def _goals(lines: list[str], folders: dict[str, str]) -> Iterator[Goal]:
    module, execution = "", ""
    current: Goal | None = None
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        if found := _PROJECT_LINE.match(line):
            module = folders.get(found.group(1), module)
        elif found := _HEADER.match(line):
            execution = found.group(1)
        elif found := _CONFIGURING.match(line):
            if current is not None:
                yield current
            settings, position = _settings(lines, position)
            _, artifact, version, goal, run = found.groups()
            current = Goal(module, artifact, version, goal, run or execution, settings)
        elif line == "[DEBUG] Command line options:" and current is not None and position < len(lines):
            current = replace(current, command_line=tuple(lines[position].removeprefix("[DEBUG] ").split()))
    if current is not None:
        yield current


def _settings(lines: list[str], position: int) -> tuple[dict[str, str], int]:
    """The dumped configuration; a value may go on over lines without a mark of their own."""
    settings: dict[str, str] = {}
    name = ""
    while position < len(lines) and not lines[position].startswith("[DEBUG] -- end configuration"):
        found = _SETTING.match(lines[position])
        if found:
            name = found.group(1)
            settings[name] = found.group(2)
        elif name and not lines[position].startswith("["):
            settings[name] += "\n" + lines[position]
        position += 1
    return settings, position + 1


def read_resources(goal: Goal) -> tuple[ResourceFolder, ...]:
    """The folders that a goal of the resources plugin copies."""
    found = []
    for match in _RESOURCE.finditer(goal.settings.get("resources", "")):
        target = match["target"]
        found.append(
            ResourceFolder(
                folder=_relative(match["folder"]),
                target="" if target == "null" else target,
                filtered=match["filtering"] == "true",
                includes=split_list(match["includes"]),
                excludes=split_list(match["excludes"]),
            )
        )
    return tuple(found)


def _relative(folder: str) -> str:
    return folder.removeprefix(CHECKOUT).strip("/")
