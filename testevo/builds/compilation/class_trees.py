"""Content-addressed class trees: one immutable folder per distinct compilation.

A tree is compiled in a temporary folder and renamed when complete, so that nothing is ever compiled into a used folder
and no stale class can be on a run path. Of two processes that compile the same one, the first to be done gives it. A
compilation that failed is kept too, with its messages.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from testevo.records.base import Part
from testevo.records.verdicts import Diagnostic
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import folder_digest
from testevo.runtime.files.whole_files import place_folder_once


class CompiledSource(Part):
    """One source file of a tree and what the compiler made of it."""

    digest: str
    """SHA-256 of the file."""
    types: tuple[str, ...]
    """Its top-level types, qualified."""
    classes: dict[str, str | None]
    """Binary name of each class -> digest of all that other files can read of it; None when they cannot name it."""


class TreeOutcome(Part):
    """Whether the sources of a tree compile, and to what."""

    success: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    interface: str | None = None
    """Key of all that a compilation with this tree on its class path can read of it; None when that is not known."""
    sources: dict[str, CompiledSource] | None = None
    """By repository-relative path; None for trees that are not made of exactly these classes, by one run of javac."""
    content: str | None = None
    """Digest of the folder of classes as it was when it was complete."""


@dataclass(frozen=True)
class ClassTree:
    """A compiled half of a module. `key` stands for sources, options, class path and JDK."""

    key: str
    folder: Path
    outcome: TreeOutcome


class ClassTreeStore:
    """The folder `<cache>/classes`.

    A tree is compared with its digest when a process first takes it: a class that a disk has damaged would fail tests,
    and the verdict would be kept as that of the test.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._compared: set[str] = set()

    def get(self, key: str) -> ClassTree | None:
        """The tree of that key, if it has been compiled before.

        Raises:
            MachineError: it is damaged.
        """
        place = self.folder / key[:2] / key
        outcome = place / "outcome.json"
        if not outcome.is_file():
            return None
        damaged = f"{place} is damaged: what lies there is not what was compiled. Delete that folder and run again."
        try:
            read = TreeOutcome.model_validate_json(outcome.read_bytes())
        except ValidationError as error:
            raise MachineError(damaged) from error
        if key not in self._compared and read.content not in (None, folder_digest(place / "classes")):
            raise MachineError(damaged)
        self._compared.add(key)
        return ClassTree(key, place / "classes", read)

    def make(self, key: str, compile_into: Callable[[Path, Path], TreeOutcome]) -> ClassTree:
        """The tree of that key, made by `compile_into(classes, scratch)` when it is not there yet.

        Raises:
            MachineError: the folder cannot be written.
        """
        known = self.get(key)
        if known is not None:
            return known
        place = self.folder / key[:2] / key
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            temporary = Path(tempfile.mkdtemp(prefix=f".{key[:12]}.", dir=place.parent))
        except OSError as error:
            reason = f"{place.parent} cannot be written: {error.strerror}. Set build.cache elsewhere."
            raise MachineError(reason) from error
        try:
            temporary.chmod(0o755)
            (temporary / "classes").mkdir()
            scratch = temporary / "scratch"
            scratch.mkdir()
            outcome = compile_into(temporary / "classes", scratch)
            shutil.rmtree(scratch)
            if not outcome.success:
                shutil.rmtree(temporary / "classes")
                (temporary / "classes").mkdir()
            outcome = outcome.model_copy(update={"content": folder_digest(temporary / "classes")})
            (temporary / "outcome.json").write_text(outcome.model_dump_json(), encoding="utf-8")
            place_folder_once(temporary, place)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        made = self.get(key)
        if made is None:
            raise MachineError(f"{place} vanished while it was made. Is another process clearing build.cache?")
        return made


def replace_level(options: Sequence[str], level: str) -> tuple[str, ...]:
    """javac options with the level in -source, -target and --release replaced by `level`."""
    out = list(options)
    for position, word in enumerate(out[:-1]):
        if word in ("-source", "--source", "-target", "--target", "--release"):
            out[position + 1] = level.removeprefix("1.") if word == "--release" else level
    return tuple(out)


def copy_files(files: Mapping[str, Path], output: Path, executable: Collection[str] = ()) -> None:
    """Copy files to paths below `output`; of their modes only one thing is set, that some can be executed."""
    for path, source in files.items():
        target = output / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        if path in executable:
            target.chmod(0o755)


def link_files(files: Mapping[str, Path], output: Path) -> None:
    """Share files of other trees at paths below `output`, where nothing lies yet: nobody ever writes to a tree."""
    for folder in {(output / path).parent for path in files}:
        folder.mkdir(parents=True, exist_ok=True)
    for path, source in files.items():
        try:
            os.link(source, output / path)
        except OSError:  # no more links to this file, or a file system without links
            shutil.copyfile(source, output / path)


def files_of(folder: Path) -> dict[str, Path]:
    """All files below a folder, by relative path."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
