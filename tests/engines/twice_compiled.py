"""Compile the trees of a history twice, from earlier trees and from nothing, and compare every byte."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from testevo.builds.compilation import compiling, incremental
from testevo.builds.compilation.class_trees import TreeOutcome, files_of
from testevo.builds.compilation.incremental import Incremental, InDoubt
from testevo.builds.compilation.javac_step import JavacStep
from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.config.model import BuildOverrides
from testevo.history.git import GitRepository

KEPT = ("models",)
"""What both engines share of a cache: nothing that was compiled."""


@dataclass
class Counts:
    """How many trees were compared, how many of them were compiled from an earlier one, and why others were not."""

    trees: int = 0
    failed: int = 0
    incremental: int = 0
    fully: int = 0
    """By the incremental engine, with or without a doubt."""
    doubts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)


@contextmanager
def twins(
    cache: Path, scratch: Path, key: str, overrides: BuildOverrides
) -> Iterator[tuple[DirectEngine, DirectEngine]]:
    """Two engines, incremental and not, with class trees of their own and build models and Maven in common."""
    local = local_repository(cache, key, None)
    engines = []
    for name in ("incremental", "full"):
        own = scratch / name / "cache"
        own.mkdir(parents=True)
        (cache / "models").mkdir(exist_ok=True)
        (own / "models").symlink_to(cache / "models")
        context = BuildContext(local, own, scratch / name / "work", find_jdks(), overrides)
        context.incremental = name == "incremental"
        engines.append(DirectEngine(context))
    try:
        yield engines[0], engines[1]
    finally:
        for engine in engines:
            engine.close()


def compare_history(
    git: GitRepository,
    revisions: Sequence[str],
    scratch: Path,
    cache: Path,
    key: str,
    overrides: BuildOverrides | None = None,
) -> Counts:
    """Build revisions in their order, and after each one the tests of the one before in it, file by file."""
    counts = Counts()
    with twins(cache, scratch, key, overrides or BuildOverrides()) as engines, counted(counts):
        before: str | None = None
        for revision in revisions:
            folder = scratch / "checkouts" / revision
            git.export(revision, folder)
            checkout = Checkout(key, revision, folder, git.tree_id(revision))
            results = [engine.build(checkout) for engine in engines]
            compare(results[0], results[1], counts)
            if before is not None and results[0].tree is not None and results[1].tree is not None:
                compare_swaps(git, before, engines, (results[0].tree, results[1].tree), counts)
            before = revision
    return counts


def compare_swaps(
    git: GitRepository,
    before: str,
    engines: tuple[DirectEngine, DirectEngine],
    trees: tuple[BuiltTree, BuiltTree],
    counts: Counts,
) -> None:
    """Each test file that the revision changed is put back to what it was, as when an old test runs on new code."""
    roots = tuple(f"{root}/" for module in trees[0].modules for root in module.test_roots)
    for change in git.changed_paths(before, trees[0].checkout.revision):
        if change.path.startswith(roots) and change.path.endswith(".java"):
            variant = {change.path: git.read(before, change.path)}
            results = [engine.build_variant(tree, variant) for engine, tree in zip(engines, trees, strict=True)]
            compare(results[0], results[1], counts)


def compare(one: BuildResult, other: BuildResult, counts: Counts) -> None:
    """Outcomes, messages, and all files of all class folders."""
    what = one.tree.checkout.revision if one.tree else one.reason
    if replace(one, tree=None) != replace(other, tree=None):
        counts.differences.append(f"{what}: {replace(one, tree=None)} is not {replace(other, tree=None)}")
    if one.tree is None or other.tree is None:
        counts.failed += 1
        return
    for module, twin in zip(one.tree.modules, other.tree.modules, strict=True):
        for folder, full in (
            (module.production_classes, twin.production_classes),
            (module.test_classes, twin.test_classes),
        ):
            counts.trees += 1
            found, expected = _bytes(folder), _bytes(full)
            different = sorted(name for name in found.keys() | expected if found.get(name) != expected.get(name))
            counts.differences += [f"{what}: {name}" for name in different]


def _bytes(folder: Path) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files_of(folder).items()} if folder.is_dir() else {}


@contextmanager
def counted(counts: Counts) -> Iterator[None]:
    """Count what is compiled from earlier trees, and the doubts."""

    class Counted(Incremental):
        def compile_into(self, classes: Path, scratch: Path) -> TreeOutcome:
            try:
                outcome = super().compile_into(classes, scratch)
            except InDoubt as doubt:
                counts.doubts[str(doubt)] += 1
                raise
            counts.incremental += 1
            return outcome

    compile_fully = compiling.compile_fully

    def fully(steps: list[JavacStep], seen: Mapping[str, Path], classes: Path, scratch: Path) -> TreeOutcome:
        counts.fully += steps[:1] != [] and steps[0].reads_interfaces
        return compile_fully(steps, seen, classes, scratch)

    with (
        patch.object(compiling, "Incremental", Counted),
        patch.object(compiling, "compile_fully", fully),
        patch.object(incremental, "MOST_COMPILED", 1.0),  # the modules of embedded histories have few files
    ):
        yield
