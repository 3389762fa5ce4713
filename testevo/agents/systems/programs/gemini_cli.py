"""Gemini CLI, a complete system for Google's models."""

import json
from collections.abc import Iterator
from pathlib import Path

from testevo.agents.systems.programs.installed import NodeProgram
from testevo.agents.systems.programs.json_lines import Object, tool_events
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol

_SETTINGS = {
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "tools": {"exclude": ["google_web_search", "web_fetch"]},
}
_SIDE_TASKS = (
    *("classifier", "prompt-completion", "fast-ack-helper", "edit-corrector", "summarizer-default", "summarizer-shell"),
    *("loop-detection", "loop-detection-double-check", "llm-edit-fixer", "next-speaker-checker", "context-snapshotter"),
    *("chat-compression-3-pro", "chat-compression-3-flash", "chat-compression-3.1-flash-lite"),
    *("chat-compression-2.5-pro", "chat-compression-2.5-flash", "chat-compression-2.5-flash-lite"),
    *("chat-compression-default", "agent-history-provider-summarizer"),
)
"""What the program asks smaller models for."""


class GeminiCli(NodeProgram):
    """Runs `gemini --yolo`; its tools for the network are off."""

    name = "gemini-cli"
    package = "@google/gemini-cli"
    script = "bundle/gemini.js"

    def protocol(self, model: str) -> Protocol:
        return "gemini"

    def command(self, request: AgentRequest) -> AgentCommand:
        settings = request.home / ".gemini" / "settings.json"
        settings.parent.mkdir(exist_ok=True)
        # Small side tasks go to the same model, so that the run has one model and one price.
        side_task = {"extends": "base", "modelConfig": {"model": request.model}}
        models = {"modelConfigs": {"customAliases": dict.fromkeys(_SIDE_TASKS, side_task)}}
        settings.write_text(json.dumps({**_SETTINGS, **models}), encoding="utf-8")
        options = ("--yolo", "--skip-trust", "--output-format", "stream-json", "--model", request.model)
        return AgentCommand(
            (*self.start(), *options),
            {
                "HOME": str(request.home),
                "GOOGLE_GEMINI_BASE_URL": request.gateway,
                "GEMINI_API_KEY": request.token,
                "GEMINI_CLI_NO_RELAUNCH": "true",
            },
            request.prompt,
            self.readable(),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """What the agent did, from its stream of JSON."""
        return tool_events(output, _steps)


def _steps(line: Object) -> Iterator[TrajectoryEvent | tuple[str, Object | str]]:
    match line:
        case {"type": "message", "role": "assistant", "content": str(text)}:
            yield TrajectoryEvent(kind="message", text=text)
        case {"type": "tool_use", "tool_id": str(identifier), "tool_name": name, "parameters": dict(arguments)}:
            yield identifier, {"name": name, "arguments": arguments}
        case {"type": "tool_result", "tool_id": str(identifier)}:
            yield identifier, str(line.get("output") or line.get("error") or "")
