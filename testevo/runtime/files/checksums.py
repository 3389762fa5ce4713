"""Lists of SHA-256 digests in the form of `sha256sum`: digest, two spaces, name."""

from collections.abc import Mapping
from pathlib import Path

from testevo.runtime.errors import UserError

_DIGITS = 64


def checksum_lines(digests: Mapping[str, str]) -> str:
    """The list of digests by name, sorted by name."""
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))


def parse_checksums(text: str, origin: Path) -> dict[str, str]:
    """Digests by name; lines that begin with `#` are remarks.

    Args:
        origin: the file, for messages.

    Raises:
        UserError: a line has another form.
    """
    found = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line and not line.startswith("#"):
            digest, separator, name = line.partition("  ")
            if not separator or len(digest) != _DIGITS:
                raise UserError(f"{origin}:{number} is not a checksum and name. Take the file of this version again.")
            found[name] = digest
    return found


def read_checksums(file: Path) -> dict[str, str]:
    """As `parse_checksums`, of a file.

    Raises:
        UserError: it cannot be read either.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read ({error}). Give a list of checksums.") from error
    return parse_checksums(text, file)
