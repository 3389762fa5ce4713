"""`testevo mine --output`: where a copy of the dataset may be, and what becomes of an older one."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from testevo.cli import main
from testevo.cli.mining import mine
from testevo.packaging.dataset.copied_dataset import copy_dataset, require_place_for_copy
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.runtime.errors import MachineError, UsageError, UserError
from testevo.runtime.files.checksums import checksum_lines, read_checksums
from testevo.runtime.files.files import file_digest
from tests.unit.grading.small_dataset import small_dataset


def a_file(place: Path) -> None:
    place.write_text("kept")


def a_full_folder(place: Path) -> None:
    place.mkdir()
    (place / "thesis.tex").write_text("kept")


def below_a_file(place: Path) -> None:
    place.parent.rmdir()
    place.parent.write_text("kept")


@pytest.mark.parametrize(
    ("make", "place", "says"),
    [
        (a_file, "mined", "is not a folder"),
        (a_full_folder, "mined", "is not empty and holds no dataset"),
        (below_a_file, "afile/mined", "afile is not a folder"),
        (Path.mkdir, "results/local__x/package/dataset", "lies in the dataset itself"),
        (Path.mkdir, "results/local__x/package/dataset/copy", "lies in the dataset itself"),
    ],
)
def test_a_place_that_can_hold_no_copy_is_refused_before_anything_is_mined(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, make: Callable[[Path], None], place: str, says: str
) -> None:
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / place)
    refused(monkeypatch, tmp_path, place, UsageError, says)


def test_a_place_that_cannot_be_written_is_refused_before_anything_is_mined(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody makes a folder in `/proc`, whatever rights it shows."""
    refused(
        monkeypatch,
        tmp_path,
        "/proc/mined",
        MachineError,
        "/proc/mined: /proc cannot be written .+ give another output folder",
    )


def refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, place: str, error: type[UserError], says: str, *more: str
) -> None:
    def never(*arguments: object, **options: object) -> None:
        raise AssertionError("mining began")

    monkeypatch.setattr(mine, "run_workflow", never)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "history").mkdir()
    options = ["--name", "local/x", "--sandbox", "none", "--output", place, *more]
    monkeypatch.setattr(sys, "argv", ["testevo", "mine", "history", *options])
    with pytest.raises(error, match=says):
        main.invoke()


def test_folders_in_which_java_cannot_work_are_refused_before_anything_is_mined(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No build could begin, and a large clone would have been made for nothing."""
    monkeypatch.delenv("TESTEVO_SCRATCH", raising=False)
    refused(monkeypatch, tmp_path, "mined", MachineError, r"a\+b/.* has '\+' in its path", "--results", "a+b")


def test_a_copy_takes_the_place_of_an_older_one_but_not_of_files_of_others(tmp_path: Path) -> None:
    dataset, copy = small_dataset(tmp_path), tmp_path / "mined"
    shutil.copytree(dataset, copy)
    (copy / "histories/left+earlier.bundle").write_bytes(b"of a repository that is no longer part")
    names = [path for path in copy.rglob("*") if path.is_file() and path.name != "checksums.sha256"]
    (copy / "checksums.sha256").write_text(checksum_lines({str(p.relative_to(copy)): file_digest(p) for p in names}))
    (copy / "predictions.jsonl").write_text("of the user")

    copy_dataset(dataset, copy)

    assert open_dataset(copy).slugs == ["o+r"]
    assert (copy / "predictions.jsonl").read_text() == "of the user"
    for file in filter(Path.is_file, dataset.rglob("*")):
        assert (copy / file.relative_to(dataset)).read_bytes() == file.read_bytes()


def test_checksums_of_an_older_copy_remove_nothing_outside_it(tmp_path: Path) -> None:
    dataset, copy, other = small_dataset(tmp_path), tmp_path / "mined", tmp_path / "other"
    shutil.copytree(dataset, copy)
    other.write_text("kept")
    (copy / "checksums.sha256").write_text(checksum_lines({"../other": file_digest(other)}))
    copy_dataset(dataset, copy)
    assert other.read_text() == "kept"


def test_a_copy_that_was_interrupted_is_no_dataset_until_it_is_made_again(tmp_path: Path) -> None:
    dataset, copy = small_dataset(tmp_path), tmp_path / "mined"
    left_out, lost = dataset / "tasks/aside.jsonl", dataset / "histories/lost.bundle"
    left_out.write_text("of the interrupted copy alone")
    listed = read_checksums(dataset / "checksums.sha256")
    whole = (dataset / "checksums.sha256").read_bytes()
    (dataset / "checksums.sha256").write_text(checksum_lines(listed | {"tasks/aside.jsonl": file_digest(left_out)}))
    lost.symlink_to("nowhere")
    with pytest.raises(shutil.Error):
        copy_dataset(dataset, copy)
    with pytest.raises(UserError, match=r"mined is no complete dataset.+copy the dataset again"):
        open_dataset(copy)

    lost.unlink()
    left_out.unlink()
    (dataset / "checksums.sha256").write_bytes(whole)
    require_place_for_copy(dataset, copy)
    copy_dataset(dataset, copy)
    assert open_dataset(copy).slugs == ["o+r"]
    assert sorted(p.name for p in copy.rglob("*")) == sorted(p.name for p in dataset.rglob("*"))
