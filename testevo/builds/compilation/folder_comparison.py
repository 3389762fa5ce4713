"""Compare class folders that the compiler worker and Maven made of the same sources."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from testevo.builds.compilation.project_classes import project_classes
from testevo.builds.compilation.worker import Worker
from testevo.builds.engine import BuiltTree
from testevo.builds.model.model import CHECKOUT, BuildModel, SideModel
from testevo.runtime.files.files import content_key

_DESCRIPTOR = "package-info.class"
"""Of a package; nothing in it runs."""
_STAMP = re.compile(
    rb"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?"
    rb"|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} \d\d \d\d:\d\d:\d\d \w+ \d{4}\b|\b1\d{12}\b"
)
"""A moment as builds write it: a date with or without time, the head of a properties file, milliseconds."""


def folder_facts(tree: BuiltTree, model: BuildModel, worker: Worker, *, of_plugins: bool = False) -> dict[str, str]:
    """A digest of each file in the class folders of a tree, by module, side and path.

    Classes count without debug data, other files without moments of time.

    Args:
        tree: a built revision.
        model: that of its build.
        worker: reads classes.
        of_plugins: whether the content of files counts that plugins made, too. Where `direct` compiles all, it has
            those of another revision (docs/builds.md).

    Raises:
        ServiceError: the worker gave no answer.
    """
    found: dict[str, str] = {}
    for side, folder in _folders(tree, model):
        made = set() if of_plugins else {file.path for file in side.extra}
        for path, digest in _digests(folder, worker):
            found[_name(side, path)] = "" if path in made else digest
    return found


def class_folder_files(tree: BuiltTree, model: BuildModel) -> dict[str, Path]:
    """The files in the class folders of a tree, named as `folder_facts` names them."""
    return {
        _name(side, file.relative_to(folder).as_posix()): file
        for side, folder in _folders(tree, model)
        for file in _files(folder)
    }


def differ_in_order(one: Path, other: Path) -> bool:
    """Whether two files that are no classes have the same lines in another order, but for moments of time."""
    if one.suffix == ".class" or not (one.is_file() and other.is_file()):
        return False
    contents = _content(one), _content(other)
    first, second = (sorted(content.splitlines()) for content in contents)
    return contents[0] != contents[1] and first == second


def without_descriptors(facts: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """Facts of a tree without descriptors of packages that the other tree has not."""
    return {path: digest for path, digest in facts.items() if path in others or path.rsplit("/", 1)[-1] != _DESCRIPTOR}


def _folders(tree: BuiltTree, model: BuildModel) -> Iterator[tuple[SideModel, Path]]:
    for module in tree.modules:
        known = next(one for one in model.modules if one.path == module.path)
        yield known.production, module.production_classes
        yield known.test, module.test_classes


def _name(side: SideModel, path: str) -> str:
    return f"{side.output.removeprefix(CHECKOUT)}/{path}"


def _files(folder: Path) -> list[Path]:
    return sorted(one for one in folder.rglob("*") if one.is_file())


def _content(file: Path) -> bytes:
    return _STAMP.sub(b"", file.read_bytes())


def _digests(folder: Path, worker: Worker) -> Iterator[tuple[str, str]]:
    if not folder.is_dir():
        return
    classes = project_classes(worker.references([folder])).classes
    for file in _files(folder):
        path = file.relative_to(folder).as_posix()
        known = classes.get(path.removesuffix(".class").replace("/", ".")) if path.endswith(".class") else None
        yield path, known.digest if known else content_key(_content(file))
