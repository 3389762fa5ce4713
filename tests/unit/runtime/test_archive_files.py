"""Bundles: equal files give equal bytes, and nothing damaged or unasked for comes out."""

import io
import tarfile
from pathlib import Path

import pytest

from testevo.runtime.errors import UserError
from testevo.runtime.files.archive_files import LIST, restore_archive, write_archive


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    contents = {"cache/a/jar": b"jar" * 1000, "snapshot/clone/list": b"", "cache/b": b"\xff\x00"}
    placed = {}
    for number, (path, content) in enumerate(contents.items()):
        placed[path] = tmp_path / f"given{number}"
        placed[path].write_bytes(content)
    return placed


def places(tmp_path: Path) -> dict[str, Path]:
    return {"cache": tmp_path / "to" / "cache", "snapshot": tmp_path / "to" / "results" / "demo"}


def tar_of(archive: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(archive, "w") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return archive


def test_what_goes_in_comes_out_elsewhere(files: dict[str, Path], tmp_path: Path) -> None:
    write_archive(tmp_path / "bundle.tar", files)
    assert restore_archive(tmp_path / "bundle.tar", places(tmp_path)) == 3
    assert (tmp_path / "to" / "cache" / "a" / "jar").read_bytes() == b"jar" * 1000
    assert (tmp_path / "to" / "results" / "demo" / "clone" / "list").read_bytes() == b""


def test_equal_files_give_equal_bytes_whatever_their_times_and_order(files: dict[str, Path], tmp_path: Path) -> None:
    first = write_archive(tmp_path / "one.tar", files)
    for file in files.values():
        file.touch()
        file.chmod(0o755)
    second = write_archive(tmp_path / "two.tar", dict(reversed(files.items())))
    assert first == second
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()


def test_equal_files_are_left_alone_and_others_replaced(files: dict[str, Path], tmp_path: Path) -> None:
    write_archive(tmp_path / "bundle.tar", files)
    restore_archive(tmp_path / "bundle.tar", places(tmp_path))
    kept, changed = tmp_path / "to" / "cache" / "a" / "jar", tmp_path / "to" / "cache" / "b"
    before = kept.stat().st_mtime_ns
    changed.write_bytes(b"torn")
    restore_archive(tmp_path / "bundle.tar", places(tmp_path))
    assert kept.stat().st_mtime_ns == before
    assert changed.read_bytes() == b"\xff\x00"


def test_a_damaged_bundle_is_named_with_its_file(files: dict[str, Path], tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.tar"
    write_archive(bundle, files)
    bundle.write_bytes(bundle.read_bytes().replace(b"jarjar", b"jarjaR", 1))
    with pytest.raises(UserError, match="damaged at cache/a/jar"):
        restore_archive(bundle, places(tmp_path))


def test_a_cut_bundle_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.tar"
    write_archive(bundle, files)
    bundle.write_bytes(bundle.read_bytes()[:2048])
    with pytest.raises(UserError, match="Copy it again"):
        restore_archive(bundle, places(tmp_path))


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"other": b""}, "is not a bundle"),
        ({LIST: b"\xff"}, "is damaged"),
        ({LIST: b"", "cache/extra": b"x"}, "does not list"),
        (
            {
                LIST: b"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  cache/../../out\n",
                "cache/../../out": b"x",
            },
            "no place here",
        ),
        (
            {LIST: b"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  /etc/out\n", "/etc/out": b"x"},
            "no place here",
        ),
    ],
)
def test_what_is_no_bundle_writes_nothing(members: dict[str, bytes], said: str, tmp_path: Path) -> None:
    bundle = tar_of(tmp_path / "bundle.tar", members)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UserError, match=said):
        restore_archive(bundle, places(tmp_path))
    assert sorted(tmp_path.rglob("*")) == before
