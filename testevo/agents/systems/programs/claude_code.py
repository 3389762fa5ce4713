"""Claude Code, a complete system for Anthropic's models."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from testevo.agents.systems.programs.installed import NodeProgram
from testevo.agents.systems.programs.json_lines import Object, tool_events
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol


class ClaudeCode(NodeProgram):
    """Runs `claude -p` without questions; its tools for the network are off."""

    name = "claude-code"
    package = "@anthropic-ai/claude-code"
    script = "../claude-code-*/claude"
    native = True

    def protocol(self, model: str) -> Protocol:
        return "anthropic"

    def command(self, request: AgentRequest) -> AgentCommand:
        options = ("--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions")
        return AgentCommand(
            (*self.start(), "-p", *options, "--disallowedTools", "WebSearch,WebFetch", "--model", request.model),
            {
                "HOME": str(request.home),
                "ANTHROPIC_BASE_URL": request.gateway,
                "ANTHROPIC_API_KEY": request.token,
                # Small side tasks go to the same model, so that the run has one model and one price.
                "ANTHROPIC_DEFAULT_HAIKU_MODEL": request.model,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "IS_SANDBOX": "1",  # else it refuses to run without questions as root
            },
            request.prompt,
            self.readable(),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """What the agent did, from its stream of JSON."""
        return tool_events(output, _steps)


def _steps(line: Object) -> Iterator[TrajectoryEvent | tuple[str, Object | str]]:
    message = line.get("message")
    blocks = message.get("content") if isinstance(message, dict) else None
    for block in blocks if isinstance(blocks, list) else []:
        match block:
            case {"type": "text", "text": str(text)} if line.get("type") == "assistant":
                yield TrajectoryEvent(kind="message", text=text)
            case {"type": "tool_use", "id": str(identifier), "name": name, "input": dict(arguments)}:
                yield identifier, {"name": name, "arguments": arguments}
            case {"type": "tool_result", "tool_use_id": str(identifier)}:
                yield identifier, _text(block.get("content"))


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
