"""The systems by name."""

from collections.abc import Callable, Mapping
from pathlib import Path

from testevo.agents.systems.chat_loop import ChatLoop
from testevo.agents.systems.configured import Configured
from testevo.agents.systems.programs.aider import Aider
from testevo.agents.systems.programs.claude_code import ClaudeCode
from testevo.agents.systems.programs.codex import Codex
from testevo.agents.systems.programs.gemini_cli import GeminiCli
from testevo.agents.systems.programs.mini_swe_agent import MiniSweAgent
from testevo.agents.systems.system import AgentSystem
from testevo.config.agents import ConfiguredSystem
from testevo.runtime.errors import NotFoundError, UsageError

INSTALLED: Mapping[str, Callable[[Path], AgentSystem]] = {
    "aider": Aider,
    "claude-code": ClaudeCode,
    "codex": Codex,
    "gemini-cli": GeminiCli,
    "mini-swe-agent": MiniSweAgent,
}
"""Programs that are installed before they run."""
COMMAND = "command"
CHAT_LOOP = "chat-loop"


def system_named(program: str, programs: Path, command: ConfiguredSystem | None = None) -> AgentSystem:
    """The system that runs a program.

    Args:
        programs: folder of installed programs, each in a folder of its name.
        command: what `command` starts, the program of the configuration's own systems.

    Raises:
        NotFoundError: there is no such program.
        UsageError: there is a command without need, or none for `command`.
    """
    if (program == COMMAND) != (command is not None):
        raise UsageError(f"The program {program!r} and a command do not go together: a command needs {COMMAND!r}.")
    if command is not None:
        return Configured(COMMAND, command)
    if program == CHAT_LOOP:
        return ChatLoop()
    if (made := INSTALLED.get(program)) is not None:
        return made(programs)
    known = ", ".join(sorted({*INSTALLED, CHAT_LOOP, COMMAND}))
    raise NotFoundError(f"There is no agent program {program!r}. There are {known}.")
