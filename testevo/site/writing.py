"""Write a site into a folder."""

from itertools import chain
from pathlib import Path

from testevo.runtime.errors import UserError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.removal import remove_listed
from testevo.site.content import SiteContent
from testevo.site.pages import site_files

MARK = ".testevo-site"
"""A folder with this file is a site that may be written over; it names the other files of the site, one a line."""


def write_site(folder: Path, content: SiteContent) -> int:
    """Write every file, remove those of an earlier site and no other, such as those of git; the number of files.

    Raises:
        UserError: the folder holds something other than a site.
        MachineError: it cannot be written.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise UserError(f"{folder} holds something other than a site. Name a new folder, or an empty one.")
    earlier = (folder / MARK).read_text("utf-8").splitlines() if (folder / MARK).is_file() else []
    written = set()
    for name, data in chain([(MARK, "\n".join(earlier).encode())], site_files(content)):
        write_atomically(folder / name, data)
        written.add(name)
    remove_listed(folder, set(earlier) - written)
    write_atomically(folder / MARK, "\n".join(sorted(written - {MARK})).encode())
    return len(written)
