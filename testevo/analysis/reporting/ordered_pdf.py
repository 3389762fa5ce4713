"""PDF files with equal bytes for equal content: the renderer numbers objects and lists fonts in any order."""

import re

NAMED_PARTS = re.compile(rb"(?<=<<\n)(?: +/\w+ (?:\d+ 0 R|\[[^\n]*\])\n){2,}")
"""Lines of a dictionary that names fonts and colour spaces."""
REFERENCE = re.compile(rb"(?<![\w.])(\d+) 0 R\b")
TABLE = re.compile(rb"xref\n0 (\d+)\n")
ROW = 20
"""Bytes of a row of the table of objects."""
DATA = b"\nstream\n"


def ordered(pdf: bytes) -> bytes:
    """The same document with objects numbered and written as they are met on the way from its root.

    Raises:
        ValueError: it is not a document with one table of objects.
    """
    marked = re.search(rb"startxref\n(\d+)\n%%EOF", pdf)
    start = int(marked[1]) if marked else -1
    table = TABLE.match(pdf, start) if marked else None
    if table is None:
        raise ValueError("a PDF without one table of objects at its end")
    rows = [pdf[at : at + ROW] for at in range(table.end(), table.end() + ROW * int(table[1]), ROW)]
    offsets = {number: int(row[:10]) for number, row in enumerate(rows) if row[17:18] == b"n"}
    places = [*sorted(offsets.values()), start]
    objects = {number: _sorted_names(pdf[at : places[places.index(at) + 1]]) for number, at in offsets.items()}
    trailer = pdf[table.end() + ROW * len(rows) : pdf.index(b"startxref", start)]
    numbers = {old: new for new, old in enumerate(_reached(trailer, objects), start=1)}
    made, table_rows = pdf[: places[0]], [b"0000000000 65535 f \n"]
    for old, new in numbers.items():
        table_rows.append(b"%010d 00000 n \n" % len(made))
        _, space, rest = objects[old].partition(b" 0 obj")
        made += b"%d" % new + _renumbered(space + rest, numbers)
    end = b"".join([b"xref\n0 %d\n" % len(table_rows), *table_rows, _renumbered(trailer, numbers)])
    return made + end + b"startxref\n%d\n%%%%EOF" % len(made)


def _sorted_names(part: bytes) -> bytes:
    head, stream, data = part.partition(DATA)
    return NAMED_PARTS.sub(lambda found: b"".join(sorted(found[0].splitlines(keepends=True))), head) + stream + data


def _reached(trailer: bytes, objects: dict[int, bytes]) -> list[int]:
    """The numbers of objects in the order in which references lead to them."""
    found: dict[int, None] = {}
    waiting = [trailer]
    while waiting:
        head = waiting.pop(0).partition(DATA)[0]
        new = dict.fromkeys(number for one in REFERENCE.findall(head) if (number := int(one)) not in found)
        found |= new
        waiting += [objects[number] for number in new]
    return list(found)


def _renumbered(part: bytes, numbers: dict[int, int]) -> bytes:
    head, stream, data = part.partition(DATA)
    return REFERENCE.sub(lambda found: b"%d 0 R" % numbers[int(found[1])], head) + stream + data
