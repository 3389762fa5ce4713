"""The call maps that the stage `instrument` wrote, read one by one: those of a large repository fit into no memory."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from testevo.records.base import parse_record, unreadable
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.runtime.files.json_and_yaml import parsed_json

HELD_MAPS = 2048
"""Enough for both ends of a pair of a repository with a thousand tests; a map takes about 100 KiB."""

CallKey = tuple[str, TestKey]
"""Revision and test."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the line of a map lies in the file."""

    number: int
    start: int
    length: int


class RecordedCalls(Mapping[CallKey, CallMap]):
    """Call maps by (revision, test). Keys are held, maps are read when they are asked for, and the last ones kept.

    Processes that are forked after it is made may share it.

    Args:
        path: a file written by `write_records`.
        held: how many maps are kept at most.

    Raises:
        UserError: the file is missing, or a line is not a `CallMap` (also when its map is asked for).
    """

    def __init__(self, path: Path, held: int = HELD_MAPS) -> None:
        self._path = path
        self._held = lru_cache(held)(self._read)
        self._places = dict(self._index())

    def __getitem__(self, key: CallKey) -> CallMap:
        return self._held(self._places[key])

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __iter__(self) -> Iterator[CallKey]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _index(self) -> Iterator[tuple[CallKey, _Place]]:
        tests: dict[str, TestKey] = {}
        start = 0
        try:
            with self._path.open("rb") as file:
                for number, line in enumerate(file, start=1):
                    yield self._key(line, number, tests), _Place(number, start, len(line))
                    start += len(line)
        except OSError as error:
            raise unreadable(self._path, error) from error

    def _key(self, line: bytes, number: int, tests: dict[str, TestKey]) -> CallKey:
        """The key of a line; equal tests of all revisions are one object."""
        try:
            value = parsed_json(line)
            revision, named = str(value["revision"]), json.dumps(value["test"])
        except (ValueError, KeyError, TypeError):
            whole = parse_record(self._path, number, line, CallMap)
            return whole.revision, whole.test
        if named not in tests:
            tests[named] = parse_record(self._path, number, line, CallMap).test
        return revision, tests[named]

    def _read(self, place: _Place) -> CallMap:
        try:
            with self._path.open("rb") as file:
                line = os.pread(file.fileno(), place.length, place.start)
        except OSError as error:
            raise unreadable(self._path, error) from error
        return parse_record(self._path, place.number, line, CallMap)
