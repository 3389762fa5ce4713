"""Aider, a pair programmer that edits by blocks of text and runs tests by itself, for any model that litellm knows."""

import re
from pathlib import Path

from testevo.agents.systems.programs.installed import PythonProgram
from testevo.agents.systems.programs.litellm import litellm_environment, litellm_protocol
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol

_EDIT = re.compile(r"(?m)^Applied edit to (.+)$")
_OPTIONS = (
    *("--yes-always", "--no-auto-commits", "--no-gitignore", "--no-pretty", "--no-fancy-input", "--no-detect-urls"),
    *("--no-check-update", "--no-show-release-notes", "--no-show-model-warnings", "--no-analytics"),
    "--disable-playwright",
)
_PRICES = "model_prices_and_context_window"


class Aider(PythonProgram):
    """Runs `aider --message-file`, with the target file in the chat and the tests after each edit."""

    name = "aider"
    package = "aider-chat"
    script = "aider"

    def protocol(self, model: str) -> Protocol:
        """That of the provider before the slash of the model's name."""
        return litellm_protocol(model)

    def command(self, request: AgentRequest) -> AgentCommand:
        self._write_model_facts(request.home)
        histories = ("--input-history-file", "--chat-history-file", "--llm-history-file")
        kept = [part for name in histories for part in (name, str(request.home / f"{name.strip('-')}.txt"))]
        tests = ("--auto-test", "--test-cmd", request.test_command) if request.test_command else ()
        models = ("--model", request.model, "--weak-model", request.model)
        file = (request.target,) if request.target else ()
        return AgentCommand(
            (*self.start(), *_OPTIONS, *kept, *models, *tests, "--message-file", str(request.prompt_file), *file),
            {"HOME": str(request.home), "TERM": "dumb", **litellm_environment(request)},
            None,
            self.readable(),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """The conversation as Aider prints it, and the files that it edited."""
        text = output.read_text(encoding="utf-8", errors="replace")
        edits = [TrajectoryEvent(kind="edit", text="", path=match[1]) for match in _EDIT.finditer(text)]
        return [TrajectoryEvent(kind="message", text=text), *edits]

    def _write_model_facts(self, home: Path) -> None:
        """Copy litellm's facts about models to where Aider looks before it asks the network for them."""
        facts = self.site_packages / "litellm" / f"{_PRICES}_backup.json"
        cache = home / ".aider" / "caches" / f"{_PRICES}.json"
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_bytes(facts.read_bytes())
