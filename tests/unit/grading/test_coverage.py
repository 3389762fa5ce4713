"""Focal line coverage against counts made by hand, and line by line against JaCoCo's agent (TEB-E09 to E11, V10)."""

import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from tiny_revisions import MAIN, NEW, TESTS, MakeWorkspace, TinyWorkspace, dependency, make, worker

from testevo.builds.classes.class_files import read_class
from testevo.builds.engine import BuiltTree
from testevo.execution.jvms.jvm import JvmLauncher, JvmRun
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.grading.coverage.coverage import CoverageMeter, Measured
from testevo.grading.coverage.coverage_service import JACOCO, CoverageService, SourceFile
from testevo.records.evaluation.grading import Undefined
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.tasks import Coverage
from testevo.records.verdicts import Outcome
from testevo.runtime.files.jars import PROJECT, tool_jar
from testevo.sandboxes.sandbox import NoSandbox
from tests.junit_jars import local_jar, this_jdk

__all__ = ["make", "worker"]

SHOP = f"{MAIN}/a/Shop.java"
TEST = f"{TESTS}/a/ShopTest.java"
SOURCE = """package a;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

public class Shop {
    static final List<String> NAMES = new ArrayList<>();

    static {
        NAMES.add("Käse");
        NAMES.add("brød");
    }

    private int größe = 1;

    public int price(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += größe;
        }
        // a comment
        if (sum > 100) {
            return 100;
        }

        return sum
            + 0;
    }

    public int doubled(int value) {
        IntUnaryOperator twice = given -> {
            int result = given * 2;
            return result;
        };
        Supplier<String> never = () -> {
            return "never";
        };
        return twice.applyAsInt(value);
    }

    public int guarded(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException error) {
            return -1;
        } finally {
            größe++;
        }
    }

    public int leaves(String text) {
        int before = text.length();
        int number =
            Integer.parseInt(text);
        return before + number;
    }

    public Object made(boolean big) {
        return new StringBuilder(big
            ? "big"
            : "small");
    }

    public String first() {
        return NAMES.get(0);
    }

    public int day(Day day) {
        switch (day) {
            case MONDAY:
                return 1;
            default:
                return day.number();
        }
    }

    enum Day {
        MONDAY, SUNDAY {
            @Override
            int number() {
                return 7;
            }
        };

        int number() {
            return 0;
        }
    }

    interface Named {
        default String name() {
            return "named";
        }
    }

    static class Local implements Named {
    }

    public String named() {
        Runnable runnable = new Runnable() {
            @Override
            public void run() {
                größe = 5;
            }
        };
        runnable.run();
        return new Local().name();
    }
}
"""
TEST_SOURCE = """package a;

import static org.junit.Assert.*;

import org.junit.Test;

public class ShopTest {
    @Test public void prices() { assertEquals(3, new Shop().price(3)); }

    @Test public void lambdas() { assertEquals(8, new Shop().doubled(4)); }

    @Test public void loads() throws Exception { Class.forName("a.Shop"); }

    @Test public void says() { assertEquals("Käse", new Shop().first()); }

    @Test(expected = NumberFormatException.class) public void leaves() { new Shop().leaves("no"); }

    @Test public void nothing() { }

    @Test public void all() {
        Shop shop = new Shop();
        assertEquals(-1, shop.guarded("x"));
        assertEquals("small", shop.made(false).toString());
        assertEquals(7, shop.day(Shop.Day.SUNDAY));
        assertEquals("named", shop.named());
        assertEquals(100, shop.price(1000));
    }
}
"""
FILES = {SHOP: SOURCE, TEST: TEST_SOURCE}
Lines = Mapping[int, tuple[int, int]]
"""Covered instructions and instructions by line."""


def lines_of(text: str) -> set[int]:
    """Numbers of the lines of the source that hold `text`."""
    return {number for number, line in enumerate(SOURCE.split("\n"), start=1) if text in line}


def key(name: str) -> TestKey:
    return TestKey(module="", path=TEST, type_name="a.ShopTest", name=name)


@pytest.fixture
def tree(make: MakeWorkspace) -> tuple[TinyWorkspace, BuiltTree]:
    workspace = make({}, FILES)
    built = workspace.build(NEW).tree
    assert built is not None
    return workspace, built


def measured(workspace: TinyWorkspace, tree: BuiltTree, name: str, *dependencies: Dependency) -> Measured:
    """Coverage of the dependencies by one test, which must pass."""
    meter = CoverageMeter(tree.jdk.home, workspace.scratch)
    try:
        instrumented = meter.instrumented(tree, dependencies)
        assert instrumented is not None
        run = workspace.runner.run_method(instrumented, key(name))
        assert run.outcome is Outcome.PASSED, run.message
        return meter.measure(tree, dependencies, run.probes)
    finally:
        meter.close()


@pytest.mark.parametrize(
    ("name", "method", "covered", "executable", "raw"),
    [
        # price: int sum, for, sum +=, if, return 100 (not), return sum, + 0 (belongs to the line above)
        ("prices", "price", 5, 6, 13),
        # the body of the lambda that runs counts, that of the other does not; the closing line of a lambda has no code
        ("lambdas", "doubled", 5, 6, 10),
        ("loads", "price", 0, 6, 13),
        ("says", "first", 1, 1, 3),
        # the length, and the load of the argument; JaCoCo's probes lie behind calls: the throwing line is not covered
        ("leaves", "leaves", 2, 4, 6),
        ("nothing", "price", 0, 6, 13),
    ],
)
def test_coverage_counts_the_lines_of_the_focal_methods(
    tree: tuple[TinyWorkspace, BuiltTree], name: str, method: str, covered: int, executable: int, raw: int
) -> None:
    """Both denominators."""
    done = measured(*tree, name, dependency(FILES, SHOP, method))
    assert done.undefined is None
    assert done.coverage == Coverage(covered=covered, raw_lines=raw, executable_lines=executable)


def test_several_dependencies_add_up_and_each_place_counts_once(tree: tuple[TinyWorkspace, BuiltTree]) -> None:
    focal = [dependency(FILES, SHOP, name) for name in ("first", "price", "first")]
    assert measured(*tree, "says", *focal).coverage == Coverage(covered=1, raw_lines=16, executable_lines=7)


def test_a_line_that_an_exception_leaves_is_entered_though_not_covered(tree: tuple[TinyWorkspace, BuiltTree]) -> None:
    """A mutant there may be killed, so that it must be run."""
    focal = dependency(FILES, SHOP, "leaves")
    done = measured(*tree, "leaves", focal)
    throwing = {line for line in lines_of("    Integer.parseInt(text);") if focal.span.contains(line)}
    assert done.entered is not None and len(throwing) == 1
    assert throwing <= done.entered[SHOP]
    method = set(range(focal.span.first_line, focal.span.last_line + 1))
    assert done.entered[SHOP] >= method, "a mutant of one line may change others"


def test_of_a_method_that_is_not_entered_no_line_is(tree: tuple[TinyWorkspace, BuiltTree]) -> None:
    done = measured(*tree, "says", dependency(FILES, SHOP, "first"), dependency(FILES, SHOP, "guarded"))
    assert done.entered is not None
    assert done.entered[SHOP] >= lines_of("NAMES.get(0)")
    assert not any(dependency(FILES, SHOP, "guarded").span.contains(line) for line in done.entered[SHOP])


def test_static_initialisers_are_covered_by_loading_the_class(tree: tuple[TinyWorkspace, BuiltTree]) -> None:
    place = dependency(FILES, SHOP, "first")
    span = place.span.model_copy(
        update={"first_line": min(lines_of("static {")), "last_line": max(lines_of("brød")) + 1}
    )
    done = measured(*tree, "loads", place.model_copy(update={"span": span}))
    assert done.coverage == Coverage(covered=3, raw_lines=4, executable_lines=3)


@pytest.mark.parametrize(("release", "compared"), [("8", ["all"]), ("17", ["lambdas", "leaves", "all"])])
def test_lines_are_those_of_the_agent(make: MakeWorkspace, release: str, compared: list[str], tmp_path: Path) -> None:
    """Probes in focal classes alone, or JaCoCo's agent in the JVM and its report: instruction by instruction.

    JaCoCo keeps its probes in a field for older class files, in a dynamic constant for newer ones.
    """
    workspace = make({}, FILES)
    workspace.engine.options = ("-g", "-nowarn", "--release", release)
    tree = workspace.build(NEW).tree
    assert tree is not None
    focal = dependency(FILES, SHOP, "price")
    meter = CoverageMeter(tree.jdk.home, workspace.scratch)
    source = SourceFile(str(tree.modules[0].production_classes), "a", "Shop.java")
    service = CoverageService(tree.jdk.home)
    try:
        instrumented = meter.instrumented(tree, [focal])
        assert instrumented is not None
        for name in compared:
            probes = workspace.runner.run_method(instrumented, key(name)).probes
            assert probes is not None
            found = service.analyse([source], [line for line in probes if not line.startswith("*")])["a/Shop.java"]
            mine = {line.number: (line.covered, line.instructions) for line in found}
            assert mine == by_agent(tree, name, tmp_path / name), name
    finally:
        meter.close()
        service.close()


def by_agent(tree: BuiltTree, name: str, folder: Path) -> Lines:
    """Lines of Shop.java as the agent and the report of `jacococli` have them."""
    folder.mkdir()
    agent = local_jar(f"org.jacoco:org.jacoco.agent:{JACOCO}:jar:runtime")
    command_line = local_jar(f"org.jacoco:org.jacoco.cli:{JACOCO}:jar:nodeps")
    data = folder / "jacoco.exec"
    launcher = JvmLauncher(Limits(), NoSandbox(), folder / "work")
    watched = f"-javaagent:{agent}=destfile={data},includes=a.Shop*"
    module = replace(tree.modules[0], jvm_arguments=(*tree.modules[0].jvm_arguments, watched))
    done = launcher.launch(JvmRun(tree, module, [f"select-method a.ShopTest#{name}()"], 60))
    assert done.record.ended
    xml = folder / "report.xml"
    subprocess.run(
        [
            str(tree.jdk.home / "bin/java"),
            "-jar",
            str(command_line),
            "report",
            str(data),
            "--classfiles",
            str(module.production_classes),
            "--xml",
            str(xml),
            "--quiet",
        ],
        check=True,
    )
    report = etree.parse(xml, etree.XMLParser(load_dtd=False, no_network=True))
    return {
        int(line.get("nr")): (int(line.get("ci")), int(line.get("ci")) + int(line.get("mi")))
        for line in report.iterfind(".//package[@name='a']/sourcefile[@name='Shop.java']/line")
    }


@pytest.mark.parametrize(
    "probes",
    [None, ("nonsense",), ("a/Shop 1 0101",), ("a/Shop x 01",), ("* 0 " + "1" * 100000, "a/Shop 99 1")],
    ids=["halted", "no probes", "another class", "no number", "forged lines"],
)
def test_what_a_run_did_not_leave_or_forged_is_no_data_and_not_zero(
    tree: tuple[TinyWorkspace, BuiltTree], probes: tuple[str, ...] | None
) -> None:
    """Notes of a class of that name and other bytes are not notes of this one."""
    workspace, built = tree
    focal = [dependency(FILES, SHOP, "price")]
    meter = CoverageMeter(built.jdk.home, workspace.scratch)
    try:
        assert meter.instrumented(built, focal) is not None
        done = meter.measure(built, focal, probes)
        assert (done.coverage, done.undefined, done.entered) == (None, Undefined.NO_DATA, None)
    finally:
        meter.close()


def test_a_run_that_did_not_see_the_instrumented_classes_has_no_data_and_not_zero(
    tree: tuple[TinyWorkspace, BuiltTree],
) -> None:
    """A folder that a sandbox hides, or that is gone."""
    workspace, built = tree
    focal = [dependency(FILES, SHOP, "price")]
    meter = CoverageMeter(built.jdk.home, workspace.scratch)
    try:
        instrumented = meter.instrumented(built, focal)
        assert instrumented is not None
        for mark in list(workspace.scratch.rglob("testevo.instrumented")):
            shutil.rmtree(mark.parent)
        run = workspace.runner.run_method(instrumented, key("prices"))
        assert (run.outcome, run.probes) == (Outcome.PASSED, None)
        assert meter.measure(built, focal, run.probes).undefined is Undefined.NO_DATA
    finally:
        meter.close()


def test_removed_methods_have_no_lines_and_classes_without_line_numbers_no_data(
    tree: tuple[TinyWorkspace, BuiltTree], make: MakeWorkspace
) -> None:
    workspace, built = tree
    removed = dependency(FILES, SHOP, "price", ChangeKind.REMOVED)
    meter = CoverageMeter(built.jdk.home, workspace.scratch)
    try:
        assert meter.instrumented(built, [removed]) is None
        assert meter.measure(built, [removed], ()).undefined is Undefined.NO_LINES
        bare = make({}, FILES)
        bare.engine.folder = bare.engine.folder / "bare"
        bare.engine.options = ("-g:source", "-nowarn")
        stripped = bare.build(NEW).tree
        assert stripped is not None
        focal = [dependency(FILES, SHOP, "price")]
        instrumented = meter.instrumented(stripped, focal)
        assert instrumented is not None
        run = OneShotRunner(workspace.scratch / "more").run_method(instrumented, key("prices"))
        assert run.outcome is Outcome.PASSED
        assert meter.measure(stripped, focal, run.probes).undefined is Undefined.NO_DATA
    finally:
        meter.close()


def test_instrumented_classes_of_a_library_are_accepted_by_the_verifier(tmp_path: Path) -> None:
    """Stores before a line's first instruction must come neither between a frame and its instruction nor between an
    object under construction and its name."""
    original, output = tmp_path / "original", tmp_path / "instrumented"
    output.mkdir()
    with zipfile.ZipFile(local_jar("junit:junit:4.13.2")) as jar:
        jar.extractall(original)
    found = [(file, read_class(file.read_bytes())) for file in sorted(original.rglob("*.class"))]
    sources = {
        SourceFile(str(original), file.parent.relative_to(original).as_posix(), parsed.source_file)
        for file, parsed in found
        if parsed.source_file
    }
    service = CoverageService(this_jdk().home)
    try:
        done = service.instrument(sources, output)
    finally:
        service.close()
    assert len(done.classes) == len(found) > 300
    java = this_jdk().home / "bin/java"
    program = Path(__file__).with_name("LoadAll.java")
    hamcrest = local_jar("org.hamcrest:hamcrest-core:1.3")
    command = [java, program, f"{output}/", tool_jar("coverage-probes"), hamcrest]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    assert said.stdout.splitlines() == [f"verified {len(found)}"]


def test_the_version_of_the_key_is_the_one_that_is_built() -> None:
    assert f"<jacoco.version>{JACOCO}<" in (PROJECT / "jvm/coverage/pom.xml").read_text()
    assert this_jdk().feature >= 8
