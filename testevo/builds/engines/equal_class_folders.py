"""Compare the class folders that `direct` and Maven made of one revision.

Some annotation processors write the lines of a file in the order of a hash table of objects that have no hash code of
their own: Maven itself orders them anew in each build. Where nothing but the order of lines differs, Maven builds once
more in a JVM that gives all such objects one hash code. An order that this changes is one that nobody can rely on.
"""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from testevo.builds.compilation.folder_comparison import (
    class_folder_files,
    differ_in_order,
    folder_facts,
    without_descriptors,
)
from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_compilation import DirectCompilation


class EqualClassFolders:
    """Says what must be equal of class folders, whatever Maven makes anew each time."""

    def __init__(self, compilation: DirectCompilation) -> None:
        self._compilation = compilation
        self._context = compilation.context

    def facts(
        self, tree: BuiltTree, reference: BuiltTree, *, of_plugins: bool = False
    ) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """What must be equal of the class folders of a tree and of the same files built by Maven, by path.

        Args:
            tree: built by `direct`.
            reference: built by Maven.
            of_plugins: as for `folder_facts`.

        Raises:
            ServiceError: the compiler worker gave no answer.
        """
        model, worker = self._context.model_of(tree)[1], self._compilation.worker(tree.jdk)
        direct, maven = (folder_facts(one, model, worker, of_plugins=of_plugins) for one in (tree, reference))
        direct, maven = without_descriptors(direct, maven), without_descriptors(maven, direct)
        different = {path for path in {*direct, *maven} if direct.get(path) != maven.get(path)}
        if not different:
            return direct, maven
        made, of_maven = (class_folder_files(one, model) for one in (tree, reference))
        if different == _in_other_order(different, made, of_maven):
            for path in self._ordered_anew(reference, different, of_maven):
                maven[path] = direct[path]
        return direct, maven

    def _ordered_anew(self, reference: BuiltTree, paths: set[str], of_maven: Mapping[str, Path]) -> set[str]:
        """Of some files, those whose lines have another order when Maven builds with other hash codes."""
        prepared = self._context.model_of(reference)[0]
        maven = replace(self._context.maven(prepared), equal_hash_codes=True)
        folder = self._context.work / "equal-hash-codes"
        try:
            self._context.source.build(prepared, maven, folder, reference.replaced)  # what fails makes no files
            return _in_other_order(paths, {path: folder / path.removeprefix("/") for path in paths}, of_maven)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _in_other_order(paths: set[str], some: Mapping[str, Path], others: Mapping[str, Path]) -> set[str]:
    """Of some files, those that have the same lines in both folders, in another order."""
    return {path for path in paths if path in some and path in others and differ_in_order(some[path], others[path])}
