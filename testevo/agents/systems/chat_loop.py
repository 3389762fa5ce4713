"""A plain loop of chat completions: the model writes the whole test file, its tests run, it sees what they say."""

from dataclasses import dataclass
from pathlib import Path

from testevo.agents.systems import chat_loop_program
from testevo.agents.systems.programs.json_lines import events_of_lines
from testevo.agents.systems.python import plain_python
from testevo.agents.systems.system import AgentCommand, AgentRequest
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Protocol
from testevo.runtime.errors import UserError


@dataclass(frozen=True)
class ChatLoop:
    """Runs `chat_loop_program.py`: the baseline without tools, as TAM-Eval has it."""

    name: str = "chat-loop"
    version: str = "1"

    def protocol(self, model: str) -> Protocol:
        """OpenAI's chat completions, which most addresses of models speak."""
        return "openai_chat"

    def command(self, request: AgentRequest) -> AgentCommand:
        """The process of one run.

        Raises:
            UserError: the request names no target file or no test command.
        """
        if not request.target or not request.test_command:
            raise UserError(f"{self.name} needs the target file and the test command of a task; this request has none.")
        program = Path(chat_loop_program.__file__).resolve()
        python, readable = plain_python()
        return AgentCommand(
            (*python, str(program)),
            {
                "HOME": str(request.home),
                "CHAT_ADDRESS": f"{request.gateway}/v1/chat/completions",
                "CHAT_KEY": request.token,
                "CHAT_MODEL": request.model,
                "CHAT_FILE": request.target,
                "CHAT_TEST": request.test_command,
            },
            request.prompt,
            (program, *readable),
        )

    def events(self, output: Path, request: AgentRequest) -> list[TrajectoryEvent]:
        """What the program wrote, one event a line."""
        return events_of_lines(output, "other")
