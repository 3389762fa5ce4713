"""The sandbox `unshare`: processes and a network of its own, files of the user; children gone, power given up."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms.sandbox_proof import leaks_of, prove
from testevo.runtime.errors import MachineError
from testevo.runtime.files.jars import JARS
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.name_spaces import NameSpaces, name_spaces_work
from testevo.sandboxes.sandboxes import sandbox_named
from testevo.sandboxes.watching import ProcessLimits, Watched

pytestmark = pytest.mark.skipif(not name_spaces_work(), reason="the kernel makes no name spaces for this user")

NETWORK = """
import socket, sys
own = socket.create_server(("127.0.0.1", 0))
socket.create_connection(own.getsockname(), 5).close()
print("loopback works", *[name for _, name in socket.if_nameindex()])
for address in (("127.0.0.1", int(sys.argv[1])), ("192.0.2.1", 80)):
    try:
        socket.create_connection(address, 5)
        print("reached", *address)
    except OSError as error:
        print("not reached", error.errno is not None)
"""


@pytest.fixture
def confinement(tmp_path: Path) -> Confinement:
    return Confinement(tmp_path, (tmp_path,), (tmp_path,), 64)


def run(sandbox: NameSpaces, confinement: Confinement, *command: str) -> Watched:
    return sandbox.run(
        lambda channel: command, confinement, {"PATH": os.defpath, "MARK": "x"}, ProcessLimits(60, 2**16)
    )


def mentioning(folder: Path) -> list[psutil.Process]:
    """Processes of this machine whose command line names a folder."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            found += [process] if str(folder) in " ".join(process.cmdline()) else []
    return found


def lines(watched: Watched) -> list[str]:
    return watched.stdout.decode().splitlines()


def test_there_is_no_network_but_a_loopback_interface_that_works(confinement: Confinement) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        watched = run(NameSpaces(), confinement, sys.executable, "-I", "-c", NETWORK, port)
    assert lines(watched) == ["loopback works lo", "not reached True", "not reached True"], watched.stderr


def test_without_a_sandbox_the_network_stays_and_processes_are_its_own(confinement: Confinement) -> None:
    assert sandbox_named("none").identity == "none, own processes"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        program = f"import os, socket; socket.create_connection(('127.0.0.1', {port})); print(os.getppid())"
        watched = run(NameSpaces(network=False), confinement, sys.executable, "-I", "-c", program)
    assert lines(watched) == ["1"], watched.stderr


@pytest.mark.parametrize("network", [True, False])
def test_other_processes_cannot_be_seen_and_no_power_is_left(confinement: Confinement, network: bool) -> None:
    script = """
    echo $(ls -d /proc/[0-9]* | wc -l) $(id -u)
    grep -E 'Cap(Prm|Eff)|NoNewPrivs' /proc/self/status | tr -s '\\t' ' '
    env | grep -c MARK=x
    """
    said = lines(run(NameSpaces(network=network), confinement, "/bin/sh", "-c", script))
    processes, user = said[0].split()
    assert int(processes) < 8 and user == str(os.getuid())
    assert said[1:] == ["CapPrm: 0000000000000000", "CapEff: 0000000000000000", "NoNewPrivs: 1", "1"]


def test_the_end_of_a_program_is_told_as_it_was(confinement: Confinement) -> None:
    """Its status, a signal as a shell tells it, and a program that is not there; nothing is added to what it says."""
    for command, status, said in (("exit 7", 7, b""), ("kill -SEGV $$", 139, b""), ("echo x >&2", 0, b"x\n")):
        watched = run(NameSpaces(), confinement, "/bin/sh", "-c", command)
        assert (watched.status, watched.stderr) == (status, said)
    watched = run(NameSpaces(), confinement, "no-such-program")
    assert watched.status == 127 and b"no-such-program" in watched.stderr


def test_whatever_a_program_started_is_gone_with_it(confinement: Confinement, tmp_path: Path) -> None:
    """Also what left its session, and ignores signals."""
    script = f"trap '' HUP TERM INT; for n in 1 2 3; do setsid sh -c ': {tmp_path}; sleep 600' & done; sleep 0.2"
    run(NameSpaces(), confinement, "/bin/sh", "-c", script)
    assert mentioning(tmp_path) == []


def test_a_run_that_takes_too_long_is_ended_with_all_it_started(confinement: Confinement, tmp_path: Path) -> None:
    limits = ProcessLimits(1, 2**16, grace_seconds=0.1)
    command = ("/bin/sh", "-c", f"setsid sh -c ': {tmp_path}; sleep 600' & sleep 600")
    watched = NameSpaces().run(lambda channel: command, confinement, {"PATH": os.defpath}, limits)
    assert watched.timed_out
    assert mentioning(tmp_path) == []


def test_a_program_that_kills_every_process_ends_only_itself(tmp_path: Path) -> None:
    """Only ever run inside a process name space around the whole, which the program itself checks first."""
    outer = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--"]
    if subprocess.run([*outer, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("the kernel makes no user name space for this user")
    own = os.readlink("/proc/self/ns/pid")  # noqa: PTH115 - not a path
    shown = subprocess.run(
        [*outer, "readlink", "/proc/self/ns/pid"], check=True, capture_output=True, text=True
    ).stdout.strip()
    assert shown.startswith("pid:[") and shown != own, "the name space around the test does not hold; nothing was sent"
    program = str(Path(__file__).with_name("kills_everything.py"))
    done = subprocess.run(
        [*outer, sys.executable, program, own, str(tmp_path)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-2:] == ["witness", "lives"]


def test_the_proof_asks_it_for_all_but_files(tmp_path: Path) -> None:
    javac = shutil.which("javac")
    if javac is None or not (JARS / "launcher.jar").is_file():
        pytest.skip("needs a JDK and jvm/lib/launcher.jar (make setup)")
    jdk = Jdk(Path(javac).resolve().parents[1], 17, "17")
    prove(NameSpaces(), jdk, tmp_path)
    leaks = leaks_of(NameSpaces(), jdk, tmp_path)
    assert leaks and all("folder" in leak or "file" in leak for leak in leaks)


@pytest.mark.parametrize("script", ['while [ "$1" != -- ]; do shift; done; shift 7; exec "$@"', "exit 1", None])
def test_a_kernel_that_makes_none_is_noticed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str | None
) -> None:
    """A program that starts its command without any name space is not a sandbox, nor one that fails or is missing."""
    program = tmp_path / "unshare"
    if script is not None:
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    with monkeypatch.context() as hidden:
        hidden.setenv("PATH", f"{tmp_path}" if script is None else f"{tmp_path}:{os.defpath}")
        assert not name_spaces_work() and sandbox_named("none").identity == "none"
        with pytest.raises(MachineError, match="makes no name spaces here"):
            sandbox_named("unshare")
    assert name_spaces_work(), "what one PATH lacks is not believed of the next"


@pytest.mark.skipif(not Path("/proc/sys/kernel/ns_last_pid").exists(), reason="the kernel numbers processes itself")
@pytest.mark.parametrize("network", [True, False])
def test_processes_of_two_runs_have_different_numbers(network: bool, confinement: Confinement) -> None:
    """A JVM that attaches to itself meets itself at a path below the shared /tmp that its number names."""
    sandbox = NameSpaces(network=network)
    numbers = [run(sandbox, confinement, "sh", "-c", "echo $$").stdout for _ in range(2)]
    assert len(set(numbers)) == 2
