"""Copies of files and folders for runs, kept from run to run as long as nobody has touched them.

A run may change its copy as it likes: it is looked over afterwards and thrown away when anything in it is not as it
was, so the next run gets what a fresh copy would be. Names are drawn: they do not tell a run how many came before it.
"""

import os
import secrets
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.runtime.files.removal import remove_folder

Fingerprint = Mapping[str, tuple[int, int, int, int]]
"""Inode, size, modification and change time of every entry, by relative path. Nobody can set the change time."""


@dataclass(frozen=True)
class _Copy:
    folder: Path
    """Holds what was copied, and goes with it."""
    shown: Path
    of_original: Fingerprint
    own: Fingerprint


class KeptCopies:
    """Copies below one folder, those used last; the folder goes when this object does.

    Args:
        work: a folder for that folder.
        prefix: of its name.
        most: how many copies are kept, beside those in use.
    """

    def __init__(self, work: Path, prefix: str, most: int) -> None:
        self._work = work
        self._prefix = prefix
        self._most = most
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._copies: OrderedDict[Hashable, _Copy] = OrderedDict()
        self._in_use: set[Hashable] = set()

    def begin(self) -> None:
        """Another run begins. What an earlier one has used and nobody has looked over since is thrown away."""
        for name in self._in_use:
            self._forget(name)
        self._in_use = set()

    def copy_of(
        self,
        original: Path,
        copy: Callable[[Path], Path],
        state: Callable[[], Fingerprint] | None = None,
        more: Sequence[Path] = (),
    ) -> Path:
        """The copy of `original`.

        Args:
            copy: makes it in the empty folder it is given, and returns the place that stands for `original`.
            state: of everything that is copied, when that is not what `fingerprint(original)` says.
            more: what is copied into it beside the original; each choice has a copy of its own.
        """
        name = (original, *more)
        now = state() if state is not None else fingerprint(original)
        known = self._copies.get(name)
        if known is None or known.of_original != now:
            self._forget(name)
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(
                    dir=self._work, prefix=self._prefix, ignore_cleanup_errors=True
                )
            folder = Path(self._folder.name).resolve() / secrets.token_hex(8)
            folder.mkdir()
            shown = copy(folder)
            known = self._copies[name] = _Copy(folder, shown, now, fingerprint(folder))
        self._copies.move_to_end(name)
        self._in_use.add(name)
        while len(self._copies) > max(self._most, len(self._in_use)):
            self._forget(next(iter(self._copies)))
        return known.shown

    def discard_if_changed(self) -> None:
        """Throw away the copies in use that have changed."""
        for name in self._in_use:
            copy = self._copies[name]
            if fingerprint(copy.folder) != copy.own:
                self._forget(name)
        self._in_use = set()

    def _forget(self, name: Hashable) -> None:
        copy = self._copies.pop(name, None)
        if copy is not None:
            remove_folder(copy.folder)


def fingerprint(path: Path, leave_out: str = "") -> Fingerprint:
    """A value that changes when a file, or anything in a folder, is touched, entries called `leave_out` aside."""
    found: dict[str, tuple[int, int, int, int]] = {}
    try:
        found[""] = _state(os.lstat(path))
    except OSError:
        return {"!": (0, 0, 0, 0)}
    todo = [("", str(path))] if path.is_dir() else []
    while todo:
        prefix, place = todo.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.name == leave_out:
                        continue
                    found[prefix + entry.name] = _state(entry.stat(follow_symlinks=False))
                    if entry.is_dir(follow_symlinks=False):
                        todo.append((f"{prefix}{entry.name}/", entry.path))
        except OSError:
            found[f"{prefix}!"] = (0, 0, 0, 0)  # gone, or unreadable
    return found


def contents(folder: Path) -> Fingerprint:
    """Without change times: class trees share files by links, and a link more changes that time and nothing else."""
    return {name: (inode, size, modified, 0) for name, (inode, size, modified, _) in fingerprint(folder).items()}


def _state(state: os.stat_result) -> tuple[int, int, int, int]:
    return (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
