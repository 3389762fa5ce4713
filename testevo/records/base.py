"""The base of all records: frozen, no unknown fields, one canonical line of JSON each, sorted in a file."""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from testevo.runtime.errors import UserError
from testevo.runtime.files.files import canonical_json, write_pieces_atomically
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.refused_input import reason

_CITATION = re.compile(r" \((?:TEB-|decision |beyond |compatibility )[^)]*\)")


def without_citations(text: str) -> str:
    """A line of documentation without the requirements or decisions that it names, for readers elsewhere."""
    return _CITATION.sub("", text)


class DocumentedEnum(StrEnum):
    """An enumeration whose members carry a line of documentation: `NAME = "value", "what it means"`."""

    doc: str
    """In plain words, for reports and messages."""
    cited_doc: str
    """With the requirements or decisions that it follows, for the pages of this repository."""

    def __new__(cls, value: str, doc: str) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.doc = without_citations(doc)
        member.cited_doc = doc
        return member


def each_once(what: str) -> AfterValidator:
    """An annotation of a tuple that refuses one of its values twice; `what` names them in the message."""

    def checked(given: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(set(given)) < len(given):
            raise ValueError(f"a {what} is there twice")
        return given

    return AfterValidator(checked)


class Part(BaseModel):
    """A piece of a record; compared and hashed by value."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Record(Part):
    """A line of a stage's output file."""

    def sort_key(self) -> tuple[object, ...]:
        """The order of records in a file; equal keys fall back to the line itself."""
        return ()

    def line(self) -> str:
        return canonical_json(self.model_dump(mode="json"))


R = TypeVar("R", bound=Record)


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records as sorted JSON lines; equal records give equal bytes whatever the order they come in.

    Raises:
        MachineError: the file cannot be written.
    """
    lines = sorted((record.sort_key(), record.line()) for record in records)
    write_pieces_atomically(path, (f"{line}\n".encode() for _, line in lines))


def read_records(path: Path, kind: type[R]) -> list[R]:
    """Read a file written by `write_records`.

    Raises:
        UserError: the file is missing, or a line is not a record of `kind`; the message names the line.
    """
    return list(each_record(path, kind))


def each_record(path: Path, kind: type[R]) -> Iterator[R]:
    """The same one by one: only the record that was read last is in memory.

    Raises:
        UserError: as `read_records`, when the record is asked for.
    """
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                yield parse_record(path, number, line, kind)
    except OSError as error:
        raise unreadable(path, error) from error


class RecordFile(Generic[R]):
    """The records of a file, read anew each time that they are asked for, so that they need not be in memory."""

    def __init__(self, path: Path, kind: type[R]) -> None:
        self._path, self._kind = path, kind

    def __iter__(self) -> Iterator[R]:
        return each_record(self._path, self._kind)


def records_so_far(path: Path, kind: type[R]) -> list[R]:
    """The same of a file that its stage may not have written yet."""
    return read_records(path, kind) if path.is_file() else []


def parse_record(path: Path, number: int, line: bytes, kind: type[R]) -> R:
    """The record of one line of a file written by `write_records`.

    Raises:
        UserError: the line is not a record of `kind`; the message names the file and the number of the line.
    """
    try:
        return kind.model_validate(parsed_json(line))
    except (ValueError, ValidationError) as error:
        raise UserError(
            f"{path}:{number} is not a {kind.__name__} record ({reason(error)}). "
            f"Delete the file and run its stage again, or use the version of testevo that wrote it."
        ) from error


def unreadable(path: Path, error: OSError) -> UserError:
    """The error of a file of records that cannot be read."""
    return UserError(f"{path} cannot be read: {error.strerror}. Run the stage that writes it first.")
