"""HTML that stands alone: nothing is fetched, nothing runs, and untrusted text stays text.

Names, messages and sources come from repositories that nobody here has read. Every text goes through `text`, and a page
forbids its reader's browser to run or fetch anything, should a mark slip through after all.
"""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from testevo.analysis.output.plain_text import HIDDEN
from testevo.analysis.output.tables import Table, best_cells, heading, shown

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --faint: #5b6470; --paper: #fff; --card: #f5f7f9; --line: #d8dee4;
  --bar: #0072b2; --rest: #d9d9d9; --link: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --faint: #9aa4b0; --paper: #14171a; --card: #1d2226;
  --line: #343b42; --bar: #4aa8dd; --rest: #3c444c; --link: #7fb8f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.2rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .4rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; }
a { color: var(--link); }
nav a { display: inline-block; margin-right: 1rem; }
.faint { color: var(--faint); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1rem; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { width: 12rem; height: .8rem; fill: var(--bar); }
.bar .rest { fill: var(--rest); }
code { font: .85rem/1.45 ui-monospace, "Liberation Mono", Consolas, monospace; }
code { overflow-wrap: anywhere; }
td:first-child code { white-space: nowrap; }
td:last-child { min-width: 9rem; }
@media (max-width: 40rem) { body { padding: .8rem; } .bar { width: 4rem; }
  td:last-child { min-width: 12rem; } }
"""


@dataclass(frozen=True)
class Section:
    """A part of a page; `content` is HTML, `name` and `title` are text."""

    name: str
    title: str
    content: str


def text(value: object) -> str:
    """Any text as HTML that shows just this text, also within an attribute."""
    return html.escape(str(value).translate(HIDDEN), quote=True)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table that scrolls by itself on a narrow screen.

    Args:
        headings: text.
        rows: cells, which are HTML.
        numbers: the columns, from 0, whose cells stand to the right.
    """
    right = set(numbers)

    def line(cells: Iterable[str], kind: str) -> str:
        marked = (f"<{kind}{' class=number' if at in right else ''}>{cell}</{kind}>" for at, cell in enumerate(cells))
        return f"<tr>{''.join(marked)}</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    head = line(map(text, headings), "th")
    return f'<div class="wide" tabindex="0"><table><thead>{head}</thead>\n<tbody>{body}</tbody></table></div>\n'


def data_table(source: Table) -> str:
    """A table of numbers with its notes; the best values stand out."""
    best = best_cells(source)

    def cell(row: int, column: int) -> str:
        value = text(shown(source.rows[row][column], source.columns[column]))
        return f"<b>{value}</b>" if (row, column) in best else value

    places = range(len(source.columns))
    rows = [[cell(row, column) for column in places] for row in range(len(source.rows))]
    notes = "".join(f'<p class="faint">{text(note)}</p>\n' for note in source.notes)
    numbers = [place for place in places if source.columns[place].unit != "text"]
    empty = "" if rows else "<p>No rows.</p>\n"
    return table([heading(one) for one in source.columns], rows, numbers) + empty + notes


def markdown(source: str) -> str:
    """Render the Markdown of our own pages: headings, tables, lists, paragraphs, code between back-ticks."""
    parts: list[str] = []
    for block in re.split(r"\n\s*\n", source.strip()):
        lines = block.splitlines()
        while lines and (heading := re.match(r"(#+)\s+(.*)", lines[0])):
            level = min(len(heading[1]) + 1, 4)
            parts.append(f"<h{level}>{_inline(heading[2])}</h{level}>")
            lines = lines[1:]
        if lines:
            parts.append(_block(lines))
    return "\n".join(parts)


def _block(lines: Sequence[str]) -> str:
    if len(lines) > 1 and lines[0].startswith("|") and re.fullmatch(r"[|:\- ]+", lines[1]):
        right = [at for at, cell in enumerate(_cells(lines[1])) if cell.endswith(":")]
        return table(_cells(lines[0]), [[_inline(cell) for cell in _cells(line)] for line in lines[2:]], right)
    if lines[0].startswith("- "):
        entries = re.split(r"\n(?=- )", "\n".join(lines))
        return "<ul>" + "".join(f"<li>{_inline(one[2:])}</li>" for one in entries) + "</ul>"
    return f"<p>{_inline(chr(10).join(lines))}</p>"


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _inline(source: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text(source))


def document(title: str, introduction: str, sections: Sequence[Section]) -> bytes:
    """A whole page of sections, with links to them where there are several.

    Args:
        title: text.
        introduction: HTML below the title.
        sections: in the order of the page.
    """
    links = "".join(f'<a href="#{text(one.name)}">{text(one.title)}</a>' for one in sections)
    parts = [f'<h2 id="{text(one.name)}">{text(one.title)}</h2>\n{one.content}' for one in sections]
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{text(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{text(title)}</h1>
{introduction}
{f"<nav>{links}</nav>" if len(sections) > 1 else ""}
{chr(10).join(parts)}
</body>
</html>
"""
    return page.encode()
