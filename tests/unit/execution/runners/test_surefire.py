"""The reference runner reads Surefire's reports."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.execution.runners.maven_tests import TestedBuild, UnconfinedMaven, report_folders
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner, crash_reason
from testevo.execution.runners.surefire_reports import MOST_BYTES, read_report, read_reports
from testevo.execution.verdicts.channel import CLASS_LEVEL, RunTest
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome
from testevo.runtime.errors import UsageError
from tests.deep_folder import deep_folder

MakeTree = Callable[..., BuiltTree]

REPORT = b"""<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="a.T" tests="8">
  <testcase name="passes" classname="a.T" time="0.1"/>
  <testcase name="fails" classname="a.T">
    <failure message="1" type="org.junit.ComparisonFailure">trace</failure></testcase>
  <testcase name="throwsUp" classname="a.T"><error message="no" type="java.io.IOException">trace</error></testcase>
  <testcase name="softly" classname="a.T"><error type="org.opentest4j.AssertionFailedError">t</error></testcase>
  <testcase name="off" classname="a.T"><skipped/></testcase>
  <testcase name="assumes" classname="a.T"><skipped type="org.opentest4j.TestAbortedException" message="x"/></testcase>
  <testcase name="each(int)[1]" classname="a.T"/>
  <testcase name="each{int}[2]" classname="a.T"><failure type="java.lang.AssertionError"/></testcase>
  <testcase name="" classname="a.T"><error type="java.lang.IllegalStateException"/></testcase>
  <testcase name="U" classname="a.U"><error type="java.lang.IllegalStateException"/></testcase>
</testsuite>
"""


def test_cases_become_verdicts() -> None:
    cases = list(read_report(REPORT))
    assert [(test.method, verdict.outcome) for test, verdict in cases] == [
        ("passes", Outcome.PASSED),
        ("fails", Outcome.ASSERTION_FAILED),
        ("throwsUp", Outcome.EXCEPTION),
        ("softly", Outcome.ASSERTION_FAILED),
        ("off", Outcome.SKIPPED),
        ("assumes", Outcome.ABORTED),
        ("each", Outcome.PASSED),
        ("each", Outcome.ASSERTION_FAILED),
        (CLASS_LEVEL, Outcome.EXCEPTION),
        (CLASS_LEVEL, Outcome.EXCEPTION),
    ]


def test_a_class_level_failure_counts_for_all_tests_of_the_class(make_tree: MakeTree) -> None:
    tree = make_tree({"a/T.java": "package a; public class T { void each(int n) {} }"})
    reports = tree.modules[0].folder / "target" / "surefire-reports"
    reports.mkdir(parents=True)
    (reports / "TEST-a.T.xml").write_bytes(REPORT)
    verdicts = read_reports(tree.modules[0], tree.modules[0].folder).verdicts
    assert {test.method: verdict.outcome for test, verdict in verdicts.items() if test.type_name == "a.T"} == {
        "passes": Outcome.EXCEPTION,
        "fails": Outcome.EXCEPTION,
        "throwsUp": Outcome.EXCEPTION,
        "softly": Outcome.EXCEPTION,
        "off": Outcome.EXCEPTION,
        "assumes": Outcome.EXCEPTION,
        "each": Outcome.EXCEPTION,
    }
    assert verdicts[RunTest("a.U", CLASS_LEVEL)].outcome is Outcome.EXCEPTION


def test_a_test_that_is_no_method_belongs_to_the_class_of_its_report() -> None:
    """Surefire tells tests of fields, as ArchUnit has them, below the simple name of their class."""
    cases = b'<testcase name="rule" classname="T"/><testcase name="other" classname="b.T"/>'
    read = dict(read_report(b'<testsuite name="a.T">' + cases + b"</testsuite>"))
    assert list(read) == [RunTest("a.T", "rule"), RunTest("b.T", "other")]


def test_a_suffix_of_reports_is_no_part_of_the_name_of_a_class() -> None:
    """`reportNameSuffix`: Surefire puts it behind the names of suites and classes."""
    report = b"""<testsuite name="a.T(jdk8)"><testcase name="passes" classname="a.T(jdk8)"/>
        <testcase name="inner" classname="a.T$In(jdk8)"/>
        <testcase name="" classname="a.T(jdk8)"><error type="E"/></testcase>
        <testcase name="T" classname="a.T(jdk8)"><error type="E"/></testcase></testsuite>"""
    tests = [test for test, _ in read_report(report)]
    of_class = RunTest("a.T", CLASS_LEVEL)
    assert tests == [RunTest("a.T", "passes"), RunTest("a.T$In", "inner"), of_class, of_class]


def test_invocations_of_a_parameterised_class_are_of_the_class() -> None:
    """Surefire puts their numbers behind the name of the class, as of methods."""
    report = b"""<testsuite name="a.T[1]"><testcase name="one" classname="a.T[1]"/>
        <testcase name="one" classname="a.T[2]"/><testcase name="each(int)[1]" classname="a.T$In[1]"/></testsuite>"""
    tests = [test for test, _ in read_report(report)]
    assert tests == [RunTest("a.T", "one"), RunTest("a.T", "one"), RunTest("a.T$In", "each")]


def test_reports_with_bytes_that_are_no_xml_are_read_as_far_as_they_go() -> None:
    broken = REPORT.replace(b">trace<", b">\x00\xff<")
    cases = [(test, verdict.outcome) for test, verdict in read_report(broken)]
    assert (RunTest("a.T", "passes"), Outcome.PASSED) in cases


def empty(report: Path) -> None:
    report.touch()


def no_xml(report: Path) -> None:
    report.write_text("a report")


def too_long(report: Path) -> None:
    with report.open("wb") as file:
        file.truncate(MOST_BYTES + 1)


def endless_link(report: Path) -> None:
    report.symlink_to("/dev/zero")


@pytest.mark.parametrize("replace_report", [empty, no_xml, too_long, endless_link, os.mkfifo, Path.mkdir])
def test_a_report_that_the_tests_replaced_is_a_crash_of_theirs(
    replace_report: Callable[[Path], None], make_tree: MakeTree, tmp_path: Path
) -> None:
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\n")
    maven.chmod(0o755)
    built = make_tree({"a/T.java": "package a; public class T { void passes() {} }"})
    module = built.modules[0]
    tree = replace(built, engine="maven", maven=(str(maven),), maven_folder=module.folder)

    class Replacing(UnconfinedMaven):
        @contextmanager
        def run(self, tree: BuiltTree, arguments: Sequence[str], seconds: float) -> Iterator[TestedBuild]:
            with super().run(tree, arguments, seconds) as tested:
                reports = tested.folder_of(module) / "target" / "surefire-reports"
                reports.mkdir(parents=True)
                (reports / "TEST-a.T.xml").write_bytes(REPORT)
                replace_report(reports / "TEST-b.xml")
                yield tested

    runner = SurefireRunner(OneShotRunner(tmp_path / "work"), maven=Replacing())
    run = runner.run_method(tree, TestKey(module="", path="src/test/java/a/T.java", type_name="a.T", name="passes"))
    assert (run.outcome, "target/surefire-reports/TEST-b.xml is no" in (run.message or "")) == (Outcome.CRASHED, True)
    suite = runner.run_suite(tree)
    assert (suite.outcome, "TEST-b.xml is no" in suite.reason) == (SuiteOutcome.CRASHED, True)


@pytest.mark.parametrize(
    ("said", "module", "reason"),
    [
        (
            "Tests run: 3, Failures: 0",
            {"unread_reports": "reportsDirectory"},
            "maven-surefire-plugin sets reportsDirectory",
        ),
        ("Tests run: 3, Failures: 0", {"outputs": None}, "its folder `target` lies outside of it"),
        ("Tests run: 3, Failures: 0", {"outputs": None, "test_classes": Path("none")}, ""),
        ("Tests run: 0, Failures: 0", {"unread_reports": "reportsDirectory"}, ""),
        ("Tests run: 3, Failures: 0", {}, ""),
    ],
)
def test_reports_that_lie_elsewhere_are_no_suite_without_tests(
    said: str, module: dict[str, object], reason: str, make_tree: MakeTree, tmp_path: Path
) -> None:
    maven = tmp_path / "mvn"
    maven.write_text(f"#!/bin/sh\necho '{said}'\n")
    maven.chmod(0o755)
    built = make_tree({"a/T.java": "package a; public class T { void passes() {} }"})
    changed = replace(built.modules[0], **{"outputs": ("target/classes", "target/test-classes"), **module})  # type: ignore[arg-type]
    tree = replace(built, engine="maven", modules=(changed,), maven=(str(maven),), maven_folder=changed.folder)
    suite = SurefireRunner(OneShotRunner(tmp_path / "work")).run_suite(tree)
    assert suite.outcome is (SuiteOutcome.CRASHED if reason else SuiteOutcome.NO_TESTS)
    assert reason in suite.reason


ALL_PASS = b'<testsuite name="a.T"><testcase name="passes" classname="a.T"/></testsuite>'
ONE_FAILS = ALL_PASS.replace(b"/>", b'><failure type="java.lang.AssertionError"/></testcase>')
FAILED = "Please refer to /a/target/surefire-reports for the individual test results."
STOPPED = f"[ERROR] {FAILED}"


@pytest.mark.parametrize(
    ("said", "status", "report", "modules", "outcome", "of_method"),
    [
        pytest.param("", 0, ALL_PASS, 1, SuiteOutcome.GREEN, Outcome.PASSED, id="all pass"),
        pytest.param(FAILED, 0, ONE_FAILS, 1, SuiteOutcome.RED, Outcome.ASSERTION_FAILED, id="one fails"),
        pytest.param(FAILED, 0, ALL_PASS, 1, SuiteOutcome.CRASHED, Outcome.CRASHED, id="the report is of another run"),
        pytest.param(
            "There are test failures.", 0, ALL_PASS, 1, SuiteOutcome.GREEN, Outcome.PASSED, id="a test says so"
        ),
        pytest.param(STOPPED, 1, ONE_FAILS, 1, SuiteOutcome.RED, Outcome.ASSERTION_FAILED, id="Maven stops at the end"),
        pytest.param(STOPPED, 1, ONE_FAILS, 2, SuiteOutcome.CRASHED, Outcome.ASSERTION_FAILED, id="Maven stops before"),
        pytest.param("", 1, ONE_FAILS, 1, SuiteOutcome.CRASHED, Outcome.ASSERTION_FAILED, id="Maven fails"),
    ],
)
def test_what_maven_says_of_failed_tests_is_held_against_the_reports(
    said: str,
    status: int,
    report: bytes,
    modules: int,
    outcome: SuiteOutcome,
    of_method: Outcome,
    make_tree: MakeTree,
    tmp_path: Path,
) -> None:
    """Two executions of Surefire write to one folder, and a POM can forbid Maven to go on behind a red module."""
    maven = tmp_path / "mvn"
    maven.write_text(
        f"#!/bin/sh\nmkdir -p target/surefire-reports\ncp {tmp_path}/report target/surefire-reports/TEST-a.T.xml\n"
        f"echo '{said}'\nexit {status}\n"
    )
    maven.chmod(0o755)
    (tmp_path / "report").write_bytes(report)
    built = make_tree({"a/T.java": "package a; public class T { void passes() {} }"})
    module = built.modules[0]
    more = [replace(module, path=f"more{number}") for number in range(modules - 1)]
    tree = replace(built, engine="maven", modules=(module, *more), maven=(str(maven),), maven_folder=module.folder)
    runner = SurefireRunner(OneShotRunner(tmp_path / "work"))
    assert runner.run_suite(tree).outcome is outcome
    test = TestKey(module="", path="src/test/java/a/T.java", type_name="a.T", name="passes")
    assert runner.run_method(tree, test).outcome is of_method


def test_reports_are_found_beside_folders_of_any_depth_and_not_in_modules_inside(tmp_path: Path) -> None:
    for module in ("", "inside/"):
        (tmp_path / module / "target" / "surefire-reports").mkdir(parents=True)
        (tmp_path / module / "pom.xml").touch()
    with deep_folder(tmp_path):
        assert report_folders(tmp_path) == [tmp_path / "target" / "surefire-reports"]


def test_a_tree_that_maven_did_not_build_is_refused(make_tree: MakeTree, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="engine `maven`"):
        SurefireRunner(OneShotRunner(tmp_path)).run_suite(make_tree({}))


def test_a_tree_without_modules_has_time_to_run(make_tree: MakeTree, tmp_path: Path) -> None:
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\nsleep 0.2\n")
    maven.chmod(0o755)
    tree = replace(make_tree({}), engine="maven", maven=(str(maven),), maven_folder=tmp_path, modules=())
    suite = SurefireRunner(OneShotRunner(tmp_path / "work")).run_suite(tree)
    assert (suite.outcome, suite.tests) == (SuiteOutcome.NO_TESTS, ())


def test_words_of_a_crash_that_a_test_repeats_are_read_in_time(make_tree: MakeTree, tmp_path: Path) -> None:
    """In a time that grew with their square, this would take hours."""
    maven = tmp_path / "mvn"
    maven.write_text(f"#!/bin/sh\nexec {sys.executable} -c \"print('The forked VM ' * 300000)\"\n")
    maven.chmod(0o755)
    built = make_tree({"a/T.java": "package a; public class T { void passes() {} }"})
    tree = replace(built, engine="maven", maven=(str(maven),), maven_folder=built.modules[0].folder)
    test = TestKey(module="", path="src/test/java/a/T.java", type_name="a.T", name="passes")
    run = SurefireRunner(OneShotRunner(tmp_path / "work")).run_method(tree, test)
    assert (run.outcome, len(run.stdout_bytes) > 4_000_000) == (Outcome.NOT_FOUND, True)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("[ERROR] The forked VM terminated without saying properly goodbye. VM crash or System.exit called ?", ""),
        ("[ERROR] Process Exit Code: 1\n[ERROR] Crashed tests:\n[ERROR] Process Exit Code: 1", "Process Exit Code: 1"),
        (
            "Error occurred during initialization of VM\r\nToo small maximum heap\r\n[ERROR] Process Exit Code: 134",
            "Error occurred during initialization of VM Too small maximum heap; Process Exit Code: 134",
        ),
        ("Unrecognized VM option 'MaxPermSize=1g'\nError", "Unrecognized VM option 'MaxPermSize=1g'"),
        ("java.lang.OutOfMemoryError: Java heap space\n\tat a.T", "java.lang.OutOfMemoryError: Java heap space"),
    ],
)
def test_a_crash_is_told_in_the_words_of_surefire_and_the_jvm(said: str, reason: str) -> None:
    assert crash_reason(said.encode()) == "the forked JVM ended without a report" + (f": {reason}" if reason else "")


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>g</groupId>
<artifactId>a</artifactId><version>1</version><properties><maven.compiler.source>8</maven.compiler.source>
<maven.compiler.target>8</maven.compiler.target></properties><dependencies><dependency><groupId>junit</groupId>
<artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies></project>
"""
SAMPLE = """package a;
import org.junit.*;
public class SampleTest {
  @Test public void passes() {}
  @Test public void passesToo() { Assert.fail(); }
  @Test public void throwsUp() { throw new IllegalStateException(); }
  @Test @Ignore public void off() {}
  @Test public void assumes() { Assume.assumeTrue(false); }
}
"""
CRASHING = "package a;\npublic class EndTest { @org.junit.Test public void exits() { System.exit(0); } }\n"


@pytest.mark.maven
def test_both_runners_agree_on_a_real_project(make_tree: MakeTree, tmp_path: Path, launcher: None) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        pytest.skip("Maven is not installed")
    tree = make_tree({"a/SampleTest.java": SAMPLE, "a/EndTest.java": CRASHING}, framework="junit4")
    folder = tree.modules[0].folder
    tree = replace(tree, engine="maven", maven=(maven, "-q", "-B"), maven_folder=folder)
    (folder / "pom.xml").write_text(POM)
    direct = OneShotRunner(tmp_path / "work")
    reference = SurefireRunner(direct)
    assert reference.run_suite(tree).outcome is direct.run_suite(tree).outcome
    exits = TestKey(module="", path="src/test/java/a/EndTest.java", type_name="a.EndTest", name="exits")
    crashed = reference.run_method(tree, exits)
    assert crashed.outcome is Outcome.CRASHED
    assert crashed.message is not None and crashed.message.startswith("the forked JVM ended without a report")
    (tree.modules[0].folder / "src/test/java/a/EndTest.java").unlink()
    (tree.modules[0].test_classes / "a/EndTest.class").unlink()
    suites = [runner.run_suite(tree) for runner in (reference, direct)]
    # Old versions of Surefire report a failed assumption as skipped, without saying more.
    seen, expected = ({entry.test: entry.outcome for entry in suite.tests} for suite in suites)
    assert seen == expected | {test: Outcome.SKIPPED for test in expected if test.name == "assumes"}
    assert (suites[0].outcome, suites[0].reason) == (suites[1].outcome, suites[1].reason)
    test = next(entry.test for entry in suites[0].tests if entry.test.name == "passes")
    assert [runner.run_method(tree, test).outcome for runner in (reference, direct)] == [Outcome.PASSED] * 2


SHARING = """package a;
import org.junit.Test;
public class SharingTest {
  @Test public void adds() { System.out.println("ran adds"); }
  @Test public void addsAll() { System.out.println("ran addsAll"); }
}
"""
EACH = """package a;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
@RunWith(Parameterized.class)
public class EachTest {
  @Parameterized.Parameters public static Object[][] all() { return new Object[][] {{1}, {2}}; }
  private final int number;
  public EachTest(int number) { this.number = number; }
  @Test public void adds() { System.out.println("ran adds " + number); }
  @Test public void addsAll() { System.out.println("ran addsAll"); }
}
"""
NAMES_SUREFIRE = """</dependencies><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
<version>{version}</version></plugin></plugins></build></project>"""


@pytest.mark.maven
@pytest.mark.parametrize(("version", "of_each"), [("2.12.4", Outcome.NOT_FOUND), ("3.2.5", Outcome.PASSED)])
def test_a_method_runs_without_those_whose_names_begin_like_its_own(
    version: str, of_each: Outcome, make_tree: MakeTree, tmp_path: Path, launcher: None
) -> None:
    """They would share a JVM. Old versions of Surefire find no method of a parameterised class."""
    maven = shutil.which("mvn")
    if maven is None:
        pytest.skip("Maven is not installed")
    tree = make_tree({"a/SharingTest.java": SHARING, "a/EachTest.java": EACH}, framework="junit4")
    folder = tree.modules[0].folder
    tree = replace(tree, engine="maven", maven=(maven, "-B"), maven_folder=folder)
    pom = POM.replace("</dependencies></project>", NAMES_SUREFIRE.format(version=version))
    (folder / "pom.xml").write_text(pom)
    reference = SurefireRunner(OneShotRunner(tmp_path / "work"))
    for name, outcome, said in [
        ("SharingTest", Outcome.PASSED, ["ran adds"]),
        ("EachTest", of_each, ["ran adds 1", "ran adds 2"] if of_each is Outcome.PASSED else []),
    ]:
        test = TestKey(module="", path=f"src/test/java/a/{name}.java", type_name=f"a.{name}", name="adds")
        run = reference.run_method(tree, test)
        printed = [line for line in run.stdout_bytes.decode().splitlines() if line.startswith("ran")]
        assert (run.outcome, printed) == (outcome, said), run.message
