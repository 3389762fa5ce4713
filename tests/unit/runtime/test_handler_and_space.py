"""How commands end: messages, statuses, signals; and refusing to work on a full disk."""

import errno
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.config.snapshot.layout import Layout
from testevo.config.snapshot.lock import lock_snapshot
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
    with pytest.raises(MachineError, match="is being mined by another process"):
        lock_snapshot(Layout(tmp_path / "small"))
    os.close(held)
    os.close(lock_snapshot(Layout(tmp_path / "small")))


def test_the_page_of_commands_lists_every_exit_status() -> None:
    """Scripts tell failures apart by the table of docs/commands.md."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = [int(line.split("|")[1]) for line in page.splitlines() if line[:3].strip("| ").isdigit()]
    assert listed == [int(status) for status in ExitStatus]
