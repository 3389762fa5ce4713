"""`provenance.json`: versions of the tools that made a dataset."""

from pathlib import Path

import pytest

import testevo
from testevo.builds.project.jdks import find_jdks
from testevo.packaging.dataset.provenance import NUMBER, tool_versions, with_earlier_versions


def test_each_tool_has_its_version_and_each_jdk_that_built(tmp_path: Path) -> None:
    newest = find_jdks()[-1]
    found = tool_versions((), [newest.feature, newest.feature, 99])
    assert found["testevo"] == testevo.__version__
    assert (found[f"jdk {newest.feature}"], found["jdk 99"]) == (newest.version, None)
    for name in ("python", "git", "maven", "RefactoringMiner"):
        assert NUMBER.fullmatch(str(found[name])), name


def test_a_missing_tool_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert (tool_versions((), [])["git"], tool_versions((), [])["maven"]) == (None, None)


def test_versions_of_earlier_runs_stay_named() -> None:
    """A snapshot that was begun with one Maven and went on with another was made by both."""
    runs = [
        {"maven": "3.8.7", "python": "3.11.2", "git": None, "images": {}},
        {"maven": "3.9.11", "python": "3.11.2", "images": {}},
        {"maven": "3.6.3", "images": {"mine": "sha256:1"}},
    ]
    now = {"maven": "3.9.11", "python": "3.11.2", "git": None, "jdk 17": "17.0.2"}
    assert with_earlier_versions(now, runs) == {**now, "maven": "3.8.7, 3.9.11"}
