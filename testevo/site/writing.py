"""Write a site into a folder."""

from itertools import chain
from pathlib import Path

from testevo.runtime.errors import UserError
from testevo.runtime.files.files import write_atomically
from testevo.site.content import SiteContent
from testevo.site.pages import site_files

MARK = ".testevo-site"
"""A folder with this file is a site that may be written over."""


def write_site(folder: Path, content: SiteContent) -> int:
    """Write every file, remove those of an earlier site; the number of files.

    Raises:
        UserError: the folder holds something other than a site.
        MachineError: it cannot be written.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise UserError(f"{folder} holds something other than a site. Name a new folder, or an empty one.")
    earlier = {file for file in folder.rglob("*") if file.is_file()}
    written = set()
    for name, data in chain([(MARK, b"")], site_files(content)):
        write_atomically(folder / name, data)
        written.add(folder / name)
    for file in earlier - written:
        file.unlink()
    return len(written)
