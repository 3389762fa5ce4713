"""One model of a table, rendered as CSV, Markdown and LaTeX (TEB-R03).

Values stay numbers until they are rendered: shares are 0 to 1 and shown as per cent. A missing value is a dash in
Markdown and LaTeX and an empty field in CSV, never 0. The best value of a column is bold, and so is what looks the
same when rounded.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from testevo.analysis.output.plain_text import HIDDEN

Unit = Literal["text", "count", "percent", "points", "number", "dollars", "tokens"]
Cell = str | int | float | None
Record = TypeVar("Record")
SHOWN: dict[Unit, Callable[[float, int], str]] = {
    "percent": lambda value, digits: f"{100 * value:.{digits}f}%",
    # Adding 0.0 turns a negative zero into a plain one.
    "points": lambda value, digits: f"{round(100 * value, digits) + 0.0:+.{digits}f}",
    "dollars": lambda value, digits: f"${value:.2f}",
    "tokens": lambda value, digits: f"{value / 1000:,.1f}k",
    "number": lambda value, digits: f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}",
}
CSV_UNITS = {"percent": " (share)", "points": " (share)", "dollars": " (USD)", "tokens": " (tokens)"}
DASH = "\u2013"
MARKDOWN_SPECIAL = re.compile(r"[\\|*<\[]")
FORMULA = ("=", "+", "-", "@", "\t")
"""What a cell begins with that a spreadsheet computes."""
LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "Δ": r"$\Delta$",
    "\u2013": "--",
    "\u2212": "$-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "±": r"$\pm$",
    "\u00d7": r"$\times$",
    "→": r"$\rightarrow$",
}


@dataclass(frozen=True)
class Column:
    """A column: its heading, what its values are, and which is better."""

    title: str
    unit: Unit = "text"
    better: Literal["up", "down"] | None = None
    digits: int = 1


@dataclass(frozen=True)
class Table:
    """A table with a name for its file, a title, and notes below."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {len(row)} cells under {len(self.columns)} columns: {row}")


def table_of(
    name: str,
    title: str,
    records: Iterable[Record],
    columns: tuple[tuple[Column, Callable[[Record], Cell]], ...],
    notes: tuple[str, ...] = (),
) -> Table:
    """A table with a row per record; beside each column stands what gives its cell."""
    rows = tuple(tuple(cell(record) for _, cell in columns) for record in records)
    return Table(name, title, tuple(column for column, _ in columns), rows, notes)


def shown(value: Cell, column: Column) -> str:
    """A cell as a reader sees it."""
    if value is None:
        return DASH
    if isinstance(value, str):
        return value.translate(HIDDEN)
    if column.unit in ("text", "count"):
        return f"{value:,}" if isinstance(value, int) else f"{value:g}"
    return SHOWN[column.unit](value, column.digits)


def best_cells(table: Table) -> frozenset[tuple[int, int]]:
    """(row, column) of the best values: all that look like the best one."""
    best = set()
    for place, column in enumerate(table.columns):
        values = {number: row[place] for number, row in enumerate(table.rows) if isinstance(row[place], (int, float))}
        if column.better is None or len(values) < 2:
            continue
        numbers = [value for value in values.values() if isinstance(value, (int, float))]
        top = shown(max(numbers) if column.better == "up" else min(numbers), column)
        best |= {(number, place) for number, value in values.items() if shown(value, column) == top}
    return frozenset(best)


def to_csv(table: Table) -> str:
    """Plain numbers with ten digits: shares as 0 to 1, the unit in the heading. No text is a spreadsheet's formula."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([csv_title(column) for column in table.columns])
    for row in table.rows:
        writer.writerow([csv_cell(cell) for cell in row])
    return stream.getvalue()


def csv_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        text = cell.translate(HIDDEN)
        return f"'{text}" if text.startswith(FORMULA) else text
    return "" if cell is None else f"{cell:.10g}" if isinstance(cell, float) else str(cell)


def csv_title(column: Column) -> str:
    return f"{column.title}{CSV_UNITS.get(column.unit, '')}"


def to_markdown(table: Table) -> str:
    best = best_cells(table)
    lines = [f"### {table.title}", ""]
    lines.append("| " + " | ".join(markdown_text(heading(column)) for column in table.columns) + " |")
    lines.append("|" + "|".join("---" if column.unit == "text" else "---:" for column in table.columns) + "|")
    for number, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            text = markdown_text(shown(cell, column))
            cells.append(f"**{text}**" if (number, place) in best else text)
        lines.append("| " + " | ".join(cells) + " |")
    if not table.rows:
        lines += ["", "No rows."]
    return "\n".join([*lines, *(f"\n{markdown_text(note)}" for note in table.notes)]) + "\n"


def heading(column: Column) -> str:
    arrow = {"up": " ↑", "down": " ↓", None: ""}[column.better]
    return f"{column.title}{arrow}"


def markdown_text(text: str) -> str:
    """Text that stays in its cell and is neither a tag nor a link; code may stand between back-ticks."""
    return " ".join(MARKDOWN_SPECIAL.sub(r"\\\g<0>", text).split())


def to_latex(table: Table) -> str:
    """A `booktabs` table; every text is escaped."""
    best = best_cells(table)
    alignment = "".join("l" if column.unit == "text" else "r" for column in table.columns)
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{latex_text(table.title)}}}"]
    lines += [rf"\label{{tab:{table.name}}}", rf"\begin{{tabular}}{{{alignment}}}", r"\toprule"]
    arrows = {"up": r" $\uparrow$", "down": r" $\downarrow$", None: ""}
    lines.append(" & ".join(latex_text(column.title) + arrows[column.better] for column in table.columns) + r" \\")
    lines.append(r"\midrule")
    for number, row in enumerate(table.rows):
        cells = []
        for place, (cell, column) in enumerate(zip(row, table.columns, strict=True)):
            text = latex_text(shown(cell, column))
            cells.append(rf"\textbf{{{text}}}" if (number, place) in best else text)
        line = " & ".join(cells) + r" \\"
        # Behind the end of the line before, LaTeX takes these two for options of it.
        lines.append(f"{{}}{line}" if line.startswith(("[", "*")) else line)
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par\smallskip\footnotesize {latex_text(note)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"]) + "\n"


def latex_text(text: str) -> str:
    return "".join(LATEX_SPECIAL.get(letter, letter) for letter in " ".join(text.split()))


RENDERINGS = {"csv": to_csv, "md": to_markdown, "tex": to_latex}
"""By file suffix."""


def render(table: Table) -> dict[str, bytes]:
    """The table in every format, by file name."""
    return {f"{table.name}.{suffix}": rendering(table).encode() for suffix, rendering in RENDERINGS.items()}
