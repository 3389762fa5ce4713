"""Any command as a system, by a few lines of the configuration."""

import re
from dataclasses import dataclass
from pathlib import Path

from testevo.agents.systems.programs.json_lines import events_of_lines
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.config.agents import ConfiguredSystem
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Configured:
    """A command whose words name fields of the request in braces."""

    name: str
    configured: ConfiguredSystem

    @property
    def version(self) -> str:
        return self.configured.version

    def protocol(self, model: str) -> Protocol:
        return self.configured.protocol

    def command(self, request: AgentRequest) -> AgentCommand:
        fields = {name: str(value) for name, value in vars(request).items()}

        def filled(word: str) -> str:
            """The word with the fields in braces replaced in one pass; other braces stay, as in a JSON argument."""
            return _FIELD.sub(lambda match: fields.get(match[1], match[0]), word)

        environment = {name: filled(value) for name, value in self.configured.environment.items()}
        return AgentCommand(
            tuple(filled(word) for word in self.configured.command),
            {"HOME": str(request.home), **environment},
            None,
            tuple(Path(folder) for folder in self.configured.readable),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """Its output: lines that are events as JSON (docs/formats.md), every other line a message."""
        return events_of_lines(output, "message")
