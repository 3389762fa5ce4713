"""What a certificate or a task tells of a revision: which modules Surefire tests, and that Maven compiles it."""

from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import Checkout
from testevo.builds.model.model import BuildModel, ModuleModel, SideModel
from testevo.builds.project.local_repository import local_repository

REVISION = "1a2b3c4d5e"
SIDE = SideModel(output="{checkout}/target/classes")


def told(folder: Path, reasons: dict[str, str], *, revision: str = REVISION) -> BuildModel:
    """The model of two modules, of which one has a reason of its own, with these told besides."""
    local = local_repository(folder / "cache", "some+project", None)
    context = BuildContext(local, folder / "cache", folder / "work", [], surefire={revision: reasons})
    modules = (
        ModuleModel(path="a", production=SIDE, test=SIDE, framework="junit4"),
        ModuleModel(path="b", production=SIDE, test=SIDE, framework="junit4", needs_surefire="own in module b"),
    )
    checkout = Checkout("some/project", REVISION, folder, "key")
    return context.with_surefire(checkout, BuildModel(fingerprint="f", modules=modules))


@pytest.mark.parametrize(
    ("reasons", "surefire", "needs_maven"),
    [
        ({"b": "own in module b"}, {"b": "own in module b"}, None),
        ({"a": "certificate", "b": "certificate"}, {"a": "certificate", "b": "own in module b"}, "certificate"),
        ({"a": "certificate"}, {"a": "certificate", "b": "own in module b"}, "certificate"),
        ({"gone": "certificate"}, {"a": "certificate", "b": "own in module b"}, "certificate"),
    ],
    ids=["what the model knows", "all modules", "the module of a task", "no module of the revision"],
)
def test_what_is_told_counts_beside_the_model(
    reasons: dict[str, str], surefire: dict[str, str], needs_maven: str | None, tmp_path: Path
) -> None:
    model = told(tmp_path, reasons)
    assert (model.surefire, model.needs_maven) == (surefire, needs_maven)


def test_what_is_told_of_another_revision_does_not_count(tmp_path: Path) -> None:
    model = told(tmp_path, {"a": "certificate"}, revision="another")
    assert (model.surefire, model.needs_maven) == ({"b": "own in module b"}, None)
