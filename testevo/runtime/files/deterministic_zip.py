"""Zip files whose bytes depend on nothing but their content."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from testevo.runtime.files.files import write_atomically

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16


def zip_entry(name: str, *, compressed: bool = False) -> zipfile.ZipInfo:
    """An entry with a fixed date; without compression its bytes depend on no version of zlib either."""
    entry = zipfile.ZipInfo(name, _DATE)
    entry.create_system = 3
    entry.external_attr = _MODE
    entry.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    return entry


def write_zip(path: Path, entries: Mapping[str, bytes]) -> None:
    """Write entries by name: sorted, stored without compression and with a fixed date.

    Raises:
        MachineError: the file cannot be written.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(entries):
            archive.writestr(zip_entry(name), entries[name])
    write_atomically(path, content.getvalue())
