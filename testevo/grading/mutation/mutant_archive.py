"""The archive of mutants of a task: the changed class files, so that every system runs the same bytes (TEB-K09, E15).

A zip file with the entries `<mutant>/<binary name>.class`, sorted, stored without compression and with a fixed date:
equal mutants give equal bytes on every machine, whatever its zlib. An empty entry stands for a class that the mutant
lacks. The records of the mutants hold the SHA-256 of each entry.
"""

import hashlib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from testevo.grading.mutation.mutants import Classes
from testevo.records.evidence.mutants import Mutant
from testevo.runtime.errors import UserError
from testevo.runtime.files.deterministic_zip import write_zip

_MOST_BYTES = 16 * 2**20
"""No class file is larger: the class file format itself ends methods at 64 KiB."""


def write_archive(path: Path, classes: Classes) -> None:
    """Write the class files of a task's mutants; equal ones give equal bytes.

    Raises:
        MachineError: the file cannot be written.
    """
    write_zip(
        path, {f"{mutant}/{binary}.class": file for mutant, files in classes.items() for binary, file in files.items()}
    )


def read_archive(path: Path, mutants: Sequence[Mutant]) -> Classes:
    """The class files of some mutants, each checked against its record.

    Raises:
        UserError: the archive is missing or damaged, or lacks a class file, or one differs from its record.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return {mutant.mutant: _of_mutant(archive, path, mutant) for mutant in mutants}
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(f"{path} is not an archive of mutants ({error}). Fetch the dataset again.") from error


def _of_mutant(archive: zipfile.ZipFile, path: Path, mutant: Mutant) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for binary, digest in mutant.classes.items():
        name = f"{mutant.mutant}/{binary}.class"
        try:
            entry = archive.getinfo(name)
        except KeyError:
            raise UserError(f"{path} lacks {name}. Fetch the dataset again.") from None
        if entry.file_size > _MOST_BYTES:
            raise UserError(f"{path}: {name} is too large for a class file. Fetch the dataset again.")
        files[binary] = archive.read(entry)
        if hashlib.sha256(files[binary]).hexdigest() != digest:
            raise UserError(f"{path}: {name} differs from its record in mutants.jsonl. Fetch the dataset again.")
    return files


def write_collection(path: Path, archives: Mapping[str, Path]) -> None:
    """Write the archives of a repository, by task id, into one: shared file systems like few large files.

    Raises:
        MachineError: the file cannot be written.
    """
    write_zip(path, {f"{task_id}.zip": file.read_bytes() for task_id, file in archives.items()})


def read_collection(path: Path) -> dict[str, bytes]:
    """The archives by task id.

    Raises:
        UserError: the file is missing or damaged.
    """
    try:
        with zipfile.ZipFile(path) as collection:
            return {name.removesuffix(".zip"): collection.read(name) for name in collection.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(f"{path} holds no archives of mutants ({error}). Delete it and run `package` again.") from error
