"""Codex CLI, a complete system for OpenAI's models."""

import json
from pathlib import Path

from testevo.agents.systems.programs.installed import NodeProgram
from testevo.agents.systems.programs.json_lines import Object, objects
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol

_KEY = "TESTEVO_GATEWAY_KEY"
_CONFIGURATION = """\
model_provider = "gateway"
web_search = "disabled"
check_for_update_on_startup = false

[model_providers.gateway]
name = "gateway"
base_url = {address}
env_key = "{key}"
wire_api = "responses"

[analytics]
enabled = false
"""


class Codex(NodeProgram):
    """Runs `codex exec` without its own sandbox and without questions; its web search is off."""

    name = "codex"
    package = "@openai/codex"
    script = "bin/codex.js"

    def protocol(self, model: str) -> Protocol:
        return "openai_responses"

    def command(self, request: AgentRequest) -> AgentCommand:
        home = request.home / ".codex"
        home.mkdir(exist_ok=True)
        configuration = _CONFIGURATION.format(address=json.dumps(f"{request.gateway}/v1"), key=_KEY)
        (home / "config.toml").write_text(configuration, encoding="utf-8")
        options = ("--json", "--dangerously-bypass-approvals-and-sandbox", "--skip-git-repo-check")
        return AgentCommand(
            (*self.start(), "exec", *options, "--model", request.model, "-"),
            {"HOME": str(request.home), "CODEX_HOME": str(home), _KEY: request.token},
            request.prompt,
            self.readable(),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """What the agent did, from its finished items."""
        return [event for line in objects(output) for event in _events(line)]


def _events(line: Object | str) -> list[TrajectoryEvent]:
    match line:
        case str():
            return [TrajectoryEvent(kind="other", text=line)]
        case {"type": "item.completed", "item": {"type": "agent_message" | "reasoning", "text": str(text)}}:
            return [TrajectoryEvent(kind="message", text=text)]
        case {"type": "item.completed", "item": {"type": "command_execution", "command": str(command)} as item}:
            return [TrajectoryEvent(kind="command", text=command, output=str(item.get("aggregated_output", "")))]
        case {"type": "item.completed", "item": {"type": "file_change", "changes": list(changes)}}:
            return [
                TrajectoryEvent(kind="edit", text=str(change.get("kind")), path=str(change.get("path")))
                for change in changes
                if isinstance(change, dict)
            ]
        case {"type": "item.completed", "item": dict(item)}:
            return [TrajectoryEvent(kind="other", text=json.dumps(item, ensure_ascii=False, sort_keys=True))]
    return []
