"""Compile the modules of a model in reactor order into class trees."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from testevo.build.class_trees import ClassTree, ClassTreeStore, TreeOutcome, copy_files, replace_level
from testevo.build.jdks import Jdk
from testevo.build.model import BuildModel, Compilation, ModuleModel, Places, SideModel, by_output
from testevo.build.saved_files import place_resources
from testevo.build.sources import SourceView
from testevo.build.worker import CompilerError, Worker
from testevo.ground.files import content_key, file_digest
from testevo.records.verdicts import Diagnostic

Side = Literal["production", "test"]
SIDES: tuple[Side, ...] = ("production", "test")

Trees = Mapping[tuple[str, Side], ClassTree]
"""Class trees by module path and side."""


class NeedsMaven(Exception):  # noqa: N818 - a turn, not an error: the engine falls back
    """This revision cannot be compiled directly although its build model can; the message is the reason."""


@dataclass(frozen=True)
class Compiled:
    """All class trees, or those up to the first that does not compile."""

    trees: Trees
    failed: tuple[str, Side] | None

    def failure(self) -> TreeOutcome | None:
        return self.trees[self.failed].outcome if self.failed else None


@dataclass(frozen=True)
class ModuleCompiler:
    """Compiles one view of one checkout with one model."""

    model: BuildModel
    places: Places
    jdk: Jdk
    level: str | None
    """Overrides the level in the options; None leaves them."""
    store: ClassTreeStore
    saved: Path
    worker: Worker
    seconds: float

    def compile(self, view: SourceView) -> Compiled:
        """Compile production and test code of every module, in reactor order, up to the first failure.

        Raises:
            NeedsMaven: a filtered resource is not known.
        """
        trees: dict[tuple[str, Side], ClassTree] = {}
        for module in self.model.modules:
            for side in SIDES:
                tree = self._side(view, module, side, trees)
                trees[(module.path, side)] = tree
                if not tree.outcome.success:
                    return Compiled(trees, (module.path, side))
        return Compiled(trees, None)

    def entry(self, text: str, trees: Trees) -> tuple[Path, str] | None:
        """A class path entry of the model as a path and its content key; None for an output folder nobody compiles."""
        owner = by_output(self.model).get(text)
        if owner is not None:
            tree = trees.get(owner)
            return (tree.folder, tree.key) if tree is not None else None
        path = Path(self.places.path(text))
        digest = self.model.jars.get(text)
        if digest is None:
            if not path.is_file():
                return None
            digest = file_digest(path)
        return path, digest

    def _side(self, view: SourceView, module: ModuleModel, name: Side, trees: Trees) -> ClassTree:
        side: SideModel = getattr(module, name)
        resources, unsolved = place_resources(view, side, self.saved)
        if unsolved:
            raise NeedsMaven(unsolved)
        steps = [_Step(self, view, compilation, trees) for compilation in side.compilations]
        steps = [step for step in steps if step.sources]
        key = content_key(
            "class tree 1", self.jdk.version, module.path, name,
            *(part for path, file in sorted(resources.items()) for part in (path, file_digest(file))),
            *(step.key for step in steps),
        )  # fmt: skip

        def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
            copy_files(resources, classes)
            for step in steps:
                outcome = step.run(classes, scratch)
                if not outcome.success:
                    return outcome
            return TreeOutcome(success=True)

        return self.store.make(key, compile_into)


class _Step:
    """One run of javac, with everything that decides its outcome in `key`."""

    def __init__(self, compiler: ModuleCompiler, view: SourceView, compilation: Compilation,
                 trees: Trees) -> None:  # fmt: skip
        self.compiler = compiler
        self.view = view
        self.compilation = compilation
        self.sources = view.java_files(compilation.roots, compilation.includes, compilation.excludes)
        self.options = [compiler.places.path(word) for word in self._options()]
        self.class_path = self._entries(compilation.class_path, trees)
        self.module_path = self._entries(compilation.module_path, trees)
        chosen = compilation.excludes or compilation.includes
        # javac finds files that patterns leave out through the source path
        reachable = view.java_files(compilation.roots, (), ()) if chosen else ()
        self.key = content_key(
            view.key(self.sources), view.key(reachable), *self._options(),
            "class path", *(key for _, key in self.class_path), "module path", *(key for _, key in self.module_path),
        )  # fmt: skip

    def _options(self) -> tuple[str, ...]:
        if self.compiler.level is None:
            return self.compilation.options
        return replace_level(self.compilation.options, self.compiler.level)

    def _entries(self, texts: tuple[str, ...], trees: Trees) -> list[tuple[Path, str]]:
        found = (self.compiler.entry(text, trees) for text in texts)
        return [entry for entry in found if entry is not None]

    def run(self, classes: Path, scratch: Path) -> TreeOutcome:
        generated = scratch / f"generated-{self.compilation.execution}"
        generated.mkdir(exist_ok=True)
        folders = [base / root for root in self.compilation.roots for base in self._bases()]
        roots = [str(folder) for folder in folders if folder.is_dir()]
        options = [*self.options, "-sourcepath", ":".join(roots), "-s", str(generated)]
        if self.module_path:
            options += ["--module-path", ":".join(str(path) for path, _ in self.module_path)]
        sources = [self.view.file(path) for path in self.sources]
        # a step sees the classes of earlier steps of its side, as in Maven's one output folder
        class_path = [classes, *(path for path, _ in self.class_path)]
        done = self.compiler.worker.compile(sources, class_path, options, classes, seconds=self.compiler.seconds)
        return TreeOutcome(success=done.success, diagnostics=self._diagnostics(done.diagnostics))

    def _bases(self) -> list[Path]:
        return [base for base in (self.view.overlay, self.view.folder) if base is not None]

    def _diagnostics(self, errors: tuple[CompilerError, ...]) -> tuple[Diagnostic, ...]:
        found = {
            Diagnostic(
                path=self.view.relative(str(error.path)) if error.path else "",
                line=max(error.line, 0),
                code=error.code,
                message=error.message,
            )
            for error in errors
        }
        return tuple(sorted(found, key=lambda item: (item.path, item.line, item.message)))
