"""What others wrote is parsed, or refused with a reason, however it is nested."""

import json

import pytest

from testevo.runtime.files.json_and_yaml import parsed_json, parsed_yaml


@pytest.mark.parametrize("opening", ["[", '{"a":', '[[{"b": [', ' [\n "x", '])
def test_json_without_end_is_refused(opening: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parsed_json(opening * 100_000)


def test_what_was_read_can_be_written_again() -> None:
    """Of all depths that are read, also the deepest, and by callers that are some calls deeper."""

    def written(value: object, frames: int) -> str:
        return json.dumps(value) if frames == 0 else written(value, frames - 1)

    read = 0
    for depth in range(1, 1500):
        try:
            value = parsed_json("[" * depth + "]" * depth)
        except ValueError:
            break
        assert written(value, 30) == "[" * depth + "]" * depth
        read = depth
    assert read > 500


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 20_000, "deeply"),
        ("- " * 20_000, "deeply"),
        ("a: [", "expected"),
        ("2025-02-30", "day"),
        ("a: !!timestamp x", "tag"),
        ("!!bool x", "tag"),
        ("a: 1\nb: 2\na: 1", "'a' is there twice.* line 3"),
        ("{[1]: 2, [1]: 3}", "unhashable"),
        ("a: {b: [{c: 1, 'c': 2}]}", "'c' is there twice"),
    ],
)
def test_yaml_that_cannot_be_read_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parsed_yaml(text)


def test_plain_values_are_read() -> None:
    assert parsed_json(b'{"a": [1, null]}') == {"a": [1, None]} == parsed_yaml("a: [1, ~]")


def test_a_key_that_is_merged_in_may_have_a_value_of_its_own() -> None:
    text = "x: &x {a: 1, b: 2}\ny: &y {<<: *x, a: 3}\nz: {<<: *y, b: 4}"
    assert parsed_yaml(text)["z"] == {"a": 3, "b": 4}
