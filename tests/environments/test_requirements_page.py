"""docs/requirements.md has a row for every requirement that is cited, and names files that are there."""

import re
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (TEB-[A-Z]\d\d) \| (.+) \| (.+) \|$", re.MULTILINE)
PAGE = (PROJECT / "docs" / "requirements.md").read_text()


def test_each_cited_requirement_has_one_row() -> None:
    listed = ["git", "grep", "-hoE", "TEB-[A-Z][0-9]+", "--", ".", ":!docs/requirements.md"]
    cited = set(subprocess.run(listed, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split())
    rows = [row[0] for row in ROW.findall(PAGE)]
    assert len(rows) == len(set(rows)) > 0
    assert cited - set(rows) == set()


def test_each_row_names_files_that_are_there() -> None:
    for requirement, _, where in ROW.findall(PAGE):
        places = re.findall(r"`([^`]+)`", where)
        assert places, requirement
        assert [place for place in places if not (PROJECT / place).exists()] == [], requirement


def test_nothing_is_cited_that_lies_outside() -> None:
    """Rules and sections of documents that a reader of the repository does not have."""
    places = ["*.py", "*.java", "*.md", "*.smk", f":!tests/environments/{Path(__file__).name}"]
    cited = ["git", "grep", "-nE", r"\((rule|section) [0-9]|design section", "--", *places]
    assert subprocess.run(cited, cwd=PROJECT, capture_output=True, text=True, check=False).stdout == ""
