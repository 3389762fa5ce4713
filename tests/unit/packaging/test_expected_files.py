"""A dataset against the checksums that it is expected to have (`snakemake reproduce_sample`)."""

from pathlib import Path

import pytest

from testevo.packaging.dataset.expected_files import compared, differences
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import file_digest

DIGEST = "0" * 64


def dataset(folder: Path, **files: str) -> Path:
    """A folder with its checksums."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    lines = [f"{file_digest(folder / name)}  {name}\n" for name in sorted(files)]
    (folder / "checksums.sha256").write_text("".join(lines))
    return folder


def test_equal_files_have_no_differences(tmp_path: Path) -> None:
    """The description of the run is not compared: it tells settings and versions."""
    found = compared(dataset(tmp_path / "d", a="1", **{"snapshot.json": "{}"}))
    assert set(found) == {"a"}
    assert differences(found, dict(found)) == []


def test_each_difference_is_named(tmp_path: Path) -> None:
    """Missing, unexpected and changed files, by name."""
    found = compared(dataset(tmp_path / "d", a="1", b="2", c="3"))
    expected = {"a": found["a"], "b": DIGEST, "z": DIGEST}
    assert differences(found, expected) == ["differs: b", "not expected: c", "missing: z"]


def test_a_dataset_that_does_not_fit_its_own_checksums_is_not_compared(tmp_path: Path) -> None:
    """A torn copy is not a difference of mining."""
    folder = dataset(tmp_path / "d", a="1")
    (folder / "a").write_text("2")
    with pytest.raises(UserError, match="differs from checksums"):
        compared(folder)
