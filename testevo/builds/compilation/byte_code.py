"""Digests of the byte code of methods, without debug data and annotations."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.worker import Worker
from testevo.builds.engine import BuiltTree
from testevo.records.methods import MethodKey, Side


@dataclass(frozen=True)
class ByteCode:
    """The methods of one side of a class tree, by name and erased parameters."""

    methods: Mapping[MethodKey, str]


class ByteCodeReader:
    """Reads class folders through a worker of the JDK that compiled them; each folder once."""

    def __init__(self, workers: Mapping[Path, Worker] | None = None) -> None:
        self._workers: dict[Path, Worker] = dict(workers or {})
        self._known: dict[Path, Mapping[MethodKey, str]] = {}

    def of(self, tree: BuiltTree, side: Side) -> ByteCode:
        """The digests of the production or the test classes of all modules."""
        folders = (
            module.production_classes if side is Side.PRODUCTION else module.test_classes for module in tree.modules
        )
        return ByteCode(merged(self._folder(tree.jdk.home, folder) for folder in folders if folder.is_dir()))

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()

    def _folder(self, java_home: Path, folder: Path) -> Mapping[MethodKey, str]:
        if folder not in self._known:
            worker = self._workers.setdefault(java_home, Worker(java_home))
            self._known[folder] = {
                method.key: method.digest for declared in worker.digest(folder) for method in declared.methods
            }
        return self._known[folder]


def merged(parts: Iterable[Mapping[MethodKey, str]]) -> Mapping[MethodKey, str]:
    whole: dict[MethodKey, str] = {}
    for part in parts:
        whole.update(part)
    return whole
