"""What a line of a dataset may say: it comes from strangers."""

from typing import Any

import pytest
from pydantic import ValidationError

from testevo.records.methods import TestKey
from testevo.records.tasks import OpenTask, TargetTest, Track

TEST = TestKey(module="core", path="core/src/T.java", type_name="T", name="t")
LINE: dict[str, Any] = {
    "task_id": "o_r__1",
    "track": Track.UPDATE,
    "repository": "o/r",
    "project_name": "o_r",
    "version": "1",
    "web_url": None,
    "clone_url": None,
    "old_revision": "a" * 40,
    "new_revision": "b" * 40,
    "old_time": 0,
    "new_time": 1,
    "java_level": "8",
    "jdk": 17,
    "fingerprint": "f",
    "module": "core",
    "test_file": "core/src/T.java",
    "old_test_file": None,
    "tests": (TargetTest(test=TEST, old_source=None, old_span=None, dependencies=()),),
    "dependencies": (),
}


def test_a_task_is_read() -> None:
    task = OpenTask.model_validate(LINE)
    assert OpenTask.model_validate_json(task.line()) == task


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("task_id", ""),
        ("task_id", "a/b"),
        ("task_id", ".."),
        ("module", "../other"),
        ("test_file", "/etc/T.java"),
        ("old_test_file", "core/../../T.java"),
        ("old_revision", "--output=FILE"),
        ("new_time", 10**12),
        ("new_time", -(10**11)),
        ("tests", ()),
    ],
)
def test_a_task_of_an_impossible_place_time_or_without_tests_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        OpenTask.model_validate(LINE | {name: value})
