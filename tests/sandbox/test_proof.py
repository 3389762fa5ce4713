"""Before untrusted code runs, a sandbox must prove that it holds."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms import sandbox_proof
from testevo.execution.jvms.sandbox_proof import leaks_of, prove
from testevo.runtime.errors import MachineError
from testevo.runtime.files import files
from testevo.runtime.files.jars import JARS
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Bubblewrap, Command, NoSandbox, bubblewrap_works
from testevo.sandboxes.sandboxes import sandbox_named
from testevo.sandboxes.watching import ProcessLimits, Watched
from tests.sandbox.podman import Podman

needs_bubblewrap = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine")


@pytest.fixture
def jdk() -> Jdk:
    javac = shutil.which("javac")
    if javac is None or not (JARS / "launcher.jar").is_file():
        pytest.skip("needs a JDK and jvm/lib/launcher.jar (make setup)")
    return Jdk(Path(javac).resolve().parents[1], 17, "17")


class Leaky(Bubblewrap):
    """Bubblewrap with options that it must not have, before what it shows of a run or after."""

    def __init__(self, *options: str, last: bool = False) -> None:
        super().__init__()
        self.options, self.last = options, last

    @property
    def identity(self) -> str:
        return f"leaky {self.options}"

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        argv = super().command(command, confinement)
        place = argv.index("--chdir") if self.last else argv.index("/dev/shm") + 1
        shared = [str(confinement.writable[0].parent) if option == "work" else option for option in self.options]
        return [*argv[:place], *shared, *argv[place:]]


@needs_bubblewrap
def test_bubblewrap_holds(jdk: Jdk, tmp_path: Path) -> None:
    assert leaks_of(Bubblewrap(), jdk, tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_containers_hold(jdk: Jdk, tmp_path: Path, podman: Podman) -> None:
    assert leaks_of(sandbox_named("docker", podman.images), jdk, tmp_path) == []
    assert list(tmp_path.iterdir()) == []
    assert podman.containers() == []


def test_a_run_without_a_sandbox_can_do_all_that_the_proof_asks_for(jdk: Jdk, tmp_path: Path) -> None:
    """So a sandbox that holds nothing back would be found out; `none` itself is let pass, after its warning."""
    leaks = leaks_of(NoSandbox(), jdk, tmp_path)
    for said in (
        "listener on this machine's loopback interface was reached",
        "file of another run below",
        "folder it may only read below",
        "folder of another run below",
    ):
        assert any(said in leak for leak in leaks)
    prove(NoSandbox(), jdk, tmp_path)


@needs_bubblewrap
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--share-net",), "listener on this machine's loopback interface was reached"),
        (("--ro-bind", "work", "work"), "file of another run below"),
        (("--bind", "work", "work"), "folder of another run below"),
    ],
)
def test_a_sandbox_that_leaks_runs_nothing(options: Sequence[str], says: str, jdk: Jdk, tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=says) as caught:
        prove(Leaky(*options), jdk, tmp_path)
    assert "No untrusted code was run" in str(caught.value)
    assert "docs/sandboxes.md" in str(caught.value)


@needs_bubblewrap
def test_a_sandbox_that_holds_is_asked_once(jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Counted(Bubblewrap):
        def run(
            self,
            command: Command,
            confinement: Confinement,
            environment: Mapping[str, str],
            limits: ProcessLimits,
            key: bytes | None = None,
        ) -> Watched:
            asked.append(command)
            return super().run(command, confinement, environment, limits, key)

    monkeypatch.setattr(sandbox_proof, "_proven", set())
    for _ in range(2):
        prove(Counted(), jdk, tmp_path)
    assert len(asked) == 1


@needs_bubblewrap
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("--ro-bind", "work", "work", "--tmpfs", "work"),
            "does not let a run write to its own folder|cannot run a JVM",
        ),
        (("--tmpfs", "/usr"), "cannot run a JVM here"),
    ],
)
def test_a_sandbox_in_which_nothing_works_is_named(options: Sequence[str], says: str, jdk: Jdk, tmp_path: Path) -> None:
    with pytest.raises(MachineError, match=says):
        prove(Leaky(*options, last=True), jdk, tmp_path)


@needs_bubblewrap
def test_a_full_disk_is_not_blamed_on_the_sandbox(jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither where a run can write nothing, nor where no JVM starts."""
    monkeypatch.setattr(files, "LEAST_FREE_BYTES", 2**62)
    for unusable in (
        Leaky("--ro-bind", "work", "work", "--tmpfs", "work", last=True),
        Leaky("--tmpfs", "/usr", last=True),
    ):
        with pytest.raises(MachineError, match="Free space, then run again"):
            prove(unusable, jdk, tmp_path)
