"""Records of a stage as they come, kept on the disk: those of a large repository fit into no memory together."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Self

from testevo.records.base import Record
from testevo.runtime.files.files import write_pieces_atomically

_Place = tuple[tuple[object, ...], int, int]
"""The sort key of a record, and where its line begins and ends."""


class RecordSpool:
    """Takes records in any order; only their sort keys are in memory. The file on the disk has no name and goes with
    this process.

    Args:
        folder: for the records until they are written; it may be missing.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`
        self._places: list[_Place] = []
        self._parts: dict[object, object] = {}
        """Parts of sort keys; equal ones are one object."""
        self._end = 0

    def add(self, records: Iterable[Record]) -> None:
        for record in records:
            line = f"{record.line()}\n".encode()
            self._file.write(line)
            key = tuple(self._parts.setdefault(part, part) for part in record.sort_key())
            self._places.append((key, self._end, self._end + len(line)))
            self._end += len(line)
        self._file.flush()  # processes are forked, and must inherit nothing that is still to be written

    def write(self, path: Path) -> None:
        """Write all that came so far, to the bytes of `write_records`.

        Raises:
            MachineError: the file cannot be written.
        """
        self._places.sort(key=itemgetter(0))
        write_pieces_atomically(path, self._sorted_lines())

    def _sorted_lines(self) -> Iterator[bytes]:
        for _, places in groupby(self._places, key=itemgetter(0)):
            yield from sorted(os.pread(self._file.fileno(), end - start, start) for _, start, end in places)

    def __len__(self) -> int:
        return len(self._places)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()
