"""How commands end: messages, statuses, signals; and refusing to work on a full disk."""

import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.lock import lock_snapshot
from testevo.execution.journal import Journal
from testevo.runtime.errors import ExitStatus, MachineError, UserError
from testevo.runtime.files import files
from testevo.runtime.files.files import require_space
from testevo.runtime.processes.handler import run_main


@pytest.fixture(autouse=True)
def same_signals() -> Iterator[None]:
    """Leaves the handler of SIGTERM as it was."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def ended(error: BaseException | None, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    def main() -> None:
        if error is not None:
            raise error

    with pytest.raises(SystemExit) as left:
        run_main(main)
    return int(left.value.code or 0), capsys.readouterr().err


def test_every_ending_has_its_status_and_message(capsys: pytest.CaptureFixture[str]) -> None:
    """Errors of users, of the machine, Ctrl-C, and the good end."""
    assert ended(None, capsys) == (ExitStatus.OK, "")
    assert ended(UserError("It is so. Do this."), capsys) == (ExitStatus.INPUT, "error: It is so. Do this.\n")
    status, said = ended(OSError(errno.ENOSPC, "No space left on device", "file"), capsys)
    assert status == ExitStatus.MACHINE and said.startswith("error: file: No space left") and "Free space" in said
    status, said = ended(KeyboardInterrupt(), capsys)
    assert status == 130 and "run the same command again to resume" in said


def test_a_bug_shows_its_traceback() -> None:
    """An error that is neither the user's nor the machine's keeps its traceback."""

    def main() -> None:
        raise FileNotFoundError(errno.ENOENT, "missing", "file")

    with pytest.raises(FileNotFoundError):
        run_main(main)


@pytest.mark.parametrize("flush", [False, True])
@pytest.mark.parametrize(
    ("output", "status", "says"),
    [
        (">/dev/full", ExitStatus.MACHINE, "error: a file or the output: No space left on device. Free space"),
        ("| true", ExitStatus.OK, ""),
        (">&-", ExitStatus.OK, ""),
    ],
)
def test_what_is_printed_and_cannot_be_written_is_no_bug(output: str, status: int, says: str, flush: bool) -> None:
    """A full disk, a reader that has gone (`| head -1`), no output at all: Python writes the last at its own end."""
    program = (
        "import sys, time\n"
        "from testevo.runtime.processes.handler import run_main\n"
        f"run_main(lambda: time.sleep(0.2) or print('said', flush={flush}) or sys.stdout.isatty() and None)"
    )
    command = f'set -o pipefail; "$0" -c "$1" {output}'
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(
        ["bash", "-c", command, sys.executable, program],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (status, 1 if says else 0)
    assert ended.stderr.startswith(says)


def test_a_broken_pipe_other_than_the_output_is_no_good_end() -> None:
    """As to a helper program that has died: the work is not done."""
    program = (
        "from testevo.runtime.processes.handler import run_main\n"
        "def main():\n    raise BrokenPipeError(32, 'Broken pipe')\n"
        "run_main(main)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1 and "BrokenPipeError" in ended.stderr


def test_a_file_system_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def flock(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(MachineError, match=r"lock cannot be locked: No locks available\. Keep results on"):
        lock_snapshot(Layout(tmp_path / "snapshot"))
    with pytest.raises(MachineError, match=r"journal .* cannot be locked: No locks available"):
        Journal(tmp_path / "journal")


def test_every_character_is_printed_whatever_the_locale() -> None:
    """Names of systems in other scripts, names of files that are not UTF-8."""
    program = "from testevo.runtime.processes.handler import run_main\nrun_main(lambda: print('\\u0421 \\xfc \\udcff'))"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("\u0421 \xfc ".encode() + b"\xff\n", b"", 0)


@pytest.mark.parametrize("number", [errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP, errno.EFBIG])
def test_a_name_that_stands_for_something_else_is_no_bug(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    status, said = ended(OSError(number, os.strerror(number), "results/x"), capsys)
    assert status == ExitStatus.MACHINE
    assert said.startswith(f"error: results/x: {os.strerror(number)}. ") and said.endswith(", then run again.\n")


def test_a_folder_that_cannot_be_copied_is_no_bug(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Python collects the failures of a copied folder in an error without a number, as on a full disk."""
    (tmp_path / "from").mkdir()
    (tmp_path / "from" / "gone").symlink_to("nowhere")
    with pytest.raises(shutil.Error) as failed:
        shutil.copytree(tmp_path / "from", tmp_path / "to")
    status, said = ended(failed.value, capsys)
    assert status == ExitStatus.MACHINE
    assert said.startswith("error: A folder cannot be copied: [Errno 2]") and said.endswith(", then run again.\n")


@pytest.mark.parametrize(("number", "step"), [(errno.ENOSPC, "Free space"), (errno.EROFS, "Give a folder that can be")])
def test_a_file_that_cannot_be_written_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, step: str
) -> None:
    def refuse(*_args: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(MachineError, match=rf"cannot be written: {os.strerror(number)}\. {step}"):
        files.write_atomically(tmp_path / "file", b"x")


def test_a_request_to_end_cleans_up() -> None:
    """SIGTERM runs `finally` blocks, so that child processes end."""
    done = []

    def main() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            signal.pause()
        finally:
            done.append(True)

    with pytest.raises(SystemExit) as left:
        run_main(main)
    assert (left.value.code, done) == (130, [True])


def test_little_space_is_refused_before_work_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message names the folder, what is left and what is needed; a folder that is not made yet counts too."""
    require_space(tmp_path / "not" / "yet")
    monkeypatch.setattr(files, "LEAST_FREE_BYTES", 2**62)
    with pytest.raises(MachineError, match=r"yet has only \d+ MiB left, \d+ are needed\. Free space"):
        require_space(tmp_path / "not" / "yet")


def test_a_snapshot_is_mined_by_one_process_at_a_time(tmp_path: Path) -> None:
    """The lock goes with the process that holds it; nothing has to be removed by hand after a kill."""
    held = lock_snapshot(Layout(tmp_path / "small"))
    with pytest.raises(MachineError, match="is in use by another process"):
        lock_snapshot(Layout(tmp_path / "small"))
    os.close(held)
    os.close(lock_snapshot(Layout(tmp_path / "small")))


def test_the_page_of_commands_lists_every_exit_status() -> None:
    """Scripts tell failures apart by the table of docs/commands.md."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = [int(line.split("|")[1]) for line in page.splitlines() if line[:3].strip("| ").isdigit()]
    assert listed == [int(status) for status in ExitStatus]
