"""Which names of classes can be those of files."""

import re

_PART = re.compile(r"[^\x00-\x1f./\\;\[*?]+")
_PART_BYTES = 255 - len(".class")
_NAME_BYTES = 2000
"""Less than the longest path, so that folders fit before it."""


def can_be_file(name: str) -> bool:
    """Whether a class of this binary name can lie in a file below a folder of classes.

    What a test throws or reports can name anything: an absolute path, a pattern, a part longer than a file name may be.
    """
    try:
        sizes = [len(part.encode()) for part in name.split(".")]
    except UnicodeEncodeError:
        return False
    fits = max(sizes) <= _PART_BYTES and sum(sizes) + len(sizes) <= _NAME_BYTES
    return fits and all(_PART.fullmatch(part) for part in name.split("."))
