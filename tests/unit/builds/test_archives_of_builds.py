"""What may be kept of a build in a folder, and how it is given back into another one."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from testevo.builds.kept_builds import KeptBuilds
from testevo.builds.model.model import BuildModel
from testevo.builds.model_source import copy_checkout

MODEL = BuildModel(fingerprint="f", modules=())


class Build:
    """A checkout, and the folder in which something made files beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.checkout, self.built, self.kept = folder / "checkout", folder / "0a1b2c", KeptBuilds(folder / "kept")
        (self.checkout / "src").mkdir(parents=True)
        (self.checkout / "src" / "A.java").write_text("class A { }")
        (self.checkout / "link").symlink_to("src")
        (self.checkout / ".git").write_text("gitdir: elsewhere")
        copy_checkout(self.checkout, self.built)
        (self.built / "target" / "empty").mkdir(parents=True)
        (self.built / "target" / "run.sh").write_text("exit 0")
        (self.built / "target" / "run.sh").chmod(0o755)

    def keep(self) -> Path | None:
        """Where it is given back; None where it is not kept."""
        self.kept.keep("key", self.checkout, self.built, MODEL)
        place = self.folder / "elsewhere"
        model = self.kept.give_back("key", self.checkout, place)
        assert model in (None, MODEL)
        return place if model else None


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path)


def paths_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_files_and_folders_come_back_beside_the_checkout(build: Build) -> None:
    (build.built / "src" / "A.java").write_text("class A { int formatted; }")
    os.utime(build.built / "target" / "run.sh", (1000, 1000))
    place = build.keep()
    assert place is not None
    assert paths_below(place) == paths_below(build.built)
    assert (place / "link").is_symlink()
    assert (place / "src" / "A.java").read_text() == "class A { int formatted; }"
    assert os.access(place / "target" / "run.sh", os.X_OK)


def test_what_was_made_is_no_older_than_the_sources_and_keeps_its_order(build: Build) -> None:
    (build.built / "target" / "late").write_text("")
    for path, moment in (("target/run.sh", 1_000_000_000), ("target/late", 1_000_000_100)):
        os.utime(build.built / path, (moment, moment))
    for folder in (build.checkout, build.built):
        os.utime(folder / "src" / "A.java", (1_500_000_000, 1_500_000_000))
    place = build.keep()
    assert place is not None
    source_time, first, last = (
        (place / path).stat().st_mtime for path in ("src/A.java", "target/run.sh", "target/late")
    )
    assert source_time <= first <= last


def leave_a_link(build: Build) -> None:
    (build.built / "target" / "link").symlink_to(build.built / "src")


def remove_a_file(build: Build) -> None:
    (build.built / "src" / "A.java").unlink()


def put_a_file_in_the_place_of_a_link(build: Build) -> None:
    (build.built / "link").unlink()
    (build.built / "link").write_text("")


def put_a_folder_in_the_place_of_a_file(build: Build) -> None:
    (build.built / "src" / "A.java").unlink()
    (build.built / "src" / "A.java").mkdir()


def name_the_folder(build: Build) -> None:
    (build.built / "target" / "notes").write_text(f"built in {build.built.as_posix()}")


def leave_a_pipe(build: Build) -> None:
    os.mkfifo(build.built / "target" / "pipe")


def make_too_much(build: Build) -> None:
    with (build.built / "target" / "large").open("wb") as stream:
        stream.truncate(129 * 2**20)


@pytest.mark.parametrize(
    "spoil",
    [
        leave_a_link,
        remove_a_file,
        put_a_file_in_the_place_of_a_link,
        put_a_folder_in_the_place_of_a_file,
        name_the_folder,
        leave_a_pipe,
        make_too_much,
    ],
)
def test_a_build_that_another_folder_cannot_hold_as_it_is_is_not_kept(
    build: Build, spoil: Callable[[Build], None]
) -> None:
    spoil(build)
    assert build.keep() is None
    assert not build.kept.folder.exists()
