"""Translate a step into the tools that an agent program offers: those of its request decide."""

import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from tests.model_server.script import Run, Say, Step, Write

SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""The command that ends a run of mini-swe-agent."""


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool of the agent program."""

    name: str
    arguments: dict[str, Any]


_COMMAND_TOOLS: dict[str, Callable[[str], dict[str, Any]]] = {
    "Bash": lambda command: {"command": command, "description": "A step of the script"},
    "run_shell_command": lambda command: {"command": command, "description": "A step of the script"},
    "exec_command": lambda command: {"cmd": command, "yield_time_ms": 30_000},  # else it goes on after 10 seconds
    "shell_command": lambda command: {"command": command},
    "shell": lambda command: {"command": ["bash", "-lc", command]},
    "bash": lambda command: {"command": command},
    "run": lambda command: {"command": command},
}
_WRITE_TOOLS: dict[str, Callable[[Write, str], dict[str, Any]]] = {
    "Write": lambda write, folder: {"file_path": f"{folder}/{write.path}", "content": write.content},
    "write_file": lambda write, folder: {"file_path": f"{folder}/{write.path}", "content": write.content},
    "write": lambda write, _: {"path": write.path, "content": write.content},
}


def answer_to(step: Step, tools: Iterable[str], folder: str) -> tuple[str, ToolCall | None]:
    """The text and the tool call of an answer. `folder` is the agent's workspace; without tools, text must do."""
    offered = list(tools)
    if isinstance(step, Say):
        # Of mini-swe-agent, which offers one tool and ends by a command.
        return step.text, ToolCall("bash", {"command": SUBMIT}) if offered == ["bash"] else None
    if not offered:
        assert isinstance(step, Write)
        return _as_text(step), None
    if isinstance(step, Write):
        for name, arguments in _WRITE_TOOLS.items():
            if name in offered:
                return "", ToolCall(name, arguments(step, folder))
    command = step.command if isinstance(step, Run) else _writing(step)
    name = next(name for name in _COMMAND_TOOLS if name in offered)
    return "", ToolCall(name, _COMMAND_TOOLS[name](command))


def _writing(write: Write) -> str:
    """A shell command that writes a file."""
    folder = PurePosixPath(write.path).parent
    return f"mkdir -p {shlex.quote(str(folder))} && printf %s {shlex.quote(write.content)} > {shlex.quote(write.path)}"


def _as_text(write: Write) -> str:
    """For programs that read edits from the text: the path, then the whole file in a block of code."""
    return f"{write.path}\n```\n{write.content}```\n"
