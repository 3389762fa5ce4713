"""mini-swe-agent, a small agent with one tool, the shell, for any model that litellm knows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from testevo.agents.systems.programs.installed import PythonProgram
from testevo.agents.systems.programs.litellm import litellm_environment, litellm_protocol
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.plain_files import read_plain

_TRAJECTORY = "trajectory.json"
_MOST_BYTES = 64 * 2**20


class MiniSweAgent(PythonProgram):
    """Runs `mini` with its own default settings, but for questions and its own limit of cost."""

    name = "mini-swe-agent"
    package = "mini-swe-agent"
    script = "mini"

    def protocol(self, model: str) -> Protocol:
        """That of the provider before the slash of the model's name."""
        return litellm_protocol(model)

    def command(self, request: AgentRequest) -> AgentCommand:
        options = ("--yolo", "--exit-immediately", "--agent-class", "default", "--cost-limit", "0")
        output = ("--output", str(request.home / _TRAJECTORY))
        return AgentCommand(
            (*self.start(), *options, *output, "--model", request.model, "--task", request.prompt),
            {
                "HOME": str(request.home),
                "MSWEA_CONFIGURED": "true",
                "MSWEA_COST_TRACKING": "ignore_errors",
                "MSWEA_SILENT_STARTUP": "1",
                "MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT": "4",  # it repeats refused calls too, and waits longer each time
                **litellm_environment(request),
            },
            None,
            self.readable(),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """What the agent did, from the trajectory file that it writes; from its output where there is none."""
        written = read_plain(request.home.parent, f"{request.home.name}/{_TRAJECTORY}", _MOST_BYTES)
        try:
            return list(_events(parsed_json(written or b"")["messages"]))
        except (ValueError, LookupError, TypeError, AttributeError):  # the run can write what it likes
            return [TrajectoryEvent(kind="other", text=output.read_text(encoding="utf-8", errors="replace"))]


def _events(messages: list[dict[str, Any]]) -> Iterator[TrajectoryEvent]:
    results = {one.get("tool_call_id"): str(one.get("content") or "") for one in messages if one.get("role") == "tool"}
    for message in messages:
        if message.get("role") != "assistant":
            continue
        if message.get("content"):
            yield TrajectoryEvent(kind="message", text=str(message["content"]))
        for action in message.get("extra", {}).get("actions", ()):
            result = results.get(action.get("tool_call_id"))
            yield TrajectoryEvent(kind="command", text=str(action.get("command", "")), output=result)
