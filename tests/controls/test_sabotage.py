"""Every kind of sabotage ends as a failure of that test alone, with nothing left running or changed outside."""

import socket
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest

from testevo.execution.runner import Limits, MethodRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.packaging.start_states.sabotage import SabotageKind, sabotage_body
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Bubblewrap, Sandbox, bubblewrap_works
from tests.controls.place import MakePlace, Place

pytestmark = pytest.mark.maven

FAILED, CRASHED = Outcome.ASSERTION_FAILED, Outcome.CRASHED
EXPECTED = {
    SabotageKind.EXIT_ZERO: CRASHED,
    SabotageKind.HALT: CRASHED,
    SabotageKind.ENDLESS_LOOP: Outcome.TIMED_OUT,
    SabotageKind.FORK_BOMB: FAILED,
    SabotageKind.MEMORY: FAILED,
    SabotageKind.OUTPUT_FLOOD: FAILED,
    SabotageKind.FORGED_REPORT: CRASHED,
    SabotageKind.DELETE_FILES: FAILED,
    SabotageKind.REWRITE_CLASSES: FAILED,
    SabotageKind.WRITE_OUTSIDE: FAILED,
    SabotageKind.OPEN_SOCKETS: FAILED,
    SabotageKind.CHANNEL_BY_REFLECTION: CRASHED,
    SabotageKind.CHANNEL_BY_DESCRIPTOR: CRASHED,
    SabotageKind.UNIVERSAL: FAILED,
    SabotageKind.REPLAY: FAILED,
    SabotageKind.DISGUISED: Outcome.EXCEPTION,
}
HEADERS = {
    "junit3": ("extends junit.framework.TestCase", "public void test_"),
    "junit4": ("", "@org.junit.Test public void test_"),
    "platform": ("", "@org.junit.jupiter.api.Test void test_"),
}


def sources(framework: str) -> dict[str, str]:
    base, header = HEADERS[framework]
    methods = "".join(
        f"{header}{kind.value}() {{\n{sabotage_body(kind, 'h.HTest', 'test_' + kind.value)}}}\n"
        for kind in SabotageKind
    )
    return {"h/HTest.java": f"package h;\npublic class HTest {base} {{\n{methods}{header}passes() {{ }}\n}}\n"}


@pytest.fixture(scope="module")
def places(make_place: MakePlace) -> dict[str, Place]:
    return {framework: make_place(sources(framework), framework) for framework in HEADERS}


def run(place: Place, sandbox: Sandbox, name: str, seconds: float = 30) -> MethodRun:
    runner = OneShotRunner(place.work, Limits(method_seconds=seconds, memory_mb=128, output_kb=64), sandbox)
    return runner.run_method(place.tree, TestKey(module="", path="", type_name="h.HTest", name=f"test_{name}"))


@pytest.mark.parametrize("kind", SabotageKind, ids=lambda kind: kind.value)
def test_sabotage_ends_as_a_failure_of_its_test_alone(
    kind: SabotageKind, sandbox: Sandbox, places: dict[str, Place]
) -> None:
    place = places["junit4"]
    state, before = place.state(), psutil.Process().children(recursive=True)
    outcome = run(place, sandbox, kind.value, 3 if kind is SabotageKind.ENDLESS_LOOP else 30)
    assert outcome.outcome is EXPECTED[kind], outcome
    assert len(outcome.stdout_bytes) + len(outcome.stderr_bytes) < 2 * 65 * 1024
    assert place.processes() == []
    # Not all of those before need be there still: one of an earlier test may have been about to end.
    new = [child for child in psutil.Process().children(recursive=True) if child not in before]
    assert psutil.wait_procs(new, timeout=10)[1] == []
    assert place.state() == state
    if not sandbox.isolates_files and kind not in (SabotageKind.MEMORY, SabotageKind.OUTPUT_FLOOD):
        assert outcome.stderr_bytes == b""  # nothing was refused: it did all that it is there to do
    if kind.value.startswith("channel"):
        assert "tampered" in (outcome.message or "")
    written = {path.name for path in place.outside.iterdir()}
    assert bool(written) == (kind is SabotageKind.WRITE_OUTSIDE and not sandbox.isolates_files)
    for name in written:
        (place.outside / name).unlink()


@pytest.mark.parametrize("framework", ["junit3", "platform"])
@pytest.mark.parametrize("kind", [SabotageKind.HALT, SabotageKind.CHANNEL_BY_DESCRIPTOR, SabotageKind.DELETE_FILES])
def test_sabotage_works_with_every_junit(
    kind: SabotageKind, framework: str, sandbox: Sandbox, places: dict[str, Place]
) -> None:
    assert run(places[framework], sandbox, kind.value).outcome is EXPECTED[kind]


def test_a_test_passes_right_after_its_neighbour_damaged_the_classes(
    sandbox: Sandbox, places: dict[str, Place]
) -> None:
    """Also with the same runner, which keeps private copies of class folders."""
    place = places["junit4"]
    runner = OneShotRunner(place.work, Limits(method_seconds=30), sandbox)
    tests = [
        TestKey(module="", path="", type_name="h.HTest", name=f"test_{name}")
        for name in ("passes", "rewrite_classes", "passes")
    ]
    assert [runner.run_method(place.tree, test).outcome for test in tests] == [Outcome.PASSED, FAILED, Outcome.PASSED]


def test_confined_tests_reach_no_listener_of_the_machine(make_place: MakePlace, sandbox: Sandbox) -> None:
    """Loopback inside bubblewrap is its own; without a sandbox the machine's is in reach, which the table says."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        source = (
            "package h; public class HTest { @org.junit.Test public void test_connects() throws Exception {\n"
            f'new java.net.Socket("127.0.0.1", {port}).close(); }} }}'
        )
        place = make_place({"h/HTest.java": source}, "junit4")
        expected = Outcome.PASSED if sandbox.name == "none" else Outcome.EXCEPTION
        assert run(place, sandbox, "connects").outcome is expected


def test_no_test_runs_in_a_sandbox_that_leaks(make_place: MakePlace) -> None:
    """The proof at a job's start, before JUnit or any class of the project is loaded."""
    if not bubblewrap_works():
        pytest.skip("bubblewrap does not work on this machine")

    class WithNetwork(Bubblewrap):
        identity = "bubblewrap with a network"

        def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
            program, *more = super().command(command, confinement)
            return [program, *more[:1], "--share-net", *more[1:]]

    place = make_place(
        {"h/HTest.java": "package h; public class HTest { @org.junit.Test public void test_ok() { } }"}, "junit4"
    )
    with pytest.raises(MachineError, match=r"leaks: .*loopback"):
        run(place, WithNetwork(), "ok")


def test_every_kind_is_documented_with_what_it_does() -> None:
    page = (Path(__file__).parents[2] / "docs/controls.md").read_text()
    for kind in SabotageKind:
        assert f"| `{kind.value}` | {kind.cited_doc} |" in page
