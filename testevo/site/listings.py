"""Long lists that a browser searches, sorts and filters: the first rows stand in the page, all lie in chunks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testevo.site.rendering import chunk

TEXT, LINK, NUMBER, DAY, FACET = "text", "link", "number", "day", "facet"
"""Kinds of a field. A facet has few values, from which a reader chooses."""
ROWS_IN_PAGE = 50
ROWS_IN_CHUNK = 500


@dataclass(frozen=True)
class Field:
    """A column of a list."""

    title: str
    kind: str = TEXT
    address: str = ""
    """Of a link, relative to the site; `$0` stands for the first value of the row, as a file name."""


@dataclass(frozen=True)
class Listing:
    """A list by the name of its chunks."""

    name: str
    fields: Sequence[Field]
    rows: Sequence[Sequence[Any]]

    @property
    def first_rows(self) -> Sequence[Sequence[Any]]:
        return self.rows[:ROWS_IN_PAGE]

    @property
    def parts(self) -> int:
        return -(-len(self.rows) // ROWS_IN_CHUNK)

    @property
    def description(self) -> Mapping[str, Any]:
        """All that the script of the page must know."""
        fields = [{"title": one.title, "kind": one.kind, "address": one.address} for one in self.fields]
        return {"name": self.name, "parts": self.parts, "total": len(self.rows), "fields": fields}

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The chunks by file name."""
        for part in range(self.parts):
            name = f"{self.name}-{part}"
            yield f"data/{name}.js", chunk(name, self.rows[part * ROWS_IN_CHUNK : (part + 1) * ROWS_IN_CHUNK])
