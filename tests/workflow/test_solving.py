"""`testevo solve` with a small agent and a scripted model: both tracks, budgets, failures, kills, leaks."""

import csv
import io
import json
import os
import re
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import yaml
from scripted_agent import MODEL, asked_of, configuration, developers_scripts, environment
from snapshots import CONSENT, Snapshot, command_line, one_message, signal_group, wait_until

from testevo.agents.gateway.ledger import with_call
from testevo.agents.gateway.prices import price_table
from testevo.agents.solving.predictions import predictions_text
from testevo.agents.solving.solver import Solver, Unit
from testevo.agents.solving.usage_table import usage_table
from testevo.agents.systems.systems import system_named
from testevo.config.snapshot.layout import Layout
from testevo.config.solving import Solving
from testevo.grading.dataset.dataset_config import config_for
from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.agents.runs import AgentRun, FindingKind, RunStatus
from testevo.records.agents.usage import ModelCall, ModelUsage, Tokens
from testevo.records.base import read_records, records_so_far
from testevo.records.tasks import Task, Track
from testevo.revisions.workspace import Workspace
from testevo.sandboxes.sandboxes import sandbox_of
from tests.model_server.script import Fault, Run, Say, Script, Step, Write
from tests.model_server.server import ModelServer, serving

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

CHECKED = Run("./.testevo/compile && ./.testevo/run-test")


@dataclass(frozen=True)
class Solved(Snapshot):
    """Runs of `testevo solve` in `folder`."""

    dataset: Path
    cache: Path

    @property
    def layout(self) -> Layout:
        return Layout(self.folder / "out")

    def command(self, address: str, *more: str, names: tuple[str, ...] = (), **solving: Any) -> list[str]:
        """The command of a user, after writing the configuration."""
        given = configuration(address, self.cache, CONSENT, *names, **solving)
        (self.folder / "agents.yaml").write_text(yaml.safe_dump(given))
        settings = ("--configuration", "agents.yaml", "--output", "out", "--workers", "1")
        return command_line("solve", "--dataset", str(self.dataset), *settings, *more)

    def runs(self, system: str = "scripted") -> dict[str, AgentRun]:
        files = sorted((self.layout.root / "solve" / system).glob("*+*.jsonl"))
        return {run.task_id: run for file in files for run in read_records(file, AgentRun)}


@pytest.fixture
def solved(mined: Snapshot, shared_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Solved:
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    return Solved(tmp_path, mined.layout.dataset, shared_cache)


def of_track(dataset: Path, track: Track) -> Task:
    return next(task for task in open_dataset(dataset).tasks if task.track is track)


@contextmanager
def model(scripts: Mapping[str, Script | Sequence[Script]]) -> Iterator[ModelServer]:
    with serving(ModelServer(scripts)) as served:
        yield served


def test_a_system_solves_tasks_of_both_tracks_and_its_predictions_are_graded(solved: Solved) -> None:
    """The developer's files, by way of an agent: success everywhere; what was spent is in the grades."""
    tasks = open_dataset(solved.dataset).tasks
    both = [of_track(solved.dataset, track) for track in Track]
    scripts = {**developers_scripts(solved.dataset, tasks), **developers_scripts(solved.dataset, both, CHECKED)}
    with model(scripts) as served:
        finished = solved.run(solved.command(served.address))
        assert finished.returncode == 0, finished.stderr
        asked = len(served.served)
        again = solved.run(solved.command(served.address))
        assert again.returncode == 0 and len(served.served) == asked, "a finished run was made again"
    runs = solved.runs()
    assert {run.task_id for run in runs.values()} == {task.task_id for task in tasks}
    assert {run.status for run in runs.values()} == {RunStatus.FINISHED}, [run.reason for run in runs.values()]
    checked = [solved.layout.root / "solve/scripted" / runs[task.task_id].trajectory for task in both]
    for place in checked:
        events = (place / "events.jsonl").read_text()
        assert "NOT PASSED" not in events and events.count("passed: ") >= 1, events
    assert all(run.usage.calls >= 2 and run.usage.cost_usd and run.cpu_s > 0 for run in runs.values())
    assert not [run for run in runs.values() if run.outside or run.findings]
    predictions = solved.layout.root / "solve/scripted/predictions.jsonl"
    settings = ("--configuration", "agents.yaml", "--output", "graded", "--workers", "1", "--no-mutation")
    graded = solved.run(
        command_line("evaluate", "--dataset", str(solved.dataset), "--predictions", str(predictions), *settings)
    )
    assert graded.returncode == 0, graded.stderr
    report = json.loads((solved.folder / "graded/evaluate/scripted/report.json").read_bytes())
    assert report["resolved_instances"] == len(tasks)


def test_attempts_are_graded_once_each_and_apart(solved: Solved) -> None:
    """The first changes nothing, the second is the developer's: the summary is of the first, pass@2 of both."""
    task = of_track(solved.dataset, Track.UPDATE)
    [gold] = developers_scripts(solved.dataset, [task]).values()
    with model({asked_of(task): (Script((Say("I give up."),)), gold)}) as served:
        finished = solved.run(solved.command(served.address, "--task", task.task_id, attempts=2))
    assert finished.returncode == 0, finished.stderr
    predictions = solved.layout.root / "solve/scripted/predictions.jsonl"
    assert [json.loads(line)["model_name_or_path"] for line in predictions.read_text().splitlines()] == [
        "scripted",
        "scripted@2",
    ]
    settings = ("--configuration", "agents.yaml", "--output", "graded", "--workers", "1", "--no-mutation")
    choice = ("--predictions", str(predictions), "--task", task.task_id)
    graded = solved.run(command_line("evaluate", "--dataset", str(solved.dataset), *choice, *settings))
    assert graded.returncode == 0, graded.stderr
    assert "scripted: Success, pass@2 100.0" in graded.stdout
    report = json.loads((solved.folder / "graded/aggregate/report.json").read_bytes())
    assert [(one["system"], one["macro"]["success"]["value"]) for one in report["summaries"]] == [("scripted", 0.0)]
    points = {(one["key"], one["k"]): one for one in report["tracks"]["update"]["attempts"]}
    assert [points["success", k]["pass_at_k"]["estimate"] for k in (1, 2)] == [0.5, 1.0]
    assert [points["resolved", k]["attempt_at_k"] for k in (1, 2)] == [0.0, 1.0]


def test_a_killed_command_resumes_and_pays_no_finished_run_twice(solved: Solved) -> None:
    tasks = open_dataset(solved.dataset).tasks
    journals = solved.layout.root / "journals/solve"

    def ended() -> int:
        return sum(len(file.read_bytes().splitlines()) for file in journals.glob("*@scripted.jsonl"))

    with model(developers_scripts(solved.dataset, tasks)) as served:
        child = solved.start(solved.command(served.address))
        wait_until(lambda: ended() >= 2, child)
        signal_group(child, signal.SIGKILL)
        before = ended()
        paid = len(served.served)
        finished = solved.run(solved.command(served.address))
        assert finished.returncode == 0, finished.stderr
        left = len(tasks) - before
        assert len(served.served) <= paid + 2 * left
    assert {run.status for run in solved.runs().values()} == {RunStatus.FINISHED}
    assert len(solved.runs()) == len(tasks)


Opened = tuple[DatasetHistories, Workspace, Task]
ENDINGS: dict[str, tuple[Script, dict[str, Any], RunStatus, int]] = {
    "tokens": (Script((Run("true"),)), {"tokens": 2500}, RunStatus.TOKENS, 3),
    "cost": (Script((Run("true"),), input_tokens=10**6), {"cost_usd": 0.3}, RunStatus.COST, 2),
    "calls": (Script((Run("true"),)), {"calls": 4}, RunStatus.CALLS, 4),
    "seconds": (Script((Run("sleep 60"),)), {"seconds": 3}, RunStatus.SECONDS, 1),
    "program": (Script((Run("kill -9 $PPID"),)), {}, RunStatus.FAILED, 1),
    "garbage": (Script((Say("x"),), always=Fault.GARBAGE), {}, RunStatus.INFRASTRUCTURE, 1),
    "429": (Script((Say("x"),), always=Fault.TOO_MANY), {}, RunStatus.INFRASTRUCTURE, 1),
    "500": (Script((Run("true"), Say("x")), faults=((1, Fault.INTERNAL),)), {}, RunStatus.INFRASTRUCTURE, 2),
    "cut": (Script((Say("x"),), always=Fault.CUT), {}, RunStatus.INFRASTRUCTURE, 1),
    "no usage": (Script((Say("x"),), always=Fault.NO_USAGE), {}, RunStatus.FINISHED, 1),
}
"""Script, budget, how a run ends, calls that it makes; by what is wrong."""


@pytest.fixture(scope="module")
def opened(mined: Snapshot, shared_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """The dataset with a workspace of one repository, for single runs."""
    with DatasetHistories(mined.layout.dataset, tmp_path_factory.mktemp("solving")) as histories:
        task = of_track(mined.layout.dataset, Track.UPDATE)
        given = configuration("http://127.0.0.1:9", shared_cache, CONSENT)
        with histories.workspace(task.repository, config_for(histories.dataset, given)) as revisions:
            yield histories, revisions, task


def ended(opened: Opened, folder: Path, script: Script, program: str = "command", **solving: Any) -> AgentRun:
    """One run of a program with a scripted model, on the task of `opened`."""
    histories, revisions, task = opened
    with model({asked_of(task): script}) as served:
        given = configuration(served.address, folder, CONSENT, **{"wait_seconds": 0, **solving})["solving"]
        if program != "command":
            given["systems"]["scripted"] |= {"program": program, "model": PROGRAMS[program], "command": None}
        asked = Solving.model_validate(given)
        system = asked.systems["scripted"]
        solver = Solver(
            name="scripted",
            system=system_named(system.program, Path(os.environ.get(INSTALLED, "")), system.command),
            asked=system,
            solving=asked,
            sandbox=sandbox_of(revisions.config.execution),
            revisions=revisions,
            prices=price_table(date(2026, 12, 1)),
            rate=None,
            runs=folder / "runs",
            scratch=folder / "scratch",
            environment=environment(),
        )
        return solver.solve(Unit(task, 1), histories.target_of(task))


@pytest.mark.parametrize("name", ENDINGS)
def test_every_limit_and_failure_ends_in_its_record(opened: Opened, tmp_path: Path, name: str) -> None:
    """No run exceeds its tokens, cost, calls or time by more than one call; what spoils a run is told from failing."""
    script, budget, status, calls = ENDINGS[name]
    tries = 1 + (name == "429")
    run = ended(opened, tmp_path, script, budget=budget, tries=tries)
    assert (run.status, run.usage.calls) == (status, calls), run.reason
    assert run.tries == tries == run.spoiled.tries + 1
    assert run.patch is None and not list((tmp_path / "scratch").iterdir())
    assert len(predictions_text([run]).splitlines()) == (status is not RunStatus.INFRASTRUCTURE)
    if name == "seconds":
        assert run.wall_s < 20
    if name == "cost":
        assert run.usage.cost_usd is not None and 0.3 <= run.usage.cost_usd < 0.3 + run.usage.cost_usd / calls + 0.01


REFUSES = Say("I cannot help with that.")
CHAT_ENDINGS: dict[str, tuple[Script, dict[str, Any], RunStatus, int]] = {
    "refuses": (Script((REFUSES,)), {}, RunStatus.FAILED, 5),
    "loops": (Script((Write("T.java", "never a test\n"),)), {"calls": 2}, RunStatus.CALLS, 2),
    "tokens": (Script((REFUSES,)), {"tokens": 2500}, RunStatus.TOKENS, 3),
    "cost": (Script((REFUSES,), input_tokens=10**6), {"cost_usd": 0.3}, RunStatus.COST, 2),
    "seconds": (Script((REFUSES,), always=Fault.SILENT), {"seconds": 3}, RunStatus.SECONDS, 1),
    "garbage": (Script((REFUSES,), always=Fault.GARBAGE), {}, RunStatus.INFRASTRUCTURE, 1),
    "cut": (Script((REFUSES,), faults=((2, Fault.CUT),)), {}, RunStatus.INFRASTRUCTURE, 3),
    "429": (Script((REFUSES,), always=Fault.TOO_MANY), {}, RunStatus.INFRASTRUCTURE, 1),
    "500": (Script((REFUSES,), faults=((1, Fault.INTERNAL),)), {}, RunStatus.INFRASTRUCTURE, 2),
}
"""The same of the plain chat loop, which gives up after five answers."""


@pytest.mark.parametrize("name", CHAT_ENDINGS)
def test_every_failure_of_the_model_ends_a_chat_loop_in_its_record(opened: Opened, tmp_path: Path, name: str) -> None:
    script, budget, status, calls = CHAT_ENDINGS[name]
    run = ended(opened, tmp_path, script, "chat-loop", budget=budget, tries=1)
    assert (run.status, run.usage.calls) == (status, calls), run.reason
    assert (run.patch is None) == (name != "loops")
    assert len(predictions_text([run]).splitlines()) == (status is not RunStatus.INFRASTRUCTURE)
    made = [one for one in read_records(tmp_path / run.trajectory / "calls.jsonl", ModelCall) if one.refused is None]
    before = reduce(with_call, made[:-1], ModelUsage())
    limits = run.budget
    assert limits.tokens is None or before.input_tokens + before.output_tokens < limits.tokens
    assert limits.cost_usd is None or (before.cost_usd or 0) < limits.cost_usd
    assert limits.calls is None or before.calls < limits.calls
    assert run.usage.calls == len(made) == before.calls + 1


INSTALLED = "TESTEVO_AGENTS"
PROGRAMS = {
    "claude-code": "claude-haiku-4-5",
    "gemini-cli": "gemini-2.5-flash",
    "codex": "gpt-5-mini",
    "mini-swe-agent": "openai/gpt-5-mini",
    "aider": "openai/deepseek-chat",
    "chat-loop": "gpt-5-mini",
}
"""Programs, each with a model whose edits it reads as the scripted model writes them."""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_real_program_solves_a_task_in_the_sandbox(opened: Opened, tmp_path: Path, program: str) -> None:
    """It edits, compiles and runs the test inside; its events, tokens and cost are in the record."""
    if program != "chat-loop" and INSTALLED not in os.environ:
        pytest.skip(f"installed programs are needed: set {INSTALLED} to their folder (docs/agents.md)")
    histories, _, task = opened
    gold = histories.target_of(task).gold.decode()
    solve = Run(f"cat >{task.test_file} <<'END_OF_FILE'\n{gold}END_OF_FILE\n{CHECKED.command}")
    script = Script((solve, Say("Done.")))
    if program in ("aider", "chat-loop"):  # they run the tests by themselves
        script = Script((Write(task.test_file, gold),))
    run = ended(opened, tmp_path, script, program)
    assert (run.status, run.program) == (RunStatus.FINISHED, program), run.reason
    assert run.patch is not None and run.usage.calls and run.usage.cost_usd
    events = (tmp_path / run.trajectory / "events.jsonl").read_text()
    assert "passed: " in events and "NOT PASSED" not in events, events


def test_the_record_has_the_cost_of_spoiled_tries(opened: Opened, tmp_path: Path) -> None:
    """The first try pays one call before the address fails; the prediction has the cost, tokens and time of both."""
    script = Script((Run("true"), Say("x")), faults=((1, Fault.INTERNAL),))
    run = ended(opened, tmp_path, script, tries=3)
    one = price_table(date(2026, 12, 1)).cost(MODEL, Tokens(input=1000, cached_input=200, output=50))
    assert (run.status, run.tries, run.usage.calls, run.spoiled.tries) == (RunStatus.FINISHED, 2, 2, 1)
    assert (run.spoiled.usage.calls, run.spoiled.usage.failed_calls) == (2, 1)
    assert one is not None and run.usage.cost_usd == pytest.approx(2 * one)
    assert run.spoiled.usage.cost_usd == pytest.approx(one)
    line = json.loads(predictions_text([run]))
    assert (line["tokens_in"], line["tokens_out"]) == (3000, 150) and line["cost_usd"] == pytest.approx(3 * one)
    assert line["wall_s"] == pytest.approx(run.wall_s + run.spoiled.wall_s) and run.spoiled.wall_s > 0
    last, every = csv.DictReader(io.StringIO(usage_table([run])))
    assert (last["of"], last["tries"], last["input_tokens"]) == ("last tries", "1", "2000")
    assert (every["of"], every["tries"], every["input_tokens"]) == ("all tries", "2", "3000")
    assert float(every["cost_usd"]) == pytest.approx(3 * one, abs=1e-6)


def test_a_spoiled_run_is_made_again_by_the_next_command(solved: Solved) -> None:
    """Its record has what the commands before have paid."""
    task = of_track(solved.dataset, Track.UPDATE)
    script = Script((Run("true"), Say("x")), faults=((1, Fault.INTERNAL),))
    with model({asked_of(task): script}) as served:
        for status in (RunStatus.INFRASTRUCTURE, RunStatus.FINISHED):
            finished = solved.run(solved.command(served.address, "--task", task.task_id, tries=1))
            assert finished.returncode == 0, finished.stderr
            [run] = solved.runs().values()
            assert run.status is status
    assert (run.tries, run.spoiled.usage.input_tokens, run.usage.input_tokens) == (2, 1000, 2000)
    assert "3150 tokens" in finished.stdout and "in spoiled tries" in finished.stdout


TRIES = {
    FindingKind.GIT_OBJECTS: (
        "git log --all --oneline | wc -l",
        "git reflog",
        "cat .git/objects/info/alternates",
        "find .git -name '*.pack'; git fsck --lost-found; git cat-file --batch-all-objects --batch-check | wc -l",
        "git remote -v; git tag; git stash list",
    ),
    FindingKind.DATASET: (
        "find / -name '*.bundle' -o -name generation.jsonl -o -name negatives.jsonl 2>/dev/null",
        "ls {dataset} {cache}/models; cat {dataset}/update.jsonl",
        "cat ~/testevo/package/dataset/answers/update.jsonl",
    ),
    FindingKind.NEWER_ARTIFACTS: (
        "find / -name '*-test-sources.jar' 2>/dev/null",
        "find / -path '*/repository/*' -name '*.jar' 2>/dev/null | grep -E '/(bank|hello|worlds)/'",
    ),
    FindingKind.SECRETS: ("env", "cat /proc/*/environ | tr '\\0' '\\n' | grep KEY"),
    FindingKind.NETWORK: (
        "getent hosts example.org; curl -m 3 https://example.org",
        "python3 -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 2)'",
        "git clone https://example.org/x.git /tmp/x",
    ),
}


@pytest.mark.skipif(CONSENT == "none", reason="no sandbox that isolates files works here")
def test_a_run_that_looks_for_the_answer_finds_nothing_and_is_told(solved: Solved) -> None:
    task = of_track(solved.dataset, Track.GENERATION)
    places = {"dataset": solved.dataset, "cache": solved.cache}
    tries = {text.format(**places): kind for kind, texts in TRIES.items() for text in texts}
    edits = (Run("echo x >> pom.xml"), Run("rm -r .git && git init -q . && echo hidden"))
    steps: tuple[Step, ...] = (*map(Run, tries), *edits, Say("Done."))
    with model({asked_of(task): Script(steps)}) as served:
        finished = solved.run(solved.command(served.address, "--task", task.task_id))
        said = [str(content) for _, _, content in served.served]
    assert finished.returncode == 0, finished.stderr
    [run] = solved.runs().values()
    place = solved.layout.root / "solve/scripted" / run.trajectory
    events = [json.loads(line) for line in (place / "events.jsonl").read_text().splitlines()]
    output = {event["text"]: event["output"] for event in events if event["kind"] == "command"}
    by_event = {(finding.event, finding.kind) for finding in run.findings}
    for number, (text, kind) in enumerate(tries.items(), 1):
        assert (number, kind) in by_event, text
    found = "".join(output.values())
    gold = [one.new_source for one in task.tests]
    assert not [source for source in gold if source in found]
    assert task.new_revision not in found and task.old_revision not in found and task.new_revision[:10] not in found
    assert os.environ["TESTEVO_TEST_KEY"] not in found and not [one for one in said if "TESTEVO_TEST_KEY" in one]
    first, *others = (output[text] for text, kind in tries.items() if kind is FindingKind.GIT_OBJECTS)
    assert first.strip() == "1"
    assert not others[0].strip().splitlines()[1:], "the reflog knows more than one commit"
    assert ".pack" not in others[2] and "No such file" in others[1] and not others[3].strip()
    assert str(solved.dataset) not in output[next(iter(text for text in tries if ".bundle" in text))]
    kinds = {finding.kind for finding in run.findings}
    assert {FindingKind.CANARY, FindingKind.OUTSIDE_EDIT} <= kinds
    assert [(edit.path, edit.change) for edit in run.outside] == [("pom.xml", "changed")]
    assert run.patch is None
    rows = (solved.layout.root / "solve/scripted/findings.csv").read_text().splitlines()
    assert "scripted,canary,1,1,1" in rows


def test_a_workflow_plans_the_program_and_the_repositories_of_selected_tasks(solved: Solved, tmp_path: Path) -> None:
    """A program is installed before its first run; no job is planned for a repository without a selected task."""
    task = of_track(solved.dataset, Track.UPDATE)
    given = configuration("http://127.0.0.1:9", solved.cache, CONSENT, programs=str(tmp_path / "programs"))
    given["solving"]["systems"]["scripted"] |= {"program": "codex", "command": None}
    given |= {"evaluation": {"dataset": str(solved.dataset), "tasks": task.task_id}}
    (solved.folder / "snapshot.yaml").write_text(yaml.safe_dump(given))
    for installed in (False, True):
        if installed:
            (tmp_path / "programs/codex").mkdir(parents=True)
            (tmp_path / "programs/codex/installed.lock").touch()
        planned = solved.run(solved.workflow("solve", "--dry-run"))
        assert planned.returncode == 0, planned.stderr
        jobs = dict(re.findall(r"^(\w+) +(\d+)$", planned.stdout, re.MULTILINE))
        assert jobs.get("install_program") == (None if installed else "1"), planned.stdout
        assert (jobs["solve_repository"], jobs["solve_predictions"]) == ("1", "1")


def test_a_dry_run_tells_the_price_and_runs_nothing(solved: Solved) -> None:
    finished = solved.run(solved.command("http://127.0.0.1:9", "--dry-run", names=("one", "two"), attempts=2))
    assert finished.returncode == 0, finished.stderr
    tasks = len(open_dataset(solved.dataset).tasks)
    assert finished.stdout.count(f"  {2 * tasks}  0  ") == 2 and "US dollars" in finished.stdout
    assert not solved.layout.root.exists()


def test_what_cannot_be_solved_is_refused_with_a_word(solved: Solved, monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = solved.run(solved.command("http://127.0.0.1:9", "--system", "other"))
    assert "other" in one_message(unknown, 7)
    monkeypatch.delenv("TESTEVO_TEST_KEY")
    task = of_track(solved.dataset, Track.UPDATE)
    without = solved.run(solved.command("http://127.0.0.1:9", "--task", task.task_id))
    assert "TESTEVO_TEST_KEY is not set" in one_message(without, 3)
    assert records_so_far(solved.layout.of_system("scripted", task.slug).runs, AgentRun) == []
