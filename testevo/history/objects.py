"""Objects of a repository through one `git cat-file --batch` that stays: starting git costs more than most answers."""

import contextlib
import os
import subprocess
import tempfile
import weakref
from functools import partial
from pathlib import Path
from typing import IO

from testevo.runtime.errors import MachineError
from testevo.runtime.processes.processes import end_with_parent
from testevo.runtime.stopwatch import timed
from testevo.sources.git_clone import SHIELD, GitError, git_environment


class ObjectReader:
    """Reads objects by id, or by a name without line feeds. Starts git at the first question, in each process anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._git: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes] | None = None
        self._owner = 0

    @timed("git")
    def read(self, name: str) -> tuple[str, str, bytes] | None:
        """(id, kind, bytes) of an object, None when there is none of that name.

        Raises:
            GitError: git cannot read the object.
            MachineError: git is not installed, or was killed.
        """
        git = self._started()
        assert git.stdin is not None and git.stdout is not None
        try:
            git.stdin.write(f"{name}\n".encode())
            git.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        words = git.stdout.readline().decode("utf-8", "replace").split()
        if len(words) == 2 and words[1] in ("missing", "ambiguous"):
            return None
        if len(words) != 3:
            raise self._ended()
        content = git.stdout.read(int(words[2]) + 1)
        if len(content) != int(words[2]) + 1:
            raise self._ended()
        return words[0], words[1], content[:-1]

    def _started(self) -> subprocess.Popen[bytes]:
        if self._git is None or self._owner != os.getpid():
            self._owner = os.getpid()
            self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - as long as git
            try:
                self._git = subprocess.Popen(
                    ["git", *SHIELD, "cat-file", "--batch"],
                    env=git_environment(self._folder),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._complaints,
                    start_new_session=True,
                    preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509 - see there
                )
            except FileNotFoundError as error:
                raise MachineError("git is not installed; run `testevo doctor` to see how to get it.") from error
            weakref.finalize(self, _end, self._git, self._owner)
        return self._git

    def _ended(self) -> GitError | MachineError:
        """Git's last words before it ended, or that it was killed; the next question starts it anew."""
        assert self._git is not None and self._complaints is not None
        _end(self._git, self._owner)
        self._git = None
        self._complaints.seek(0)
        lines = self._complaints.read().decode("utf-8", "replace").strip().splitlines()
        if not lines:
            return MachineError("git cat-file ended without an answer, maybe for lack of memory. Run again.")
        return GitError("cat-file", lines[0].split(":", 1)[-1].strip().rstrip("."))


def _end(git: "subprocess.Popen[bytes]", owner: int) -> None:
    """End git where it was started; a forked child only lets go of it."""
    if owner != os.getpid():
        return
    git.kill()
    git.wait()
    for stream in (git.stdin, git.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):  # a question that git did not live to hear
                stream.close()
