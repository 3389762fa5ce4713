"""The launcher runs one test with the project's own JUnit and writes its verdict to a channel (TEB-E06, TEB-X04)."""

import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from launched_tests import Launcher, class_path, compile_java, fetch_jars

from testevo.runtime.files.jars import JARS

pytestmark = pytest.mark.maven


@pytest.fixture(scope="module")
def jars(request: pytest.FixtureRequest) -> Path:
    return fetch_jars(request.config.cache.mkdir("junit-jars"))


@pytest.fixture(scope="module")
def junit3(jdk_home: Path, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    return prepared(jdk_home, jars, tmp_path_factory.mktemp("junit3"), "junit-3.8.2", "junit3", ("junit3",))


@pytest.fixture(scope="module")
def junit4(jdk_home: Path, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    sources = ("junit3", "junit4", "junit4_later")
    return prepared(jdk_home, jars, tmp_path_factory.mktemp("junit4"), "junit-4.13.2", "junit4", sources)


@pytest.fixture(scope="module")
def jupiter(jdk_home: Path, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    return prepared(jdk_home, jars, tmp_path_factory.mktemp("jupiter"), "jupiter-5.10", "platform", ("jupiter",))


@pytest.fixture(scope="module")
def hostile(jdk_home: Path, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    folder = tmp_path_factory.mktemp("hostile")
    return prepared(jdk_home, jars, folder, "junit-4.13.2", "junit4", ("hostile",))


def prepared(
    jdk: Path, jars: Path, folder: Path, junit: str, back_end: str, sources: Sequence[str], *options: str
) -> Launcher:
    if not (JARS / "launcher.jar").is_file():
        pytest.skip("jvm/lib/launcher.jar is not built (make setup)")
    libraries = class_path(jars, junit)
    classes = compile_java(jdk, sources, folder / "classes", libraries, *options)
    return Launcher(jdk, back_end, (classes, *libraries), folder)


def test_junit_3_tells_failures_from_errors(junit3: Launcher) -> None:
    """In JUnit 3.8 a failed assertion is not an AssertionError."""
    assert sorted(junit3.run("p.OldTest").outcomes) == [
        ("testFails()", "assertion_failed"),
        ("testPasses()", "passed"),
        ("testThrows()", "exception"),
    ]


@pytest.mark.parametrize("name", ["junit3", "junit4"])
def test_a_junit_3_method_runs_alone_also_when_inherited(name: str, request: pytest.FixtureRequest) -> None:
    run = request.getfixturevalue(name).run("p.OldChildTest#testFails()")
    assert run.outcomes == [("testFails()", "assertion_failed")]
    assert run.of("finished")[0]["class"] == "p.OldChildTest"
    assert run.of("finished")[0]["message"] == "sum expected:<1> but was:<2>"


@pytest.mark.parametrize("name", ["junit3", "junit4"])
def test_a_junit_3_suite_method_is_followed(name: str, request: pytest.FixtureRequest) -> None:
    run = request.getfixturevalue(name).run("p.OldSuite")
    assert run.found == 3
    assert {event["class"] for event in run.of("finished")} == {"p.OldTest"}


def test_what_is_not_there_is_said_with_its_reason(junit3: Launcher) -> None:
    run = junit3.run("p.OldTest#testMissing()", "p.Missing", "p.NoCase", "p.OldTest#testPasses()")
    assert [event["selection"] for event in run.of("not_found")] == ["p.OldTest#testMissing()", "p.Missing", "p.NoCase"]
    assert all(event["reason"] for event in run.of("not_found"))
    assert run.outcomes == [("testPasses()", "passed")]


def test_junit_4_outcomes_of_a_class(junit4: Launcher) -> None:
    assert dict(junit4.run("p.NewTest").outcomes) == {
        "passes()": "passed",
        "fails()": "assertion_failed",
        "throwsUp()": "exception",
        "expects()": "passed",
        "ignored()": "skipped",
        "assumes()": "aborted",
        "inTime()": "passed",
    }


def test_an_ignored_test_tells_its_reason(junit4: Launcher) -> None:
    assert junit4.run("p.NewTest#ignored()").of("finished")[0]["message"] == "not now"


@pytest.mark.parametrize("version", ["junit-4.4", "junit-4.11"])
def test_old_junit_4_runs_single_methods(version: str, jdk_home: Path, jars: Path, tmp_path: Path) -> None:
    launcher = prepared(jdk_home, jars, tmp_path, version, "junit4", ("junit3", "junit4"))
    run = launcher.run(
        "p.ChildTest#fails()", "p.NewTest$Inner#inside()", "p.OldTest#testFails()", "p.NewTest#absent()", "p.PlainClass"
    )
    assert run.outcomes == [
        ("fails()", "assertion_failed"),
        ("inside()", "passed"),
        ("testFails()", "assertion_failed"),
    ]
    assert run.of("finished")[0]["class"] == "p.ChildTest"
    assert len(run.of("not_found")) == 2


def test_a_parameterised_class_runs_all_indices_of_the_method(junit4: Launcher) -> None:
    run = junit4.run("p.RowsTest#row()")
    assert run.outcomes == [("row()", "passed"), ("row()", "passed"), ("row()", "assertion_failed")]
    assert len({event["id"] for event in run.of("finished")}) == 3


def test_enclosed_classes_run_under_their_own_names(junit4: Launcher) -> None:
    assert {event["class"] for event in junit4.run("p.OuterTest").of("finished")} == {
        "p.OuterTest$First",
        "p.OuterTest$Second",
    }
    assert junit4.run("p.OuterTest$Second#two()").outcomes == [("two()", "passed")]


def test_failures_of_a_whole_class_have_no_method(junit4: Launcher, jupiter: Launcher) -> None:
    for launcher, before, skipped in (
        (junit4, "p.BeforeTest", "p.IgnoredTest"),
        (jupiter, "q.BeforeTest", "q.DisabledTest"),
    ):
        failed = launcher.run(f"{before}#never()").of("finished")
        assert [(e["class"], e["method"], e["outcome"], e["message"]) for e in failed] == [
            (before, None, "exception", "no database")
        ]
        ignored = launcher.run(f"{skipped}#never()").of("finished")
        assert [(e["class"], e["method"], e["outcome"], e["message"]) for e in ignored] == [
            (skipped, None, "skipped", "later")
        ]


def test_jupiter_outcomes_of_a_class(jupiter: Launcher) -> None:
    outcomes = sorted(jupiter.run("q.BasicTest").outcomes, key=str)
    assert outcomes == sorted(
        [
            ("passes()", "passed"),
            ("fails()", "assertion_failed"),
            ("failsTwice()", "assertion_failed"),
            ("throwsUp()", "exception"),
            ("injected(org.junit.jupiter.api.TestInfo)", "passed"),
            ("disabled()", "skipped"),
            ("assumes()", "aborted"),
            ("rows(int)", "passed"),
            ("rows(int)", "passed"),
            ("rows(int)", "assertion_failed"),
            ("rows(java.lang.String)", "passed"),
            ("arrays(int[],java.util.Map$Entry[])", "passed"),
            ("repeats()", "passed"),
            ("repeats()", "passed"),
            ("makes()", "passed"),
            ("makes()", "assertion_failed"),
            ("inside()", "passed"),
            ("deep()", "passed"),
        ],
        key=str,
    )


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        ("q.BasicTest#rows(int)", [("rows(int)", "passed")] * 2 + [("rows(int)", "assertion_failed")]),
        ("q.BasicTest#rows(String)", [("rows(java.lang.String)", "passed")]),
        ("q.BasicTest#arrays(int[],Entry[])", [("arrays(int[],java.util.Map$Entry[])", "passed")]),
        ("q.BasicTest#injected", [("injected(org.junit.jupiter.api.TestInfo)", "passed")]),
        ("q.BasicTest$Inner$Deeper#deep()", [("deep()", "passed")]),
        ("q.ChildTest#inherited()", [("inherited()", "passed")]),
        ("q.BasicTest#makes()", [("makes()", "passed"), ("makes()", "assertion_failed")]),
        ("q.BasicTest#assumes()", [("assumes()", "aborted")]),
    ],
)
def test_a_selected_jupiter_method_runs_alone(
    jupiter: Launcher, selection: str, expected: list[tuple[str, str]]
) -> None:
    """The rows of the console launcher's table: types, nested, inherited, repeated and dynamic tests."""
    assert jupiter.run(selection).outcomes == expected


def test_selections_that_run_nothing_are_never_silent(jupiter: Launcher) -> None:
    """An overloaded name without types, an abstract base, no test, an empty factory: all traps of E4."""
    run = jupiter.run(
        "q.BasicTest#rows", "q.BaseTest#inherited()", "q.BasicTest#helper()", "q.BasicTest#missing()", "q.Missing#a()"
    )
    assert run.found == 0
    problems = [event for event in run.events if event["event"] in ("not_found", "discovery_failed")]
    assert len(problems) == 5
    assert all(event["reason"] for event in problems)
    assert jupiter.run("q.BasicTest#makesNone()").found == 0


def test_a_missing_vintage_engine_is_reported(jdk_home: Path, jars: Path, tmp_path: Path) -> None:
    """The console launcher ends with status 0 and no test."""
    junit4 = class_path(jars, "junit-4.13.2")
    classes = compile_java(jdk_home, ("junit3", "junit4"), tmp_path / "classes", junit4)
    without = Launcher(jdk_home, "platform", (classes, *junit4, *class_path(jars, "jupiter-5.10")), tmp_path)
    run = without.run("p.NewTest#passes()")
    assert (run.found, len(run.of("not_found"))) == (0, 1)
    nothing = Launcher(jdk_home, "platform", (classes, *junit4), tmp_path).run("p.NewTest#passes()")
    assert not nothing.of("finished")
    assert nothing.events


def test_the_vintage_engine_runs_junit_3_and_4(jdk_home: Path, jars: Path, tmp_path: Path) -> None:
    sources = ("junit3", "junit4", "junit4_later", "jupiter")
    launcher = prepared(jdk_home, jars, tmp_path, "vintage-5.10", "platform", sources)
    run = launcher.run(
        "p.OldChildTest#testFails()", "p.ChildTest#fails()", "p.RowsTest#row()", "q.BasicTest#passes()", "p.BeforeTest"
    )
    assert sorted(run.outcomes, key=str) == sorted(
        [
            ("testFails()", "assertion_failed"),
            ("fails()", "assertion_failed"),
            ("row()", "passed"),
            ("row()", "passed"),
            ("row()", "assertion_failed"),
            ("passes()", "passed"),
            (None, "exception"),
        ],
        key=str,
    )
    assert {event["class"] for event in run.of("finished")} == {
        "p.OldChildTest",
        "p.ChildTest",
        "p.RowsTest",
        "q.BasicTest",
        "p.BeforeTest",
    }


@pytest.mark.parametrize("version", ["jupiter-5.0", "jupiter-5.3", "jupiter-5.14", "jupiter-6"])
def test_other_platform_versions_give_the_same_verdicts(
    version: str, jdk_home: Path, jars: Path, tmp_path: Path
) -> None:
    launcher = prepared(jdk_home, jars, tmp_path, version, "platform", ("jupiter",))
    run = launcher.run(
        "q.BasicTest#rows(int)",
        "q.ChildTest#inherited()",
        "q.BasicTest$Inner#inside()",
        "q.BasicTest#makes()",
        "q.BasicTest#failsTwice()",
        "q.BasicTest#disabled()",
        "q.BasicTest#helper()",
    )
    assert sorted(run.outcomes) == sorted(
        [
            ("rows(int)", "passed"),
            ("rows(int)", "passed"),
            ("rows(int)", "assertion_failed"),
            ("inherited()", "passed"),
            ("inside()", "passed"),
            ("makes()", "passed"),
            ("makes()", "assertion_failed"),
            ("failsTwice()", "assertion_failed"),
            ("disabled()", "skipped"),
        ]
    )
    assert len(run.of("not_found") + run.of("discovery_failed")) == 1


@pytest.mark.parametrize("together", [False, True])
def test_a_method_of_one_framework_runs_in_a_class_of_two(
    jdk_home: Path, jars: Path, tmp_path: Path, *, together: bool
) -> None:
    """The engine of JUnit 4 fails for a method that is none of its own."""
    launcher = prepared(jdk_home, jars, tmp_path, "vintage-5.10", "platform", ("mixed",))
    expected = {"older()": "passed", "newer()": "passed", "fails()": "exception"}
    selections = [f"x.MixedTest#{name}" for name in expected]
    runs = [launcher.run(*selections[1:])] if together else [launcher.run(one) for one in selections]
    assert [outcome for run in runs for outcome in run.outcomes] == list(expected.items())[together:]


@pytest.mark.parametrize("version", ["jupiter-5.10", "jupiter-6"])
@pytest.mark.parametrize("selected", [("s.SessionTest#first()",), ("s.SessionTest#first()", "s.SessionTest#second()")])
def test_one_session_lasts_until_the_last_test_has_ended(
    version: str, selected: tuple[str, ...], jdk_home: Path, jars: Path, tmp_path: Path
) -> None:
    """As in Surefire since 3.0.0-M6: what a listener starts with the session is there for the tests."""
    launcher = prepared(jdk_home, jars, tmp_path, version, "platform", ("sessions",))
    offer = launcher.project[0] / "META-INF/services/org.junit.platform.launcher.LauncherSessionListener"
    offer.parent.mkdir(parents=True)
    offer.write_text("s.Sessions\n", encoding="utf-8")
    run = launcher.run(*selected)
    assert {outcome for _, outcome in run.outcomes} == {"passed"}, run.events
    assert run.output == b"opened closed\n"


@pytest.mark.parametrize("method", ["closesOutput", "printsBytes", "leavesThread", "hangsAtTheEnd"])
def test_a_hostile_test_that_passes_still_ends_with_its_verdict(hostile: Launcher, method: str) -> None:
    run = hostile.run(f"h.HostileTest#{method}()")
    assert run.outcomes == [(f"{method}()", "passed")], run.output
    assert run.ended


def test_printed_events_are_no_verdicts(hostile: Launcher) -> None:
    assert hostile.run("h.HostileTest#forgesVerdicts()").outcomes == [("forgesVerdicts()", "assertion_failed")]


@pytest.mark.parametrize("method", ["exits", "halts"])
def test_a_test_that_ends_the_jvm_leaves_no_end_event(hostile: Launcher, method: str) -> None:
    run = hostile.run(f"h.HostileTest#{method}()")
    assert [event["event"] for event in run.events] == ["started"]
    assert run.status == 0


def test_messages_survive_control_characters_and_surrogates(hostile: Launcher) -> None:
    message = hostile.run("h.HostileTest#message()").of("finished")[0]["message"]
    assert message == '\x00\x07\n\t"\\\x7f\x85\u2028\U0001f600 \ufffd end \ufffd\ufffd'


def test_exceptions_that_cannot_be_printed_are_still_verdicts(hostile: Launcher) -> None:
    run = hostile.run("h.HostileTest#nastyException()", "h.HostileTest#longMessage()", "h.HostileTest#overflows()")
    assert [event["outcome"] for event in run.of("finished")] == ["exception", "assertion_failed", "exception"]
    assert run.of("finished")[2]["exception"] == "java.lang.StackOverflowError"
    assert len(run.of("finished")[1]["message"]) < 30_000


@pytest.mark.parametrize("method", ["forbidsExit", "forbidsAll"])
def test_a_security_manager_cannot_keep_the_jvm_alive(hostile: Launcher, jdk_home: Path, method: str) -> None:
    asked = subprocess.run([jdk_home / "bin/java", "-version"], capture_output=True, text=True, check=True)
    if int(asked.stderr.split('"')[1].split(".")[0]) >= 24:
        pytest.skip("this JDK has no security managers")
    run = hostile.run(f"h.ManagerTest#{method}()", jvm=["-Djava.security.manager=allow"], seconds=40)
    assert run.ended
    assert (run.of("started")[0]["method"], run.found) == (method, 1)


def test_the_project_is_in_the_system_loader_unless_it_has_a_loader_of_its_own(hostile: Launcher) -> None:
    run = hostile.run("h.HostileTest#systemResource()", "h.HostileTest#exits()")
    assert run.outcomes == [("systemResource()", "passed")], run.output
    apart = hostile.run("h.HostileTest#systemResource()", "h.HostileTest#hidesLauncher()", own_loader=True)
    assert apart.outcomes == [("systemResource()", "assertion_failed"), ("hidesLauncher()", "passed")]


def test_no_class_of_a_project_gets_into_a_package_of_the_launcher(
    hostile: Launcher, jdk_home: Path, tmp_path: Path
) -> None:
    """Its jars are sealed, so frames of these packages are the launcher's."""
    source = tmp_path / "Evil.java"
    source.write_text("package testevo.launcher; public class Evil { @org.junit.Test public void a() {} }")
    class_path = ":".join(map(str, hostile.project))
    subprocess.run([jdk_home / "bin/javac", "-cp", class_path, "-d", hostile.project[0], source], check=True)
    run = hostile.run("testevo.launcher.Evil#a()")
    assert run.of("finished") == []
    assert "sealing violation" in run.output.decode() + str(run.events)


def test_the_channel_may_be_a_named_pipe(junit3: Launcher, tmp_path: Path) -> None:
    junit3.run("p.OldTest#testPasses()", own_loader=True)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines: list[bytes] = []
    reader = threading.Thread(target=lambda: lines.extend(pipe.read_bytes().splitlines()))
    reader.start()
    subprocess.run(
        [
            junit3.jdk / "bin/java",
            "-cp",
            JARS / "launcher.jar",
            "testevo.launcher.Main",
            junit3.folder / "request",
            pipe,
        ],
        check=True,
        timeout=60,
    )
    reader.join(10)
    assert [b'"started"' in line for line in lines] == [True, False, False]


def test_a_request_that_cannot_be_read_is_an_error_on_the_channel(junit3: Launcher, tmp_path: Path) -> None:
    request, channel = tmp_path / "request", tmp_path / "channel"
    request.write_text("backend junit3\nselect-methd p.A#b()\n")
    done = subprocess.run(
        [junit3.jdk / "bin/java", "-cp", JARS / "launcher.jar", "testevo.launcher.Main", request, channel],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert '"event":"error"' in channel.read_text()
    assert "select-methd" in channel.read_text()
