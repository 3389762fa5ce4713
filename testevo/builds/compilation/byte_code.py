"""Digests of the byte code of methods, without debug data and annotations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from testevo.builds.compilation.worker import Worker
from testevo.builds.engine import BuiltTree
from testevo.records.methods import MethodKey, Side


@dataclass(frozen=True)
class ByteCode:
    """The methods of one side of a class tree, by name and erased parameters."""

    methods: Mapping[MethodKey, str]
    """Without those of copied classes: keys do not tell them apart."""
    copied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Binary names of classes that several modules hold, with the paths of those modules."""


class ByteCodeReader:
    """Reads class folders through a worker of the JDK that compiled them; each folder once."""

    def __init__(self, workers: Mapping[Path, Worker] | None = None) -> None:
        self._workers: dict[Path, Worker] = dict(workers or {})
        self._known: dict[Path, Mapping[MethodKey, str]] = {}

    def of(self, tree: BuiltTree, side: Side) -> ByteCode:
        """The digests of the production or the test classes of all modules."""
        folders = {
            module.path: module.production_classes if side is Side.PRODUCTION else module.test_classes
            for module in tree.modules
        }
        return merged(
            {path: self._folder(tree.jdk.home, folder) for path, folder in folders.items() if folder.is_dir()}
        )

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()

    def _folder(self, java_home: Path, folder: Path) -> Mapping[MethodKey, str]:
        if folder not in self._known:
            worker = self._workers.setdefault(java_home, Worker(java_home))
            self._known[folder] = worker.digest(folder)
        return self._known[folder]


def merged(modules: Mapping[str, Mapping[MethodKey, str]]) -> ByteCode:
    """The byte code of modules, given by their paths."""
    whole: dict[MethodKey, str] = {}
    holders: dict[str, set[str]] = {}
    for path, methods in modules.items():
        whole.update(methods)
        for name in {key.type_name for key in methods}:
            holders.setdefault(name, set()).add(path)
    copied = {name: frozenset(paths) for name, paths in holders.items() if len(paths) > 1}
    return ByteCode({key: digest for key, digest in whole.items() if key.type_name not in copied}, copied)
