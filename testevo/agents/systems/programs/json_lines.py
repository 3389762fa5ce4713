"""Output of agent programs that is one JSON object per line."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from testevo.records.agents.trajectories import EventKind, TrajectoryEvent
from testevo.runtime.files.json_and_yaml import parsed_json

Object = Mapping[str, Any]


def objects(output: Path) -> Iterator[Object | str]:
    """The objects of a file; a line that is none comes as text."""
    for line in output.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            content = parsed_json(line)
        except ValueError:
            content = None
        if isinstance(content, dict):
            yield content
        elif line.strip():
            yield line


def events_of_lines(output: Path, otherwise: EventKind) -> list[TrajectoryEvent]:
    """The events of a program whose lines are events as JSON (docs/formats.md).

    Args:
        otherwise: the kind of the event that every other line is.
    """
    lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
    return [_event(line, otherwise) for line in lines if line.strip()]


def _event(line: str, otherwise: EventKind) -> TrajectoryEvent:
    try:
        return TrajectoryEvent.model_validate_json(line)
    except ValidationError:
        return TrajectoryEvent(kind=otherwise, text=line)


def tool_events(
    output: Path, steps: Callable[[Object], Iterator[TrajectoryEvent | tuple[str, Object | str]]]
) -> list[TrajectoryEvent]:
    """The events of a program that tells calls of tools and their results apart.

    `steps` gives for an object its events: finished ones, or `(identifier, tool call)`, or `(identifier, result)`
    of an earlier call.
    """
    events: list[TrajectoryEvent] = []
    place: dict[str, int] = {}
    for content in objects(output):
        if isinstance(content, str):
            events.append(TrajectoryEvent(kind="other", text=content))
            continue
        for step in steps(content):
            if isinstance(step, TrajectoryEvent):
                events.append(step)
            elif isinstance(step[1], str):
                if (index := place.get(step[0])) is not None:
                    events[index] = events[index].model_copy(update={"output": step[1]})
            else:
                place[step[0]] = len(events)
                events.append(tool_event(str(step[1].get("name")), step[1].get("arguments") or {}))
    return events


_COMMANDS = frozenset({"Bash", "run_shell_command", "bash"})
_EDITS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "replace"})
_READS = frozenset(
    {"Read", "Grep", "Glob", "LS", "read_file", "read_many_files", "list_directory", "glob", "grep_search"}
    | {"search_file_content"}
)
_PATHS = ("file_path", "notebook_path", "absolute_path", "dir_path", "path", "pattern")


def tool_event(name: str, arguments: Object) -> TrajectoryEvent:
    """The event of a tool call of Claude Code or Gemini CLI."""
    text = json.dumps({"tool": name, "arguments": arguments}, ensure_ascii=False, sort_keys=True)
    path = next((str(arguments[field]) for field in _PATHS if arguments.get(field)), None)
    if name in _COMMANDS:
        return TrajectoryEvent(kind="command", text=str(arguments.get("command", "")))
    if name in _EDITS:
        return TrajectoryEvent(kind="edit", text=text, path=path)
    return TrajectoryEvent(kind="read" if name in _READS else "other", text=text, path=path)
