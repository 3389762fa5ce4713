"""An append-only journal of finished work, so that a killed job goes on where it stopped.

One JSON line per key. In memory are the places of the lines; a line is read when it is asked for, since those of a
large repository fit into no memory. A line that a kill tore is dropped and cut off when the journal is opened again; so
is everything behind an unreadable line, because work lost is work that can be done again, and work misread is not. The
journal lies at a path that no workflow rule declares.
"""

import fcntl
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from testevo.runtime.errors import MachineError, next_step
from testevo.runtime.files.files import canonical_json
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.machine_faults import DISK

P = TypeVar("P", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the line of an entry lies."""

    file: Path
    start: int
    length: int


class Journal:
    """Remembers a JSON object per key; the last one put counts. One process writes (`testevo.runtime.processes.pool`).

    Args:
        shared: tell the other processes of a stage about each entry; for small ones that units may have in common.
        known: journals of others, which are read only; they may be growing.
        earlier: journals whose entries are copied when they are asked for, so that this one does not need them later.
        taken_over: which values of `earlier` count.
        wait: until no other process has the file open: a job of a cluster outlives the workflow that sent it, and
            the next workflow sends another one.

    Raises:
        MachineError: the file cannot be opened, or another process has it open.
    """

    def __init__(
        self,
        path: Path,
        *,
        shared: bool = False,
        known: Iterable[Path] = (),
        earlier: Iterable[Path] = (),
        taken_over: Callable[[dict[str, Any]], bool] = lambda value: True,
        wait: bool = False,
    ) -> None:
        self.path = path
        self.shared = shared
        self._send: Callable[[str, bytes], None] | None = None
        self._sent: dict[str, bytes] = {}
        """Lines given to the process that writes, until it tells their places."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise MachineError(f"The journal {path} cannot be opened: {error.strerror}. {next_step(error)}.") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if not wait:
                os.close(self._file)
                raise MachineError(
                    f"The journal {path} is in use by another process. Wait for that one, or end it."
                ) from error
            print(f"Waiting for the job that still writes {path}.", file=sys.stderr, flush=True)
            fcntl.flock(self._file, fcntl.LOCK_EX)
        except OSError as error:
            os.close(self._file)
            raise MachineError(
                f"The journal {path} cannot be locked: {error.strerror}. Keep results on a file system with locks."
            ) from error
        own, whole = _places(path)
        os.ftruncate(self._file, whole)
        self._places: dict[str, Place] = {}
        for other in known:
            if other != path:
                self._places.update(_places(other)[0])
        self._places.update(own)
        self._earlier: dict[str, list[Place]] = {}
        """Places by key, that of the last journal first; whether their lines count is asked when they are."""
        self._taken_over = taken_over
        for other in earlier:
            for key, one in _places(other)[0].items():
                self._earlier.setdefault(key, []).insert(0, one)

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Remember `value` under `key`; it survives a kill of this process as soon as this returns.

        Raises:
            MachineError: the disk is full.
        """
        self._put(key, f"{canonical_json({'key': key, 'value': value})}\n".encode())

    def _put(self, key: str, line: bytes) -> None:
        if self._send is not None:
            self._send(key, line)
            self._sent[key] = line
        else:
            self.take(key, line)

    def record(self, key: str, kind: type[P]) -> P | None:
        """The record that was put under `key`; None too for one that another version wrote in another form.

        Raises:
            MachineError: the disk is full, and the record came from an earlier journal.
        """
        known = self._known(key)
        line = self._from_earlier(key) if known is None else known
        if line is None:
            return None
        try:
            found = kind.model_validate(parsed_json(line)["value"])
        except ValidationError:
            return None
        if known is None:
            self._put(key, line)
        return found

    def _known(self, key: str) -> bytes | None:
        """The line of this journal or of those known to it."""
        if key in self._sent:
            return self._sent[key]
        return _line(self._places[key], key) if key in self._places else None

    def _from_earlier(self, key: str) -> bytes | None:
        lines = (_line(place, key) for place in self._earlier.get(key, ()))
        return next((line for line in lines if line and self._taken_over(parsed_json(line)["value"])), None)

    def remembered(
        self, key: str, kind: type[P], make: Callable[[], P], is_settled: Callable[[P], bool] = lambda made: True
    ) -> P:
        """The record that was put under `key`; when none was that can be read, what `make` makes, which is put first.

        Args:
            is_settled: whether what was made is worth keeping; what is not is made again by the next run.

        Raises:
            MachineError: the disk is full.
        """
        known = self.record(key, kind)
        if known is None:
            known = make()
            if is_settled(known):
                self.put(key, known.model_dump(mode="json"))
        return known

    def hand_over(self, send: Callable[[str, bytes], None]) -> None:
        """In this process, from now on, give lines to `send` instead of writing them; the parent keeps the lock."""
        self.close()
        self._send = send

    def take(self, key: str, line: bytes) -> Place:
        """Write the line of an entry that another process put; its place, for `learn`.

        Raises:
            MachineError: the disk is full.
        """
        place = self._places[key] = self._write(line)
        return place

    def learn(self, key: str, place: Place) -> None:
        """Know an entry that the parent has written, put by this process or by another."""
        self._places[key] = place
        self._sent.pop(key, None)

    def _write(self, line: bytes) -> Place:
        start = os.fstat(self._file).st_size
        try:
            view = memoryview(line)
            while view:
                view = view[os.write(self._file, view) :]
        except OSError as error:
            os.ftruncate(self._file, start)
            raise DISK.error(f"The journal {self.path} cannot be written: {error.strerror}") from error
        return Place(self.path, start, len(line))

    def keep(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Forget what is not wanted. A kill in between may forget more, which is work done again."""
        lines = {key: _line(place, key) for key, place in self._places.items()}
        kept = {key: line for key, line in lines.items() if line and wanted(parsed_json(line)["value"])}
        os.ftruncate(self._file, 0)
        self._places = {key: self._write(line) for key, line in kept.items()}

    def __len__(self) -> int:
        return len(self._places.keys() | self._sent.keys())

    def close(self) -> None:
        """Give the journal free for other processes."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _places(path: Path) -> tuple[dict[str, Place], int]:
    """The places of the lines by key, and the length of the readable part."""
    places: dict[str, Place] = {}
    whole = 0
    with path.open("rb") as lines:
        for line in lines:
            key = _key(line)
            if key is None:
                break
            places[key] = Place(path, whole, len(line))
            whole += len(line)
    return places, whole


def _key(line: bytes) -> str | None:
    """The key of a whole line; None for another one."""
    if not line.endswith(b"\n"):
        return None
    try:
        entry = parsed_json(line)
        key, _ = str(entry["key"]), entry["value"]
    except (ValueError, KeyError, TypeError):
        return None
    return key


def _line(place: Place, key: str) -> bytes | None:
    """The line of an entry; None when its journal was shortened or removed since it was opened."""
    try:
        with place.file.open("rb") as file:
            line = os.pread(file.fileno(), place.length, place.start)
    except FileNotFoundError:
        return None
    begin = canonical_json({"key": key})[:-1].encode()
    whole = line.startswith(begin + b",") and line.find(b"\n") == place.length - 1
    return line if whole else None
