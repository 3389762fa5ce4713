"""Files by their name on the class path of a module, in folders and jars."""

import mmap
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from testevo.builds.engine import BuiltModule


def contents_on_class_path(module: BuiltModule, name: str) -> Iterator[bytes]:
    """The files of a name such as `META-INF/services/p.Service`, in the order of the class path.

    Raises:
        OSError: one cannot be read.
    """
    for entry, key in zip(module.class_path, module.class_path_keys, strict=True):
        content = _content(entry, key, name)
        if content is not None:
            yield content


def _content(entry: Path, key: str, name: str) -> bytes | None:
    """The file in an entry of the class path; None when it has none."""
    if entry.is_dir():
        file = entry / name
        return file.read_bytes() if file.is_file() else None
    return _content_in_jar(entry, key, name)


@cache
def _content_in_jar(jar: Path, key: str, name: str) -> bytes | None:
    """Looks for the name among the bytes first, in which a jar has the names of its files as they are.

    Args:
        key: of the content of the jar.
    """
    del key
    if not jar.is_file() or jar.stat().st_size == 0:
        return None
    with jar.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        if view.find(name.encode()) < 0 or not zipfile.is_zipfile(jar):
            return None
    with zipfile.ZipFile(jar) as archive:
        return archive.read(name) if name in archive.namelist() else None
