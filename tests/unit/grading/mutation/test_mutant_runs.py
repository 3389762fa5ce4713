"""Every fate of a mutant, by real mutants in real JVMs, shared and fresh (TEB-V17, V18)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tiny_revisions import MAIN, NEW, TESTS, MakeWorkspace, TinyWorkspace, make, worker

from testevo.builds.compilation.worker import Replacement, Worker
from testevo.builds.engine import BuiltTree
from testevo.execution.runner import Limits
from testevo.grading.mutation.mutant_runs import MutantRunner, TimeLimit, drawn, with_unmutated
from testevo.grading.mutation.run_fates import UNMUTATED
from testevo.records.evidence.mutants import Mutant, MutantFate
from testevo.records.methods import TestKey
from testevo.runtime.errors import MachineError
from testevo.sandboxes.sandbox import NoSandbox, Sandbox
from testevo.sandboxes.sandboxes import sandbox_named

__all__ = ["make", "worker"]

THING = f"{MAIN}/a/Thing.java"
SOURCE = """package a;
public class Thing {
    public static int twice(int x) {
        return x + x;
    }
}
class Idle {
    int idle() { return 1; }
}
"""
TEST = f"{TESTS}/a/ThingTest.java"
TEST_SOURCE = """package a;
import static org.junit.Assert.assertEquals;
import org.junit.Assert;
import org.junit.Test;
public class ThingTest {
    static int runs;
    @Test public void doubles() {
        assertEquals(1, ++runs);
        assertEquals(4, Thing.twice(2));
    }
    @Test public void onceInAJvm() {
        java.net.URL.setURLStreamHandlerFactory(protocol -> null);
        assertEquals(4, Thing.twice(2));
    }
    @Test public void writesAFile() throws Exception {
        java.nio.file.Files.createFile(java.nio.file.Paths.get("once.txt"));
        assertEquals(4, Thing.twice(2));
    }
    @Test public void findsItsFiles() {
        Assert.assertNotNull(ClassLoader.getSystemResource("a/Thing.class"));
        assertEquals(4, Thing.twice(2));
    }
    @Test public void recognisesTheLoader() {
        Assert.assertSame(ClassLoader.getSystemClassLoader(), Thread.currentThread().getContextClassLoader());
        Assert.assertSame(ClassLoader.getSystemClassLoader(), Thing.class.getClassLoader());
        Thing.twice(2);
    }
    @Test public void passesOnce() throws Exception {
        java.io.File mark = new java.io.File(System.getProperty("test.mark"));
        Assert.assertTrue(mark.createNewFile());
        Thing.twice(2);
    }
    @Test public void passesTwice() throws Exception {
        java.io.File folder = new java.io.File(System.getProperty("test.mark"));
        java.io.File.createTempFile("run", null, folder);
        Assert.assertTrue(folder.list().length <= 2);
        Thing.twice(2);
    }
    static boolean isFirstInItsJvm() {
        boolean first = java.sql.DriverManager.getLoginTimeout() == 0;
        java.sql.DriverManager.setLoginTimeout(7);
        return first;
    }
    @Test public void failsAfterTheFirstRun() {
        Thing.twice(2);
        Assert.assertTrue(isFirstInItsJvm());
    }
    @Test public void hangsAfterTheFirstRun() {
        Thing.twice(2);
        while (!isFirstInItsJvm()) { }
    }
    @Test public void comparesWithTheFirstRun() {
        int found = Thing.twice(3);
        int first = java.sql.DriverManager.getLoginTimeout();
        java.sql.DriverManager.setLoginTimeout(first == 0 ? found : first);
        Assert.assertTrue(first == 0 || first == found);
    }
    @Test public void needsUntouchedDrivers() {
        assertEquals(0, java.sql.DriverManager.getLoginTimeout());
        Thing.twice(2);
    }
}
"""
RESULT = "return x + x;"


@dataclass
class Prepared:
    """A compiled tree and the means to make mutants of its class."""

    tree: BuiltTree
    worker: Worker
    folder: Path

    def mutants(
        self, texts: Mapping[str, str], instead_of: str = RESULT
    ) -> tuple[list[Mutant], dict[str, dict[str, bytes]]]:
        source = SOURCE.encode()
        start = source.index(instead_of.encode())
        replaced = [Replacement(start, start + len(instead_of), text.encode()) for text in texts.values()]
        output = self.folder / f"mutants-{len(list(self.folder.iterdir()))}"
        output.mkdir()
        module = self.tree.modules[0]
        _, compiled = self.worker.mutants(
            module.folder / THING, source, replaced, [module.production_classes], ["-g", "-proc:none"], output
        )
        assert all(one.success for one in compiled), [one.error for one in compiled]
        classes = {
            name: {found: (output / str(number) / str(file)).read_bytes() for file, found in enumerate(version.classes)}
            for number, (name, version) in enumerate(zip(texts, compiled, strict=True))
        }
        return [record(name) for name in texts], classes


def record(name: str, line: int = 4) -> Mutant:
    return Mutant(task_id="t", mutant=name, path=THING, first_line=line, original="", mutated=name, classes={})


def key(name: str) -> TestKey:
    return TestKey(module="", path=TEST, type_name="a.ThingTest", name=name)


@pytest.fixture
def prepared(make: MakeWorkspace, worker: Worker, tmp_path: Path) -> Prepared:
    files = {THING: SOURCE, TEST: TEST_SOURCE}
    workspace: TinyWorkspace = make(files, files)
    tree = workspace.build(NEW).tree
    assert tree is not None
    return Prepared(tree, worker, tmp_path)


def fates(
    prepared: Prepared,
    test: str,
    texts: Mapping[str, str],
    mode: str = "shared",
    instead_of: str = RESULT,
    sandbox: Sandbox | None = None,
    covered: Mapping[str, frozenset[int]] | None = None,
) -> dict[str, str]:
    mutants, classes = prepared.mutants(texts, instead_of)
    runner = MutantRunner(
        prepared.folder / "runs",
        Limits(method_seconds=60, memory_mb=256),
        sandbox or NoSandbox(),
        TimeLimit(4, 2, 60),
        mode,
    )  # type: ignore[arg-type]
    runs = runner.run(prepared.tree, key(test), mutants, classes, covered, 1.0)
    assert [run.mutant for run in runs] == list(texts)
    return {run.mutant: run.fate.value for run in runs}


EVERY_KIND = {
    "square": "return x * x;",
    "difference": "return x - x;",
    "division": "return x / (x - x);",
    "loop": "while (x < 9) { } return 4;",
    "exit": "System.exit(0); return 4;",
    "halt": "Runtime.getRuntime().halt(0); return 4;",
    "thread": 'new Thread(() -> { while (true) { } }, "spin").start(); return 4;',
    "property": 'System.setProperty("a.touched", "yes"); return 4;',
    "reads the property": 'return System.getProperty("a.touched") == null ? 4 : 5;',
    "output": "System.setOut(null); return 4;",
    "reads the output": "return System.out != null ? 4 : 5;",
    "interrupt": "Thread.currentThread().interrupt(); return 4;",
    "reads the interrupt": "return Thread.interrupted() ? 5 : 4;",
    "memory": "return new long[500_000_000].length;",
}
EXPECTED = {
    "square": "survived",
    "difference": "killed_by_assertion",
    "division": "killed_by_exception",
    "loop": "timed_out",
    "exit": "harness",
    "halt": "harness",
    "thread": "survived",
    "property": "survived",
    "reads the property": "survived",
    "output": "survived",
    "reads the output": "survived",
    "interrupt": "survived",
    "reads the interrupt": "survived",
    "memory": "killed_by_exception",
}


@pytest.mark.parametrize("mode", ["shared", "fresh"])
def test_every_way_to_end_has_its_fate_and_reaches_no_other_mutant(prepared: Prepared, mode: str) -> None:
    """A shared JVM says of every mutant what a JVM of its own says (TEB-V18)."""
    assert fates(prepared, "doubles", EVERY_KIND, mode) == EXPECTED


def test_runs_are_confined_like_all_others(prepared: Prepared) -> None:
    """Class files of mutants need no folder that a sandbox would have to show."""
    try:
        sandbox = sandbox_named("bubblewrap")
    except MachineError:
        pytest.skip("bubblewrap is not installed")
    few = {name: EVERY_KIND[name] for name in ("square", "difference", "exit", "reads the property")}
    assert fates(prepared, "doubles", few, sandbox=sandbox) == {name: EXPECTED[name] for name in few}


@pytest.mark.parametrize("test", ["onceInAJvm", "writesAFile"])
def test_a_test_that_cannot_run_twice_in_a_jvm_gets_a_fresh_one_for_each_mutant(prepared: Prepared, test: str) -> None:
    """What the test itself leaves behind kills no mutant."""
    texts = {name: EVERY_KIND[name] for name in ("square", "difference", "reads the property")}
    assert fates(prepared, test, texts) == {name: EXPECTED[name] for name in texts}


def test_a_test_that_asks_the_system_loader_kills_what_it_checks(prepared: Prepared) -> None:
    """An honest one that fails in loaders of the launcher, where it would kill every mutant."""
    texts = {name: EVERY_KIND[name] for name in ("square", "difference", "reads the property")}
    assert fates(prepared, "findsItsFiles", texts) == {name: EXPECTED[name] for name in texts}


def test_a_test_that_recognises_mutants_by_loader_or_thread_kills_none(prepared: Prepared) -> None:
    texts = {name: EVERY_KIND[name] for name in ("square", "difference")}
    assert fates(prepared, "recognisesTheLoader", texts) == dict.fromkeys(texts, "survived")


def test_no_mutant_has_a_fate_where_the_unmutated_test_fails_too(prepared: Prepared) -> None:
    mark = prepared.folder / "mark"
    (module,) = prepared.tree.modules
    prepared.tree = replace(prepared.tree, modules=(replace(module, jvm_arguments=(f"-Dtest.mark={mark}",)),))
    mark.touch()  # by the run that gave the verdict
    mutants, classes = prepared.mutants({name: EVERY_KIND[name] for name in ("square", "difference")})
    runner = MutantRunner(prepared.folder / "runs", Limits(memory_mb=256), NoSandbox(), TimeLimit(4, 2, 60))
    assert runner.run(prepared.tree, key("passesOnce"), mutants, classes, None, 1.0) == []


@pytest.mark.parametrize("test", ["failsAfterTheFirstRun", "hangsAfterTheFirstRun"])
def test_a_test_that_tells_the_first_run_of_a_jvm_from_the_others_kills_none(prepared: Prepared, test: str) -> None:
    """The unmutated code runs among the mutants, too, or in a JVM of its own where the test ends theirs."""
    texts = {"square": EVERY_KIND["square"], "sum": "return 2 * x;"}
    assert fates(prepared, test, texts) == dict.fromkeys(texts, "survived")


def test_a_test_that_compares_its_runs_with_each_other_kills_none(prepared: Prepared) -> None:
    """It passes wherever the unmutated code runs, and knows no value: in a JVM of its own no mutant dies."""
    texts = {name: EVERY_KIND[name] for name in ("square", "difference")} | {"sum": "return 2 * x;"}
    assert fates(prepared, "comparesWithTheFirstRun", texts) == dict.fromkeys(texts, "survived")


def test_the_kill_that_must_be_one_again_is_drawn_by_content() -> None:
    names = [f"m{number}" for number in range(20)]
    assert drawn(names, "tree", "test") == drawn(names[::-1], "tree", "test")
    assert len({drawn(names, "tree", f"test {number}") for number in range(50)}) > 5


def test_no_run_is_believed_where_the_unmutated_test_passes_only_sometimes(prepared: Prepared) -> None:
    mark = prepared.folder / "mark"
    mark.mkdir()
    (module,) = prepared.tree.modules
    prepared.tree = replace(prepared.tree, modules=(replace(module, jvm_arguments=(f"-Dtest.mark={mark}",)),))
    texts = {"square": EVERY_KIND["square"], "difference": EVERY_KIND["difference"]}
    assert fates(prepared, "passesTwice", texts, "fresh") == dict.fromkeys(texts, "not_believed")


@pytest.mark.parametrize("count", range(14))
def test_the_unmutated_code_runs_before_among_and_after_the_mutants(count: int) -> None:
    names = [f"m{number}" for number in range(count)]
    order = with_unmutated(names)
    assert [name for name in order if name != UNMUTATED] == names
    assert order[0] == order[-1] == UNMUTATED
    assert order[1:-1].count(UNMUTATED) == (max(1, count // 3) if count > 1 else 0)
    if count > 1:
        assert order[1] != UNMUTATED and order[-2] != UNMUTATED


def test_a_test_that_fails_in_chosen_runs_is_rarely_believed() -> None:
    """Of ten mutants it would kill five with one chance in two, by the place of one unmutated run in the middle."""
    names = [f"m{number}" for number in range(10)]
    best = max(
        sum(killed for _ in range(400) if UNMUTATED not in with_unmutated(names)[1 : killed + 1]) / 400
        for killed in range(1, 10)
    )
    assert best < 1.5


def test_kills_are_not_believed_when_the_unmutated_code_fails_after_them(prepared: Prepared) -> None:
    """Static state of the JDK that nobody watches cannot kill the mutants that come later."""
    texts = {
        "touches": "java.sql.DriverManager.setLoginTimeout(7); return 4;",
        "innocent": "return x * x * x;",
        "guilty": "throw new IllegalStateException();",
    }
    assert fates(prepared, "needsUntouchedDrivers", texts) == {
        "touches": "survived",
        "innocent": "survived",
        "guilty": "killed_by_exception",
    }


@pytest.mark.parametrize("mode", ["shared", "fresh"])
def test_a_mutant_that_does_not_fit_the_other_classes_is_a_kill_of_the_harness(prepared: Prepared, mode: str) -> None:
    """Only the mutated file is compiled; what cannot be linked counts in `paper`, not in `strict`."""
    renamed = fates(
        prepared, "doubles", {"renamed": "twise(int x)", "same": "twice( int x)"}, mode, instead_of="twice(int x)"
    )
    assert renamed == {"renamed": "harness", "same": "survived"}


@pytest.mark.parametrize("mode", ["shared", "fresh"])
def test_a_class_file_that_cannot_be_loaded_is_a_kill_of_the_harness(prepared: Prepared, mode: str) -> None:
    mutants, classes = prepared.mutants({"square": EVERY_KIND["square"], "cube": "return x * x * x;"})
    classes["square"] = {"a.Thing": b"\xca\xfe\xba\xbe garbage"}
    classes["cube"] = {"a.Thing": b""}
    runner = MutantRunner(prepared.folder / "runs", Limits(memory_mb=256), NoSandbox(), TimeLimit(4, 2, 60), mode)  # type: ignore[arg-type]
    runs = runner.run(prepared.tree, key("doubles"), mutants, classes, None, 1.0)
    assert [run.fate for run in runs] == [MutantFate.HARNESS, MutantFate.HARNESS]


@pytest.mark.parametrize("mode", ["shared", "fresh"])
def test_an_initialiser_that_fails_is_what_the_mutant_does(prepared: Prepared, mode: str) -> None:
    texts = {"zero": 'return x + x; } static int z = 1 / "".length(); static {', "same": "return x + x; } static {"}
    assert fates(prepared, "doubles", texts, mode) == {"zero": "killed_by_exception", "same": "survived"}


def test_a_mutant_of_classes_that_the_test_never_loads_is_not_run(prepared: Prepared) -> None:
    """Sound whatever the coverage agent saw: nothing of it can run (TEB-E11)."""
    texts = {"two": "return 2;", "exit": "System.exit(0); return 1;"}
    found = fates(prepared, "doubles", texts, instead_of="return 1;")
    assert found == {"two": "not_covered", "exit": "not_covered"}


def test_mutants_of_methods_that_the_test_does_not_enter_are_not_run(prepared: Prepared) -> None:
    """Without any JVM; lines of unknown coverage are all run."""
    texts = {name: EVERY_KIND[name] for name in ("square", "difference")}
    assert fates(prepared, "doubles", texts, covered={THING: frozenset({3})}) == dict.fromkeys(texts, "not_covered")
    assert fates(prepared, "doubles", texts, covered={}) == dict.fromkeys(texts, "not_covered")
    assert fates(prepared, "doubles", texts, covered={THING: frozenset({4})}) == {
        "square": "survived",
        "difference": "killed_by_assertion",
    }


def test_an_unloaded_class_on_a_line_that_was_entered_survives(prepared: Prepared) -> None:
    """The record then says the same as the lines that the grade names."""
    assert fates(
        prepared,
        "doubles",
        {"two": "return 2;", "three": "return 3;"},
        instead_of="return 1;",
        covered={THING: frozenset({4})},
    ) == {"two": "survived", "three": "survived"}


@pytest.mark.parametrize("mode", ["shared", "fresh"])
def test_a_mutant_replaces_no_class_that_the_test_brings_itself(
    make: MakeWorkspace, worker: Worker, tmp_path: Path, mode: str
) -> None:
    """Every mutant would lack what the test's own class has; other classes have their mutants all the same."""
    source = """package a;
import static org.junit.Assert.assertEquals;
import org.junit.Test;
public class ThingTest {
    @Test public void usesItsOwn() {
        assertEquals(4, Thing.twice(2));
        assertEquals(9, Thing.own());
        assertEquals(1, new Idle().idle());
    }
}
class Thing {
    static int twice(int x) { return 2 * x; }
    static int own() { return 9; }
}
"""
    workspace = make({THING: SOURCE, TEST: source}, {THING: SOURCE, TEST: source})
    tree = workspace.build(NEW).tree
    assert tree is not None
    prepared = Prepared(tree, worker, tmp_path)
    texts = {"square": EVERY_KIND["square"], "difference": EVERY_KIND["difference"]}
    assert fates(prepared, "usesItsOwn", texts, mode) == dict.fromkeys(texts, "not_covered")
    idle = {"two": "return 2;", "one": "return 2 - 1;"}
    found = fates(prepared, "usesItsOwn", idle, mode, instead_of="return 1;")
    assert found == {"two": "killed_by_assertion", "one": "survived"}
