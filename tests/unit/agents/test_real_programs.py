"""The real agent programs against the scripted model: they write a file, stop at a budget, survive faults.

Programs are installed once, into the folder TESTEVO_AGENTS; without it only some are, into pytest's cache.
"""

import os
import subprocess
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from testevo.agents.gateway.gateway import Gateway
from testevo.agents.gateway.prices import price_table
from testevo.agents.systems.installation import install
from testevo.agents.systems.system import AgentRequest, AgentSystem
from testevo.agents.systems.systems import INSTALLED, system_named
from testevo.config.agents import ConfiguredSystem
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.records.agents.usage import Budget, ModelUsage
from testevo.runtime.errors import MachineError
from tests.model_server.script import Fault, Run, Say, Script, Write
from tests.model_server.server import KEY, ModelServer, serving

TASK = "TASK-OF-THE-SCRIPT"
TARGET = "src/NewTest.java"
CONTENT = "class NewTest {}\n"
SOLVING = (Write(TARGET, CONTENT), Run(f"cat {TARGET} > copy.txt"), Say("I am done."))
MODELS = {
    "claude-code": "claude-sonnet-4-5",
    "gemini-cli": "gemini-2.5-pro",
    "codex": "gpt-5",
    "mini-swe-agent": "openai/gpt-5-mini",
    "aider": "openai/deepseek-chat",
    "chat-loop": "gpt-5-mini",
}
ALWAYS = ("claude-code", "codex", "chat-loop")
"""Tested without TESTEVO_AGENTS too; they speak three of the four protocols."""
RUNS_COMMANDS = ("claude-code", "gemini-cli", "codex", "mini-swe-agent")


@dataclass(frozen=True)
class Ended:
    """A run and what it left."""

    status: int
    workspace: Path
    usage: ModelUsage
    events: list[TrajectoryEvent]
    output: str


@pytest.fixture(params=[*INSTALLED, "chat-loop"])
def system(request: pytest.FixtureRequest) -> AgentSystem:
    given = os.environ.get("TESTEVO_AGENTS")
    if given is None and request.param not in ALWAYS:
        pytest.skip("TESTEVO_AGENTS names no folder to install this program into")
    folder = Path(given or request.config.cache.mkdir("agents"))
    if request.param in INSTALLED:
        try:
            install(request.param, folder)
        except MachineError as error:
            pytest.skip(f"{error}"[:300])
    return system_named(request.param, folder)


def run(system: AgentSystem, folder: Path, script: Script, budget: Budget) -> Ended:
    workspace, home = folder / "workspace", folder / "home"
    (workspace / "src").mkdir(parents=True)
    home.mkdir()
    (workspace / "README").write_text("A project.\n")
    (folder / "prompt.txt").write_text(f"{TASK}: write the test {TARGET}.\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@localhost"]
    for arguments in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "start"]):
        subprocess.run([*git, *arguments], cwd=workspace, check=True)
    with (
        serving(ModelServer({TASK: script}, folder=str(workspace))) as model,
        Gateway(
            upstream=model.address,
            models=(MODELS[system.name],),
            key=KEY,
            budget=budget,
            prices=price_table(date(2026, 12, 1)),
            log=folder / "calls",
        ) as gateway,
    ):
        request = AgentRequest(
            workspace=workspace,
            home=home,
            prompt=(folder / "prompt.txt").read_text(),
            prompt_file=folder / "prompt.txt",
            model=MODELS[system.name],
            gateway=gateway.address,
            token=gateway.token,
            target=TARGET,
            test_command=f"test -f {TARGET}",
        )
        command = system.command(request)
        done = subprocess.run(
            command.arguments,
            cwd=workspace,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", **command.environment},
            input=command.standard_input or "",
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    (folder / "output").write_text(done.stdout)
    return Ended(
        done.returncode,
        workspace,
        gateway.usage(),
        system.events(folder / "output", request),
        done.stdout + done.stderr,
    )


@pytest.mark.long
def test_a_program_solves_a_task(system: AgentSystem, tmp_path: Path) -> None:
    ended = run(system, tmp_path, Script(SOLVING), Budget(calls=12, cost_usd=1))
    assert (ended.workspace / TARGET).read_text() == CONTENT, ended.output
    assert ended.status == 0, ended.output
    assert ended.usage.ended_by is None
    assert ended.usage.failed_calls == 0
    assert ended.usage.cost_usd
    kinds = {event.kind for event in ended.events}
    if system.name in RUNS_COMMANDS:
        assert (ended.workspace / "copy.txt").read_text() == CONTENT
        assert any(event.kind == "command" and "copy.txt" in event.text for event in ended.events)
        assert {"message", "command"} <= kinds
    else:
        assert any(event.kind == "edit" and event.path == TARGET for event in ended.events)
    assert system.version[0].isdigit()


@pytest.mark.long
def test_a_program_ends_when_its_budget_does(system: AgentSystem, tmp_path: Path) -> None:
    if system.name in ("aider", "chat-loop"):
        script = Script((Write("src/Other.java", CONTENT),), input_tokens=100_000)
    else:
        script = Script((Run("echo again"),), input_tokens=100_000)
    ended = run(system, tmp_path, script, Budget(tokens=100_000))
    assert ended.usage.calls == 1, ended.output
    assert ended.usage.input_tokens == 100_000


@pytest.mark.long
def test_a_program_tries_again_after_a_fault(system: AgentSystem, tmp_path: Path) -> None:
    if system.name == "chat-loop":
        pytest.skip("the plain loop leaves that to the stage, which starts it again")
    if "TESTEVO_AGENTS" not in os.environ:
        pytest.skip("programs wait between tries; set TESTEVO_AGENTS to spend that time")
    faults = ((0, Fault.TOO_MANY), (1, Fault.INTERNAL))
    ended = run(system, tmp_path, Script(SOLVING, faults=faults), Budget(calls=20))
    assert ended.usage.failed_calls == 2, ended.output
    assert (ended.workspace / TARGET).read_text() == CONTENT


def test_any_command_is_a_system(tmp_path: Path) -> None:
    command = ConfiguredSystem(command=("sh", "-c", "cp {prompt_file} {target}; {x}"), environment={"M": "{model}"})
    system = system_named("command", tmp_path, command)
    request = AgentRequest(tmp_path, tmp_path, "p", Path("/prompt"), "m-1", "http://localhost", "t", target="a/{model}")
    made = system.command(request)
    assert made.arguments == ("sh", "-c", "cp /prompt a/{model}; {x}")
    assert made.environment == {"HOME": str(tmp_path), "M": "m-1"}
