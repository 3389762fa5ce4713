"""JVMs started ahead of the next run: as fresh as any, and gone with their launcher (design section 5)."""

import gc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psutil
import pytest

from testevo.build.engine import BuiltTree
from testevo.execution import jvm
from testevo.execution.mounts import Confinement
from testevo.execution.one_shot import OneShotRunner
from testevo.execution.runner import Limits
from testevo.execution.sandbox import Bubblewrap, Command, NoSandbox, Waiting, bubblewrap_works
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

pytestmark = [
    pytest.mark.maven, pytest.mark.usefixtures("launcher"),
    pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine"),
]

MakeTree = Callable[..., BuiltTree]
TESTS = """package a;
import org.junit.*;
import static org.junit.Assert.*;
import java.io.*;
public class FreshTest {
  static int runs;
  @Test public void leaves() throws Exception {
    assertEquals(1, ++runs);
    assertNull(System.setProperty("left", "here"));
    assertTrue(new File("left").createNewFile());
    assertTrue(new File(System.getProperty("java.io.tmpdir"), "left").createNewFile());
    System.out.println("said");
  }
  @Test public void quiet() { assertEquals(1, ++runs); }
  @Test public void fails() { fail("as it should"); }
  @Test public void exits() { Runtime.getRuntime().halt(3); }
}
"""


class Counting(Bubblewrap):
    """Knows how many JVMs were started ahead."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 0

    def start_ahead(
        self, command: Command, confinement: Confinement, environment: Mapping[str, str], key: bytes
    ) -> Waiting:
        self.ahead += 1
        return super().start_ahead(command, confinement, environment, key)


@pytest.fixture
def tree(make_tree: MakeTree) -> BuiltTree:
    return make_tree({"a/FreshTest.java": TESTS}, framework="junit4")


@pytest.fixture(autouse=True)
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else this machine does."""
    monkeypatch.setattr(jvm, "is_a_core_idle", lambda: True)


@pytest.fixture
def sandbox() -> Iterator[Counting]:
    yield Counting()
    gc.collect()
    assert waiting() == []


def waiting() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "bwrap" in child.name()]


def outcome(runner: OneShotRunner, tree: BuiltTree, name: str) -> Outcome:
    return runner.run_method(tree, TestKey(module="", path="", type_name="a.FreshTest", name=name)).outcome


def test_runs_of_a_kind_find_a_jvm_that_waits_and_nothing_else(
    tree: BuiltTree, sandbox: Counting, tmp_path: Path
) -> None:
    """From the third on; no state, property or file of another run is in it, and its output is its own."""
    runner = OneShotRunner(tmp_path / "work", Limits(method_seconds=60), sandbox)
    names = ["quiet", "quiet", "leaves", "leaves", "quiet", "fails", "exits", "leaves"]
    assert [outcome(runner, tree, name) for name in names] == [
        *[Outcome.PASSED] * 5, Outcome.ASSERTION_FAILED, Outcome.CRASHED, Outcome.PASSED]
    assert sandbox.ahead == 5, "not for the first, nor for those that get a new working folder after `leaves`"
    assert len(waiting()) == 1
    said = runner.run_method(tree, TestKey(module="", path="", type_name="a.FreshTest", name="leaves"))
    assert said.stdout_bytes == b"said\n"
    assert not list((tmp_path / "work").glob("run-*/tmp/left"))


def test_another_tree_gets_a_jvm_of_its_own(
    tree: BuiltTree, make_tree: MakeTree, sandbox: Counting, tmp_path: Path
) -> None:
    """What waits for a run of the first tree ends; two runs in a row make a third expected."""
    other = make_tree({"a/FreshTest.java": TESTS.replace("quiet() {", "quiet() { fail();")}, framework="junit4",
                      name="other")  # fmt: skip
    runner = OneShotRunner(tmp_path / "work", Limits(method_seconds=60), sandbox)
    order = [tree, tree, other, tree, other, other]
    expected = [Outcome.PASSED if one is tree else Outcome.ASSERTION_FAILED for one in order]
    assert [outcome(runner, one, "quiet") for one in order] == expected
    assert sandbox.ahead == 2


def test_no_core_that_is_idle_and_no_sandbox_that_keeps_runs_apart_start_nothing_ahead(
    tree: BuiltTree, sandbox: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a sandbox a test could reach the JVM that waits beside it."""
    unconfined = OneShotRunner(tmp_path / "unconfined", Limits(method_seconds=60), NoSandbox())
    assert [outcome(unconfined, tree, "quiet") for _ in range(3)] == [Outcome.PASSED] * 3
    assert not [child for child in psutil.Process().children() if "java" in child.name()]
    monkeypatch.setattr(jvm, "is_a_core_idle", lambda: False)
    busy = OneShotRunner(tmp_path / "busy", Limits(method_seconds=60), sandbox)
    assert [outcome(busy, tree, "quiet") for _ in range(3)] == [Outcome.PASSED] * 3
    assert sandbox.ahead == 0
