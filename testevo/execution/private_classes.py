"""Class folders that tests may write to without harm: private copies, looked over after every run.

Without a sandbox nothing keeps a test from writing to its class path, and class trees are shared between runs (design
section 5). So runs are shown copies: one for each class folder, made at its first use, and thrown away as soon as a run
has changed anything in it. Jars are not copied; a run that changes one stops the work, since every later result would
rest on it.
"""

import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.build.engine import BuiltModule
from testevo.ground.errors import MachineError

KEPT_COPIES = 32

Fingerprint = Mapping[str, tuple[int, int, int, int]]
"""Inode, size, modification and change time of every entry, by relative path. Nobody can set the change time."""


@dataclass(frozen=True)
class _Copy:
    folder: Path
    of_original: Fingerprint
    own: Fingerprint


class PrivateClasses:
    """The copies of one launcher.

    Args:
        work: a folder for the folder with the copies, which goes when this object does.
    """

    def __init__(self, work: Path) -> None:
        self._work = work
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._copies: OrderedDict[Path, _Copy] = OrderedDict()
        self._made = 0
        self._in_use: set[Path] = set()
        self._jars: dict[Path, tuple[int, int, int]] = {}

    def show(self, module: BuiltModule) -> BuiltModule:
        """The module with copies in the place of its class folders, for one run."""
        self._in_use = set()
        self._jars = {path: _state(path) for path in (*module.class_path, *module.engine_jars) if path.is_file()}
        return replace(
            module,
            class_path=tuple(self.copy_of(path) if path.is_dir() else path for path in module.class_path),
            production_classes=self.copy_of(module.production_classes),
            test_classes=self.copy_of(module.test_classes),
        )

    def copy_of(self, original: Path) -> Path:
        """The copy of a class folder; the original itself when there is none to copy."""
        if not original.is_dir():
            return original
        state = fingerprint(original)
        known = self._copies.get(original)
        if known is None or known.of_original != state:
            self._forget(original)
            self._made += 1
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(
                    dir=self._work, prefix="classes-", ignore_cleanup_errors=True)
            folder = Path(self._folder.name).resolve() / str(self._made)
            shutil.copytree(original, folder, symlinks=True)
            known = self._copies[original] = _Copy(folder, state, fingerprint(folder))
        self._copies.move_to_end(original)
        self._in_use.add(original)
        while len(self._copies) > max(KEPT_COPIES, len(self._in_use)):
            self._forget(next(iter(self._copies)))
        return known.folder

    def look_over(self) -> None:
        """Throw away the copies that the run has changed.

        Raises:
            MachineError: it has changed a jar.
        """
        for original in self._in_use:
            copy = self._copies[original]
            if fingerprint(copy.folder) != copy.own:
                self._forget(original)
        changed = sorted(str(path) for path, before in self._jars.items() if _state(path) != before)
        if changed:
            raise MachineError(
                f"A test changed {', '.join(changed)} while it ran without a sandbox, and whatever uses it later is no "
                "evidence. Delete the file so that it is fetched again, and set `execution.sandbox: bubblewrap`.")

    def _forget(self, original: Path) -> None:
        copy = self._copies.pop(original, None)
        if copy is not None:
            shutil.rmtree(copy.folder, ignore_errors=True)


def fingerprint(folder: Path) -> Fingerprint:
    """What tells whether anything in a folder was touched."""
    found: dict[str, tuple[int, int, int, int]] = {}
    todo = [("", str(folder))]
    while todo:
        prefix, path = todo.pop()
        try:
            entries = list(os.scandir(path))
        except OSError:
            found[f"{prefix}!"] = (0, 0, 0, 0)  # gone, or unreadable
            continue
        for entry in entries:
            state = entry.stat(follow_symlinks=False)
            found[prefix + entry.name] = (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
            if entry.is_dir(follow_symlinks=False):
                todo.append((f"{prefix}{entry.name}/", entry.path))
    return found


def _state(path: Path) -> tuple[int, int, int]:
    try:
        state = path.stat()
    except OSError:
        return (0, 0, 0)
    return (state.st_ino, state.st_size, state.st_mtime_ns)
