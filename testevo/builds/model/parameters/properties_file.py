"""Properties files whose text needs no interpretation: what `systemPropertiesFile` of Surefire names.

The rules for lines are those of `java.util.Properties.load`.
"""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from testevo.builds.model.model import CHECKOUT
from testevo.runtime.files.plain_files import is_file

_LINE = re.compile(r"([^\s=:]+)[ \t\f]*[=:]?[ \t\f]*(.*)")
_PLAIN = re.compile(rb"[\t\n\f\r -~]*")
_NOT_ENTERED = ("target", "node_modules", ".git", "..")
"""Folders that hold no file of a build model's key."""


def properties_of(data: bytes) -> dict[str, str] | None:
    """The entries of a properties file; None where it has escapes, placeholders, characters beyond ASCII or an entry
    without a name."""
    if _PLAIN.fullmatch(data) is None or b"\\" in data or b"{" in data:
        return None
    found = {}
    for line in (one.lstrip(" \t\f") for one in re.split(r"[\r\n]", data.decode("ascii"))):
        if line and line[0] not in "#!":
            entry = _LINE.fullmatch(line)
            if entry is None:
                return None
            found[entry[1]] = entry[2]
    return found


def named_properties(name: str, module: str, checkout: Path, is_keyed: Callable[[str], bool]) -> dict[str, str] | None:
    """The entries of a file that a POM names; none without a name.

    Args:
        name: as the plugin gets it, absolute or relative to the module.
        module: path of the module.
        checkout: the folder in which Maven ran.
        is_keyed: whether the key of the build model holds the content of a repository-relative path.

    Returns:
        None when the file is missing, lies elsewhere, is in no key, or cannot be read so simply.
    """
    if not name:
        return {}
    below = name.removeprefix(f"{CHECKOUT}/")
    path = PurePosixPath(below) if below != name else PurePosixPath(module, name)
    if path.is_absolute() or "{" in str(path) or set(path.parts) & set(_NOT_ENTERED):
        return None
    file = checkout / path
    return properties_of(file.read_bytes()) if is_file(file) and is_keyed(str(path)) else None
