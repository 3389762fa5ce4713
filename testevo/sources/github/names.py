"""Repositories named by a file, for those who have a list or a dump of GH Archive in place of a search."""

import csv
import gzip
import re
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from testevo.runtime.errors import UserError
from testevo.runtime.files.json_and_yaml import parsed_json

COLUMNS = ("full_name", "name_with_owner", "repo_name", "repository", "repo", "name", "url", "html_url")
"""Columns and keys that name repositories, in order of preference; a CSV file without such a heading: the first one."""
NAME = re.compile(r"(?:https?://github\.com/|git@github\.com:)?([\w.-]+/[\w.-]+?)(?:\.git)?/?")
GZIP = b"\x1f\x8b"


def read_names(path: Path) -> list[str]:
    """The repositories that a file names as `owner/name` or by their address, each once, in its order.

    It is a CSV file, or one JSON object per line, such as an event of GH Archive; either may be compressed by gzip.

    Raises:
        UserError: the file cannot be read, or a line names no repository.
    """
    found: dict[str, str] = {}
    try:
        with _opened(path) as stream:
            first = stream.readline()
            read = _of_events if first.startswith("{") else _of_table
            for number, cell in read(chain([first], stream)):
                match = NAME.fullmatch(cell)
                if match is None:
                    raise UserError(
                        f"{path}, line {number}: {cell!r} is neither owner/name nor an address on github.com. "
                        "Fix the line."
                    )
                found.setdefault(match[1].lower(), match[1])
    except (OSError, EOFError, zlib.error, ValueError, csv.Error) as error:
        raise UserError(
            f"{path} cannot be read as CSV or as JSON lines: {error}. Give a UTF-8 file of lines with owner/name, or a "
            "file of GH Archive."
        ) from error
    if not found:
        raise UserError(f"{path} names no repository. Give lines with owner/name.")
    return list(found.values())


def _opened(path: Path) -> TextIO:
    with path.open("rb") as stream:
        compressed = stream.read(len(GZIP)) == GZIP
    opened = gzip.open if compressed else open
    return opened(path, "rt", encoding="utf-8-sig", newline="")


def _of_table(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Line number and cell of each row; comments begin with `#`."""
    column: int | None = None
    rows = csv.reader(lines)
    for row in rows:
        if not row or row[0].startswith("#"):
            continue
        if column is None:
            headings = [cell.strip().lower() for cell in row]
            column = next((headings.index(name) for name in COLUMNS if name in headings), -1)
            if column >= 0:
                continue
        yield rows.line_num, row[max(0, column)].strip() if column < len(row) else ""


def _of_events(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Line number and name of each object."""
    for number, line in enumerate(lines, start=1):
        try:
            event = parsed_json(line)
        except ValueError as error:
            raise ValueError(f"line {number} is not JSON ({error})") from error
        yield number, _name(event)


def _name(value: Any) -> str:
    """The name in an object, or in the one that stands for the repository in it; '' without any."""
    if not isinstance(value, dict):
        return value if isinstance(value, str) else ""
    names = (_name(value[key]) for key in COLUMNS if key in value)
    return next((name for name in names if NAME.fullmatch(name)), "")
