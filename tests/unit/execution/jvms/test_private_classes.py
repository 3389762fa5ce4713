"""Class folders that a test damages are not those of the next run."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltModule
from testevo.execution.jvms.private_classes import PrivateClasses
from testevo.runtime.errors import MachineError


@pytest.fixture
def module(tmp_path: Path) -> BuiltModule:
    production, tests, jar = tmp_path / "store/main", tmp_path / "store/test", tmp_path / "a.jar"
    for folder in (production, tests):
        (folder / "p").mkdir(parents=True)
        (folder / "p/A.class").write_bytes(b"class")
    jar.write_bytes(b"jar")
    return BuiltModule(
        path="",
        folder=tmp_path,
        production_classes=production,
        test_classes=tests,
        class_path=(tests, production, jar),
        framework="junit4",
        engine_jars=(),
        jvm_arguments=(),
        environment={},
        test_includes=(),
        test_excludes=(),
        test_roots=(),
        production_roots=(),
    )


def test_a_run_is_shown_copies_of_class_folders_and_the_jars_themselves(module: BuiltModule, tmp_path: Path) -> None:
    copies = PrivateClasses(tmp_path)
    shown = copies.show(module)
    assert shown.class_path[2] == module.class_path[2]
    for copy, original in zip(shown.class_path[:2], module.class_path[:2], strict=True):
        assert copy != original
        assert (copy / "p/A.class").stat().st_ino != (original / "p/A.class").stat().st_ino
        assert (copy / "p/A.class").read_bytes() == b"class"
    assert (shown.test_classes, shown.production_classes) == shown.class_path[:2]


@pytest.mark.parametrize("harm", ["write", "write and set the time back", "add", "delete", "replace"])
def test_a_damaged_copy_is_made_anew_and_a_whole_one_is_kept(module: BuiltModule, tmp_path: Path, harm: str) -> None:
    copies = PrivateClasses(tmp_path)
    first = copies.show(module)
    copies.discard_if_changed()
    assert copies.show(module) == first
    file = first.test_classes / "p/A.class"
    before = file.stat()
    if harm.startswith("write"):
        file.write_bytes(b"CLASS")
    if harm == "write and set the time back":
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    if harm == "add":
        (file.parent / "B.class").write_bytes(b"")
    if harm in ("delete", "replace"):
        file.unlink()
    if harm == "replace":
        file.write_bytes(b"CLASS")
    copies.discard_if_changed()
    again = copies.show(module)
    assert (again.test_classes / "p/A.class").read_bytes() == b"class"
    assert not (again.test_classes / "p/B.class").exists()
    assert again.production_classes == first.production_classes


def test_an_original_that_was_built_again_is_copied_again(module: BuiltModule, tmp_path: Path) -> None:
    copies = PrivateClasses(tmp_path)
    copies.show(module)
    (module.test_classes / "p/A.class").write_bytes(b"built again")
    assert (copies.show(module).test_classes / "p/A.class").read_bytes() == b"built again"


def test_few_copies_are_kept(module: BuiltModule, tmp_path: Path) -> None:
    copies = PrivateClasses(tmp_path)
    for number in range(40):
        tests = tmp_path / f"store/{number}"
        tests.mkdir()
        copies.show(replace(module, test_classes=tests, class_path=(tests, module.production_classes)))
    assert len(list(tmp_path.glob("classes-*/*"))) <= 33


def test_a_changed_jar_stops_the_work(module: BuiltModule, tmp_path: Path) -> None:
    copies = PrivateClasses(tmp_path)
    copies.show(module)
    (tmp_path / "a.jar").write_bytes(b"other")
    with pytest.raises(MachineError, match=r"changed .*a\.jar"):
        copies.discard_if_changed()


def test_another_tree_that_shares_the_files_of_an_original_costs_no_copy(module: BuiltModule, tmp_path: Path) -> None:
    """Class trees share files by hard links, which changes the change time of the file."""
    copies = PrivateClasses(tmp_path)
    first = copies.show(module)
    copies.discard_if_changed()
    os.link(module.test_classes / "p/A.class", tmp_path / "A.class")
    assert copies.show(module) == first


@pytest.mark.parametrize("content", [b"jar", b"bar"])
def test_another_file_in_the_place_of_a_jar_must_have_its_bytes(
    module: BuiltModule, tmp_path: Path, content: bytes
) -> None:
    """A Maven of another job may fetch it again."""
    copies = PrivateClasses(tmp_path)
    copies.show(module)
    (tmp_path / "fetched").write_bytes(content)
    (tmp_path / "fetched").replace(module.class_path[2])
    if content == b"jar":
        copies.discard_if_changed()
    else:
        with pytest.raises(MachineError, match=r"a\.jar"):
            copies.discard_if_changed()
