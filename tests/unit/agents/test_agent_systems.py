"""How agent programs are started, and what is read from their output."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from testevo.agents.systems.installation import install
from testevo.agents.systems.locks import LOCKS, lock_of
from testevo.agents.systems.system import AgentRequest, AgentSystem
from testevo.agents.systems.systems import INSTALLED, system_named
from testevo.config.agents import ConfiguredSystem
from testevo.records.agents.trajectories import TrajectoryEvent
from testevo.runtime.errors import NotFoundError, UsageError, UserError
from tests.model_server.script import Say, Script, Write
from tests.model_server.server import KEY, ModelServer, serving

TASK = "TASK-OF-THE-SCRIPT"


def request_of(folder: Path, **fields: str) -> AgentRequest:
    (folder / "prompt").write_text(TASK)
    return AgentRequest(folder, folder, TASK, folder / "prompt", "m-1", "http://127.0.0.1:8080", "token", **fields)


@pytest.mark.parametrize("name", INSTALLED)
def test_a_missing_program_names_the_next_step(tmp_path: Path, name: str) -> None:
    system = system_named(name, tmp_path)
    with pytest.raises(UserError, match=f"snakemake .* {tmp_path}/{name}/installed.lock"):
        system.command(request_of(tmp_path))
    with pytest.raises(UserError, match="Install it"):
        assert system.version


def test_unknown_programs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="claude-code"):
        system_named("clod-code", tmp_path)
    with pytest.raises(NotFoundError):
        install("chat-loop", tmp_path)
    with pytest.raises(UsageError):
        system_named("command", tmp_path)
    with pytest.raises(UsageError):
        system_named("aider", tmp_path, ConfiguredSystem(command=("true",)))


def test_locks_pin_every_file_by_its_hash_and_name_no_registry() -> None:
    assert {path.name.removesuffix(".txt") for path in LOCKS.iterdir()} == set(INSTALLED)
    assert lock_of("chat-loop") is None
    for name in INSTALLED:
        lock = lock_of(name)
        assert lock is not None
        if lock.suffix == ".json":
            packages = json.loads(lock.read_bytes())["packages"]
            assert all("integrity" in package for path, package in packages.items() if path), name
            assert not any("resolved" in package for package in packages.values()), name
        else:
            pinned = [line for line in lock.read_text().splitlines() if "==" in line[1:]]
            assert len(pinned) > 10
            assert all(line.startswith("#") or line.endswith("\\") for line in pinned), name


CLAUDE = [
    {"type": "assistant", "message": {"content": [{"type": "text", "text": "I look."}]}},
    {
        "type": "assistant",
        "message": {"content": [{"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "git log"}}]},
    },
    {
        "type": "user",
        "message": {"content": [{"type": "tool_result", "tool_use_id": "1", "content": [{"text": "one commit"}]}]},
    },
    {
        "type": "assistant",
        "message": {"content": [{"type": "tool_use", "id": "2", "name": "Read", "input": {"file_path": "/w/A.java"}}]},
    },
    {
        "type": "assistant",
        "message": {"content": [{"type": "tool_use", "id": "3", "name": "Edit", "input": {"file_path": "/w/T.java"}}]},
    },
    {"type": "assistant", "message": {"content": [{"type": "tool_use", "id": "4", "name": "Task", "input": {}}]}},
]
GEMINI = [
    {"type": "message", "role": "user", "content": "the prompt"},
    {"type": "message", "role": "assistant", "content": "I look."},
    {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "1", "parameters": {"command": "git log"}},
    {"type": "tool_result", "tool_id": "1", "status": "success", "output": "one commit"},
    {"type": "tool_use", "tool_name": "read_file", "tool_id": "2", "parameters": {"file_path": "/w/A.java"}},
    {"type": "tool_use", "tool_name": "replace", "tool_id": "3", "parameters": {"file_path": "/w/T.java"}},
    {"type": "tool_use", "tool_name": "save_memory", "tool_id": "4", "parameters": {}},
]
CODEX = [
    {"type": "item.completed", "item": {"type": "agent_message", "text": "I look."}},
    {"type": "item.started", "item": {"type": "command_execution", "command": "git log"}},
    {
        "type": "item.completed",
        "item": {"type": "command_execution", "command": "git log", "aggregated_output": "one commit"},
    },
    {"type": "item.completed", "item": {"type": "file_change", "changes": [{"path": "/w/T.java", "kind": "update"}]}},
    {"type": "item.completed", "item": {"type": "todo_list", "items": []}},
]


@pytest.mark.parametrize(
    ("name", "lines", "kinds"),
    [
        ("claude-code", CLAUDE, ["message", "command", "read", "edit", "other"]),
        ("gemini-cli", GEMINI, ["message", "command", "read", "edit", "other"]),
        ("codex", CODEX, ["message", "command", "edit", "other"]),
    ],
)
def test_events_of_a_stream_that_is_cut(tmp_path: Path, name: str, lines: list[object], kinds: list[str]) -> None:
    (tmp_path / "output").write_text("".join(f"{json.dumps(line)}\n" for line in lines) + '{"type": "assis')
    events = system_named(name, tmp_path).events(tmp_path / "output", request_of(tmp_path))
    assert [event.kind for event in events] == [*kinds, "other"]
    assert events[0].text == "I look."
    assert (events[1].text, events[1].output) == ("git log", "one commit")
    assert next(event for event in events if event.kind == "edit").path == "/w/T.java"
    assert events[-1] == TrajectoryEvent(kind="other", text='{"type": "assis')


MINI_SWE = [
    {"role": "user", "content": "p"},
    {"role": "assistant", "content": "I look.", "extra": {"actions": [{"command": "ls", "tool_call_id": "1"}]}},
    {"role": "tool", "tool_call_id": "1", "content": "A.java"},
]
LOOP = [{"kind": "message", "text": "I look.", "path": None, "output": None}]
ODD_VALUES = (None, 5, True, "x", [], {}, [5], [[]], {"a": 1}, [{"a": 1}])


def spoiled(value: Any) -> Iterator[Any]:
    """`value` with one thing at a time, itself included, replaced by what a program would not write there."""
    yield from ODD_VALUES
    if isinstance(value, dict):
        yield from ({**value, key: other} for key in value for other in spoiled(value[key]))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from ([*value[:index], other, *value[index + 1 :]] for other in spoiled(part))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("claude-code", CLAUDE),
        ("gemini-cli", GEMINI),
        ("codex", CODEX),
        ("chat-loop", LOOP),
        ("mini-swe-agent", MINI_SWE),
    ],
)
def test_output_of_another_shape_ends_nothing(tmp_path: Path, name: str, lines: list[object]) -> None:
    """What runs under an agent can write between its lines."""
    system, request = system_named(name, tmp_path), request_of(tmp_path)
    deep = "[" * 990 + "]" * 990
    last = '"the last line"'
    for one in [json.dumps(other) for line in lines for other in spoiled(line)] + [deep, "[" * 100_000]:
        (tmp_path / "output").write_text(f"{one}\n{last}\n")
        (tmp_path / "trajectory.json").write_text(f'{{"messages": [{one}]}}')
        events = system.events(tmp_path / "output", request)
        assert all(event.line() for event in events)
        assert name == "mini-swe-agent" or events[-1].text == last


def test_events_of_mini_swe_agent_come_from_its_trajectory(tmp_path: Path) -> None:
    system = system_named("mini-swe-agent", tmp_path)
    (tmp_path / "output").write_text("Traceback")
    request = request_of(tmp_path)
    assert system.events(tmp_path / "output", request) == [TrajectoryEvent(kind="other", text="Traceback")]
    said = {"role": "assistant", "content": "I look.", "extra": {"actions": [{"command": "ls", "tool_call_id": "1"}]}}
    seen = {"role": "tool", "tool_call_id": "1", "content": "A.java"}
    (tmp_path / "trajectory.json").write_text(json.dumps({"messages": [{"role": "user", "content": "p"}, said, seen]}))
    assert system.events(tmp_path / "output", request) == [
        TrajectoryEvent(kind="message", text="I look."),
        TrajectoryEvent(kind="command", text="ls", output="A.java"),
    ]


@pytest.mark.parametrize(
    "written", ["{", '{"messages": 5}', '{"messages": [5]}', "[]", '{"messages": [{"role": "assistant", "extra": 1}]}']
)
def test_a_trajectory_file_that_a_run_replaced_is_not_believed(tmp_path: Path, written: str) -> None:
    system = system_named("mini-swe-agent", tmp_path)
    (tmp_path / "output").write_text("Traceback")
    request, instead = request_of(tmp_path), [TrajectoryEvent(kind="other", text="Traceback")]
    (tmp_path / "trajectory.json").write_text(written)
    assert system.events(tmp_path / "output", request) == instead
    (tmp_path / "trajectory.json").rename(tmp_path / "elsewhere.json")
    (tmp_path / "elsewhere.json").write_text('{"messages": []}')
    (tmp_path / "trajectory.json").symlink_to(tmp_path / "elsewhere.json")
    assert system.events(tmp_path / "output", request) == instead


def chat_loop(
    folder: Path, steps: tuple[Write | Say, ...], test: str
) -> tuple[int, list[TrajectoryEvent], ModelServer]:
    system: AgentSystem = system_named("chat-loop", folder)
    with serving(ModelServer({TASK: Script(steps)})) as model:
        request = request_of(folder, target="src/T.java", test_command=test)
        command = system.command(request)
        environment = dict(command.environment) | {
            "CHAT_KEY": KEY,
            "CHAT_ADDRESS": f"{model.address}/v1/chat/completions",
        }
        done = subprocess.run(
            [sys.executable, *command.arguments[1:]],
            cwd=folder,
            env=environment | {"PATH": "/usr/bin:/bin"},
            input=command.standard_input,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.stderr == ""
    (folder / "output").write_text(done.stdout)
    return done.returncode, system.events(folder / "output", request), model


def test_the_chat_loop_shows_the_model_what_its_tests_print(tmp_path: Path) -> None:
    steps = (Say("Let me think."), Write("src/T.java", "wrong\n"), Write("src/T.java", "right\n"))
    status, events, model = chat_loop(tmp_path, steps, "echo it is $(cat src/T.java); grep -q right src/T.java")
    assert status == 0
    assert (tmp_path / "src" / "T.java").read_text() == "right\n"
    assert [event.kind for event in events] == ["message", "message", "edit", "command", "message", "edit", "command"]
    last = [message["content"] for message in model.served[-1][2]["messages"]]
    assert last[1] == TASK  # the prompt to the byte, apart from what the loop adds
    assert "no block of code" in last[4]
    assert last[6] == "The tests end with status 1:\nit is wrong\n"


def test_the_chat_loop_gives_up(tmp_path: Path) -> None:
    status, events, model = chat_loop(tmp_path, (Write("src/T.java", "wrong\n"),), "false")
    assert status == 1
    assert len(model.served) == 5
    assert sum(event.kind == "edit" for event in events) == 5
    with pytest.raises(UserError, match="needs the target file"):
        system_named("chat-loop", tmp_path).command(request_of(tmp_path))
