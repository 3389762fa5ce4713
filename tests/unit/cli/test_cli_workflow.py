"""Following the workflow: what is shown while it runs, and what is said when it fails."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import pytest

from testevo.cli.mining.display import Pace, in_words, stages_at_work, whole_left
from testevo.cli.mining.mine import longest
from testevo.cli.mining.rejected import require_history, retried_files
from testevo.cli.mining.workflow import failure, follow, refused_cache, run_workflow
from testevo.config.snapshot.layout import Layout
from testevo.execution.journal import Journal
from testevo.records.base import write_records
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.records.verdicts import BuildOutcome, BuildVerdict
from testevo.runtime.errors import ExitStatus, MachineError, UserError
from testevo.runtime.processes.progress import note
from tests.ended_processes import is_gone


def said(log: Path) -> str:
    """What Snakemake says of a failed job."""
    return (
        "RuleException:\nCommand 'x' returned non-zero exit status 3.\nError in rule build_check:\n    message: None\n"
        f"    log: {log} (check log file(s) for error details)\n    shell:\n        x\n"
    )


def test_a_failed_job_speaks_through_its_own_message(tmp_path: Path) -> None:
    """The message of the log, the stage, the history, the log's place, the job's status."""
    log = tmp_path / "owner+name.log"
    log.write_text("commits checked: 0 of 2\nerror: The thing is broken. Fix it.\n")
    error = failure(1, said(log))
    assert str(error) == f"build_check of owner/name: The thing is broken. Fix it.\nIts log is {log}."
    assert error.status is ExitStatus.INPUT


def test_a_failure_without_a_message_shows_the_end_of_the_log(tmp_path: Path) -> None:
    """A bug's traceback is not hidden, and the log is named."""
    log = tmp_path / "owner+name.log"
    log.write_text("Traceback (most recent call last):\nValueError: strange\n")
    error = failure(1, said(log))
    assert str(log) in str(error) and "ValueError: strange" in str(error) and error.status is ExitStatus.MACHINE


def test_a_refused_configuration_keeps_its_message_and_status() -> None:
    """What the Snakefile itself refuses is passed on without Snakemake's words."""
    error = failure(2, "Using profile x\nerror: there is no world x. Change it.\n")
    assert str(error) == "there is no world x. Change it." and error.status is ExitStatus.USAGE


def test_histories_of_others_go_before_embedded_ones(tmp_path: Path) -> None:
    """Embedded histories are short; alone, either kind needs no order."""
    one = Repository(name="commons-cli/commons-cli", source=SourceKind.RELEASES, address="x")
    embedded = Repository(name="worlds/shapes", source=SourceKind.WORLDS, address="y")
    files = [Layout(tmp_path).of_repository(repository.slug) for repository in (one, embedded)]
    assert longest([one, embedded], files) == [files[0].measured]
    assert longest([embedded], files[1:]) == longest([one], files[:1]) == []


def test_the_display_names_stages_at_work_and_forgets_old_runs(tmp_path: Path) -> None:
    """A line per stage that has items left; what a killed run left behind is not shown."""
    layout = Layout(tmp_path)
    files = layout.of_repository("a+b")
    note(files.progress("clone"), "things", 3, 3)
    note(files.progress("build_check"), "commits checked", 1, 2)
    note(files.progress("instrument"), "pairs instrumented", 0, 2)
    os.utime(files.progress("instrument"), (1, 1))
    (stage,) = stages_at_work(layout, time.time() - 60, Pace(), 0)
    assert stage.words() == "build_check a/b: 1 of 2 commits checked" and whole_left([stage]) == ""


def test_the_time_left_follows_from_what_was_done_since(tmp_path: Path) -> None:
    """Items that an earlier run had done say nothing of the pace; the whole run takes at least the slowest stage."""
    layout, pace = Layout(tmp_path), Pace()
    builds, calls = (layout.of_repository("a+b").progress(stage) for stage in ("build_check", "instrument"))
    note(builds, "commits checked", 90, 100)
    note(calls, "pairs instrumented", 0, 40)
    assert [one.left for one in stages_at_work(layout, 0, pace, 1000)] == [None, None]
    note(builds, "commits checked", 92, 100)
    note(calls, "pairs instrumented", 1, 40)
    stages = {one.what: one for one in stages_at_work(layout, 0, pace, 1030)}
    assert stages["commits checked"].words().endswith("92 of 100 commits checked, about 2 min left")
    assert stages["pairs instrumented"].left == 30 * 39
    assert whole_left(list(stages.values())) == "at least 20 min left"
    assert [in_words(seconds) for seconds in (59, 61, 5400)] == ["59 s", "1 min", "1.5 h"]


@pytest.mark.parametrize("rejection", RepositoryRejection)
def test_every_rejection_of_a_single_history_has_a_next_step(tmp_path: Path, rejection: RepositoryRejection) -> None:
    """Thing, reason, next step (TEB-M06)."""
    files = Layout(tmp_path).of_repository("a+b")
    write_records(
        files.repository,
        [Repository(name="a/b", source=SourceKind.LIST, address="x", rejection=rejection, detail="it is so")],
    )
    with pytest.raises(UserError, match=r"^a/b cannot be mined: it is so\. [A-Z].+\.$"):
        require_history(files)


def test_a_retry_forgets_only_what_can_be_mended(tmp_path: Path) -> None:
    """Unresolved commits leave the journal, and their file is made again; the others are kept (TEB-M08)."""
    files = Layout(tmp_path).of_repository("a+b")
    outcomes = [BuildOutcome.BUILT, BuildOutcome.DEPENDENCY_UNAVAILABLE]
    verdicts = [BuildVerdict(repository="a/b", revision=one.name, outcome=one, reason="") for one in outcomes]
    with Journal(files.journal("build_check")) as journal:
        for verdict in verdicts:
            journal.put(verdict.revision, {"build": verdict.model_dump(mode="json"), "suite": {}})
    write_records(files.builds, verdicts[:1])
    write_records(files.repository, [Repository(name="a/b", source=SourceKind.LIST, address="x")])
    assert retried_files(files) == []
    write_records(files.builds, verdicts)
    assert retried_files(files) == [files.builds]
    with Journal(files.journal("build_check")) as journal:
        assert len(journal) == 1
    assert [json.loads(line)["key"] for line in files.journal("build_check").read_text().splitlines()] == ["BUILT"]


def test_children_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    """A Maven that goes on after SIGKILL would write into the local repository of the resumed run."""
    script = (
        "from testevo.runtime.processes.processes import run_command\n"
        f"run_command(['sh', '-c', 'echo $$ > {tmp_path}/child; exec sleep 300'])\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script])
    child = tmp_path / "child"
    while not (child.is_file() and child.read_text().strip()):
        assert parent.poll() is None
        time.sleep(0.02)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert is_gone(int(child.read_text()))


def test_what_the_workflow_warns_of_is_passed_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Among all that Snakemake says; nothing else of it is shown but the count of steps."""
    said = "Building DAG of jobs...\nWARNING: the clock of this machine was put back\n1 of 2 steps (50%) done\n"
    lines: deque[str] = deque()
    program = [sys.executable, "-c", f"print({said!r}, end='')"]
    with subprocess.Popen(program, stdout=subprocess.PIPE) as child:
        follow(child, Layout(tmp_path), lines)
    assert [line for line in lines if line] == said.splitlines()
    shown = capfd.readouterr().err.splitlines()
    assert shown == ["WARNING: the clock of this machine was put back", "1 of 2 steps"]


def test_a_home_that_cannot_be_written_is_named_before_the_workflow_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands for a read-only folder, which root may always write."""
    (tmp_path / "home").touch()
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with pytest.raises(MachineError, match=r"home cannot be written.+Set XDG_CACHE_HOME to a folder"):
        run_workflow(tmp_path / "given.yaml", Layout(tmp_path), cores=1)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "elsewhere"))
    assert refused_cache() is None
