"""Children with limits: nothing they do hangs us, floods us, or outlives its run."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from testevo.runtime.errors import MachineError
from testevo.sandboxes.processes import run_watched
from testevo.sandboxes.watching import DiskQuota, ProcessLimits, Watched, signal_name
from tests.ended_processes import is_gone

SOON = 5.0
"""Seconds in which a program begins on a busy machine, too; then it passes its limit."""


def run(
    tmp_path: Path, program: str, seconds: float = 20, silence: float | None = None, quota: DiskQuota | None = None
) -> Watched:
    channel = os.pipe()
    head = f"import os, sys, time, subprocess\nchannel = {channel[1]}\n"
    return run_watched(
        [sys.executable, "-c", head + program],
        channel,
        folder=tmp_path,
        environment={},
        limits=ProcessLimits(seconds, 100, silence_seconds=silence, grace_seconds=1),
        quota=quota,
    )


def test_three_streams_are_kept_as_bytes(tmp_path: Path) -> None:
    watched = run(
        tmp_path, "os.write(channel, b'said\\n'); os.write(1, b'\\xff\\x00'); os.write(2, b'err'); sys.exit(7)"
    )
    assert watched == Watched(7, b"\xff\x00", b"err", b"said\n", False, False)


def test_a_flood_of_output_is_cut_and_does_not_block(tmp_path: Path) -> None:
    watched = run(tmp_path, "for _ in range(2000): os.write(1, b'x' * 10000)\nos.write(channel, b'done')")
    assert watched.stdout == b"x" * 100 + b"\n[output cut at 100 bytes]\n"
    assert watched.channel == b"done"


def test_the_wall_limit_kills_grandchildren_too(tmp_path: Path) -> None:
    watched = run(tmp_path, "p = subprocess.Popen(['sleep', '600']); os.write(1, str(p.pid).encode()); p.wait()", SOON)
    assert watched.timed_out
    assert is_gone(int(watched.stdout))


def test_silence_of_the_channel_has_its_own_limit(tmp_path: Path) -> None:
    watched = run(tmp_path, "os.write(channel, b'a'); time.sleep(600)", seconds=600, silence=SOON)
    assert (watched.timed_out, watched.channel) == (True, b"a")


def test_a_grandchild_that_keeps_the_pipes_open_does_not_hold_us(tmp_path: Path) -> None:
    watched = run(
        tmp_path,
        "p = subprocess.Popen(['sleep', '600'], pass_fds=[channel], start_new_session=True)\n"
        "os.write(1, str(p.pid).encode())",
        seconds=600,
    )
    assert (watched.status, watched.timed_out) == (0, False)
    assert is_gone(int(watched.stdout))


def test_processes_that_left_group_and_session_are_ended_with_the_run(tmp_path: Path) -> None:
    """Also those whose parents are gone; children that we had before are left alone."""
    before = subprocess.Popen(["sleep", "600"])
    try:
        watched = run(
            tmp_path,
            """
orphan = "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid, flush=True)"
for _ in range(3):
    subprocess.run([sys.executable, '-c', orphan], start_new_session=True)
os.write(channel, b'done')
""",
        )
        left = [int(word) for word in watched.stdout.split()]
        assert len(left) == 3
        assert all(is_gone(process_id) for process_id in left)
        assert before.poll() is None
    finally:
        before.kill()
        before.wait()


def test_forging_the_end_again_and_again_wins_no_time(tmp_path: Path) -> None:
    forging = 'while True: os.write(channel, b\'{"event":"end"}\\n\'); time.sleep(0.05)'
    assert run(tmp_path, forging, seconds=1).timed_out


def test_a_key_is_given_when_the_channel_first_speaks_and_then_input_ends(tmp_path: Path) -> None:
    channel = os.pipe()
    program = f"import os, sys; os.write({channel[1]}, b'ready'); sys.stdout.write(repr(sys.stdin.buffer.read()))"
    watched = run_watched(
        [sys.executable, "-c", program],
        channel,
        folder=tmp_path,
        environment={},
        limits=ProcessLimits(20, 100),
        key=b"k" * 4,
    )
    assert watched.stdout == b"b'kkkk'"


def test_lingering_after_the_end_event_is_cut_short_and_no_time_out(tmp_path: Path) -> None:
    watched = run(tmp_path, 'os.write(channel, b\'{"event":"end","found":1}\\n\'); time.sleep(600)', seconds=600)
    assert not watched.timed_out
    assert watched.status == -9


def test_a_program_that_is_missing_is_the_machine_s_fault(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot be started"):
        run_watched(["no-such-program"], os.pipe(), folder=tmp_path, environment={}, limits=ProcessLimits(1, 1))


def test_what_a_child_writes_just_before_it_ends_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a child may write and end between two of our looks; its verdict counts."""
    os.mkfifo(tmp_path / "go")
    poll: Callable[..., int | None] = subprocess.Popen.poll

    def after_the_end(child: "subprocess.Popen[bytes]") -> int | None:
        """Let the child write and end at the moment we ask whether it has."""
        if poll(child) is None:
            (tmp_path / "go").write_bytes(b"go")
            child.wait()
        return poll(child)

    monkeypatch.setattr(subprocess.Popen, "poll", after_the_end)
    program = "open('go').read(); os.write(channel, b'verdict\\n')"
    assert run(tmp_path, program).channel == b"verdict\n"


def test_a_run_that_fills_its_folders_is_killed(tmp_path: Path) -> None:
    """What was copied into them before does not count."""
    for name in ("given", "own"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "copied").write_bytes(b"x" * 2**20)
    quota = DiskQuota([tmp_path / "own"], 2**20, [tmp_path / "given"])
    little = run(tmp_path, "open('own/a', 'wb').write(b'x' * 2**19); time.sleep(2.5)", quota=quota)
    assert (little.status, little.filled) == (0, False)
    much = run(tmp_path, "open('own/b', 'wb').write(b'x' * 2**20); time.sleep(600)", seconds=600, quota=quota)
    assert (much.filled, much.timed_out) == (True, False)
    closed = "os.close(channel); os.close(1); os.close(2); open('own/c', 'wb').write(b'x' * 2**20); time.sleep(600)"
    assert run(tmp_path, closed, seconds=600, quota=quota).filled


def test_the_channel_may_be_a_named_pipe(tmp_path: Path) -> None:
    """Where descriptors are not inherited."""
    os.mkfifo(tmp_path / "pipe")
    read_end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    program = f"import os; os.write(os.open({str(tmp_path / 'pipe')!r}, os.O_WRONLY), b'said')"
    watched = run_watched(
        [sys.executable, "-c", program],
        (read_end, None),
        folder=tmp_path,
        environment={},
        limits=ProcessLimits(20, 100),
    )
    assert (watched.status, watched.channel) == (0, b"said")


def test_the_wall_limit_is_longer_by_time_that_is_none_of_the_run(tmp_path: Path) -> None:
    limits = ProcessLimits(0.1, 100, grace_seconds=0.1, further_seconds=lambda: 600.0)
    program = [sys.executable, "-c", "import time; time.sleep(1.5)"]
    watched = run_watched(program, os.pipe(), folder=tmp_path, environment={}, limits=limits)
    assert (watched.status, watched.timed_out) == (0, False)


@pytest.mark.parametrize(("status", "name"), [(3, "exit status 3"), (-9, "signal SIGKILL"), (-40, "signal 40")])
def test_an_end_is_told_in_words(status: int, name: str) -> None:
    assert signal_name(status) == name
