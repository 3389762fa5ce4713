"""Progress of a stage of one repository, for `testevo status` and the live display."""

import sys
from collections.abc import Iterable, Iterator, Sized
from pathlib import Path
from typing import Protocol, TypeVar

from testevo.runtime.files.files import canonical_json, require_space, write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json

T_co = TypeVar("T_co", covariant=True)


class SizedIterable(Sized, Iterable[T_co], Protocol[T_co]):
    """Something with a length that can be walked."""


def followed(items: SizedIterable[T_co], file: Path, what: str) -> Iterator[T_co]:
    """Walk `items`, noting in `file` and on stderr how many are done.

    Raises:
        MachineError: too little space is left for the next item.
    """
    for done, item in enumerate(items):
        require_space(file.parent)
        note(file, what, done, len(items))
        yield item
    note(file, what, len(items), len(items))


def note(file: Path, what: str, done: int, total: int) -> None:
    write_atomically(file, (canonical_json({"what": what, "done": done, "total": total}) + "\n").encode())
    print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)


def read_progress(file: Path) -> tuple[str, int, int] | None:
    """(what, done, total) of a stage, None when it has not begun."""
    if not file.is_file():
        return None
    value = parsed_json(file.read_bytes())
    return value["what"], value["done"], value["total"]
