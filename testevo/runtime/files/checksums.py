"""Lists of SHA-256 digests in the form of `sha256sum`: digest, two spaces, name."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from testevo.runtime.errors import UserError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.removal import remove_listed

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


def begun_checksums(checksums: Path) -> Path:
    """Where the checksums of a folder lie while its files are written: what an interrupted writer leaves."""
    return checksums.with_name(f".{checksums.name}.begun")


@contextmanager
def checksums_at_the_end(checksums: Path, content: bytes) -> Iterator[None]:
    """Let the body write the files of a folder in place of an earlier set; only then does it get its checksums.

    Files of the earlier set, also of one that was interrupted, go when the new checksums do not name them.

    Raises:
        UserError: the checksums of the earlier set cannot be read.
        MachineError: the folder cannot be written.
    """
    begun = begun_checksums(checksums)
    named = parse_checksums(content.decode(), checksums).keys()
    for earlier in filter(Path.is_file, (checksums, begun)):
        remove_listed(checksums.parent, read_checksums(earlier).keys() - named)
    write_atomically(begun, content)
    checksums.unlink(missing_ok=True)
    yield
    begun.replace(checksums)
