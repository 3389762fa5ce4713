"""Tests that JUnit runs in parallel because a file on the class path says so: the launcher runs one after the other.

The JUnit Platform reads the first `junit-platform.properties` of the class path. One among the resources is no part of
the key of a build model, so each revision and each edited one is asked for its own.
"""

import mmap
import zipfile
from functools import cache
from pathlib import Path

from testevo.builds.engine import BuiltModule
from testevo.builds.model.parameters.platform import runs_in_parallel
from testevo.builds.model.parameters.properties_file import properties_of

FILE = "junit-platform.properties"


def why_parallel_tests(module: BuiltModule) -> str | None:
    """Why Surefire runs the tests of a module that run in parallel by such a file; None when they do not."""
    if module.framework != "platform":
        return None
    contents = map(_content, module.class_path, module.class_path_keys)
    first = next((content for content in contents if content is not None), b"")
    return f"{FILE} runs tests in parallel" if _may_run_in_parallel(first) else None


def _may_run_in_parallel(content: bytes) -> bool:
    entries = properties_of(content)
    if entries is None:  # an escape may hide a name
        return b"parallel" in content or b"\\" in content
    return any(runs_in_parallel(name, value) for name, value in entries.items())


def _content(entry: Path, key: str) -> bytes | None:
    """The file in an entry of the class path; None when it has none."""
    if entry.is_dir():
        file = entry / FILE
        return file.read_bytes() if file.is_file() else None
    return _content_in_jar(entry, key)


@cache
def _content_in_jar(jar: Path, key: str) -> bytes | None:
    """Looks for the name among the bytes first, in which a jar has the names of its files as they are.

    Args:
        key: of the content of the jar.
    """
    del key
    if not jar.is_file() or jar.stat().st_size == 0:
        return None
    with jar.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        if view.find(FILE.encode()) < 0 or not zipfile.is_zipfile(jar):
            return None
    with zipfile.ZipFile(jar) as archive:
        return archive.read(FILE) if FILE in archive.namelist() else None
