"""Writable copies of a module's folder for tests, made anew as soon as a run has changed anything in one.

Tests find in it what Maven has there when they begin, whichever engine built the tree: the compiled classes with their
resources in `target/classes` and `target/test-classes`, or wherever the POM puts them, and the folder of reports.
"""

import hashlib
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from testevo.builds.engine import BuiltModule
from testevo.builds.model.surefire_settings import REPORTS
from testevo.execution.copies.copy_pool import Fingerprint, KeptCopies, contents, fingerprint
from testevo.execution.copies.file_times import level_times

Replaced = Mapping[str, bytes | None]
"""Content by path; None where the file is not there."""
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

    def show(self, module: BuiltModule, replaced: Replaced | None = None) -> Path:
        """The copy of the module's folder for the next run, with the files of the tree that are not the revision's."""
        within = _within(module, replaced or {})
        self._copies.begin()
        return self._copies.copy_of(
            module.folder,
            lambda folder: working_copy(module, folder / "tree", within),
            lambda: _everything_copied(module),
            (*copied_classes(module), *(Path(path, _digest(content)) for path, content in sorted(within.items()))),
        )

    def discard_if_changed(self) -> None:
        """To be called after each run."""
        self._copies.discard_if_changed()


def working_copy(module: BuiltModule, folder: Path, within: Replaced) -> Path:
    """A copy of the module's folder for one run, so that what a test writes reaches no other run.

    What lies beside the module is there as links: tests of multi-module projects read `../other/file`. All times are
    the same, whichever revision it is.

    Args:
        within: files of the folder that are others than in the revision, by path in it. So a candidate finds its own
            test file in place of the developer's.
    """
    place, original = folder, module.root
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
    for path, content in within.items():
        _put(place, path, content)
    for original, output in _outputs(module):
        if original in copied_classes(module) and _is_free(place, output):
            shutil.copytree(original, place / output, symlinks=True, dirs_exist_ok=True)
    for made in (module.settings.working_directory, _reports(module)):
        if _is_free(place, made):
            (place / made).mkdir(parents=True, exist_ok=True)
    level_times(folder)
    return place


def _within(module: BuiltModule, replaced: Replaced) -> Replaced:
    root = PurePosixPath(module.path)
    paths = {path: PurePosixPath(path) for path in replaced}
    return {str(at.relative_to(root)): replaced[path] for path, at in paths.items() if at.is_relative_to(root)}


def _put(place: Path, path: str, content: bytes | None) -> None:
    file = place / path
    if not _is_free(place, str(PurePosixPath(path).parent)):
        return  # not a place for folders in the revision, hence no file either
    file.unlink(missing_ok=True)
    if content is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def _digest(content: bytes | None) -> str:
    return "gone" if content is None else hashlib.sha256(content).hexdigest()


def copied_classes(module: BuiltModule) -> tuple[Path, ...]:
    """Class folders that lie elsewhere and are copied to where Maven has them."""
    return tuple(path for path, output in _outputs(module) if path.is_dir() and path != module.folder / output)


def classes_in(module: BuiltModule, copy: Path) -> dict[Path, str]:
    """Where a copy of the module's folder holds the module's class folders: class folder -> path within the copy."""
    return {path: output for path, output in _outputs(module) if path.is_dir() and (copy / output).is_dir()}


def _outputs(module: BuiltModule) -> list[tuple[Path, str]]:
    found = (module.production_classes, module.test_classes)
    return [] if module.outputs is None else list(zip(found, module.outputs, strict=True))


def _reports(module: BuiltModule) -> str:
    """The folder that Surefire makes for its reports before the first test, relative to the module; '' where it makes
    none by then, or its place is not known."""
    if module.outputs is None or module.unread_reports or module.settings.older_start:
        return ""
    build = PurePosixPath(module.outputs[1]).parent
    return str(build / REPORTS) if build.parts else ""


def _is_free(place: Path, output: str) -> bool:
    """Whether folders can be made there: the history may hold a file or a link of that name."""
    steps = [place / output, *(place / output).parents]
    inside = [step for step in steps if place in step.parents]
    return not any(step.is_symlink() or step.is_file() for step in inside)


def _everything_copied(module: BuiltModule) -> Fingerprint:
    """The state of the module's folder, and the names of what lies beside it."""
    found = dict(fingerprint(module.folder, leave_out=_HISTORY))
    place = module.root
    for part in Path(module.path).parts:
        found |= {f"{place}/{entry.name}": (0, 0, 0, 0) for entry in place.iterdir()}
        place /= part
    for number, folder in enumerate(copied_classes(module)):
        found |= {f"{number}:{name}": state for name, state in contents(folder).items()}
    return found
