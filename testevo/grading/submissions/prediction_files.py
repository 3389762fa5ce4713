"""Read files of predictions: JSON lines of our own, and what systems for SWE-bench write (prediction formats).

Told apart by content, not by name:

- JSON lines: an object with `instance_id` (or `task_id`) on every line;
- a JSON list of such objects;
- lines or list entries of single methods: `instance_id`, `test_method`, `test_code`; those of one task belong together;
- a JSON object whose values are such objects by task id (SWE-agent), with or without the id inside (hosted form), or
  bare patches;
- what systems for Multi-SWE-bench, TestExplora and TEBench write (`other_benchmarks`).

Nothing is dropped: a file that cannot be read whole is refused with the line, and repeated ids stay.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from testevo.grading.submissions.other_benchmarks import (
    WrongFieldError,
    is_multi_swe_bench,
    is_tebench,
    is_test_explora,
    of_tebench,
    of_test_explora,
    translated,
)
from testevo.records.evaluation.predictions import Prediction
from testevo.runtime.errors import UserError

SCHEMA_VERSION = 1
"""Of our own form; a later one in a file is refused."""
ID_FIELDS = ("instance_id", "task_id")
METHOD_FIELD, CODE_FIELD = "test_method", "test_code"
SYSTEM_FIELD = "model_name_or_path"
_MOST = 1e15
"""Costs, tokens and seconds lie below it; it is exact as a float."""
_STEP = "Fix the file, or have your system write it again; docs/predictions.md shows the forms."


@dataclass(frozen=True)
class _Raw:
    """A prediction as it stands in the file: its fields and where they are."""

    fields: dict[str, Any]
    place: str
    """`file:line`, or `file: entry`."""
    line: int | None
    key: str | None = None
    """The name it stands under in an object of predictions."""


class _Members(dict[str, Any]):
    """A JSON object that remembers all its members, those with a repeated name too."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def read_predictions(path: Path, system: str | None = None) -> list[Prediction]:
    """All predictions of a file, in its order.

    Args:
        system: the one to read where the file names several, else the name to grade them under; without one, the
            single `model_name_or_path` of the file.

    Raises:
        UserError: the file cannot be read, decoded or parsed, an entry has a value of another type, or no or several
            systems are named; the message names file, line and next step.
    """
    entries = _all_entries(path)
    names = _systems(entries)
    name = system or _single_system(path, names)
    if len(names) > 1:
        entries = _of_system(path, entries, name)
    return [_prediction(one, name) for one in _with_methods_together(entries)]


def systems_in(path: Path) -> list[str]:
    """The systems that a file names, sorted.

    Raises:
        UserError: the file cannot be read, or names none.
    """
    names = _systems(_all_entries(path))
    if not names:
        raise UserError(f"{path} has no `{SYSTEM_FIELD}`. Give NAME={path}.")
    return names


def _all_entries(path: Path) -> list[_Raw]:
    entries = list(_entries(path, _text(path)))
    if not entries:
        raise UserError(f"{path} holds no prediction. {_STEP}")
    return entries


def _systems(entries: list[_Raw]) -> list[str]:
    return sorted({name for one in entries if (name := _string(one, SYSTEM_FIELD)) is not None})


def _of_system(path: Path, entries: list[_Raw], system: str) -> list[_Raw]:
    """The entries of one system in a file of several; every entry must say whose it is."""
    for one in entries:
        if _string(one, SYSTEM_FIELD) is None:
            raise UserError(f"{one.place} has no `{SYSTEM_FIELD}`, and the file names several systems. {_STEP}")
    found = [one for one in entries if _string(one, SYSTEM_FIELD) == system]
    if not found:
        raise UserError(f"{path} has nothing of {system}; it names {', '.join(_systems(entries))}.")
    return found


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}. Give a file of predictions.") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{path}:{line} is not UTF-8 (byte {content[error.start]:#04x}). Write bytes of other encodings in JSON "
            f"strings as \\udc80 to \\udcff, as Python's `surrogateescape` does, or convert the file."
        ) from error


def _entries(path: Path, text: str) -> Iterator[_Raw]:
    """The entries of a file, with the fields of our own form."""
    for one in _entries_as_written(path, text):
        try:
            yield replace(one, fields=translated(one.fields))
        except WrongFieldError as error:
            raise _wrong(one.place, error.name, error.value, error.wanted) from error


def _entries_as_written(path: Path, text: str) -> Iterator[_Raw]:
    if not text.strip():
        return
    whole = _whole(path, text)
    if isinstance(whole, list):
        for number, entry in enumerate(whole, start=1):
            yield _Raw(_object(entry, f"{path}: entry {number}"), f"{path}: entry {number}", None)
    elif isinstance(whole, _Members) and (any(name in whole for name in ID_FIELDS) or is_multi_swe_bench(whole)):
        line = text[: len(text) - len(text.lstrip())].count("\n") + 1
        yield _Raw(_object(whole, f"{path}:{line}"), f"{path}:{line}", line)
    elif isinstance(whole, _Members) and (is_tebench(whole) or is_test_explora(whole)):
        yield from _of_another_benchmark(path, whole)
    elif isinstance(whole, _Members):
        for key, value in whole.pairs:
            entry = value if isinstance(value, dict) else {"model_patch": value}
            yield _Raw(_object(entry, f"{path}: {key!r}"), f"{path}: {key!r}", None, key)
    else:
        yield from _lines(path, text)


def _of_another_benchmark(path: Path, whole: _Members) -> Iterator[_Raw]:
    """The entries of an object that is one of predictions in no other way."""
    _refuse_repeated(path, whole)
    try:
        for place, fields in (of_tebench if is_tebench(whole) else of_test_explora)(whole):
            yield _Raw(fields, f"{path}: {place}", None)
    except WrongFieldError as error:
        place = f"{path}: {error.place}" if error.place else str(path)
        raise _wrong(place, error.name, error.value, error.wanted) from error


def _refuse_repeated(path: Path, whole: object) -> None:
    """Refuse an object with a repeated key anywhere in a value, of which only the last would be read."""
    left = [whole]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += _object(value, str(path)).values()
        elif isinstance(value, list):
            left += value


def _lines(path: Path, text: str) -> Iterator[_Raw]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{path}:{number}"
            try:
                value = _parse(line)
            except ValueError as error:
                raise UserError(f"{place} is not valid JSON ({error}). {_STEP}") from error
            yield _Raw(_object(value, place), place, number)


def _with_methods_together(raw: list[_Raw]) -> list[_Raw]:
    """Entries of single methods as one entry for each task, where the first of them stands.

    A method that a task has twice begins another prediction of the task: a duplicate, which the linter names. Tasks of
    two tracks that share an id are two tasks.
    """
    together: list[_Raw] = []
    latest: dict[object, dict[str, Any]] = {}
    for one in raw:
        name, code = _string(one, METHOD_FIELD), _string(one, CODE_FIELD, damaged=True)
        if name is None:
            together.append(one)
            continue
        task = (_task_id(one), _string(one, "track"))
        if task not in latest or name in latest[task]:
            latest[task] = {}
            together.append(replace(one, fields={**one.fields, "tests": latest[task]}))
        latest[task][name] = code or ""
    return together


def _whole(path: Path, text: str) -> object:
    """The file as one JSON value; None when it is JSON lines.

    Raises:
        UserError: it begins as a JSON list or an object over several lines, and is broken.
    """
    try:
        return _parse(text)
    except json.JSONDecodeError as error:
        first = text.lstrip().split("\n", 1)[0].rstrip()
        if first.startswith("[") or not _is_json(first):
            raise UserError(f"{path}:{error.lineno} is not valid JSON ({error.msg}). {_STEP}") from error
        return None
    except ValueError as error:
        raise UserError(f"{path} is not usable JSON ({error}). {_STEP}") from error


def _parse(text: str) -> object:
    """Raises: ValueError: no JSON, a number that is none, or nesting without end."""
    try:
        return json.loads(text, object_pairs_hook=_Members, parse_constant=_refuse_constant)  # noqa: TID251
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _is_json(text: str) -> bool:
    try:
        _parse(text)
    except ValueError:
        return False
    return True


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserError(f"{place} is {_kind(value)}, not an object with `instance_id` and `model_patch`. {_STEP}")
    if isinstance(value, _Members) and len(value) < len(value.pairs):
        (repeated, _), *_ = Counter(name for name, _ in value.pairs).most_common(1)
        raise UserError(f"{place} has {repeated!r} more than once. {_STEP}")
    return value


def _single_system(path: Path, names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    what = f"names {len(names)} systems ({', '.join(names[:3])})" if names else f"has no `{SYSTEM_FIELD}`"
    raise UserError(f"{path} {what}. Give NAME={path} with the name of one.")


def _prediction(one: _Raw, system: str) -> Prediction:
    version = one.fields.get("schema_version")
    if version is not None and _whole_number(one, "schema_version") != SCHEMA_VERSION:
        raise UserError(
            f"{one.place} is of schema version {version}, and this testevo reads {SCHEMA_VERSION}. Use the version of "
            f"testevo that it was written for."
        )
    return Prediction(
        task_id=_task_id(one),
        system=system,
        patch=_string(one, "model_patch", damaged=True),
        files=_strings(one, "files"),
        tests=_strings(one, "tests"),
        track=_string(one, "track"),
        cost_usd=_number(one, "cost_usd"),
        tokens_in=_whole_number(one, "tokens_in"),
        tokens_out=_whole_number(one, "tokens_out"),
        wall_s=_number(one, "wall_s"),
        exit_status=_string(one, "exit_status"),
        trajectory=_string(one, "trajectory"),
        file_line=one.line,
    )


def _task_id(one: _Raw) -> str:
    named = {name: value for name in ID_FIELDS if (value := _string(one, name)) is not None}
    ids = set(named.values()) | ({one.key} if one.key is not None else set())
    if len(ids) == 1:
        return ids.pop()
    if ids:
        raise UserError(f"{one.place} names several tasks: {', '.join(sorted(ids))}. {_STEP}")
    raise UserError(f"{one.place} has no `instance_id`. {_STEP}")


def _string(one: _Raw, name: str, *, damaged: bool = False) -> str | None:
    """A string field. Only source text may hold what no UTF-8 has (`damaged`): lone surrogates, for raw bytes."""
    value = one.fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _wrong(one.place, name, value, "a string")
    if not damaged and not value.isascii() and value != value.encode("utf-8", "ignore").decode():
        raise UserError(f"{one.place}: `{name}` holds half of a surrogate pair. {_STEP}")
    return value


def _strings(one: _Raw, name: str) -> dict[str, str] | None:
    value = one.fields.get(name)
    if value is None:
        return None
    if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
        raise _wrong(one.place, name, value, "an object of strings")
    return dict(_object(value, f"{one.place}: `{name}`"))


def _number(one: _Raw, name: str) -> float | None:
    value = one.fields.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST:
        raise _wrong(one.place, name, value, f"a number from 0 to {_MOST:.0e}")
    return float(value)


def _whole_number(one: _Raw, name: str) -> int | None:
    value = _number(one, name)
    if value is not None and value != int(value):
        raise _wrong(one.place, name, value, "a whole number")
    return None if value is None else int(value)


def _wrong(place: str, name: str, value: object, wanted: str) -> UserError:
    return UserError(f"{place}: `{name}` is {_kind(value)}, not {wanted}. {_STEP}")


def _kind(value: object) -> str:
    """A JSON value for a message."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
