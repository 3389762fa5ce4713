"""From a build model to the built tree that runners take."""

from pathlib import Path

import pytest

from testevo.builds.assembly import built_tree
from testevo.builds.engine import BuiltTree, Checkout
from testevo.builds.model.model import BuildModel, ModuleModel, Places, SideModel
from testevo.builds.project.jdks import Jdk


def tree_with(checkout: Path, **settings: object) -> BuiltTree:
    """The tree of a module in `core`, none of whose folders is compiled."""
    side = SideModel(output="{checkout}/core/target/classes")
    given = {"path": "core", "artifact": "core", "production": side, "test": side} | settings
    model = BuildModel(fingerprint="f", jdk=17, modules=(ModuleModel.model_validate(given),))
    places = Places(checkout=checkout, repository=checkout / "repository", jdk=checkout / "jdk")
    return built_tree(
        Checkout("a/b", "0" * 40, checkout, "key"),
        Jdk(checkout, 17, "17.0.1"),
        model,
        places,
        lambda _: None,
        engine="direct",
    )


@pytest.mark.parametrize(("path", "is_served"), [("target/new", True), ("data", True), ("data/file", False)])
def test_tests_whose_working_directory_is_no_folder_need_surefire(
    tmp_path: Path, path: str, *, is_served: bool
) -> None:
    (tmp_path / "core/data").mkdir(parents=True)
    (tmp_path / "core/data/file").write_text("")
    tree = tree_with(tmp_path, working_directory=path)
    assert tree.modules[0].start_folder == tmp_path / "core" / path
    assert tree.surefire == (None if is_served else "the working directory data/file is no folder in module core")


def test_trees_whose_tests_run_otherwise_have_other_keys(tmp_path: Path) -> None:
    settings: list[dict[str, object]] = [
        {},
        {"jvm_per_class": True},
        {"working_directory": "target"},
        {"working_directory": "src"},
        {"included_tags": ("a",)},
        {"excluded_tags": ("a",)},
    ]
    keys = [tree_with(tmp_path, **one).key for one in settings]
    assert len(set(keys)) == len(settings)
