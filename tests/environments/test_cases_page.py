"""docs/cases.md has a row for every case, and each names tests that are there, or says what is missing."""

import ast
import re
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| ((?:S-[A-Z]|H)-?\d+) \| (.+) \| (.+) \| (.*) \|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/.]+\.py)::(\w+)`")
ROWS = ROW.findall((PROJECT / "docs" / "cases.md").read_text(encoding="utf-8"))
COUNTS = {"S-M": 17, "S-E": 20, "S-L": 16, "S-G": 13, "H-": 40}
MISSING = "**Missing:**"


@cache
def names_of_tests(file: Path) -> frozenset[str]:
    """The test functions of a file and its classes, by its syntax: no test is imported or run."""
    parsed = ast.parse(file.read_text(encoding="utf-8"))
    inside = [found for group in parsed.body if isinstance(group, ast.ClassDef) for found in group.body]
    return frozenset(found.name for found in [*parsed.body, *inside] if isinstance(found, ast.FunctionDef))


def test_the_ids_are_complete_and_in_order() -> None:
    assert [row[0] for row in ROWS] == [f"{kind}{n}" for kind, last in COUNTS.items() for n in range(1, last + 1)]


def test_each_row_has_a_test_or_says_what_is_missing() -> None:
    assert [case for case, _, today, tests in ROWS if not NAMED.search(tests) and MISSING not in today] == []


def test_nothing_but_tests_stands_in_the_last_column() -> None:
    for case, _, _, tests in ROWS:
        assert re.sub(r"[; ]", "", NAMED.sub("", tests)) == "", case


def test_every_named_test_is_there() -> None:
    lost = [
        (case, f"{file}::{name}")
        for case, _, _, tests in ROWS
        for file, name in NAMED.findall(tests)
        if not (PROJECT / "tests" / file).is_file() or f"test_{name}" not in names_of_tests(PROJECT / "tests" / file)
    ]
    assert lost == []
