"""One file that holds many, with the digest of each: to take what was fetched to a machine without a network.

A plain tar (what is large in it is compressed already) whose first member lists `sha256  path` of all others, sorted.
Equal files give equal bytes. Nothing but regular files goes in or comes out.
"""

import hashlib
import io
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from testevo.runtime.errors import UserError
from testevo.runtime.files.checksums import checksum_lines, parse_checksums
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.whole_files import write_if_changed

LIST = "SHA256SUMS"


def write_archive(archive: Path, files: Mapping[str, Path]) -> str:
    """Write an archive of files by their path in it; the digest of its list, which names its content.

    Raises:
        OSError: a file cannot be read, or the archive cannot be written.
    """
    listed = checksum_lines({path: file_digest(file) for path, file in files.items()}).encode()
    archive.parent.mkdir(parents=True, exist_ok=True)
    making = archive.with_name(f".{archive.name}")
    with tarfile.open(making, "w", format=tarfile.GNU_FORMAT) as tar:
        _add(tar, LIST, len(listed), io.BytesIO(listed))
        for path in sorted(files):
            with files[path].open("rb") as content:
                _add(tar, path, files[path].stat().st_size, content)
    making.rename(archive)
    return hashlib.sha256(listed).hexdigest()


def _add(tar: tarfile.TarFile, path: str, size: int, content: IO[bytes]) -> None:
    member = tarfile.TarInfo(path)
    member.size, member.mode = size, 0o644
    tar.addfile(member, content)


def restore_archive(archive: Path, places: Mapping[str, Path]) -> int:
    """Put the files of an archive back, each checked first; files that are there and equal are left alone.

    Args:
        places: where the files below each top-level folder of the archive go.

    Returns:
        How many files it holds.

    Raises:
        UserError: it is not such an archive, it is damaged, or it holds what it does not list. What was restored until
            then is whole.
    """
    with _opened(archive) as tar:
        digests = _listed(archive, tar)
        seen = 0
        for member in tar:
            if member.name == LIST:
                continue
            digest = digests.get(member.name)
            content = tar.extractfile(member) if member.isreg() and digest is not None else None
            if content is None:
                raise UserError(f"{archive} holds {member.name}, which it does not list. Make the bundle again.")
            data = content.read()
            if hashlib.sha256(data).hexdigest() != digest:
                raise UserError(f"{archive} is damaged at {member.name}. Copy it again.")
            write_if_changed(place_of(archive, member.name, places), data)
            seen += 1
    if seen != len(digests):
        raise UserError(f"{archive} lacks {len(digests) - seen} of its files. Copy it again.")
    return seen


def place_of(archive: Path, path: str, places: Mapping[str, Path]) -> Path:
    """Where a file of an archive goes.

    Raises:
        UserError: nowhere, because its path leads out of all places.
    """
    parts = PurePosixPath(path).parts
    if len(parts) < 2 or parts[0] not in places or ".." in parts:
        raise UserError(f"{archive} holds {path}, which has no place here. Make the bundle again.")
    return places[parts[0]].joinpath(*parts[1:])


@contextmanager
def _opened(archive: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(archive, "r:") as tar:
            yield tar
    except (OSError, tarfile.TarError) as error:
        raise UserError(f"{archive} cannot be read as a bundle: {error}. Copy it again.") from error


def _listed(archive: Path, tar: tarfile.TarFile) -> dict[str, str]:
    first = tar.next()
    content = tar.extractfile(first) if first is not None and first.name == LIST else None
    if content is None:
        raise UserError(f"{archive} is not a bundle: it does not begin with {LIST}.")
    try:
        return parse_checksums(content.read().decode(), archive / LIST)
    except UnicodeDecodeError as error:
        raise UserError(f"{archive / LIST} is damaged: {error}. Copy the bundle again.") from error
