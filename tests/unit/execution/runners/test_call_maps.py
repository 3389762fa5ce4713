"""Call maps with the real probe (TEB-M19, X14)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.execution.runner import Limits
from testevo.execution.runners.call_maps import callees, calls_by_test, uninstrumented
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.probe_output import probe_lines
from testevo.execution.verdicts.channel import RunTest
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.files.jars import JARS

MakeTree = Callable[..., BuiltTree]

PRODUCTION = {
    "a/Counter.java": """package a;
import java.util.*;
public class Counter {
  private int count;
  public Counter() { reset(); }
  public void add(int n) { count += n; log(Arrays.asList(n)); }
  public int count() { return count; }
  void reset() { count = 0; }
  private <T extends Comparable<T>> void log(List<T> values) {}
  @Override public boolean equals(Object other) { return other instanceof Counter && ((Counter) other).count == count; }
  @Override public int hashCode() { return count; }
}
"""
}
TESTS = {
    "a/CounterTest.java": """package a;
import org.junit.*;
import java.lang.invoke.MethodHandles;
import java.nio.charset.*;
import static org.junit.Assert.*;
public class CounterTest {
  Counter fixture;
  @Before public void setUp() { fixture = new Counter(); fixture.reset(); }
  @Test public void adds() {
    Counter counter = new Counter(); counter.add(1); counter.add(2); assertEquals(3, counter.count()); }
  @Test public void equalsThroughJUnit() { assertEquals(new Counter(), fixture); }
  @Test public void throughHelper() { fill(fixture); }
  @Test public void fails() { fixture.count(); fail(); }
  @Test public void exits() { fixture.count(); System.exit(3); }
  @Test public void hangs() throws Exception { fixture.count(); Thread.sleep(600000); }
  @Test public void madeClass() throws Exception {
    Charset latin = StandardCharsets.ISO_8859_1; fixture.count();
    byte[] bytes = Counter.class.getResourceAsStream("Counter.class").readAllBytes();
    bytes = new String(bytes, latin).replace("a/Counter", "a/Cuonter").getBytes(latin);
    Class<?> made = MethodHandles.privateLookupIn(Counter.class, MethodHandles.lookup()).defineClass(bytes);
    made.getMethod("hashCode").invoke(made.getConstructor().newInstance()); }
  @Test public void zLast() { fixture.count(); }
  private static void fill(Counter counter) { counter.add(5); }
}
"""
}


def names(found: CallMap, part: str) -> set[str]:
    return {callee.method.name for callee in getattr(found, part)}


def test_callees_of_several_invocations_are_one_list() -> None:
    data = (
        b"".join(
            b'{"class":"a.T","method":"m[%d]","parameters":["java.lang.String"],"direct":[{"class":"a.C","name":"f",'
            b'"descriptor":"(I)V","signature":null,"calls":2,"from_thread":%s,"depth":%d}]}\n' % (n, thread, n)
            for n, thread in ((2, b"true"), (1, b"false"))
        )
        + b'{"class":"a.T","met'
    )
    calls = calls_by_test(probe_lines(data))[RunTest("a.T", "m", ("String",))]
    found = callees(calls["direct"])
    assert [(str(one.method), one.calls, one.depth, one.from_thread) for one in found] == [("a.C#f(int)", 4, 1, False)]


def test_classes_without_calls_are_named() -> None:
    note = (
        b'{"class":"a.Big","method":"","parameters":null,"uninstrumented":"f()V","reason":"the method is too large"}\n'
    )
    lines = list(probe_lines(note + note + b'{"class":"a.T","method":"m"}\n{"cla'))
    assert uninstrumented(lines) == ("a.Big",)
    assert list(calls_by_test(lines)) == [RunTest("a.T", "m")]


CALL = b'{"class":"a.C","name":"f","descriptor":"(I)V","signature":null,"calls":1,"depth":1}'


@pytest.mark.parametrize(
    "written",
    [
        b"[1]",
        b"7",
        b'"uninstrumented"',
        b"{}",
        b'{"class":"a.T","method":"m","direct":[1]}',
        b'{"class":"a.T","method":"m","direct":{"class":"a.C"}}',
        b'{"class":"a.T","method":"m","direct":[%s]}' % CALL.replace(b"(I)V", b"I"),
        b'{"class":"a.T","method":"m","direct":[%s]}' % CALL.replace(b"(I)V", b"(LC)V"),
        b'{"class":"a.T","method":"m","direct":[%s]}' % CALL.replace(b"1}", b"null}"),
        b"[" * 100_000,
        b'{"class":' * 100_000,
        b"\xff\xfe",
    ],
)
def test_lines_that_the_probe_has_not_written_are_nobodys(written: bytes) -> None:
    """Tests run in its JVM: one ended the work on its whole repository by a line of another shape."""
    of_probe = b'{"class":"a.T","method":"other","direct":[%s]}' % CALL
    found = calls_by_test(probe_lines(written + b"\n" + of_probe + b"\n"))
    assert {test.method: len(calls["direct"]) for test, calls in found.items()} == {"other": 1}


@pytest.fixture
def counter(make_tree: MakeTree, launcher: None) -> BuiltTree:
    if not (JARS / "probe.jar").is_file():
        pytest.skip("jvm/lib/probe.jar is not built; run `make setup`")
    return make_tree(TESTS, PRODUCTION, framework="junit4")


def keys(*methods: str) -> list[TestKey]:
    return [
        TestKey(module="", path="src/test/java/a/CounterTest.java", type_name="a.CounterTest", name=name)
        for name in methods
    ]


@pytest.mark.maven
def test_each_test_has_its_direct_callees_and_closure(counter: BuiltTree, tmp_path: Path) -> None:
    runner = OneShotRunner(tmp_path / "work", Limits(method_seconds=60, suite_seconds=120))
    maps = {
        found.test.name: found
        for found in runner.call_maps(
            counter, keys("adds", "equalsThroughJUnit", "throughHelper", "fails", "absent", "madeClass")
        )
    }
    assert names(maps["adds"], "direct") == {"add", "count"}
    assert {callee.method.name: callee.calls for callee in maps["adds"].direct} == {"add": 2, "count": 1}
    assert {"add", "count", "log", "reset"} >= names(maps["adds"], "closure") >= {"add", "count", "log"}
    assert names(maps["equalsThroughJUnit"], "direct") == {"equals"}
    assert names(maps["throughHelper"], "helpers") == {"fill"}
    assert maps["fails"].outcome is Outcome.ASSERTION_FAILED and names(maps["fails"], "direct") == {"count"}
    assert "count" in names(maps["madeClass"], "closure")
    assert {callee.method.type_name for callee in maps["madeClass"].closure} == {"a.Counter"}, "made at run time"
    assert (maps["absent"].outcome, maps["absent"].direct) == (Outcome.NOT_FOUND, ())


@pytest.mark.maven
def test_a_test_that_takes_the_jvm_down_costs_only_its_own_map(counter: BuiltTree, tmp_path: Path) -> None:
    runner = OneShotRunner(tmp_path / "work", Limits(method_seconds=15, suite_seconds=300))
    maps = {found.test.name: found for found in runner.call_maps(counter, keys("adds", "exits", "hangs", "zLast"))}
    assert {name: found.outcome for name, found in maps.items()} == {
        "adds": Outcome.PASSED,
        "exits": Outcome.CRASHED,
        "hangs": Outcome.TIMED_OUT,
        "zLast": Outcome.PASSED,
    }
    assert names(maps["zLast"], "direct") == {"count"}


@pytest.mark.maven
def test_all_tests_of_a_tree_can_be_asked_for(make_tree: MakeTree, tmp_path: Path, counter: BuiltTree) -> None:
    tame = {"a/CounterTest.java": TESTS["a/CounterTest.java"].replace("System.exit(3)", "").replace("600000", "0")}
    tree = make_tree(tame, PRODUCTION, framework="junit4", name="tame")
    maps = OneShotRunner(tmp_path / "work").call_maps(tree, None)
    assert [found.test.name for found in maps] == [
        "adds",
        "equalsThroughJUnit",
        "exits",
        "fails",
        "hangs",
        "madeClass",
        "throughHelper",
        "zLast",
    ]
    assert all(found.direct or found.helpers for found in maps)


SPOILS = """package a;
import java.nio.file.*;
import org.junit.*;
public class SpoilsTest {
  @Test public void spoils() throws Exception {
    new Counter().count();
    Path folder = Paths.get(System.getProperty("java.io.tmpdir"));
    while (!Files.exists(folder.resolve("calls"))) folder = folder.getParent();
    Files.delete(folder.resolve("calls"));
    Files.createSymbolicLink(folder.resolve("calls"), Paths.get("TARGET"));
  }
}
"""


@pytest.mark.maven
@pytest.mark.parametrize("target", ["calls", "/etc/passwd", "."])
def test_a_link_in_place_of_the_probes_file_is_not_followed(
    make_tree: MakeTree, counter: BuiltTree, tmp_path: Path, target: str
) -> None:
    """Nor does it end more than this map."""
    tree = make_tree({"a/SpoilsTest.java": SPOILS.replace("TARGET", target)}, PRODUCTION, "junit4", name="spoiling")
    (found,) = OneShotRunner(tmp_path / "work", Limits(method_seconds=60, suite_seconds=120)).call_maps(tree, None)
    assert (found.outcome, found.closure) == (Outcome.PASSED, ())


HALTS = """package a;
import org.junit.*;
import org.junit.runners.MethodSorters;
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class HaltingTest {
  @Test public void first() { new Counter().count(); }
  @Test public void halts() { Runtime.getRuntime().halt(3); }
  @Test public void last() { new Counter().add(1); }
}
"""


@pytest.mark.maven
@pytest.mark.parametrize("asked", ["all", "methods"])
def test_a_jvm_that_dies_takes_no_calls_of_other_tests_with_it(
    make_tree: MakeTree, counter: BuiltTree, tmp_path: Path, asked: str
) -> None:
    """Neither of those before, whose calls were not written yet, nor of those after in the same class."""
    other = HALTS.replace("HaltingTest", "OtherTest").replace("halt(3)", "availableProcessors()")
    tree = make_tree({"a/HaltingTest.java": HALTS, "a/OtherTest.java": other}, PRODUCTION, "junit4", name="halting")
    tests = [
        TestKey(module="", path=f"src/test/java/a/{name}.java", type_name=f"a.{name}", name=method)
        for name in ("HaltingTest", "OtherTest")
        for method in ("first", "halts", "last")
    ]
    maps = OneShotRunner(tmp_path / "work", Limits(method_seconds=60, suite_seconds=120)).call_maps(
        tree, None if asked == "all" else tests
    )
    assert {one.test.short: (one.outcome, names(one, "direct")) for one in maps} == {
        "HaltingTest#first": (Outcome.PASSED, {"count"}),
        "HaltingTest#halts": (Outcome.CRASHED, set()),
        "HaltingTest#last": (Outcome.PASSED, {"add"}),
        "OtherTest#first": (Outcome.PASSED, {"count"}),
        "OtherTest#halts": (Outcome.PASSED, set()),
        "OtherTest#last": (Outcome.PASSED, {"add"}),
    }
