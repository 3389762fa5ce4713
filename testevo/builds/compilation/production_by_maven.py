"""The production classes of a revision that Maven has built, for edited tests to be compiled against."""

import shutil
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.class_trees import ClassTree, TreeOutcome
from testevo.builds.engine import BuiltTree
from testevo.builds.model.model import BuildModel, SideModel
from testevo.runtime.files.files import content_key, folder_digest


@dataclass(frozen=True)
class ProductionByMaven:
    """What an edit of a test leaves as it is."""

    folder: Path
    """As Maven has left the checkout, without the classes of tests; nobody writes to it."""
    model: BuildModel
    """As that run of Maven has evaluated it."""
    trees: Mapping[str, ClassTree]
    """By the path of a module."""


def production_by_maven(base: BuiltTree, folder: Path) -> ProductionByMaven:
    """Copy what Maven has made of a revision.

    Args:
        base: a revision that Maven has built in place, and for which `replaces_tests_only` holds.
        folder: does not exist yet.
    """
    assert base.maven_folder is not None and base.model is not None, "Maven has built it"
    shutil.copytree(base.maven_folder, folder, symlinks=True)
    trees = {}
    for module in base.modules:
        assert module.outputs is not None, "the class folders lie in the module"
        production, tests = (folder / module.path / output for output in module.outputs)
        shutil.rmtree(tests, ignore_errors=True)
        key = content_key("made by Maven", folder_digest(production))
        trees[module.path] = ClassTree(key, production, TreeOutcome(success=True))
    return ProductionByMaven(folder, base.model, trees)


def replaces_tests_only(base: BuiltTree, replaced: Collection[str]) -> bool:
    """Whether Maven has built a revision, only goals of production code made that necessary, and what is replaced are
    sources and resources of tests."""
    model = base.model
    if model is None or base.surefire or model.tests_need_maven is not None or base.replaced:
        return False
    if any(module.outputs is None for module in base.modules):
        return False
    tests = [folder for module in model.modules for folder in _folders(module.test)]
    production = [folder for module in model.modules for folder in _folders(module.production)]
    return all(_lies_below(path, tests) and not _lies_below(path, production) for path in replaced)


def _folders(side: SideModel) -> Iterator[str]:
    yield from side.roots
    yield from (resource.folder for resource in side.resources)


def _lies_below(path: str, folders: Collection[str]) -> bool:
    return any(not folder or path.startswith(f"{folder}/") for folder in folders)
