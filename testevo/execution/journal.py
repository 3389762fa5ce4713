"""An append-only journal of finished work, so that a killed job goes on where it stopped.

One JSON line per key, held in memory as it is. A line that a kill tore is dropped and cut off when the journal is
opened again; so is everything behind an unreadable line, because work lost is work that can be done again, and work
misread is not. The journal lies at a path that no workflow rule declares.
"""

import fcntl
import json
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import canonical_json
from testevo.runtime.machine_faults import DISK

P = TypeVar("P", bound=BaseModel)


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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise MachineError(
                f"The journal {path} cannot be opened: {error.strerror}. Free space or give another folder."
            ) from error
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
        lines, whole = _read(path.read_bytes())
        os.ftruncate(self._file, whole)
        self._lines: dict[str, bytes] = {}
        for other in known:
            if other != path:
                self._lines.update(_read(other.read_bytes())[0])
        self._lines.update(lines)
        self._earlier: dict[str, list[bytes]] = {}
        """Lines by key, that of the last journal first; whether they count is asked when they are."""
        self._taken_over = taken_over
        for other in earlier:
            for key, one in _read(other.read_bytes())[0].items():
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
            self._lines[key] = line
        else:
            self.take(key, line)

    def record(self, key: str, kind: type[P]) -> P | None:
        """The record that was put under `key`; None too for one that another version wrote in another form.

        Raises:
            MachineError: the disk is full, and the record came from an earlier journal.
        """
        line = self._lines.get(key) or self._from_earlier(key)
        if line is None:
            return None
        try:
            found = kind.model_validate(json.loads(line)["value"])
        except ValidationError:
            return None
        if key not in self._lines:
            self._put(key, line)
        return found

    def _from_earlier(self, key: str) -> bytes | None:
        lines = self._earlier.get(key, ())
        return next((line for line in lines if self._taken_over(json.loads(line)["value"])), None)

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

    def take(self, key: str, line: bytes) -> None:
        """Write the line of an entry that another process put.

        Raises:
            MachineError: the disk is full.
        """
        self._write(line)
        self._lines[key] = line

    def learn(self, key: str, line: bytes) -> None:
        """Know an entry that another process put, and that the parent has written."""
        self._lines[key] = line

    def _write(self, line: bytes) -> None:
        start = os.fstat(self._file).st_size
        try:
            view = memoryview(line)
            while view:
                view = view[os.write(self._file, view) :]
        except OSError as error:
            os.ftruncate(self._file, start)
            raise DISK.error(f"The journal {self.path} cannot be written: {error.strerror}") from error

    def keep(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Forget what is not wanted. A kill in between may forget more, which is work done again."""
        kept = {key: line for key, line in self._lines.items() if wanted(json.loads(line)["value"])}
        os.ftruncate(self._file, 0)
        for line in kept.values():
            self._write(line)
        self._lines = kept

    def __len__(self) -> int:
        return len(self._lines)

    def close(self) -> None:
        """Give the journal free for other processes."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _read(data: bytes) -> tuple[dict[str, bytes], int]:
    """The lines by key, and the length of the readable part."""
    lines: dict[str, bytes] = {}
    whole = 0
    for line in data.splitlines(keepends=True):
        if not line.endswith(b"\n"):
            break
        try:
            entry = json.loads(line)
            key, _ = entry["key"], entry["value"]
        except (ValueError, KeyError, TypeError):
            break
        lines[key] = line
        whole += len(line)
    return lines, whole
