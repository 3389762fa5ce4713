"""The logs of all runs of a repository as one file: shared file systems count files, and every run leaves three.

While a stage runs, logs are plain files below a folder, written by all its jobs. When its records are written they
move into an archive beside it, and what lies there from an earlier run stays unless it was run again.
"""

import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from lxml import etree

from testevo.execution.verdicts.junit_xml import RESULT, trace_in
from testevo.runtime.errors import UserError
from testevo.runtime.files.deterministic_zip import zip_entry


def pack_logs(folder: Path, archive: Path) -> None:
    """Move all files below a folder into an archive; equal files give equal bytes.

    Nothing happens without the folder, which goes when the archive is whole: a kill on the way loses nothing.

    Raises:
        UserError: the archive of an earlier run is damaged.
        OSError: it cannot be written.
    """
    if not folder.is_dir():
        return
    new = {file.relative_to(folder.parent).as_posix(): file for file in folder.rglob("*") if file.is_file()}
    try:
        with ExitStack() as opened:
            old = opened.enter_context(zipfile.ZipFile(archive)) if archive.is_file() else None
            _write(archive.with_name(f".{archive.name}"), new, old)
    except zipfile.BadZipFile as error:
        raise UserError(f"{archive} is damaged ({error}). Delete it and run the workflow again.") from error
    archive.with_name(f".{archive.name}").replace(archive)
    shutil.rmtree(folder)


def packed_traces(archive: Path, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Of some runs, by the folders of their logs, those whose test threw, with the stack traces.

    Raises:
        UserError: the archive is damaged.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            kept = set(opened.namelist())
            for folder in folders:
                name = f"{folder}/{RESULT}"
                trace = trace_in(opened.read(name)) if name in kept else None
                if trace is not None:
                    yield folder, trace
    except (zipfile.BadZipFile, etree.XMLSyntaxError) as error:
        raise UserError(f"{archive} is damaged ({error}). Delete it; what runs printed is then not shown.") from error


def _write(making: Path, new: Mapping[str, Path], old: zipfile.ZipFile | None) -> None:
    names = {*new, *(() if old is None else old.namelist())}
    with zipfile.ZipFile(making, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(names):
            content = new[name].read_bytes() if name in new or old is None else old.read(name)
            archive.writestr(zip_entry(name, compressed=True), content)
