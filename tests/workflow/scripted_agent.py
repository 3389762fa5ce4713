"""A small agent for tests: it asks the model, does what it is told with a shell, and tells what it did."""

import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.records.tasks import Task
from tests.model_server.script import Run, Say, Script, Write
from tests.model_server.server import KEY

KEY_VARIABLE = "TESTEVO_TEST_KEY"
MODEL = "gpt-5-mini"


def agent(gateway: str, key: str, model: str, prompt_file: str) -> None:
    """The program; its source is run by a Python that has nothing else."""
    import json
    import pathlib
    import subprocess
    import sys
    import urllib.request

    said = [{"role": "user", "content": pathlib.Path(prompt_file).read_text("utf-8")}]
    tools = [{"type": "function", "function": {"name": "run", "parameters": {}}}]
    while True:
        body = json.dumps({"model": model, "messages": said, "tools": tools}).encode()
        headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        request = urllib.request.Request(f"{gateway}/v1/chat/completions", body, headers)
        try:
            with urllib.request.urlopen(request) as answer:
                message = json.load(answer)["choices"][0]["message"]
        except (OSError, ValueError, LookupError, TypeError) as error:
            sys.exit(f"no answer: {error}")
        said.append(message)
        if not message.get("tool_calls"):
            print(json.dumps({"kind": "message", "text": message["content"]}), flush=True)
            return
        for call in message["tool_calls"]:
            command = json.loads(call["function"]["arguments"])["command"]
            done = subprocess.run(command, shell=True, check=False, capture_output=True, text=True, errors="replace")
            output = done.stdout + done.stderr
            print(json.dumps({"kind": "command", "text": command, "output": output}), flush=True)
            said.append({"role": "tool", "tool_call_id": call["id"], "content": output[-2000:]})


def command() -> list[str]:
    """The command of the agent, for the configuration."""
    source = f"{inspect.getsource(agent)}\nimport sys\nagent(*sys.argv[1:])"
    return ["/usr/bin/python3", "-c", source, "{gateway}", "{token}", "{model}", "{prompt_file}"]


def configuration(address: str, cache: Path, sandbox: str, *names: str, **solving: Any) -> dict[str, Any]:
    """A configuration in which systems of these names are that agent."""
    system = {"model": MODEL, "address": address, "key_variable": KEY_VARIABLE, "command": {"command": command()}}
    return {
        "build": {"cache": str(cache)},
        "execution": {"sandbox": sandbox},
        "solving": {"systems": dict.fromkeys(names or ("scripted",), system), **solving},
    }


def environment() -> dict[str, str]:
    return {KEY_VARIABLE: KEY}


def developers_scripts(dataset: Path, tasks: Iterable[Task], *more: Run) -> Mapping[str, Script]:
    """By what a prompt says of its target: write the developer's file, run something, and end."""
    with DatasetHistories(dataset) as histories:
        return {
            asked_of(task): Script(
                (Write(task.test_file, histories.target_of(task).gold.decode()), *more, Say("Done."))
            )
            for task in tasks
        }


def asked_of(task: Task) -> str:
    """Words that only the prompt of a task has, as they stand in a request."""
    methods = "".join(f"\\n- {one.test.short}" for one in task.tests)
    return f"File: {task.test_file}\\nMethods to {'update' if task.track.value == 'update' else 'add'}:{methods}\\n"
