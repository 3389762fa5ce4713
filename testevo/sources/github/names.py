"""Repositories named by a file, for those who have a list or a dump of GH Archive in place of a search."""

import csv
import re
from pathlib import Path

from testevo.runtime.errors import UserError

COLUMNS = ("full_name", "name_with_owner", "repo_name", "repository", "repo", "name", "url", "html_url")
"""Headings of the column that names repositories, in order of preference; without a heading it is the first."""
NAME = re.compile(r"(?:https?://github\.com/|git@github\.com:)?([\w.-]+/[\w.-]+?)(?:\.git)?/?")


def read_names(path: Path) -> list[str]:
    """The repositories that a CSV file names as `owner/name` or by their address, each once, in its order.

    Raises:
        UserError: the file cannot be read, or a line names no repository.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = [row for row in csv.reader(stream) if row and not row[0].startswith("#")]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(
            f"{path} cannot be read as CSV: {error}. Give a UTF-8 file of lines with owner/name."
        ) from error
    headings = [cell.strip().lower() for cell in rows[0]] if rows else []
    column = next((headings.index(name) for name in COLUMNS if name in headings), None)
    body = rows if column is None else rows[1:]
    names = [_name(path, row, column or 0) for row in body]
    if not names:
        raise UserError(f"{path} names no repository. Give lines with owner/name.")
    return list({name.lower(): name for name in reversed(names)}.values())[::-1]


def _name(path: Path, row: list[str], column: int) -> str:
    cell = row[column].strip() if column < len(row) else ""
    match = NAME.fullmatch(cell)
    if match is None:
        raise UserError(f"{path}: {cell!r} is not owner/name and no address on github.com. Fix the line.")
    return match[1]
