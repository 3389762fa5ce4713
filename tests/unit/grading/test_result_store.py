"""Grades by content: equal inputs are looked up, changed ones are not, damaged entries are made anew."""

from configparser import ConfigParser
from pathlib import Path

import pytest
from tiny_revisions import MAIN, TESTS, Files, MakeWorkspace, TinyWorkspace, dependency, make, task_of, worker

import testevo
from testevo.grading import result_key
from testevo.grading.result_key import ResultKeys
from testevo.grading.result_store import ResultStore, StoredGrade, StoredLogs, log_folder
from testevo.records.evaluation.grading import Grade, MethodResult, Undefined
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.methods import TestKey
from testevo.records.tasks import Coverage, Task
from testevo.runtime.files.project import PROJECT

__all__ = ["make", "worker"]

KEY = "ab" * 32
GRADE = StoredGrade(
    methods=(
        MethodResult(
            test=TestKey(module="", path="T.java", type_name="T", name="größe"),
            grade=Grade.EXEC_FAIL,
            new_run=None,
            message="日本 \x00",
            coverage_undefined=Undefined.NOT_PASSED,
        ),
    ),
    defects=(Defect(kind=DefectKind.TARGET_MISSING, message="gone"),),
)


def test_what_was_stored_is_found_under_its_key_only(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    assert store.get(KEY) is None
    store.put(KEY, GRADE)
    assert ResultStore(tmp_path).get(KEY) == GRADE
    assert store.get("cd" * 32) is None and [file.stem for file in tmp_path.rglob("*.json")] == [KEY]


def test_the_first_grade_of_a_key_is_the_grade_of_all(tmp_path: Path) -> None:
    """Two systems submit one flaky edit at the same time."""
    other = GRADE.model_copy(update={"by_surefire": True})
    one, late = ResultStore(tmp_path), ResultStore(tmp_path)
    assert (one.put(KEY, GRADE), late.put(KEY, other), late.get(KEY)) == (GRADE, GRADE, GRADE)
    next(tmp_path.rglob("*.json")).write_bytes(b"torn")
    assert (late.put(KEY, other), one.get(KEY)) == (other, other)


def test_equal_grades_are_equal_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        ResultStore(tmp_path / name).put(KEY, GRADE)
    files = [next((tmp_path / name).rglob("*.json")) for name in ("one", "other")]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert files[0].relative_to(tmp_path / "one").parts == ("ab", f"{KEY}.json")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"exec_fail", b"success"),
        lambda data: b"[]\n",
        lambda data: b'{"digest": 1}',
        lambda data: b"\xff\xfe",
    ],
    ids=["empty", "torn", "forged", "a list", "no grade", "no text"],
)
def test_a_damaged_entry_counts_as_missing_and_is_removed(tmp_path: Path, damage: object) -> None:
    store = ResultStore(tmp_path)
    store.put(KEY, GRADE)
    path = next(tmp_path.rglob("*.json"))
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert store.get(KEY) is None
    assert not path.exists()


def test_an_entry_under_another_name_is_damaged(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    store.put(KEY, GRADE)
    path = next(tmp_path.rglob("*.json"))
    path.rename(path.with_name("ab" + "cd" * 31 + ".json"))
    assert store.get("ab" + "cd" * 31) is None


CODE, TEST = f"{MAIN}/a/A.java", f"{TESTS}/a/ATest.java"
NEW_FILES: Files = {
    CODE: "package a;\n\npublic class A {\n    int one() {\n        return 1;\n    }\n}\n",
    TEST: "package a;\n\npublic class ATest {\n    @Test void one() {\n    }\n}\n",
}


def workspace(make: MakeWorkspace, **more: object) -> TinyWorkspace:
    return make({}, NEW_FILES, **more)


def a_task() -> Task:
    return task_of(NEW_FILES, TEST, ["one"], [dependency(NEW_FILES, CODE, "one")])


def key(made: TinyWorkspace, task: Task | None = None, content: bytes | None = b"x", mutants: str | None = None) -> str:
    return ResultKeys(made).key(task or a_task(), content, mutants)  # type: ignore[arg-type]


def test_the_key_depends_on_everything_that_can_change_a_grade(
    make: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, task = workspace(make), a_task()
    usual = key(made)
    keys = {
        "edit": key(made, content=b"y"),
        "nothing": key(made, content=None),
        "mutants": key(made, mutants="m"),
        "file": key(made, task.model_copy(update={"test_file": "Other.java"})),
        "dependencies": key(made, task_of(NEW_FILES, TEST, ["one"], [])),
        "old tree": key(make({"a.txt": "changed"}, NEW_FILES)),
        "new tree": key(make({}, {**NEW_FILES, "a.txt": "changed"})),
        "coverage": key(workspace(make, coverage=False)),
        "mutation": key(workspace(make, mutation={"enabled": False, "factor": 7.0})),
    }
    other_runner = workspace(make)
    other_runner.runner.key = "another limit"
    keys["runner"] = key(other_runner)
    other_engine = workspace(make)
    other_engine.engine.name = "maven"
    keys["engine"] = key(other_engine)
    monkeypatch.setattr(result_key, "JACOCO", "0.0.0")
    keys["JaCoCo"] = key(workspace(make))
    monkeypatch.undo()
    monkeypatch.setattr(result_key, "find_jdks", lambda _: [])
    keys["JDK"] = key(workspace(make))
    monkeypatch.undo()
    monkeypatch.setattr(result_key, "grading_code_digest", lambda: "another")
    keys["code"] = key(workspace(make))
    assert usual not in keys.values()
    assert len(set(keys.values())) == len(keys), "two of them share a key"


def test_grades_of_other_code_are_not_believed_whatever_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest of the key covers what grading can run, which no room above it is (`.importlinter`)."""
    contracts = ConfigParser()
    contracts.read(PROJECT / ".importlinter")
    layers = contracts["importlinter:contract:rooms"]["layers"].split()
    rooms = [layer.removeprefix("testevo.") for layer in layers]
    for room in rooms:
        (tmp_path / room).mkdir()
        (tmp_path / room / "module.py").write_text("before")
    monkeypatch.setattr(testevo, "__file__", str(tmp_path / "__init__.py"))
    for room in rooms:
        before = result_key.grading_code_digest.__wrapped__()
        (tmp_path / room / "module.py").write_text("after")
        is_above = rooms.index(room) < rooms.index("grading")
        assert (result_key.grading_code_digest.__wrapped__() == before) is is_above, room


def test_the_key_does_not_depend_on_what_cannot_change_a_grade(make: MakeWorkspace) -> None:
    """Names of systems and costs are in no task; measurements of the developer's test and quarantine are."""
    made, task = workspace(make), a_task()
    evidence = task.tests[0].model_copy(update={"gold_coverage": Coverage(covered=1, raw_lines=3, executable_lines=1)})
    changed = task.model_copy(
        update={"quarantined": "wavers", "web_url": "u", "clone_url": "c", "version": "2", "tests": (evidence,)}
    )
    assert key(made, changed) == key(made)
    other = workspace(make)
    other.scratch = other.scratch / "elsewhere"
    assert key(other) == key(made)


def test_a_grade_of_an_earlier_store_is_copied_with_its_logs(tmp_path: Path) -> None:
    """The later snapshot must not need the earlier one, and its records name logs that are there."""
    ResultStore(tmp_path / "a").put(KEY, GRADE)
    log = tmp_path / "logs-a" / log_folder(KEY, "0") / "stdout"
    log.parent.mkdir(parents=True)
    log.write_text("said")
    later = ResultStore(tmp_path / "b", StoredLogs(tmp_path / "a", tmp_path / "logs-a"), tmp_path / "logs-b")
    assert later.get(KEY) == GRADE
    assert (tmp_path / "logs-b" / log_folder(KEY, "0") / "stdout").read_text() == "said"
    assert ResultStore(tmp_path / "b").get(KEY) == GRADE
