"""All six programs solve tasks of a dataset with scripted models, and are graded: the table of docs/agents.md.

    TESTEVO_AGENTS=results/agents PYTHONPATH=.:tests/workflow python tests/workflow/six_programs.py DATASET OUTPUT

Most tasks are solved by the developer's own test file; of the others a target method throws, or nothing is edited.
Programs run in the sandbox of the machine.
"""

import argparse
import base64
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import pytest
import yaml
from scripted_agent import KEY_VARIABLE, asked_of, environment
from snapshots import command_line

from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.agents.runs import AgentRun
from testevo.records.base import read_records
from testevo.records.tasks import Task, Track
from tests.model_server.script import Run, Say, Script, Write
from tests.model_server.server import ModelServer, serving

WITH_TOOLS = {
    "claude-code": "claude-haiku-4-5",
    "gemini-cli": "gemini-2.5-flash",
    "codex": "gpt-5-mini",
    "mini-swe-agent": "openai/gpt-5-mini",
}
WITHOUT_TOOLS = {"aider": "openai/deepseek-chat", "chat-loop": "gpt-5-mini"}
"""They run the tests by themselves, and read the file from what the model says."""
CHECK = "./.testevo/compile && ./.testevo/run-test"
BODY = re.compile(rb"\)\s*(?:throws [\w., ]+)?\{")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("output", type=Path, help="folder for the results, with a table in table.md")
    parser.add_argument("--tasks", type=int, default=10, help="of each program, from both tracks alike")
    parser.add_argument("--checked", type=int, default=2, help="of them, in which programs with tools run the tests")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--sandbox", default="auto")
    parser.add_argument("--java-home", action="append", default=[], help="of a further JDK; may be repeated")
    options = parser.parse_args()
    tasks = chosen(open_dataset(options.dataset).tasks, options.tasks)
    edits = edits_of(options.dataset, tasks)
    options.output.mkdir(parents=True, exist_ok=True)
    with ExitStack() as servers:
        tools = {asked_of(one): with_tools(one, edits[one.task_id], n < options.checked) for n, one in enumerate(tasks)}
        texts = {asked_of(one): without_tools(one, edits[one.task_id]) for one in tasks}
        addresses = [servers.enter_context(serving(ModelServer(scripts))).address for scripts in (tools, texts)]
        solve(options, tasks, addresses)
    evaluate(options, tasks)
    success = successes(options.output)
    (options.output / "table.md").write_text(table(options.output, tasks, success))
    right = {track.value: fmean(is_right(n) for n, one in enumerate(tasks) if one.track is track) for track in Track}
    if wrong := {key: value for key, value in success.items() if value != pytest.approx(right[key[1]])}:
        sys.exit(f"the script makes a share of {right} right, the grades say {wrong}")


def chosen(tasks: Sequence[Task], count: int) -> list[Task]:
    """So many tasks of both tracks, whose prompts a scripted model can tell apart."""
    found: list[list[Task]] = []
    for track in Track:
        own: list[Task] = []
        for task in sorted((one for one in tasks if one.track is track), key=Task.sort_key):
            words = asked_of(task)
            others = [asked_of(one) for one in tasks if one.task_id != task.task_id]
            if not any(words in other or other in words for other in others):
                own.append(task)
        found.append(own)
    return [task for pair in zip(*found, strict=False) for task in pair][:count]


def edits_of(dataset: Path, tasks: Sequence[Task]) -> Mapping[str, bytes | None]:
    """What the model writes by task id: of four tasks two the developer's file, one that throws, one nothing."""
    edits: dict[str, bytes | None] = {}
    with DatasetHistories(dataset) as histories:
        for number, task in enumerate(tasks):
            gold = histories.target_of(task).gold
            wrong = None if number // 2 % 4 == 3 else throwing(task, gold)
            edits[task.task_id] = gold if is_right(number) else wrong
    return edits


def is_right(number: int) -> bool:
    """Whether the model writes the developer's file of the task of this number; the tracks alternate."""
    return number // 2 % 2 == 0


def throwing(task: Task, gold: bytes) -> bytes:
    """The developer's file with a first statement in a target method that fails it."""
    source = task.tests[0].new_source.encode()
    body = BODY.search(source)
    assert body and gold.count(source) == 1, task.task_id
    failed = source[: body.end()] + b' if (true) throw new AssertionError("scripted");' + source[body.end() :]
    return gold.replace(source, failed)


def with_tools(task: Task, edit: bytes | None, check: bool) -> Script:
    """Plain words for every shell tool: some programs refuse commands with substitutions, which Java text may hold."""
    if edit is None:
        return Script((Say("I cannot do this."),))
    text = base64.b64encode(edit).decode()
    write = f"echo {text} | base64 -d > {shlex.quote(task.test_file)}"
    return Script((Run(write), *([Run(CHECK)] if check else []), Say("Done.")))


def without_tools(task: Task, edit: bytes | None) -> Script:
    return Script((Say("I cannot do this."),)) if edit is None else Script((Write(task.test_file, edit.decode()),))


def solve(options: argparse.Namespace, tasks: Sequence[Task], addresses: Sequence[str]) -> None:
    systems = {
        program: {"program": program, "model": model, "address": address, "key_variable": KEY_VARIABLE}
        for programs, address in zip((WITH_TOOLS, WITHOUT_TOOLS), addresses, strict=True)
        for program, model in programs.items()
    }
    given = {
        "build": {"java_homes": options.java_home},
        "solving": {
            "systems": systems,
            "programs": str(Path(os.environ["TESTEVO_AGENTS"]).absolute()),
            "budget": {"cost_usd": 1, "calls": 30},
        },
    }
    (options.output / "agents.yaml").write_text(yaml.safe_dump(given))
    run(options, "solve", *choice(tasks), folder="solving")


def evaluate(options: argparse.Namespace, tasks: Sequence[Task]) -> None:
    files = sorted((options.output / "solving/solve").glob("*/predictions.jsonl"))
    predictions = [word for file in files for word in ("--predictions", str(file))]
    run(options, "evaluate", "--no-mutation", "--controls", "gold", *predictions, *choice(tasks), folder="graded")


def choice(tasks: Sequence[Task]) -> Iterator[str]:
    for task in tasks:
        yield from ("--task", task.task_id)


def run(options: argparse.Namespace, name: str, *more: str, folder: str) -> None:
    settings = ("--dataset", str(options.dataset), "--output", str(options.output / folder))
    limits = ("--workers", str(options.workers), "--sandbox", options.sandbox)
    limits += ("--configuration", str(options.output / "agents.yaml"))
    subprocess.run(command_line(name, *settings, *limits, *more), check=True, env={**os.environ, **environment()})


def successes(output: Path) -> dict[tuple[str, str], float]:
    """Success of each program by track, macro."""
    report = json.loads((output / "graded/aggregate/report.json").read_bytes())
    summaries = [one for one in report["summaries"] if one["system"] not in report["controls"]]
    return {(one["system"], one["track"]): one["macro"]["success"]["value"] for one in summaries}


def table(output: Path, tasks: Sequence[Task], success: Mapping[tuple[str, str], float]) -> str:
    """A row for each program, in Markdown."""
    count = {track: sum(task.track is track for task in tasks) for track in Track}
    lines = [
        "| program | version | generation | update | ended | calls | tokens | US dollars | wall time |",
        "|---|---|---:|---:|---|---:|---:|---:|---:|",
    ]
    for folder in sorted((output / "solving/solve").iterdir()):
        runs = [run for file in sorted(folder.glob("*+*.jsonl")) for run in read_records(file, AgentRun)]
        ended = ", ".join(sorted({f"{sum(o.status is run.status for o in runs)} {run.status.value}" for run in runs}))
        shares = [f"{count[track]} tasks, {100 * success[folder.name, track.value]:.0f} %" for track in Track]
        tokens = sum(run.spent.usage.input_tokens + run.spent.usage.output_tokens for run in runs)
        cost = sum(run.spent.usage.cost_usd or 0 for run in runs)
        calls, wall = sum(run.spent.usage.calls for run in runs), sum(run.spent.wall_s for run in runs)
        lines.append(
            f"| {runs[0].program} | {runs[0].version} | {shares[0]} | {shares[1]} | {ended} | {calls} | {tokens:,} | "
            f"{cost:.3f} | {wall:.0f} s |"
        )
    return "\n".join([*lines, f"\n{datetime.now(UTC).date()}\n"])


if __name__ == "__main__":
    main()
