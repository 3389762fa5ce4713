"""Kinds of flaky tests, and the axis of repeated runs that finds each (TEB-X15)."""

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.project.jdks import find_jdks
from testevo.execution import variation
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.variation import AS_IT_IS, Variation, next_jdk
from testevo.records.evidence.stability import Axis
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

MakeTree = Callable[..., BuiltTree]
pytestmark = [pytest.mark.maven, pytest.mark.usefixtures("launcher")]

TESTS = """
@Test public void zone() {
  assertEquals("00:00", new java.text.SimpleDateFormat("HH:mm").format(new java.util.Date(0))); }
@Test public void locale() { assertEquals("1.5", String.format("%.1f", 1.5)); }
@Test public void hash() {
  boolean rise = true;
  for (int i = 0, last = 0; i < 12; i++) { int next = new Object().hashCode(); rise &= next > last; last = next; }
  assertFalse(rise); }
@Test public void load() {
  long start = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(), sum = 0;
  for (int i = 0; i < 200_000_000; i++) sum += i ^ sum >>> 3;
  long taken = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
  assertTrue(sum + " " + taken, taken < 400_000_000L); }
@Test public void chance() { assertTrue(System.nanoTime() / 64 % 2 == 0); }
@Test public void jdk() { assertEquals("JDK", System.getProperty("java.specification.version")); }
@Test public void date() { assertTrue(System.currentTimeMillis() < TOMORROW); }
"""
SHARED = """
static int calls;
@Test public void aFirst() throws Exception { calls++; java.nio.file.Files.write(LEFT, new byte[0]); }
@Test public void order() { assertEquals(0, calls); }
@Test public void files() { assertFalse(java.nio.file.Files.exists(LEFT)); }
@Test public void zLast() throws Exception { calls++; java.nio.file.Files.write(LEFT, new byte[0]); }
static final java.nio.file.Path LEFT = java.nio.file.Paths.get("left-over");
"""
STARTS = {
    "junit4": "import org.junit.*;\nimport static org.junit.Assert.*;\n",
    "platform": "import org.junit.jupiter.api.*;\nimport static org.junit.jupiter.api.Assertions.*;\n",
}


def tree_of(make_tree: MakeTree, framework: str, body: str) -> BuiltTree:
    source = f"package a;\n{STARTS[framework]}public class FlakyTest {{\n{body}\n}}\n"
    return make_tree({"a/FlakyTest.java": source}, framework=framework)


def passes(runner: OneShotRunner, tree: BuiltTree, name: str, varied: Variation = AS_IT_IS) -> bool:
    test = TestKey(module="", path="src/test/java/a/FlakyTest.java", type_name="a.FlakyTest", name=name)
    outcome = runner.run_method(tree, test, None, varied).outcome
    assert outcome in (Outcome.PASSED, Outcome.ASSERTION_FAILED)
    return outcome is Outcome.PASSED


@pytest.fixture
def runner(tmp_path: Path) -> OneShotRunner:
    return OneShotRunner(tmp_path / "work", Limits(method_seconds=60, suite_seconds=60), jdks=find_jdks())


@pytest.fixture
def tree(make_tree: MakeTree) -> BuiltTree:
    """Tests that pass where nothing is varied, but `chance`."""
    jdk = tree_of(make_tree, "junit4", "").jdk
    given = {"TOMORROW": f"{int(time.time() + 86400)}000L", "JDK": str(jdk.feature)}
    return tree_of(make_tree, "junit4", re.sub("TOMORROW|JDK", lambda found: given[found.group()], TESTS))


@pytest.mark.parametrize(
    ("axis", "found_by"), [(Axis.TIME_ZONE, (1, 2)), (Axis.LOCALE, (1, 2)), (Axis.HASH, (1,)), (Axis.LOAD, (1,))]
)
def test_a_test_that_depends_on_an_axis_fails_in_every_run_that_varies_it(
    runner: OneShotRunner, tree: BuiltTree, axis: Axis, found_by: tuple[int, ...]
) -> None:
    name = {Axis.TIME_ZONE: "zone"}.get(axis, axis.value)
    others = tuple(one for one in (Axis.TIME_ZONE, Axis.LOCALE, Axis.HASH) if one is not axis)
    assert passes(runner, tree, name)
    assert passes(runner, tree, name, Variation(others, 1))
    assert not any(passes(runner, tree, name, Variation((axis,), number)) for number in found_by)


@pytest.mark.parametrize("framework", ["junit4", "platform"])
def test_what_other_tests_leave_behind_shows_in_another_order(
    runner: OneShotRunner, make_tree: MakeTree, framework: str
) -> None:
    """State in memory and files, left by tests that an engine would run before or after."""
    shared = tree_of(make_tree, framework, SHARED)
    for name in ("order", "files"):
        assert passes(runner, shared, name)
        assert not passes(runner, shared, name, Variation((Axis.ORDER,), 1))
    assert passes(runner, shared, "aFirst", Variation((Axis.ORDER,), 1))


def test_chance_shows_in_as_many_runs_as_its_power_says(runner: OneShotRunner, tree: BuiltTree) -> None:
    """It fails in half the runs; 40 runs all end alike with a probability of 1 in 500 billion."""
    outcomes: set[bool] = set()
    for number in range(40):
        outcomes.add(passes(runner, tree, "chance", Variation((), number)))
        if len(outcomes) == 2:
            return
    pytest.fail("all runs end alike")


def test_a_test_of_one_jdk_fails_on_the_next(runner: OneShotRunner, tree: BuiltTree) -> None:
    if next_jdk(tree.jdk, find_jdks()) is None:
        pytest.skip("no newer JDK on this machine")
    assert passes(runner, tree, "jdk")
    assert not passes(runner, tree, "jdk", Variation((Axis.JDK,), 1))


def test_a_test_of_today_fails_on_another_day(runner: OneShotRunner, tree: BuiltTree) -> None:
    if variation.libfaketime() is None:
        pytest.skip("libfaketime is not installed")
    assert passes(runner, tree, "date")
    assert not passes(runner, tree, "date", Variation((Axis.DATE,), 1))


def test_a_first_run_varies_nothing_and_each_run_has_a_name() -> None:
    every = tuple(Axis)
    assert replace(AS_IT_IS, axes=every).options(find_jdks()[0]) == [] == list(Variation(every).variables)
    assert [Variation(every[:2], number).key for number in (0, 1)] == ["0", "1+time_zone+locale"]
