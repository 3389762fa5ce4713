"""Output of commands: whole plain lines for a pipe or a file, colour and a pager at a terminal.

No line is ever wrapped or shortened, so that ids can be copied and `git apply` takes printed diffs.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

GAP = "  "
STYLES = {"": "", "heading": "1", "faint": "2", "warning": "1;31", "removed": "31", "added": "32", "hunk": "36"}
"""Names of styles and what terminals are told (SGR parameters)."""
DIFF_STYLES = {"diff ": "heading", "--- ": "heading", "+++ ": "heading", "@@": "hunk", "+": "added", "-": "removed"}
"""The first that a line of a diff begins with."""
PAGER = "less -R"
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) != "\t"}
SHOWN_AS_ESCAPES = {**_CONTROLS, **dict.fromkeys(range(0xDC80, 0xDD00), "\N{REPLACEMENT CHARACTER}")}
"""Characters by which untrusted text could steer a terminal, and bytes that are not UTF-8."""


@dataclass(frozen=True)
class Line:
    """A line with one style (`STYLES`); its text may hold bytes that are not UTF-8, as `surrogateescape` keeps them."""

    text: str
    style: str = ""


def columns(headings: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> list[Line]:
    """A table as lines: columns as wide as their widest cell, two blanks between them.

    Args:
        headings: of the columns; a row may have more cells.
        right: the columns, from 0, whose cells stand to the right.
    """
    table = [[" ".join(cell.splitlines()).translate(_CONTROLS) for cell in row] for row in (headings, *rows)]
    widths = [max(map(len, column)) for column in zip_longest(*table, fillvalue="")]

    def aligned(row: Sequence[str]) -> str:
        cells = [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=False))
        ]
        return GAP.join(cells).rstrip()

    return [Line(aligned(row), "" if at else "heading") for at, row in enumerate(table)]


def diff_lines(diff: bytes) -> list[Line]:
    """The lines of a diff, each in its colour; the bytes come out as they are."""
    lines = diff.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n") if diff else []
    return [Line(line, diff_style(line)) for line in lines]


def diff_style(line: str) -> str:
    return next((style for mark, style in DIFF_STYLES.items() if line.startswith(mark)), "")


def show(lines: Iterable[str | Line]) -> None:
    """Print lines to stdout. At a terminal they have colour, and more than fit go through `$PAGER`."""
    listed = [Line(line) if isinstance(line, str) else line for line in lines]
    if not sys.stdout.isatty():
        write("".join(f"{line.text}\n" for line in listed))
        return
    text = "".join(f"{painted(line)}\n" for line in listed)
    if fits(listed) or not paged(text):
        write(text)


def write(text: str) -> None:
    """Write to stdout, bytes that are not UTF-8 as they were."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def painted(line: Line) -> str:
    """A line as a terminal gets it: no control characters but our own, no colour where `NO_COLOR` is set."""
    text = line.text.translate(SHOWN_AS_ESCAPES)
    plain = not STYLES[line.style] or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else f"\x1b[{STYLES[line.style]}m{text}\x1b[0m"


def fits(lines: Sequence[Line]) -> bool:
    """Whether a terminal shows so many lines at once, long ones broken by it."""
    size = shutil.get_terminal_size()
    return sum(max(1, -(-len(line.text) // max(1, size.columns))) for line in lines) < size.lines


def paged(text: str) -> bool:
    """Show a text by the user's pager; False when there is none, or when it cannot be started."""
    try:
        command = shlex.split(os.environ.get("PAGER", PAGER))
    except ValueError:  # an open quote
        command = shlex.split(PAGER)
    if not command:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's, which stays
    try:
        subprocess.run(command, input=text.encode("utf-8", "replace"), check=False)
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return True
