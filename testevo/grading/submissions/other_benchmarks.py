"""Prediction files of Multi-SWE-bench, TestExplora and TEBench, in the fields of our own form.

Read off the programs that write and read them. A task is named where each format names its own:

- Multi-SWE-bench, JSON lines of `org`, `repo`, `number`, `fix_patch`: `number` is the id of a task, as a string; a
  number is `<org>/<repo>:pr-<number>`, as that harness calls its instances;
- TestExplora, `test_patches.json`, objects by repository, pull request and test with `patch_string`, `test_code` and
  `saved_test_path_str`: the pull request is the id of a task, or a number, named likewise;
- TEBench, an object with `metadata` and `results`, each with `task_id` and the tests that it identified: the update,
  which TEBench takes from a work tree, stands beside them as `test_patch`, as in the rows of its dataset.
"""

from collections.abc import Iterator, Mapping
from typing import Any

Fields = Mapping[str, Any]

MULTI_SWE_BENCH, TEST_EXPLORA, TEBENCH = "fix_patch", "patch_string", "test_patch"
"""The field by which a format is known, and which holds the patch."""
FILE, CODE = "saved_test_path_str", "test_code"
RESULTS, IDENTIFIED = "results", "identified_tests"


class WrongFieldError(ValueError):
    """A field has a value of another kind, or is absent."""

    def __init__(self, name: str, value: object, wanted: str, place: str = "") -> None:
        super().__init__(name, value, wanted, place)
        self.name, self.value, self.wanted, self.place = name, value, wanted, place


def translated(fields: Fields) -> dict[str, Any]:
    """An entry with the fields of our own form, whichever format it is of.

    Raises:
        WrongFieldError: a field of another format has a value of another kind.
    """
    if "model_patch" in fields:
        return dict(fields)
    if is_multi_swe_bench(fields):
        patch = _text(fields, MULTI_SWE_BENCH)
        named = fields if {"instance_id", "task_id"} & fields.keys() else {**fields, "instance_id": _instance(fields)}
        return {**named, "model_patch": patch}
    if TEBENCH in fields:
        return {**fields, "model_patch": _text(fields, TEBENCH)}
    return dict(fields)


def is_multi_swe_bench(fields: Fields) -> bool:
    """Whether an object is a prediction of a system for Multi-SWE-bench."""
    return MULTI_SWE_BENCH in fields and "org" in fields


def is_test_explora(whole: object) -> bool:
    """Whether a JSON value is objects by repository, pull request and test, of which one has a patch."""
    inner = [tests for pulls in _values(whole) for tests in _values(pulls)]
    return any(TEST_EXPLORA in entry for tests in inner for entry in _values(tests) if isinstance(entry, dict))


def of_test_explora(whole: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    """The predictions of a `test_patches.json`, each with its place: one for a task, whose tests have the same patch.

    A task whose tests have several patches has several predictions, of which none counts; empty ones are left out
    beside others.

    Raises:
        WrongFieldError: a value is of another kind.
    """
    for repository, pulls in whole.items():
        for pull, tests in _object(pulls, repository).items():
            forms: list[dict[str, Any]] = []
            for test, entry in _object(tests, f"{repository}, {pull}").items():
                place = f"{repository}, {pull}, {test}"
                form = _generated(_object(entry, place), place)
                if form not in forms:
                    forms.append(form)
            written = [form for form in forms if any(form.values())] or forms[:1]
            task = _named(repository, pull)
            yield from ((f"{repository!r}, {pull!r}", {"instance_id": task, **form}) for form in written)


def is_tebench(whole: Fields) -> bool:
    """Whether an object is what systems for TEBench write."""
    return isinstance(whole.get(RESULTS), list)


def of_tebench(whole: Fields) -> Iterator[tuple[str, dict[str, Any]]]:
    """The predictions of a file of results, each with its place.

    Raises:
        WrongFieldError: a value is of another kind, or a result names tests and has no patch.
    """
    metadata = _object(whole.get("metadata", {}), "metadata")
    system = metadata.get("method_name")
    for number, result in enumerate(whole[RESULTS], start=1):
        fields = _object(result, f"{RESULTS} {number}")
        if IDENTIFIED in fields and not {TEBENCH, "model_patch"} & fields.keys():
            wanted = "a patch; it only names tests, which are not graded here"
            raise WrongFieldError(TEBENCH, None, wanted, f"result {number}")
        named = {**fields, "task_id": _task(fields, f"result {number}")}
        yield f"result {number}", named if system is None else {"model_name_or_path": system, **named}


def _values(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, dict) else []


def _object(value: object, name: str) -> Fields:
    if not isinstance(value, dict):
        raise WrongFieldError(name, value, "an object")
    return value


def _text(fields: Fields, name: str, place: str = "") -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise WrongFieldError(name, value, "a string", place)
    return value


def _generated(entry: Fields, place: str) -> dict[str, Any]:
    """The patch of a test, else the file that was generated for it."""
    patch, code, path = (_text(entry, name, place) for name in (TEST_EXPLORA, CODE, FILE))
    return {"files": {path: code}} if not patch and code and path else {"model_patch": patch}


def _instance(fields: Fields) -> str:
    owner, repository, number = _text(fields, "org"), _text(fields, "repo"), fields.get("number")
    for name, value in (("org", owner), ("repo", repository)):
        if value is None:
            raise WrongFieldError(name, value, "a string")
    if isinstance(number, bool) or not isinstance(number, int | str):
        raise WrongFieldError("number", number, "a number or the id of a task")
    return _named(f"{owner}/{repository}", str(number))


def _task(fields: Fields, place: str) -> str:
    task = fields.get("task_id", fields.get("instance_id"))
    if isinstance(task, bool) or not isinstance(task, int | str):
        raise WrongFieldError("task_id", task, "a number or the id of a task", place)
    return str(task)


def _named(repository: str, number: str) -> str:
    return f"{repository}:pr-{number}" if number.isdecimal() else number
