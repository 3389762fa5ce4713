"""What Maven has made of revisions, kept for later stages, each of which would let Maven make the same again.

Every process builds in a folder of another name. So a build is kept only where that name stands in none of the files
that were made, but for the lists of `maven-compiler-plugin`, in which it is replaced; and only where all that was made
are files and folders beside those of the checkout, which are all still there.
"""

import gzip
import io
import os
import stat
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from testevo.builds.model.model import BuildModel
from testevo.builds.model_source import copy_checkout
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import empty_folder
from testevo.runtime.files.walk import walk
from testevo.runtime.files.whole_files import write_once

MOST_BYTES = 128 * 2**20
"""Of all files that were made; a build that makes more is not kept."""
_LISTS = "maven-status"
"""The folder in which `maven-compiler-plugin` notes, with their folders, the files that it has compiled."""
_HERE = b"{folder}"
_MODEL = "model.json"
_MADE = "made/"


class _NotMovableError(Exception):
    """A build cannot be given back into another folder as it was."""


@dataclass(frozen=True)
class KeptBuilds:
    """The archives in `<cache>/builds`."""

    folder: Path

    def keep(self, key: str, checkout: Path, built: Path, model: BuildModel) -> None:
        """Keep what Maven has made of a revision, where another folder can hold it as it is.

        Args:
            key: names the revision and all that decides how it is built.
            checkout: the files of the revision, as they were copied.
            built: the copy in which Maven ran.
            model: as that run has told it.

        Raises:
            MachineError: the folder cannot be written.
        """
        if self._file(key).is_file():
            return
        try:
            made = _all_made(checkout, built)
        except _NotMovableError:
            return
        text = model.model_dump_json().encode()
        described = tarfile.TarInfo(_MODEL)
        described.size = len(text)
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w") as writer:
            for entry, content in [(described, text), *made]:
                writer.addfile(entry, io.BytesIO(content))
        write_once(self._file(key), gzip.compress(archive.getvalue(), 1))

    def give_back(self, key: str, checkout: Path, folder: Path) -> BuildModel | None:
        """Make a folder what it was when Maven had built a revision in it; None when that is not kept.

        Args:
            key: as for `keep`.
            checkout: the files of the revision.
            folder: where tests will run.

        Raises:
            MachineError: the archive is damaged.
        """
        file = self._file(key)
        if not file.is_file():
            return None
        empty_folder(folder)
        copy_checkout(checkout, folder)
        try:
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(file.read_bytes()))) as archive:
                described, *made = archive.getmembers()
                model = BuildModel.model_validate_json(_content(archive, described))
                _put_all(folder, [(entry, _content(archive, entry)) for entry in made])
        except (OSError, EOFError, tarfile.TarError, ValidationError, ValueError) as error:
            raise MachineError(f"{file} is damaged ({error}). Delete it and run again.") from error
        return model

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}.tar.gz"


def _all_made(checkout: Path, built: Path) -> list[tuple[tarfile.TarInfo, bytes]]:
    made, size = [], 0
    for path in _made(checkout, built):
        made.append(_entry(checkout, built, path))
        size += made[-1][0].size
        if size > MOST_BYTES:
            raise _NotMovableError
    return made


def _made(checkout: Path, built: Path) -> Iterator[str]:
    """The paths of what a build has made, in the order of folders and what is in them."""
    for here, entries in walk(checkout):
        entries[:] = [entry for entry in entries if entry.name != ".git"]
        if not all(os.path.lexists(built / here / entry.name) for entry in entries):
            raise _NotMovableError
    for here, entries in walk(built):
        for entry in entries:
            path = f"{here}/{entry.name}" if here else entry.name
            if not _is_copy(checkout / path, entry):
                yield path


def _is_copy(original: Path, entry: os.DirEntry[str]) -> bool:
    """Whether an entry of a build is as it was copied from the checkout."""
    if entry.is_dir(follow_symlinks=False):
        return original.is_dir() and not original.is_symlink()
    if not os.path.lexists(original):
        return False
    one, other = entry.stat(follow_symlinks=False), original.lstat()
    return (one.st_mode, one.st_size, one.st_mtime_ns) == (other.st_mode, other.st_size, other.st_mtime_ns)


def _entry(checkout: Path, built: Path, path: str) -> tuple[tarfile.TarInfo, bytes]:
    file = built / path
    facts = file.lstat()
    entry = tarfile.TarInfo(_MADE + path)
    entry.mode, entry.mtime = facts.st_mode & 0o777, facts.st_mtime
    original = checkout / path
    is_new = not os.path.lexists(original)
    if is_new and stat.S_ISDIR(facts.st_mode):
        entry.type = tarfile.DIRTYPE
        return entry, b""
    replaces_file = original.is_file() and not original.is_symlink()
    if not stat.S_ISREG(facts.st_mode) or not (replaces_file or is_new) or facts.st_size > MOST_BYTES:
        raise _NotMovableError
    content = file.read_bytes()
    if _LISTS in path.split("/"):
        content = content.replace(os.fsencode(built), _HERE)
    if os.fsencode(built.name) in content:
        raise _NotMovableError
    entry.size = len(content)
    return entry, content


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(entry)
    return stream.read() if stream is not None else b""


def _put_all(folder: Path, made: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    """Write what was made, as if it were made just now: no file is older than the sources, or newer than this moment.

    Maven would compile again what is older than its source.
    """
    files = [entry.stat(follow_symlinks=False).st_mtime for _, entries in walk(folder) for entry in entries]
    oldest, now = max(files, default=0.0), time.time()
    later = now - max((entry.mtime for entry, _ in made), default=now)
    for entry, content in made:
        path = folder / entry.name.removeprefix(_MADE)
        if entry.isdir():
            path.mkdir()
        else:
            path.write_bytes(content.replace(_HERE, os.fsencode(folder)) if _LISTS in path.parts else content)
            moment = min(max(entry.mtime + later, oldest), now)
            os.utime(path, (moment, moment))
        path.chmod(entry.mode)
