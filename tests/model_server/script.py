"""Scripts: what the model does in a task, in words that know no protocol."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Write:
    """The agent shall write a file of its workspace."""

    path: str
    content: str


@dataclass(frozen=True)
class Run:
    """The agent shall run a command."""

    command: str


@dataclass(frozen=True)
class Say:
    """The model says something and calls no tool, which ends the run of most agents."""

    text: str


Step = Write | Run | Say


class Fault(Enum):
    """What is wrong with an answer."""

    TOO_MANY = "status 429 with retry-after"
    INTERNAL = "status 500"
    GARBAGE = "status 200, neither JSON nor events"
    CUT = "the connection ends in the middle"
    SILENT = "no answer until the agent has had enough"
    NO_USAGE = "no usage is told"


@dataclass(frozen=True)
class Script:
    """The steps of one task; the last is repeated for ever. Faults strike requests by their number in this script."""

    steps: tuple[Step, ...]
    faults: tuple[tuple[int, Fault], ...] = ()
    always: Fault | None = None
    """Strikes every request."""
    input_tokens: int = 1000
    """Of every answer."""
    cached_tokens: int = 200
    """Of `input_tokens`."""
    output_tokens: int = 50

    def step(self, turn: int, *, with_tools: bool) -> Step:
        """The step after so many answers of the model. Agents without tools run no commands for the model."""
        steps = [step for step in self.steps if with_tools or not isinstance(step, Run)]
        return steps[min(turn, len(steps) - 1)]

    def fault(self, request: int) -> Fault | None:
        """The fault of a request, counted from 0."""
        return self.always or dict(self.faults).get(request)
