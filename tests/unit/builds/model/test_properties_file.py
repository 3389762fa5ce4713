"""Properties files that a POM names for Surefire."""

from pathlib import Path

import pytest

from testevo.builds.model.parameters.properties_file import named_properties, properties_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("# a = 1\n  ! b = 2\n\n \t\n", {}),
        (
            "a=1\rb = 2 \r\n c:3\nd 4 5\ne\nf = = g\nh\t=\ti",
            {"a": "1", "b": "2 ", "c": "3", "d": "4 5", "e": "", "f": "= g", "h": "i"},
        ),
        ("a=1\na=2", {"a": "2"}),
        ("a b#c", {"a": "b#c"}),
        ("= a", None),
        ("a = b\\", None),
        ("a\\ b = c", None),
        ("a = ${b}", None),
        ("a = \u00e4", None),
        ("a = \x01", None),
    ],
)
def test_entries_are_those_of_java(text: str, found: dict[str, str] | None) -> None:
    assert properties_of(text.encode("latin-1")) == found


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("", {}),
        ("some.properties", {"at": "core"}),
        ("./some.properties", {"at": "core"}),
        ("{checkout}/core/some.properties", {"at": "core"}),
        ("{checkout}/some.properties", {"at": "top"}),
        ("../some.properties", None),
        ("target/some.properties", None),
        ("{checkout}/core/target/some.properties", None),
        ("{repository}/some.properties", None),
        ("/etc/some.properties", None),
        ("${unset}/some.properties", None),
        ("missing.properties", None),
        pytest.param("n" * 300, None, id="longer than a name may be"),
        ("unkeyed.properties", None),
    ],
)
def test_a_file_is_read_where_it_is_in_the_key_of_the_model(
    name: str, found: dict[str, str] | None, tmp_path: Path
) -> None:
    """What lies elsewhere, or is made by the build, may change while the model stays."""
    for path, at in (("core", "core"), (".", "top"), ("core/target", "made")):
        (tmp_path / path).mkdir(parents=True, exist_ok=True)
        (tmp_path / path / "some.properties").write_text(f"at = {at}\n")
    (tmp_path / "core" / "unkeyed.properties").write_text("")
    assert named_properties(name, "core", tmp_path, lambda path: "unkeyed" not in path) == found
