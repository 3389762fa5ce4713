"""Files of Multi-SWE-bench, TestExplora and TEBench, small and of the shapes that their own programs write."""

import json
from pathlib import Path
from typing import Any

import pytest

from testevo.grading.submissions.prediction_files import read_predictions, systems_in
from testevo.records.evaluation.predictions import Prediction
from testevo.runtime.errors import UserError

TASK = "o_r-v1__aaaaaaa_bbbbbbb__ATest_12345678"
PATCH = "diff --git a/src/test/java/ATest.java b/src/test/java/ATest.java\n"
PULL = {"org": "o", "repo": "r", "number": 7, "fix_patch": PATCH}
TEST = {
    "patch_string": PATCH,
    "saved_test_path_str": "t_generated.py",
    "test_code": "class A {}",
    "raw_output": "Sure!",
}
NO_TEST = {"patch_string": "", "saved_test_path_str": "t_generated.py", "test_code": "", "raw_output": ""}
IDENTIFIED = {"project": "r", "identified_tests": [{"file_path": "src/test/java/ATest.java", "methods": ["adds"]}]}


def read(folder: Path, content: str, system: str | None = "s") -> list[Prediction]:
    path = folder / "file"
    path.write_text(content)
    return read_predictions(path, system)


def facts(predictions: list[Prediction]) -> list[tuple[str, str | None, dict[str, str] | None]]:
    return [(one.task_id, one.patch, one.files) for one in predictions]


@pytest.mark.parametrize(
    ("number", "task"), [(7, "o/r:pr-7"), ("7", "o/r:pr-7"), (TASK, TASK)], ids=["number", "digits", "task"]
)
def test_multi_swe_bench_names_tasks_by_its_number(tmp_path: Path, number: int | str, task: str) -> None:
    lines = [{**PULL, "number": number}, {**PULL, "number": 8, "fix_patch": ""}]
    found = read(tmp_path, "".join(f"{json.dumps(line)}\n" for line in lines))
    assert facts(found) == [(task, PATCH, None), ("o/r:pr-8", "", None)]
    assert [one.file_line for one in found] == [1, 2]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_of_multi_swe_bench_may_hold_one_prediction(tmp_path: Path, indent: int | None) -> None:
    [found] = read(tmp_path, json.dumps(PULL, indent=indent) + "\n")
    assert (found.task_id, found.patch, found.file_line) == ("o/r:pr-7", PATCH, 1)


def test_the_id_of_a_task_beside_a_number_counts(tmp_path: Path) -> None:
    assert facts(read(tmp_path, json.dumps([{**PULL, "instance_id": TASK}]))) == [(TASK, PATCH, None)]


@pytest.mark.parametrize("indent", [None, 4])
def test_test_explora_has_a_prediction_for_each_pull_request(tmp_path: Path, indent: int | None) -> None:
    """Of several tests with one patch, or with none, there is one; a generated file counts where no patch stands."""
    generated = {**TEST, "patch_string": "", "saved_test_path_str": "src/test/java/ATest.java"}
    pulls = {
        TASK: {"ATest.java:adds": TEST, "ATest.java:divides": TEST, "ATest.java:keeps": NO_TEST},
        "12": {"ATest.java:adds": NO_TEST, "ATest.java:divides": NO_TEST},
        "13": {"ATest.java:adds": generated},
        "14": {},
    }
    assert facts(read(tmp_path, json.dumps({"o/r": pulls, "o/empty": {}}, indent=indent))) == [
        (TASK, PATCH, None),
        ("o/r:pr-12", "", None),
        ("o/r:pr-13", None, {"src/test/java/ATest.java": "class A {}"}),
    ]


def test_several_patches_of_a_pull_request_are_several_predictions(tmp_path: Path) -> None:
    """The linter then names the task as a duplicate, of which none counts."""
    tests = {"ATest.java:adds": TEST, "ATest.java:divides": {**TEST, "patch_string": f"{PATCH}+"}}
    assert [one.patch for one in read(tmp_path, json.dumps({"o/r": {TASK: tests}}))] == [PATCH, f"{PATCH}+"]


def test_tebench_names_its_method_and_holds_patches_beside_identified_tests(tmp_path: Path) -> None:
    results = [{"task_id": TASK, **IDENTIFIED, "test_patch": PATCH}, {"task_id": 2, "project": "r", "test_patch": None}]
    content = json.dumps({"metadata": {"method_name": "m", "version": "1.0"}, "results": results}, indent=2)
    found = read(tmp_path, content, None)
    assert facts(found) == [(TASK, PATCH, None), ("2", None, None)]
    assert {one.system for one in found} == {"m"} and systems_in(tmp_path / "file") == ["m"]


def test_rows_of_tebench_are_lines(tmp_path: Path) -> None:
    row = {"instance_id": TASK, "project": "r", "base_commit": "a", "source_patch": "x", "test_patch": PATCH}
    assert facts(read(tmp_path, f"{json.dumps(row)}\n")) == [(TASK, PATCH, None)]


def pull(**fields: Any) -> str:
    return f"{json.dumps(PULL)}\n{json.dumps({**PULL, **fields})}\n"


def pulls(entry: Any) -> str:
    return json.dumps({"o/r": {"1": {"a": TEST}, "2": entry}})


def results(**fields: Any) -> str:
    return json.dumps({"results": [{"task_id": 1, "test_patch": PATCH}, {"task_id": 2, **fields}]})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (pull(fix_patch=3), ":2: `fix_patch` is 3, not a string"),
        (pull(fix_patch=["x"]), ":2: `fix_patch` is a list, not a string"),
        (pull(org=None), ":2: `org` is null, not a string"),
        (pull(repo={}), ":2: `repo` is an object, not a string"),
        (pull(number=None), ":2: `number` is null, not a number or the id of a task"),
        (pull(number=1.5), ":2: `number` is 1.5, not a number or the id of a task"),
        (pull(number=True), ":2: `number` is true, not a number or the id of a task"),
        (pull() + '{"org": "o", "repo"', ":3 is not valid JSON"),
        (pulls([]), ": `o/r, 2` is a list, not an object"),
        (pulls({"a": PATCH}), ': `o/r, 2, a` is "diff --git'),
        (pulls({"a": {**TEST, "patch_string": 1}}), ": o/r, 2, a: `patch_string` is 1, not a string"),
        (pulls({"a": {**TEST, "test_code": {}}}), ": o/r, 2, a: `test_code` is an object, not a string"),
        (results(**IDENTIFIED), ": result 2: `test_patch` is null, not a patch; it only names tests"),
        (results(test_patch=1), ": result 2: `test_patch` is 1, not a string"),
        (results(task_id=None, test_patch=PATCH), ": result 2: `task_id` is null, not a number or the id of a task"),
        (json.dumps({"results": [PATCH]}), ': `results 1` is "diff'),
        (json.dumps({"metadata": 1, "results": []}), ": `metadata` is 1, not an object"),
        (json.dumps({"results": []}), "holds no prediction"),
        (pulls({"a": TEST}).replace('"2"', '"1"'), " has '1' more than once"),
        (results(test_patch=PATCH).replace('"task_id": 2', '"test_patch": "", "task_id": 2'), "'test_patch' more than"),
    ],
)
def test_a_bad_file_is_an_error_that_names_the_field_and_where_it_is(tmp_path: Path, content: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, content)
    assert str(tmp_path / "file") in str(caught.value) and says in str(caught.value)
