"""Reading predictions: nothing is dropped, and what cannot be read is told with file and line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from testevo.grading.submissions.prediction_files import read_predictions
from testevo.records.evaluation.predictions import Prediction
from testevo.runtime.errors import UserError

ONE = {"instance_id": "t1", "model_name_or_path": "org/model", "model_patch": "diff"}
TWO = ONE | {"instance_id": "t2", "model_patch": None}


def read(folder: Path, content: str | bytes, system: str | None = None) -> list[Prediction]:
    path = folder / "predictions"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_predictions(path, system)


def facts(predictions: list[Prediction]) -> list[tuple[str, str, str | None]]:
    return [(one.task_id, one.system, one.patch) for one in predictions]


@pytest.mark.parametrize(
    "content",
    [
        f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n",
        f"\ufeff{json.dumps(ONE)}\r\n\n{json.dumps(TWO)}",
        json.dumps([ONE, TWO]),
        json.dumps([ONE, TWO], indent=2),
        json.dumps({"t1": ONE, "t2": TWO}),
        json.dumps({"t1": ONE, "t2": TWO}, indent=2),
        json.dumps({one["instance_id"]: {k: v for k, v in one.items() if k != "instance_id"} for one in (ONE, TWO)}),
        json.dumps([{"task_id" if k == "instance_id" else k: v for k, v in one.items()} for one in (ONE, TWO)]),
    ],
    ids=["lines", "lines with CRLF and BOM", "list", "pretty list", "object", "pretty object", "hosted", "task_id"],
)
def test_every_form_gives_the_same_predictions(tmp_path: Path, content: str) -> None:
    """SWE-bench's list, lines and object, SWE-agent's object of predictions, and the hosted form without ids."""
    assert facts(read(tmp_path, content)) == [("t1", "org/model", "diff"), ("t2", "org/model", None)]


def test_one_prediction_alone_may_be_pretty(tmp_path: Path) -> None:
    assert facts(read(tmp_path, json.dumps(ONE))) == facts(read(tmp_path, json.dumps(ONE, indent=1) + "\n"))


def test_bare_patches_by_task_need_a_name(tmp_path: Path) -> None:
    assert facts(read(tmp_path, '{"t1": "diff", "t2": null}', "s")) == [("t1", "s", "diff"), ("t2", "s", None)]
    with pytest.raises(UserError, match=r"has no `model_name_or_path`\. Give NAME="):
        read(tmp_path, '{"t1": "diff"}')


def test_all_fields_of_our_own_form_arrive(tmp_path: Path) -> None:
    own = {
        "instance_id": "t1",
        "model_name_or_path": "m",
        "tests": {"a": "void a() { }"},
        "track": "update",
        "cost_usd": 1,
        "tokens_in": 10,
        "tokens_out": 2.0,
        "wall_s": 3.5,
        "exit_status": "submitted",
        "trajectory": "trajectories/t1.json",
        "schema_version": 1,
        "full_output": "ignored",
    }
    [one] = read(tmp_path, f"\n{json.dumps(own)}\n")
    assert one == Prediction(
        task_id="t1",
        system="m",
        tests={"a": "void a() { }"},
        track="update",
        cost_usd=1.0,
        tokens_in=10,
        tokens_out=2,
        wall_s=3.5,
        exit_status="submitted",
        trajectory="trajectories/t1.json",
        file_line=2,
    )


def test_of_two_systems_in_a_file_one_must_be_named(tmp_path: Path) -> None:
    content = f"{json.dumps(ONE)}\n{json.dumps(TWO | {'model_name_or_path': 'other'})}\n"
    assert [one.system for one in read(tmp_path, content, "other")] == ["other"]
    with pytest.raises(UserError, match="has nothing of mine; it names org/model, other"):
        read(tmp_path, content, "mine")
    with pytest.raises(UserError, match=r"names 2 systems \(org/model, other\)\. Give NAME="):
        read(tmp_path, content)


def test_methods_of_a_task_are_put_together(tmp_path: Path) -> None:
    rows = [
        {"instance_id": name, "model_name_or_path": "m", "test_method": method, "test_code": f"{name} {method}"}
        for name, method in [("t1", "A#a"), ("t2", "A#a"), ("t1", "A#b")]
    ]
    expected = [("t1", {"A#a": "t1 A#a", "A#b": "t1 A#b"}), ("t2", {"A#a": "t2 A#a"})]
    for content in (json.dumps(rows), "".join(f"{json.dumps(row)}\n" for row in rows)):
        assert [(one.task_id, one.tests) for one in read(tmp_path, content)] == expected
    assert [one.task_id for one in read(tmp_path, json.dumps([*rows, rows[0]]))] == ["t1", "t2", "t1"]


def test_methods_of_two_tracks_that_share_an_id_stay_apart(tmp_path: Path) -> None:
    rows = [
        {"instance_id": "t1", "track": track, "test_method": method, "test_code": method}
        for track, method in (("update", "a"), ("generation", "b"), ("update", "c"))
    ]
    found = [(one.track, one.tests) for one in read(tmp_path, json.dumps(rows), "s")]
    assert found == [("update", {"a": "a", "c": "c"}), ("generation", {"b": "b"})]


def test_repeated_ids_are_kept_for_the_linter(tmp_path: Path) -> None:
    for content in (f"{json.dumps(ONE)}\n" * 2, json.dumps([ONE, ONE]), '{"t1": "a", "t1": "b"}'):
        assert [one.task_id for one in read(tmp_path, content, "s")] == ["t1", "t1"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "holds no prediction"),
        ("[]", "holds no prediction"),
        (b'{"instance_id": "t1"}\n{"x": "\xe9"}\n', r"predictions:2 is not UTF-8 \(byte 0xe9\).+surrogateescape"),
        (f"{json.dumps(ONE)}\n{{\n", "predictions:2 is not valid JSON"),
        (f"{json.dumps(ONE)}\n{json.dumps(TWO)[:-9]}", "predictions:2 is not valid JSON"),
        ('[\n{"instance_id": "t1"},\n]', "predictions:3 is not valid JSON"),
        ('{\n"t1": {"model_patch": 1,}\n}', "predictions:2 is not valid JSON"),
        ("PATCH", "predictions:1 is not valid JSON"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n", "predictions:1 is not valid JSON"),
        (f"{json.dumps(ONE)}\n7\n", "predictions:2 is 7, not an object"),
        ("[7]", "entry 1 is 7, not an object"),
        ('{"t1": 7}', "`model_patch` is 7, not a string"),
        (json.dumps(ONE | {"model_patch": ["x"]}), "predictions:1: `model_patch` is a list, not a string"),
        (json.dumps(ONE | {"files": {"a": 1}}), "predictions:1: `files` is an object, not an object of strings"),
        (json.dumps(ONE | {"tests": "x"}), '`tests` is "x", not an object of strings'),
        (json.dumps(ONE | {"cost_usd": "3 USD"}), '`cost_usd` is "3 USD", not a number from 0'),
        (json.dumps(ONE | {"cost_usd": -1}), "`cost_usd` is -1, not a number from 0"),
        (json.dumps(ONE | {"cost_usd": True}), "`cost_usd` is true, not a number from 0"),
        ('{"instance_id": "t1", "cost_usd": NaN}', "NaN is not a number"),
        ('{"instance_id": "t1", "cost_usd": 1e999}', "`cost_usd` is Infinity, not a number from 0"),
        (json.dumps(ONE | {"tokens_in": 1.5}), "`tokens_in` is 1.5, not a whole number"),
        (json.dumps(ONE | {"schema_version": 2}), "schema version 2, and this testevo reads 1"),
        (json.dumps(ONE | {"instance_id": None, "x": 1}), "has no `instance_id`"),
        (json.dumps({"t1": ONE | {"instance_id": "t2"}}), "names several tasks: t1, t2"),
        ('{"instance_id": "t1", "model_patch": "a", "model_patch": "b"}', "'model_patch' more than once"),
        ('{"instance_id": "\\ud800"}', "`instance_id` holds half of a surrogate pair"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_its_place(tmp_path: Path, content: str | bytes, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        read(tmp_path, content, "s")
    assert str(caught.value).endswith(".") and str(tmp_path) in str(caught.value)


def test_a_file_that_is_not_there_is_a_message(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read: No such file"):
        read_predictions(tmp_path / "nowhere.jsonl")


TEXTS = st.none() | st.text() | st.binary(max_size=30).map(lambda content: content.decode("utf-8", "surrogateescape"))


@given(
    st.lists(st.tuples(st.text(st.characters(codec="utf-8"), min_size=1), TEXTS), min_size=1, max_size=4), st.booleans()
)
def test_whatever_is_written_comes_back(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, str | None]], as_lines: bool
) -> None:
    """Any text survives JSON, also bytes that are not UTF-8."""
    written = [{"instance_id": name, "model_name_or_path": "m", "model_patch": patch} for name, patch in entries]
    content = "".join(f"{json.dumps(one)}\n" for one in written) if as_lines else json.dumps(written)
    back = read(tmp_path_factory.mktemp("p"), content)
    assert [(one.task_id, one.patch) for one in back] == entries


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_a_message(tmp_path_factory: pytest.TempPathFactory, garbage: str) -> None:
    try:
        content = garbage.encode()
    except UnicodeEncodeError:
        content = garbage.encode("utf-8", "surrogatepass")
    try:
        assert read(tmp_path_factory.mktemp("p"), content, "s")
    except UserError as error:
        assert "predictions" in str(error)
