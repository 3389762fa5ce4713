"""Content-addressed class trees: one immutable folder per distinct compilation (design section 5).

A tree is compiled in a temporary folder and renamed when complete, so that nothing is ever compiled into a used folder
and no stale class can be on a run path. A compilation that failed is kept too, with its messages.
"""

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from testevo.ground.errors import MachineError
from testevo.ground.files import write_atomically
from testevo.records.base import Part
from testevo.records.verdicts import Diagnostic


class TreeOutcome(Part):
    """Whether the sources of a tree compile."""

    success: bool
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class ClassTree:
    """A compiled half of a module. `key` stands for sources, options, class path and JDK."""

    key: str
    folder: Path
    outcome: TreeOutcome


class ClassTreeStore:
    """The folder `<cache>/classes`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> ClassTree | None:
        """The tree of that key, if it has been compiled before."""
        place = self.folder / key[:2] / key
        outcome = place / "outcome.json"
        if not outcome.is_file():
            return None
        try:
            read = TreeOutcome.model_validate_json(outcome.read_bytes())
        except ValidationError as error:
            raise MachineError(f"{outcome} is damaged. Delete the folder {place} and run again.") from error
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
            write_atomically(temporary / "outcome.json", outcome.model_dump_json().encode())
            self._publish(temporary, place)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        made = self.get(key)
        if made is None:
            raise MachineError(f"{place} vanished while it was made. Is another process clearing build.cache?")
        return made

    @staticmethod
    def _publish(temporary: Path, place: Path) -> None:
        try:
            temporary.rename(place)
        except OSError:
            if not (place / "outcome.json").is_file():  # otherwise an equal tree came first
                raise


def replace_level(options: Sequence[str], level: str) -> tuple[str, ...]:
    """javac options with the level in -source, -target and --release replaced by `level`."""
    out = list(options)
    for position, word in enumerate(out[:-1]):
        if word in ("-source", "--source", "-target", "--target", "--release"):
            out[position + 1] = level.removeprefix("1.") if word == "--release" else level
    return tuple(out)


def copy_files(files: Mapping[str, Path], output: Path) -> None:
    """Copy files to paths below `output`; the mode is not kept."""
    for path, source in files.items():
        target = output / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
