"""How javac compiles one production file of a built tree alone: for mutants of it (TEB-V13)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.class_trees import replace_level
from testevo.builds.engine import BuiltTree, Engine
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.model.javac_options import without_pairs
from testevo.builds.model.model import BuildModel, Compilation, ModuleModel, Places, by_output
from testevo.builds.model.sources import selected
from testevo.builds.project.processors import without_processors

_OF_MODULES = ("--module-version", "--patch-module")


@dataclass(frozen=True)
class FileCompilation:
    """Options and class path of one file. The class path begins with the classes of the module itself."""

    options: tuple[str, ...]
    class_path: tuple[Path, ...]


def file_compilation(engine: Engine, tree: BuiltTree, path: str) -> FileCompilation | None:
    """How the build compiles the production file `path` (repository-relative) of `tree`.

    Annotation processors are switched off where there are none to be found, which saves the compiler looking for them.

    Returns:
        None when no module of the tree compiles that file as production code.

    Raises:
        ValueError: the engine is of another kind, or the tree is none that it has built.
    """
    if not isinstance(engine, DirectEngine | MavenEngine):
        raise ValueError(f"{engine.name} knows no compiler options")
    prepared, model = engine.context.model_of(tree)
    found = _compilation_of(model, path)
    if found is None:
        return None
    places = engine.context.source.places(engine.context.maven(prepared), tree.checkout.folder)
    module, compilation = found
    choice = prepared.choice
    words = compilation.options
    if choice.overridden and choice.level is not None:
        words = replace_level(words, choice.level)
    own = tree.module(module.path)
    class_path = [] if own is None else [own.production_classes]
    for text in (*compilation.class_path, *compilation.module_path):
        entry = _entry(model, tree, places, text)
        if entry is not None and entry not in class_path:
            class_path.append(entry)
    options = [places.path(word) for word in _of_one_file(words)]
    return FileCompilation(tuple(without_processors(options, class_path)), tuple(class_path))


def _compilation_of(model: BuildModel, path: str) -> tuple[ModuleModel, Compilation] | None:
    """The compilation with the longest source root above the file; of several that with the last word, as in Maven."""
    best: tuple[int, ModuleModel, Compilation] | None = None
    for module in model.modules:
        for compilation in module.production.compilations:
            for root in compilation.roots:
                inside = path.removeprefix(f"{root}/") if root else path
                if inside == path and root:
                    continue
                if selected(inside, compilation.includes, compilation.excludes) and (
                    best is None or len(root) >= best[0]
                ):
                    best = (len(root), module, compilation)
    return None if best is None else (best[1], best[2])


def _entry(model: BuildModel, tree: BuiltTree, places: Places, text: str) -> Path | None:
    owner = by_output(model).get(text)
    if owner is not None:
        module = tree.module(owner[0])
        if module is None:
            return None
        return module.production_classes if owner[1] == "production" else module.test_classes
    path = Path(places.path(text))
    return path if path.exists() else None


def _of_one_file(words: Sequence[str]) -> list[str]:
    """Without what names the own module, since the file is compiled as part of the unnamed one, and with warnings
    allowed: a mutant that only draws a warning compiles."""
    return [word for word in without_pairs(words, _OF_MODULES) if word != "-Werror"]
