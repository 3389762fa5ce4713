"""Runs find the class trees of their module where Maven has them, in a copy of the module's folder."""

from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltModule
from testevo.builds.model.model import RunSettings
from testevo.execution.jvms.sandbox_mounts import ModuleViews
from testevo.execution.runner import Limits
from testevo.sandboxes.sandbox import NoSandbox


class HidingSandbox(NoSandbox):
    """Shows the copy in the place of the folder, and all else read-only, as those with mounts do."""

    hides_working_folder = True
    inputs_are_read_only = True


@pytest.fixture
def module(tmp_path: Path) -> BuiltModule:
    for name in ("checkout/pom.xml", "store/1/p/A.class", "store/2/p/ATest.class", "store/2/x.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / "work").mkdir()
    main, tests = tmp_path / "store/1", tmp_path / "store/2"
    folder = tmp_path / "checkout"
    return BuiltModule(
        path="",
        folder=folder,
        production_classes=main,
        test_classes=tests,
        class_path=(tests, main),
        framework="junit4",
        engine_jars=(),
        jvm_arguments=(f"-Da={folder}/target/b", f"-Db={folder}-2/c"),
        environment={"HERE": str(folder)},
        test_includes=(),
        test_excludes=(),
        test_roots=(),
        production_roots=(),
        outputs=("target/classes", "target/test-classes"),
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_without_a_sandbox_everything_lies_in_the_copy(module: BuiltModule, tmp_path: Path) -> None:
    with ModuleViews(NoSandbox(), tmp_path / "work").view(module) as view:
        seen = view.module
        assert seen.class_path == (seen.folder / "target/test-classes", seen.folder / "target/classes")
        assert (seen.test_classes, seen.production_classes) == seen.class_path
        assert (seen.test_classes / "x.txt").read_text() == "store/2/x.txt"
        assert seen.jvm_arguments == (f"-Da={seen.folder}/target/b", f"-Db={module.folder}-2/c")
        assert seen.environment == {"HERE": str(seen.folder)}
        assert seen.folder == view.working_copy != module.folder


def test_where_the_copy_stands_for_the_folder_paths_are_those_of_the_folder(
    module: BuiltModule, tmp_path: Path
) -> None:
    with ModuleViews(HidingSandbox(), tmp_path / "work").view(module) as view:
        target = module.folder / "target"
        assert view.module.class_path == (target / "test-classes", target / "classes")
        assert view.on_disk[target / "classes"] == view.working_copy / "target/classes"
        assert (view.on_disk[target / "classes"] / "p/A.class").is_file()
        assert view.module.jvm_arguments == module.jvm_arguments
        given = view.confinement((), tmp_path, Limits())
        assert not set(module.class_path) & set(given.readable)
        assert given.quota is None or set(module.class_path) <= set(given.quota.given)


@pytest.mark.parametrize("sandbox", [NoSandbox(), HidingSandbox()])
def test_a_run_starts_in_the_working_directory_of_the_build(
    module: BuiltModule, tmp_path: Path, sandbox: NoSandbox
) -> None:
    given = replace(module, settings=RunSettings(working_directory="target/here"))
    with ModuleViews(sandbox, tmp_path / "work").view(given) as view:
        start = view.confinement((), tmp_path, Limits()).working_folder
        assert start == view.module.folder / "target/here"
        assert (view.working_copy / "target/here").is_dir()


def test_what_a_run_writes_there_is_gone_for_the_next_and_the_trees_stay(module: BuiltModule, tmp_path: Path) -> None:
    views = ModuleViews(NoSandbox(), tmp_path / "work")
    for _ in range(2):
        with views.view(module) as view:
            assert names(view.module.test_classes) == ["p", "x.txt"]
            (view.module.test_classes / "x.txt").write_text("changed")
            (view.module.folder / "target/out.txt").write_text("new")
            (view.module.test_classes / "p/ATest.class").unlink()
    assert (module.test_classes / "x.txt").read_text() == "store/2/x.txt"
    assert (module.test_classes / "p/ATest.class").is_file()


def test_variants_of_a_tree_have_copies_of_their_own(module: BuiltModule, tmp_path: Path) -> None:
    other = tmp_path / "store/3"
    other.mkdir()
    (other / "z.txt").write_text("")
    variant = replace(module, test_classes=other, class_path=(other, module.production_classes))
    views = ModuleViews(NoSandbox(), tmp_path / "work")
    for one, expected in ((module, ["p", "x.txt"]), (variant, ["z.txt"]), (module, ["p", "x.txt"])):
        with views.view(one) as view:
            assert names(view.module.folder / "target/test-classes") == expected


def test_files_of_the_history_below_target_stay(module: BuiltModule, tmp_path: Path) -> None:
    (module.folder / "target/classes").mkdir(parents=True)
    (module.folder / "target/classes/kept.txt").write_text("kept")
    with ModuleViews(NoSandbox(), tmp_path / "work").view(module) as view:
        assert names(view.module.production_classes) == ["kept.txt", "p"]


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_history_with_something_else_called_target_keeps_its_class_path(
    module: BuiltModule, tmp_path: Path, kind: str
) -> None:
    if kind == "file":
        (module.folder / "target").write_text("")
    else:
        (module.folder / "target").symlink_to("/nowhere")
    with ModuleViews(HidingSandbox(), tmp_path / "work").view(module) as view:
        assert view.module.class_path == module.class_path


def test_a_module_whose_outputs_lie_elsewhere_keeps_its_class_path(module: BuiltModule, tmp_path: Path) -> None:
    with ModuleViews(HidingSandbox(), tmp_path / "work").view(replace(module, outputs=None)) as view:
        assert view.module.class_path == module.class_path
        assert not (view.working_copy / "target").exists()
