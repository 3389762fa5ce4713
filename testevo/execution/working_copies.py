"""What a test may write to: a copy of its module's folder, made anew as soon as a run has changed anything in it."""

import shutil
from pathlib import Path

from testevo.build.engine import BuiltModule
from testevo.execution.kept_copies import Fingerprint, KeptCopies, fingerprint

KEPT_COPIES = 4
"""The two revisions of a pair, and two more with resources replaced."""
_HISTORY = ".git"


class WorkingCopies:
    """Working folders for the runs of one launcher. Which copy a run gets makes no difference to it: what a run has
    touched, be it a time stamp, no other run sees.

    Args:
        work: a folder for the folder with the copies, which goes when this object does.
    """

    def __init__(self, work: Path) -> None:
        self._copies = KeptCopies(work, "folders-", KEPT_COPIES)

    def show(self, module: BuiltModule) -> Path:
        """The copy of the module's folder for the next run."""
        self._copies.begin()
        return self._copies.copy_of(
            module.folder, lambda folder: working_copy(module, folder / "tree"), lambda: _everything_copied(module))

    def look_over(self) -> None:
        """To be called after each run."""
        self._copies.look_over()


def working_copy(module: BuiltModule, folder: Path) -> Path:
    """A copy of the module's folder for one run, so that what a test writes reaches no other run.

    What lies beside the module is there as links: tests of multi-module projects read `../other/file`.
    """
    place, original = folder, _root(module)
    for part in Path(module.path).parts:
        place.mkdir()
        for entry in original.iterdir():
            if entry.name != part:
                (place / entry.name).symlink_to(entry)
        place, original = place / part, original / part
    if original.is_dir():
        shutil.copytree(original, place, symlinks=True, ignore=shutil.ignore_patterns(_HISTORY))
    else:
        place.mkdir()
    return place


def _everything_copied(module: BuiltModule) -> Fingerprint:
    """The state of the module's folder, and the names of what lies beside it."""
    found = dict(fingerprint(module.folder, leave_out=_HISTORY))
    place = _root(module)
    for part in Path(module.path).parts:
        found |= {f"{place}/{entry.name}": (0, 0, 0, 0) for entry in place.iterdir()}
        place /= part
    return found


def _root(module: BuiltModule) -> Path:
    return module.folder.parents[len(Path(module.path).parts) - 1] if module.path else module.folder
