"""Compile the modules of a model in reactor order into class trees."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from testevo.builds.compilation.class_trees import (
    ClassTree,
    ClassTreeStore,
    TreeOutcome,
    copy_files,
    files_of,
    link_files,
    replace_level,
)
from testevo.builds.compilation.incremental import Incremental, InDoubt, RecentTrees, full_outcome, suits
from testevo.builds.compilation.jar_packages import JarPackages
from testevo.builds.compilation.javac_step import Entry, JavacStep
from testevo.builds.compilation.lombok_config import NAME, UnknownImportError, lombok_files, may_run_lombok
from testevo.builds.compilation.own_processors import own_processor
from testevo.builds.compilation.worker import Worker
from testevo.builds.model.model import BuildModel, Compilation, ModuleModel, Places, SideModel, by_output
from testevo.builds.model.resources.saved_files import PlacedFiles, place_resources
from testevo.builds.model.sources import SourceView
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.processors import OFFERS
from testevo.runtime.files.files import content_key, file_digest

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
    ends: float
    """When all of it must be done, on the monotonic clock."""
    jars: JarPackages
    recent: RecentTrees | None
    """Trees to start from; None compiles everything, and again whenever a byte of the class path changes."""
    production: Mapping[str, ClassTree] = field(default_factory=dict)
    """By the path of a module, production classes that are there already."""

    def compile(self, view: SourceView) -> Compiled:
        """Compile production and test code of every module, in reactor order, up to the first failure.

        Raises:
            NeedsMaven: a filtered resource or an option is not known, or javac would see a file that is to be left out.
        """
        trees: dict[tuple[str, Side], ClassTree] = {}
        beside = _files_of_lombok(view) if may_run_lombok(self.model) else ""
        for module in self.model.modules:
            for side in SIDES:
                made = self.production.get(module.path) if side == "production" else None
                tree = made or self._side(view, module, side, trees, beside)
                trees[(module.path, side)] = tree
                if not tree.outcome.success:
                    return Compiled(trees, (module.path, side))
        return Compiled(trees, None)

    def entry(self, text: str, trees: Trees) -> tuple[Path, str] | None:
        """A class path entry of the model as a path and its content key; None for an output folder nobody compiles."""
        found = self._entry(text, trees)
        return None if found is None else (found.path, found.key)

    def _entry(self, text: str, trees: Trees) -> Entry | None:
        owner = by_output(self.model).get(text)
        if owner is not None:
            tree = trees.get(owner)
            return Entry(tree.folder, tree.key, tree.outcome.interface) if tree is not None else None
        path = Path(self.places.path(text))
        digest = self.model.jars.get(text)
        if digest is None:
            if not path.is_file():
                return None
            digest = file_digest(path)
        return Entry(path, digest)

    def _side(self, view: SourceView, module: ModuleModel, name: Side, trees: Trees, beside: str) -> ClassTree:
        """The tree of one side: classes as javac made them, shared by links, beside resources."""
        side: SideModel = getattr(module, name)
        for link in (link for root in side.roots if (link := view.linked_folder(root))):
            raise NeedsMaven(f"the sources hold {link}, a link to a folder")
        resources = self._resources(view, side)
        place = (module.path, name)
        steps = [self._step(view, compilation, trees, place, beside) for compilation in side.compilations]
        steps = [step for step in steps if step.sources]
        for unread in (step.compilation.unread for step in steps if step.compilation.unread):
            raise NeedsMaven(f"maven-compiler-plugin sets {unread}, whose options are not known yet")
        own = [tree.folder for tree in trees.values()]
        for step in steps:
            if found := own_processor(step.options, [entry.path for entry in step.class_path], own):
                raise NeedsMaven(f"the project's own annotation processor takes part ({found})")
        if any(step.finds_removed_files for step in steps):
            raise NeedsMaven("a removed file could still be found through the source path")
        seen = _seen(resources, steps)
        compiled = self._classes(steps, seen)
        copied = {path: file for path, file in resources.files.items() if path not in seen.files}
        if not copied or not compiled.outcome.success:
            return compiled
        if found := next((path for path in sorted(resources.late) if (compiled.folder / path).exists()), None):
            raise NeedsMaven(f"{found} is copied over a file that the compiler has written")
        key = content_key("tree with resources 1", compiled.key, *_contents(copied, resources.executable))

        def put_beside(folder: Path, scratch: Path) -> TreeOutcome:
            classes = files_of(compiled.folder)
            link_files(classes, folder)
            added = {path: file for path, file in copied.items() if path not in classes}
            copy_files(added, folder, resources.executable)
            return TreeOutcome(success=True, interface=compiled.outcome.interface)

        return self.store.make(key, put_beside)

    def _resources(self, view: SourceView, side: SideModel) -> PlacedFiles:
        """The files beside the classes of one side."""
        resources = place_resources(view, side, self.saved)
        if resources.unsolved:
            raise NeedsMaven(resources.unsolved)
        if found := next(filter(_is_for_compilers, sorted(resources.late)), None):
            raise NeedsMaven(f"{found} is copied when classes beside it are compiled already")
        return resources

    def _classes(self, steps: list[JavacStep], seen: PlacedFiles) -> ClassTree:
        """Classes without resources, unless the compiler may see these."""
        key = content_key("classes 2", *_contents(seen.files, seen.executable), *(step.key for step in steps))
        alone = self.recent if len(steps) == 1 and not seen.files and suits(steps[0]) else None

        def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
            base = alone.nearest(steps[0]) if alone is not None else None
            if base is not None:
                with suppress(InDoubt):
                    return Incremental(steps[0], base, self.jars).compile_into(classes, scratch)
            copy_files(seen.files, classes, seen.executable)
            return compile_fully(steps, seen.files, classes, scratch)

        tree = self.store.make(key, compile_into)
        if alone is not None and tree.outcome.sources is not None:
            alone.add(steps[0].family, tree)
        return tree

    def _step(
        self, view: SourceView, compilation: Compilation, trees: Trees, place: tuple[str, ...], beside: str
    ) -> JavacStep:
        words = compilation.options
        if self.level is not None:
            words = replace_level(words, self.level)
        return JavacStep(
            place=(self.jdk.version, *place),
            view=view,
            compilation=compilation,
            words=words,
            options=tuple(self.places.path(word) for word in words),
            class_path=self._entries(compilation.class_path, trees),
            module_path=self._entries(compilation.module_path, trees),
            worker=self.worker,
            ends=self.ends,
            beside=beside,
            reads_interfaces=self.recent is not None,
        )

    def _entries(self, texts: tuple[str, ...], trees: Trees) -> tuple[Entry, ...]:
        found = (self._entry(text, trees) for text in texts)
        return tuple(entry for entry in found if entry is not None)


def _files_of_lombok(view: SourceView) -> str:
    """Key of what Lombok reads beside sources; these files are put beside the replaced ones as well."""
    try:
        paths = lombok_files(view)
    except UnknownImportError as error:
        raise NeedsMaven(str(error)) from error
    for path in sorted(view.replaced):
        if path in paths or path.rsplit("/", 1)[-1] == NAME:
            raise NeedsMaven(f"{path} is replaced, which Lombok reads beside sources that are not")
    view.show_beside_replaced(paths)
    return view.key(paths) if paths else ""


def compile_fully(steps: list[JavacStep], seen: Mapping[str, Path], classes: Path, scratch: Path) -> TreeOutcome:
    """Every step into one folder; each sees the classes of those before it, as in Maven's one output folder."""
    outcome = TreeOutcome(success=True)
    for number, step in enumerate(steps):
        before = [classes] if seen or number else []
        done = step.run(classes, scratch, before=before)
        outcome = step.outcome(done) if len(steps) > 1 or seen else full_outcome(step, done, classes)
        if not outcome.success:
            break
    return outcome


def _seen(resources: PlacedFiles, steps: list[JavacStep]) -> PlacedFiles:
    """The resources that lie in the output folder before the compiler runs, where it may read them; else none."""
    early = {path: file for path, file in resources.files.items() if path not in resources.late}
    is_read = any(step.has_processors for step in steps) or any(map(_is_for_compilers, early))
    return PlacedFiles(early, resources.executable) if is_read else PlacedFiles({})


def _is_for_compilers(path: str) -> bool:
    """Whether a compiler looks for a file at this path of a class folder."""
    return path.endswith(".class") or path in OFFERS


def _contents(files: Mapping[str, Path], executable: Collection[str]) -> list[str]:
    parts = []
    for path, file in sorted(files.items()):
        parts += [path, file_digest(file), *(["executable"] if path in executable else [])]
    return parts
