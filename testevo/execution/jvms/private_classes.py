"""Class folders that tests may write to without harm: private copies, looked over after every run.

Without a sandbox nothing keeps a test from writing to its class path, and class trees are shared between runs. So runs
are shown copies: one for each class folder and archive, made at its first use, and thrown away as soon as a run has
changed anything in it. Jars are not copied; a run that changes one stops the work, since every later result would rest
on it. A Maven of another job may fetch a jar again while a run uses it: another file with the same
bytes is not a change.
"""

import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.engine import BuiltModule
from testevo.execution.copies.copy_pool import KeptCopies, contents
from testevo.execution.copies.file_times import level_times
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import file_digest, file_state

KEPT_COPIES = 32


@dataclass(frozen=True)
class _Jar:
    """A jar as it was before a run."""

    state: tuple[int, int, int]
    digest: str

    def is_changed(self, path: Path) -> bool:
        """Whether it was touched, or another file with other bytes lies there."""
        now = file_state(path)
        if now == self.state:
            return False
        return now[0] == self.state[0] or not path.is_file() or file_digest(path) != self.digest


class PrivateClasses:
    """The copies of one launcher.

    Args:
        work: a folder for the folder with the copies, which goes when this object does.
    """

    def __init__(self, work: Path) -> None:
        self._copies = KeptCopies(work, "classes-", KEPT_COPIES)
        self._jars: dict[Path, _Jar] = {}
        self._known: dict[Path, _Jar] = {}

    def show(self, module: BuiltModule, apart: Collection[Path] = ()) -> BuiltModule:
        """The module with copies in the place of its class folders, for one run; those in `apart` stay as they are."""

        def shown(path: Path) -> Path:
            return path if path in apart else self.copy_of(path)

        self._copies.begin()
        self._jars = {}
        self.watch([path for path in (*module.class_path, *module.engine_jars) if path.is_file()])
        return module.at(lambda path: path if path.is_file() else shown(path))

    def watch(self, jars: Sequence[Path]) -> None:
        """More jars that the run must leave as they are."""
        for path in jars:
            state, known = file_state(path), self._known.get(path)
            if known is None or known.state != state:
                known = self._known[path] = _Jar(state, file_digest(path) if path.is_file() else "")
            self._jars[path] = known

    def copy_of(self, original: Path) -> Path:
        """The copy of a class folder or file; the original itself when there is none to copy."""
        if original.is_dir():
            return self._copies.copy_of(
                original, lambda folder: _copied_folder(original, folder / "classes"), lambda: contents(original)
            )
        if original.is_file():
            return self._copies.copy_of(original, lambda folder: Path(shutil.copy2(original, folder)))
        return original

    def discard_if_changed(self) -> None:
        """Throw away the copies that the run has changed.

        Raises:
            MachineError: it has changed a jar.
        """
        self._copies.discard_if_changed()
        changed = sorted(str(path) for path, before in self._jars.items() if before.is_changed(path))
        if changed:
            raise MachineError(
                f"A test changed {', '.join(changed)} while it ran without a sandbox, and whatever uses it later is no "
                "evidence. Delete the file so that it is fetched again, and set `execution.sandbox: bubblewrap`."
            )


def _copied_folder(original: Path, place: Path) -> Path:
    shutil.copytree(original, place, symlinks=True)
    level_times(place)
    return place
