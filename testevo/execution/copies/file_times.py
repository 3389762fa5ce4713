"""One time for all files of a copy: when a revision was written out says nothing to the code that runs in it."""

import os
from pathlib import Path

SECONDS = 946_684_800
"""The first of January 2000, UTC."""


def level_times(folder: Path) -> None:
    """Give a folder and all in it, links themselves included, one time of access and change."""
    todo = [str(folder)]
    for place in todo:  # grows while it is gone through
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                else:
                    os.utime(entry.path, (SECONDS, SECONDS), follow_symlinks=False)
    for place in todo:
        os.utime(place, (SECONDS, SECONDS))
