"""`TrajectoryEvent`: one step of an agent, in the same terms for all systems."""

from typing import Literal

from testevo.records.base import Record

EventKind = Literal["message", "command", "read", "edit", "other"]


class TrajectoryEvent(Record):
    """One step of an agent as its own output tells it; events of a run stand in the order they happened."""

    kind: EventKind
    text: str
    """The message, the command line, the text written, or the call of another tool as JSON."""
    path: str | None = None
    """The file that was read or edited."""
    output: str | None = None
    """What the step returned to the agent."""
