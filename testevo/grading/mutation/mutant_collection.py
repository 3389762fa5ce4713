"""The archives of mutants of a whole repository in one file: shared file systems like few large files."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

from testevo.runtime.errors import UserError
from testevo.runtime.files.deterministic_zip import write_zip


def write_collection(path: Path, archives: Mapping[str, Path]) -> None:
    """Write the archives by task id into one; equal archives give equal bytes.

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
