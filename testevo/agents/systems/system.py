"""`AgentSystem`: what every agent program must offer to be run on tasks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol as Interface

from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol


@dataclass(frozen=True)
class AgentRequest:
    """One run of an agent: where it works, on what, with which model."""

    workspace: Path
    """The repository; the working folder of the program."""
    home: Path
    """A fresh, writable HOME."""
    prompt: str
    prompt_file: Path
    """The same prompt as a file that the program can read."""
    model: str
    gateway: str
    """Address of the gateway as the program sees it, such as `http://127.0.0.1:8080`."""
    token: str
    """That of the gateway; the program takes it for its API key."""
    target: str = ""
    """Path of the test file below the workspace, for programs that are told which file to edit."""
    test_command: str = ""
    """A shell command that compiles and runs the target tests, for programs that run it by themselves."""


@dataclass(frozen=True)
class AgentCommand:
    """The process of one run. To its environment the caller adds only what the commands of the workspace need."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    standard_input: str | None = None
    readable: tuple[Path, ...] = field(default=())
    """Folders of the program that a sandbox must show, besides those of the operating system."""


class AgentSystem(Interface):
    """An agent program."""

    @property
    def name(self) -> str:
        """The name in the configuration and the records."""

    @property
    def version(self) -> str:
        """Version of the installed program.

        Raises:
            UserError: the program is not installed.
        """

    def protocol(self, model: str) -> Protocol:
        """What the program speaks to this model."""

    def command(self, request: AgentRequest) -> AgentCommand:
        """The process that works on a request; writes the program's settings below `request.home` where it must.

        Raises:
            UserError: the program is not installed.
        """

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """What the agent did, from the standard output of its process and the files below `request.home`.

        Lines that are not of the program's format become events of the kind `other`.
        """
