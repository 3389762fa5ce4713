"""What a program can see and do in a container, and what is left of it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.sandboxes import Images, sandbox_named
from testevo.sandboxes.watching import ProcessLimits, Watched
from tests.sandbox.podman import Podman

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nowhere", "SPACED": "two words"}


@pytest.fixture
def sandbox(podman: Podman) -> Iterator[Sandbox]:
    yield sandbox_named("docker", podman.images)
    assert podman.containers() == []


@pytest.fixture
def confinement(tmp_path: Path) -> Confinement:
    for name in ("tree", "copy", "private", "inputs"):
        (tmp_path / name).mkdir()
    (tmp_path / "tree" / "real").write_text("")
    (tmp_path / "copy" / "copied").write_text("")
    (tmp_path / "inputs" / "given").write_text("given")
    (tmp_path / "secret").write_text("secret")
    return Confinement(
        tmp_path / "tree",
        (tmp_path / "tree", tmp_path / "inputs", tmp_path / "inputs" / "given"),
        (tmp_path / "private",),
        64,
        tmp_path / "copy",
        tmp_path / "tree",
        disk_mb=16,
    )


def run(
    sandbox: Sandbox, confinement: Confinement, script: str, key: bytes | None = None, seconds: float = 30
) -> Watched:
    """A script whose `$1` is the channel."""
    return sandbox.run(
        lambda channel: ["sh", "-c", script, "sh", channel],
        confinement,
        ENVIRONMENT,
        ProcessLimits(seconds, 1000, grace_seconds=1),
        key,
    )


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("waited in vain")


def processes(word: str) -> list[psutil.Process]:
    """Those anywhere on the machine with a word in their command line."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(word in part for part in process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


def test_what_a_contained_program_can_see_and_do(sandbox: Sandbox, confinement: Confinement, tmp_path: Path) -> None:
    done = run(
        sandbox,
        confinement,
        f"""
    echo "folder $(ls | tr '\\n' ' ')"
    cat {tmp_path}/secret 2>/dev/null && echo leaked || echo hidden
    echo "given $(cat {tmp_path}/inputs/given)"
    touch {tmp_path}/inputs/new 2>/dev/null && echo wrote-input || echo input-read-only
    touch /new 2>/dev/null && echo wrote-image || echo image-read-only
    touch written {tmp_path}/private/kept /tmp/scratch /dev/shm/scratch && echo wrote
    echo "networks $(grep -c : /proc/net/dev)"
    echo "capabilities $(grep -h CapEff /proc/self/status | tr -d '\\t')"
    env
    """,
    )
    lines = done.stdout.decode().splitlines()
    assert lines[:6] == ["folder copied ", "hidden", "given given", "input-read-only", "image-read-only", "wrote"], done
    assert lines[6:8] == ["networks 1", "capabilities CapEff:0000000000000000"]
    # `sh` itself adds the folder it is in.
    assert {line for line in lines[8:] if not line.startswith(("PWD=", "OLDPWD=", "_=", "SHLVL="))} == {
        f"{name}={value}" for name, value in ENVIRONMENT.items()
    }
    assert {path.name for path in (tmp_path / "copy").iterdir()} == {"copied", "written"}
    assert (tmp_path / "private" / "kept").stat().st_uid == os.getuid()


def test_streams_key_channel_and_status_are_those_of_the_program(sandbox: Sandbox, confinement: Confinement) -> None:
    done = run(sandbox, confinement, 'echo ready >"$1"; cat; printf err >&2; exit 7', key=b"the key")
    assert (done.status, done.stdout, done.stderr, done.channel) == (7, b"the key", b"err", b"ready\n")
    flood = "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done"
    flooded = run(sandbox, confinement, f'{flood}; echo done >"$1"')
    assert (len(flooded.stdout), flooded.channel) == (1000 + len("\n[output cut at 1000 bytes]\n"), b"done\n")
    killed = run(sandbox, confinement, "kill -KILL $$")
    assert (killed.status, killed.stderr) == (-signal.SIGKILL, b"")


def test_everything_ends_with_the_run(sandbox: Sandbox, confinement: Confinement, tmp_path: Path) -> None:
    """What has left group and session, and at a wall limit the program itself."""
    done = run(sandbox, confinement, f"setsid sh -c ': {tmp_path}; sleep 600' & echo begun")
    assert (done.status, done.timed_out, done.stdout) == (0, False, b"begun\n")
    assert processes(str(tmp_path)) == []
    late = run(sandbox, confinement, f"setsid sh -c ': {tmp_path}; sleep 600' & sleep 600", seconds=1)
    assert late.timed_out
    assert processes(str(tmp_path)) == []


def test_a_run_that_floods_the_pipe_of_its_status_is_held_to_its_time(
    sandbox: Sandbox, confinement: Confinement
) -> None:
    """It finds the pipe beside its channel."""
    flooded = run(sandbox, confinement, 'cat /dev/zero >"${1%/*}/status"', seconds=1)
    assert (flooded.timed_out, flooded.stdout) == (True, b"")


def test_nothing_is_left_for_the_next_run(sandbox: Sandbox, confinement: Confinement) -> None:
    """Each run has a container of its own."""
    look = "ls /tmp /dev/shm; (sleep 600 &) ; touch /tmp/left /dev/shm/left"
    first, second = run(sandbox, confinement, look), run(sandbox, confinement, look)
    assert first == second
    assert b"left" not in first.stdout


def test_what_fills_the_disk_is_stopped(sandbox: Sandbox, confinement: Confinement, tmp_path: Path) -> None:
    fill = "cat /dev/zero >{0}/a; cat /dev/zero >{0}/b; echo $?; sleep 600"
    in_memory = run(sandbox, confinement, fill.format("/tmp").replace("sleep 600", "ls -s /tmp"))
    assert b"a" in in_memory.stdout  # went on, with the folder full
    on_disk = run(sandbox, confinement, fill.format(tmp_path / "private"))
    assert (on_disk.filled, on_disk.timed_out) == (True, False)
    assert (tmp_path / "private" / "a").stat().st_size <= 16 * 2**20


def test_a_run_ends_with_a_harness_that_is_killed(podman: Podman, confinement: Confinement, tmp_path: Path) -> None:
    """The harness can end nothing then, and the engine does not know; what is left is swept up later."""
    program = f"""
from pathlib import Path
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandboxes import Images, sandbox_named
from testevo.sandboxes.watching import ProcessLimits
place = Path({str(tmp_path)!r})
sandbox_named("docker", Images({podman.images.container!r}, {podman.address!r})).run(
    lambda channel: ["sh", "-c", ": > {tmp_path}/private/begun; sleep 600", "sh", channel],
    Confinement(place / "tree", (place / "tree",), (place / "private",), 64), {{}}, ProcessLimits(600, 1000))
"""
    with subprocess.Popen([sys.executable, "-c", program]) as harness:
        wait_for((tmp_path / "private" / "begun").exists)
        assert processes(f"{tmp_path}/private/begun") != []
        harness.kill()
    wait_for(lambda: processes(f"{tmp_path}/private/begun") == [])
    sandbox_named("docker", podman.images)
    assert podman.containers() == []


def test_containers_of_a_living_harness_are_left_alone(podman: Podman) -> None:
    label = subprocess.run(
        [
            sys.executable,
            "-c",
            f"from testevo.sandboxes import container_engine as e; import os\n"
            f"os.getpid = lambda: {os.getpid()}\nprint(e._this_process())",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    created = podman.run("create", "--label", f"testevo.harness={label.stdout.strip()}", podman.images.container, "sh")
    sandbox_named("docker", podman.images)
    assert [name[:12] for name in podman.containers()] == [created.strip()[:12]]
    podman.run("rm", created.strip())


def test_a_missing_image_engine_or_shell_is_named(podman: Podman, confinement: Confinement, tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="has no image `other`"):
        sandbox_named("docker", Images("other", podman.address))
    with pytest.raises(MachineError, match="Start it"):
        sandbox_named("docker", Images(podman.images.container, f"unix://{tmp_path}/nothing"))
    (tmp_path / "empty" / "etc").mkdir(parents=True)
    with subprocess.Popen(["tar", "-C", str(tmp_path / "empty"), "-c", "."], stdout=subprocess.PIPE) as tar:
        subprocess.run(
            ["podman", "import", "-", "empty"],
            stdin=tar.stdout,
            env=podman.environment,
            check=True,
            capture_output=True,
        )
    with pytest.raises(MachineError, match="docs/sandboxes"):
        run(sandbox_named("docker", Images("empty", podman.address)), confinement, "exit 0")
    assert podman.containers() == []
