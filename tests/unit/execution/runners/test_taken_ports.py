"""A test that serves a port does not fail because another run serves it, where runs share the network."""

import multiprocessing
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import pytest

from testevo.builds.engine import BuiltTree
from testevo.config.model import Execution
from testevo.execution.runner import Limits
from testevo.execution.runners.console_launcher import ConsoleLauncher
from testevo.execution.runners.maven_tests import UnconfinedMaven
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.stopwatch import end_profile, read_profile, start_profile
from testevo.sandboxes.sandboxes import sandbox_named

MakeTree = Callable[..., BuiltTree]
T = TypeVar("T")
RUNS = 2
SERVER = """package a;
import java.io.File;
import java.net.ServerSocket;
import org.junit.Test;
public class ServerTest {{
  @Test public void serves() throws Exception {{
    File starts = new File("{starts}");
    File.createTempFile("start", "", starts);
    try (ServerSocket server = new ServerSocket({port})) {{
      for (int tenths = 0; tenths < 200 && starts.list().length < {runs}; tenths++) Thread.sleep(100);
      Thread.sleep(1000);
    }}
  }}
}}
"""
KEY = TestKey(module="", path="src/test/java/a/ServerTest.java", type_name="a.ServerTest", name="serves")


@dataclass(frozen=True)
class Served:
    """A test that holds a port until a second run of it has started."""

    tree: BuiltTree
    port: int
    folder: Path

    def outcome(self, number: int) -> Outcome:
        return self._runner(number).run_method(self.tree, KEY).outcome

    def outcome_in_suite(self, number: int) -> Outcome:
        [test] = self._runner(number).run_suite(self.tree).tests
        return test.outcome

    def passes_in_console(self, number: int) -> bool:
        execution = Execution(sandbox="none", method_seconds=60)
        return ConsoleLauncher(execution, self.folder / f"work-{number}").passes(self.tree, KEY)

    def _runner(self, number: int) -> OneShotRunner:
        return OneShotRunner(self.folder / f"work-{number}", Limits(method_seconds=60), sandbox_named("none"))


@pytest.fixture
def served(make_tree: MakeTree, tmp_path: Path, launcher: None) -> Served:
    starts = tmp_path / "starts"
    starts.mkdir()
    with closing(socket.socket()) as probe:
        probe.bind(("", 0))
        port = int(probe.getsockname()[1])
    source = SERVER.format(starts=starts, port=port, runs=RUNS)
    return Served(make_tree({"a/ServerTest.java": source}, framework="junit4"), port, tmp_path)


def at_once(run: Callable[[int], T]) -> list[T]:
    with ProcessPoolExecutor(RUNS, multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(run, range(RUNS)))


def test_two_runs_of_a_test_that_serves_a_port_both_pass(served: Served) -> None:
    assert at_once(served.outcome) == [Outcome.PASSED] * RUNS


def test_so_they_do_in_suites(served: Served) -> None:
    assert at_once(served.outcome_in_suite) == [Outcome.PASSED] * RUNS


def test_so_they_do_in_the_console_launcher(served: Served) -> None:
    assert at_once(served.passes_in_console) == [True] * RUNS


def test_a_port_that_something_else_serves_stays_taken(served: Served) -> None:
    """Nothing waits for it for ever, and the test says what it found."""
    with closing(socket.socket()) as other:
        other.bind(("", served.port))
        other.listen()
        run = OneShotRunner(served.folder / "work", Limits(), sandbox_named("none")).run_method(served.tree, KEY)
    assert (run.outcome, run.exception) == (Outcome.EXCEPTION, "java.net.BindException")
    assert len(list((served.folder / "starts").iterdir())) == 2, "it is tried once more"


MAVEN = """
import pathlib, sys
runs = pathlib.Path({runs!r})
number = len(runs.read_text()) if runs.exists() else 0
runs.write_text("." * (number + 1))
reports = pathlib.Path("target/surefire-reports")
assert not list(reports.glob("*")), "reports of an earlier run"
reports.mkdir(parents=True, exist_ok=True)
reports.joinpath("TEST-a.T.xml").write_text({reported!r} if number == 0 else "fine")
print({said!r} if number == 0 else "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0")
"""
FAILED = "Tests run: 3, Failures: 0, Errors: 1, Skipped: 0"


@pytest.mark.parametrize(
    ("said", "reported", "runs"),
    [
        (f"Caused by: java.net.BindException: Address in use\n{FAILED}", "", 2),
        (FAILED, "Web server failed to start. Port 8080 was already in use.", 2),
        (FAILED, "java.lang.AssertionError", 1),
        ("java.net.BindException, as it must\nTests run: 3, Failures: 0, Errors: 0, Skipped: 0", "", 1),
    ],
)
def test_maven_runs_again_where_tests_failed_for_a_port(
    said: str, reported: str, runs: int, make_tree: MakeTree, tmp_path: Path
) -> None:
    program, counted = tmp_path / "mvn.py", tmp_path / "runs"
    program.write_text(MAVEN.format(runs=str(counted), said=said, reported=reported))
    tree = make_tree({})
    folder = tree.checkout.folder
    built = replace(tree, maven=(sys.executable, str(program)), maven_folder=folder)
    start_profile(tmp_path / "profile.jsonl")
    with UnconfinedMaven().run(built, [], 60) as tested:
        assert tested.finished.ok
        assert (b"Errors: 1" in tested.finished.stdout) == (runs == 1 and FAILED in said)
    assert len(counted.read_text()) == runs
    end_profile()
    profile = read_profile(tmp_path / "profile.jsonl")
    assert profile is not None and profile.work["test JVMs"].times == runs
