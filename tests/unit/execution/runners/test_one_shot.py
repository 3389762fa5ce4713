"""Real test JVMs: verdicts come from the channel alone, whatever a test does (TEB-X04, E06)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.model.model import RunSettings
from testevo.execution.runner import Limits, MethodRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome
from testevo.runtime.errors import MachineError

MakeTree = Callable[..., BuiltTree]
pytestmark = [pytest.mark.maven, pytest.mark.usefixtures("launcher")]


def junit4(body: str, name: str = "SampleTest") -> dict[str, str]:
    """A JUnit 4 class `a.<name>`."""
    return {
        f"a/{name}.java": f"package a;\nimport org.junit.*;\nimport static org.junit.Assert.*;\n"
        f"public class {name} {{\n{body}\n}}\n"
    }


def key(name: str, type_name: str = "a.SampleTest", parameters: tuple[str, ...] = ()) -> TestKey:
    path = f"src/test/java/{type_name.split('$', maxsplit=1)[0].replace('.', '/')}.java"
    return TestKey(module="", path=path, type_name=type_name, name=name, parameters=parameters)


@pytest.fixture
def runner(tmp_path: Path) -> OneShotRunner:
    return OneShotRunner(tmp_path / "work", Limits(method_seconds=60, suite_seconds=120, memory_mb=128, output_kb=64))


def outcome_of(runner: OneShotRunner, tree: BuiltTree, name: str) -> MethodRun:
    """One run of a method of `a.SampleTest`."""
    return runner.run_method(tree, key(name), None)


@pytest.fixture
def abuses(make_tree: MakeTree) -> BuiltTree:
    source = Path(__file__).with_name("SampleTest.java").read_text(encoding="utf-8")
    return make_tree({"a/SampleTest.java": source}, framework="junit4")


def test_every_way_to_end_has_its_own_outcome(runner: OneShotRunner, abuses: BuiltTree) -> None:
    expected = {
        "passes": Outcome.PASSED,
        "fails": Outcome.ASSERTION_FAILED,
        "throwsUp": Outcome.EXCEPTION,
        "ignored": Outcome.SKIPPED,
        "assumes": Outcome.ABORTED,
        "exits": Outcome.CRASHED,
        "halts": Outcome.CRASHED,
        "recurses": Outcome.EXCEPTION,
        "fillsHeap": Outcome.EXCEPTION,
        "kills": Outcome.CRASHED,
        "absent": Outcome.NOT_FOUND,
    }
    assert {name: outcome_of(runner, abuses, name).outcome for name in expected} == expected


def test_what_a_test_prints_or_leaves_behind_changes_no_verdict(
    runner: OneShotRunner, abuses: BuiltTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-Dsmuggled=true")
    expected = {
        "claimsToPass": Outcome.ASSERTION_FAILED,
        "noOutput": Outcome.PASSED,
        "floods": Outcome.PASSED,
        "leavesThread": Outcome.PASSED,
        "isPinned": Outcome.PASSED,
    }
    assert {name: outcome_of(runner, abuses, name).outcome for name in expected} == expected


def test_output_is_kept_as_bytes_and_cut_at_the_limit(runner: OneShotRunner, abuses: BuiltTree, tmp_path: Path) -> None:
    runner.run_method(abuses, key("writesBytes"), tmp_path / "logs")
    assert (tmp_path / "logs" / "stdout").read_bytes() == b"\xff\x00\n\x1b"
    assert b"\\xff" in (tmp_path / "logs" / "result.xml").read_bytes()
    flood = outcome_of(runner, abuses, "floods").stdout_bytes
    assert 64 * 1024 <= len(flood) < 65 * 1024
    assert flood.endswith(b"[output cut at 65536 bytes]\n")


def test_files_a_test_writes_reach_neither_the_tree_nor_the_next_run(runner: OneShotRunner, abuses: BuiltTree) -> None:
    assert [outcome_of(runner, abuses, "writesHere").outcome for _ in range(2)] == [Outcome.PASSED] * 2
    assert not (abuses.modules[0].folder / "left-behind").exists()


def test_a_hanging_test_is_killed_at_its_limit(make_tree: MakeTree, tmp_path: Path) -> None:
    hanging = 'new ProcessBuilder("sleep", "600").inheritIO().start().waitFor();'
    tree = make_tree(junit4(f"@Test public void hangs() throws Exception {{ {hanging} }}"), framework="junit4")
    run = OneShotRunner(tmp_path / "work", Limits(method_seconds=2)).run_method(tree, key("hangs"), None)
    assert run.outcome is Outcome.TIMED_OUT
    assert list((tmp_path / "work").iterdir()) == []


def test_a_suite_has_the_worst_outcome_of_each_method_and_counts_class_failures(
    runner: OneShotRunner, make_tree: MakeTree
) -> None:
    broken = junit4(
        "@BeforeClass public static void no() { throw new IllegalStateException(); }\n"
        "@Test public void one() {}\n@Test public void two() {}",
        "BrokenTest",
    )
    helper = junit4("@Test public void notSelected() { fail(); }", "Helper")
    tree = make_tree(
        junit4("@Test public void passes() {}\n@Test @Ignore public void ignored() {}") | broken | helper,
        framework="junit4",
    )
    suite = runner.run_suite(tree)
    assert suite.outcome is SuiteOutcome.RED
    assert {(entry.test.short, entry.outcome) for entry in suite.tests} == {
        ("SampleTest#passes", Outcome.PASSED),
        ("SampleTest#ignored", Outcome.SKIPPED),
        ("BrokenTest#one", Outcome.EXCEPTION),
        ("BrokenTest#two", Outcome.EXCEPTION),
    }
    assert {entry.test.path for entry in suite.tests} == {
        "src/test/java/a/SampleTest.java",
        "src/test/java/a/BrokenTest.java",
    }


def test_a_suite_whose_jvm_ends_early_has_crashed_and_so_has_the_running_test(
    runner: OneShotRunner, make_tree: MakeTree
) -> None:
    tree = make_tree(junit4("@Test public void exits() { System.exit(0); }"), framework="junit4")
    suite = runner.run_suite(tree)
    assert suite.outcome is SuiteOutcome.CRASHED
    assert [entry.outcome for entry in suite.tests] == [Outcome.CRASHED]
    assert suite.reason == "module .: the test JVM ended without a verdict (exit status 0) during exits"


def test_a_build_can_give_each_class_a_jvm_of_its_own(runner: OneShotRunner, make_tree: MakeTree) -> None:
    counts = '@Test public void counts() { assertNull(System.setProperty("counted", "yes")); }'
    classes = junit4(counts, "ATest") | junit4(counts, "CTest")
    tree = make_tree(classes | junit4("@Test public void exits() { System.exit(0); }", "BTest"), framework="junit4")
    shared = runner.run_classes(tree, {"": ["a.ATest", "a.CTest"]})
    assert [entry.outcome for run in shared for entry in run.tests] == [Outcome.PASSED, Outcome.ASSERTION_FAILED]
    one_each = RunSettings(jvm_per_class=True)
    apart = replace(tree, modules=tuple(replace(module, settings=one_each) for module in tree.modules))
    suite = runner.run_suite(apart)
    assert [(entry.test.short, entry.outcome) for entry in suite.tests] == [
        ("ATest#counts", Outcome.PASSED),
        ("BTest#exits", Outcome.CRASHED),
        ("CTest#counts", Outcome.PASSED),
    ]
    assert suite.outcome is SuiteOutcome.CRASHED
    assert {(entry.test.short, entry.outcome) for entry in runner.call_maps(apart)} == {
        ("ATest#counts", Outcome.PASSED),
        ("BTest#exits", Outcome.CRASHED),
        ("CTest#counts", Outcome.PASSED),
    }


def test_a_jvm_that_cannot_start_is_the_harness_s_fault(runner: OneShotRunner, make_tree: MakeTree) -> None:
    tree = make_tree(junit4("@Test public void passes() {}"), framework="junit4", jvm_arguments=("-XX:NoSuchOption=1",))
    assert outcome_of(runner, tree, "passes").outcome is Outcome.INFRASTRUCTURE


def test_project_arguments_win_except_over_the_heap_bound(runner: OneShotRunner, make_tree: MakeTree) -> None:
    tree = make_tree(
        junit4(
            '@Test public void own() { assertEquals("Asia/Tokyo", java.util.TimeZone.getDefault().getID());\n'
            'assertEquals("a", System.getenv("GIVEN")); assertTrue(Runtime.getRuntime().maxMemory() < 200L << 20); }'
        ),
        framework="junit4",
        jvm_arguments=("-Duser.timezone=Asia/Tokyo", "-Xmx3g", "-Xms512m", "-XX:+UseParallelGC"),
        environment={"GIVEN": "a"},
    )
    assert outcome_of(runner, tree, "own") == MethodRun(Outcome.PASSED, invocations=1)


@pytest.mark.parametrize(
    ("arguments", "megabytes"),
    [
        (("-Xmx64m",), 64),
        (("-Xmx3g", "-XX:MaxHeapSize=65536K"), 64),
        (("-Xmx64m", "-Xmx3g"), 128),
        (("-Xmx0",), 128),
        ((), 128),
    ],
)
def test_a_project_has_a_largest_heap_below_the_bound(
    runner: OneShotRunner, make_tree: MakeTree, arguments: tuple[str, ...], megabytes: int
) -> None:
    """As in the JVM of Surefire, which gets the last one named; of a heap, the JVM keeps a part for itself."""
    tree = make_tree(
        junit4("@Test public void tells() { System.out.print(Runtime.getRuntime().maxMemory() >> 20); }"),
        framework="junit4",
        jvm_arguments=arguments,
    )
    assert 0.9 * megabytes <= int(runner.run_method(tree, key("tells"), None).stdout_bytes) <= megabytes


JUPITER = {
    "a/SampleTest.java": """package a;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import static org.junit.jupiter.api.Assertions.*;
class SampleTest {
  @ParameterizedTest @ValueSource(strings = {"a", "b", ""}) void notEmpty(String text) { assertFalse(text.isEmpty()); }
  @ParameterizedTest @CsvSource({"1,2", "2,3"}) void below(int left, int right) { assertTrue(left < right); }
  @Test void below() { fail(); }
  @ParameterizedTest @EnumSource(Kind.class) void kinds(Kind kind) {}
  @RepeatedTest(3) void repeated() {}
  @Disabled @Test void off() {}
  enum Kind { A, B }
  @Nested class Inner { @Test void deep() {} }
}
"""
}


def test_parameterised_methods_are_selected_by_the_types_of_byte_code(
    runner: OneShotRunner, make_tree: MakeTree
) -> None:
    """Overloads are told apart, nested parameter types are found."""
    tree = make_tree(JUPITER, framework="platform")
    runs = {
        str(test.method): runner.run_method(tree, test, None)
        for test in (
            key("notEmpty", parameters=("String",)),
            key("below", parameters=("int", "int")),
            key("below"),
            key("kinds", parameters=("Kind",)),
            key("repeated"),
            key("off"),
            key("deep", "a.SampleTest$Inner"),
        )
    }
    assert {name: (run.outcome, run.invocations) for name, run in runs.items()} == {
        "a.SampleTest#notEmpty(String)": (Outcome.ASSERTION_FAILED, 3),
        "a.SampleTest#below(int,int)": (Outcome.PASSED, 2),
        "a.SampleTest#below()": (Outcome.ASSERTION_FAILED, 1),
        "a.SampleTest#kinds(Kind)": (Outcome.PASSED, 2),
        "a.SampleTest#repeated()": (Outcome.PASSED, 3),
        "a.SampleTest#off()": (Outcome.SKIPPED, 1),
        "a.SampleTest$Inner#deep()": (Outcome.PASSED, 1),
    }
    suite = {str(entry.test.method) for entry in runner.run_suite(tree).tests}
    assert suite == set(runs)


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo 'Could not reserve enough space' >&2; exit 1", r"exit status 1\): Could not reserve enough space"),
        ("kill -9 $$", r"java -Xmx128m -version` does not start \(exit status -9\)"),
    ],
)
def test_a_jvm_that_the_machine_cannot_start_is_no_verdict(
    runner: OneShotRunner, make_tree: MakeTree, tmp_path: Path, script: str, says: str
) -> None:
    """Neither of a method nor of a suite; without the project it does not start either."""
    tree = make_tree(junit4("@Test public void passes() {}"), framework="junit4")
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    broken = replace(tree, jdk=replace(tree.jdk, home=tmp_path / "jdk"))
    with pytest.raises(MachineError, match=says):
        outcome_of(runner, broken, "passes")
    with pytest.raises(MachineError, match=says):
        runner.run_suite(broken)
