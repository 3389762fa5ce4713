"""The import closure of a script, directly or through modules of `testevo`: read from the source, nothing is run."""

import ast
import importlib.metadata
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Reach:
    """The modules that a few scripts import, directly or not."""

    files: frozenset[str]
    """Our own files, relative to the project."""
    modules: frozenset[str]
    """Top-level modules of other distributions."""

    @property
    def distributions(self) -> frozenset[str]:
        """The distributions that these modules belong to.

        Raises:
            KeyError: a module belongs to no installed distribution.
        """
        return frozenset(_distributions()[module][0] for module in self.modules)


def reach_of(project: Path, scripts: Iterable[Path]) -> Reach:
    """Follow all imports of `scripts`, also those inside functions; those for type checking alone are left out."""
    files: set[Path] = set()
    modules: set[str] = set()
    waiting = list(scripts)
    while waiting:
        file = waiting.pop()
        if file in files:
            continue
        files.add(file)
        for name in _names_in(file):
            ours = _file_of(project, name)
            top = name.partition(".")[0]
            if ours is not None:
                waiting.append(ours)
            elif top not in sys.stdlib_module_names and _file_of(project, top) is None:
                modules.add(top)
    return Reach(frozenset(file.relative_to(project).as_posix() for file in files), frozenset(modules))


def imported_names(tree: ast.AST) -> Iterator[str]:
    """The dotted names that a module imports; `from a import b` gives `a` and `a.b`, which may be a module too."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        yield from imported_names(node)


@cache
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


@cache
def _names_in(file: Path) -> frozenset[str]:
    return frozenset(imported_names(ast.parse(file.read_text())))


@cache
def _file_of(project: Path, name: str) -> Path | None:
    place = project.joinpath(*name.split("."))
    for file in (place / "__init__.py", place.with_suffix(".py"), project / "scripts" / f"{name}.py"):
        if file.is_file():
            return file
    return None
