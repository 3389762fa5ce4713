"""Compile only what a change of source files can change, to the very bytes of a full compilation.

Why the bytes are the same, and what makes us compile everything after all: docs/performance.md, "Compiling".
"""

import re
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from testevo.builds.compilation.class_trees import ClassTree, CompiledSource, TreeOutcome, files_of, link_files
from testevo.builds.compilation.jar_packages import JarPackages, jdk_may_speak_of
from testevo.builds.compilation.javac_step import JavacStep
from testevo.builds.compilation.worker import Compilation as Done
from testevo.runtime.files.files import content_key

KEPT_TREES = 64
"""How many of the trees used last are remembered, over all modules and sides."""

MOST_COMPILED = 0.5
"""Share of the sources above which a full compilation is as cheap."""

_ENCODINGS = ("utf-8", "utf8", "iso-8859-1", "us-ascii", "ascii", "latin1", "windows-1252", "cp1252")
"""In all of them, ASCII names are the same bytes."""

_UNSAFE_OPTIONS = ("-Werror", "-Xplugin", "-Xdoclint", "-XD", "-h", "-implicit", "--patch-module", "-J", "@")
_SAFE_AFTER_ALL = ("-XDuseUnsharedTable=true",)
"""How javac keeps names in memory; Maven's compiler plugin always asks for it since 3.11."""

_DESCRIPTORS = ("module-info.java", "package-info.java")


class InDoubt(Exception):  # noqa: N818 - a turn, not an error: everything is compiled instead
    """A part may not be compiled alone, or is not worth it; the message says why."""


class RecentTrees:
    """The trees made or found last, among which the nearest to a new one is its base."""

    def __init__(self) -> None:
        self._trees: OrderedDict[tuple[str, str], ClassTree] = OrderedDict()

    def add(self, family: str, tree: ClassTree) -> None:
        self._trees[family, tree.key] = tree
        self._trees.move_to_end((family, tree.key))
        while len(self._trees) > KEPT_TREES:
            self._trees.popitem(last=False)

    def nearest(self, step: JavacStep) -> ClassTree | None:
        """The tree with the fewest different sources, compiled with equal options against an equal class path.

        None when too many of the sources differ from all of them.
        """
        found = [tree for (family, _), tree in self._trees.items() if family == step.family]
        best = min(found, key=lambda tree: len(_different(step, tree)), default=None)
        return best if best is not None and _is_worth(len(_different(step, best)), step) else None


@dataclass(frozen=True)
class Incremental:
    """Compiles a step starting from an earlier tree of its family."""

    step: JavacStep
    base: ClassTree
    jars: JarPackages

    def compile_into(self, classes: Path, scratch: Path) -> TreeOutcome:
        """Put all classes into the empty folder `classes`.

        Raises:
            InDoubt: everything must be compiled instead; `classes` is still empty.
        """
        different = _different(self.step, self.base)
        if any(map(_is_descriptor, different)):
            raise InDoubt("a package descriptor changed")
        first = self._compile(scratch / "changed", scratch, different)
        if not first.done.success:
            return self._failure(first, different)
        new = {**self._unchanged(different), **first.sources}
        if _packages(new.values()) != _packages(self._old.values()):
            raise InDoubt("a package came or went")
        parts = [first]
        affected = self._affected(different, new)
        if affected:
            parts.append(self._compile(scratch / "affected", scratch, affected))
            if not parts[-1].done.success:
                raise InDoubt("a dependent does not compile")
            new |= parts[-1].sources
        return self._join(classes, new, parts)

    @property
    def _old(self) -> Mapping[str, CompiledSource]:
        assert self.base.outcome.sources is not None, "a base knows its sources"
        return self.base.outcome.sources

    def _compile(self, output: Path, scratch: Path, paths: Collection[str]) -> "_Part":
        output.mkdir()
        only = [path for path in self.step.sources if path in paths]
        if not only:
            return _Part(output, Done(True, (), {}), {})
        done = self.step.run(output, scratch, only=only)
        compiled = self.step.compiled(done)
        return _Part(output, done, {path: compiled[path] for path in only})

    def _failure(self, part: "_Part", different: Collection[str]) -> TreeOutcome:
        """The outcome, when a full compilation would find the same errors and no more.

        That is so when no other file can see the changed ones: then there are no errors in those files, as in the base.
        """
        outcome = self.step.outcome(part.done)
        if not outcome.diagnostics or any(found.path not in different for found in outcome.diagnostics):
            raise InDoubt("an error outside of the changed files")
        if not part.done.files:
            return outcome  # errors of syntax, after which the compiler looks no further
        types = {name for path in different for name in self._types(path, part.sources)}
        if _packages([*self._unchanged(different).values(), *part.sources.values()]) != _packages(self._old.values()):
            raise InDoubt("a package came or went")
        if self._dependents(types, part.sources) - set(different) or self._may_be_seen_unnamed(types):
            raise InDoubt("errors in a file that others see")
        return outcome

    def _affected(self, different: Collection[str], new: Mapping[str, CompiledSource]) -> set[str]:
        """The unchanged files that see a class whose interface changed."""
        moved = {path for path in different if _interface(self._old.get(path)) != _interface(new.get(path))}
        types = {name for path in moved for name in self._types(path, new)}
        if not moved:
            return set()
        if self._may_be_seen_unnamed(types):
            raise InDoubt("other classes speak of a package")
        affected = self._dependents(types, new) - set(different)
        if any(map(_is_descriptor, affected)):
            raise InDoubt("a package descriptor is affected")
        if not _is_worth(len(affected) + len(different), self.step):
            raise InDoubt("more than half is affected")
        return affected

    def _unchanged(self, different: Collection[str]) -> dict[str, CompiledSource]:
        return {path: source for path, source in self._old.items() if path not in different}

    def _types(self, path: str, new: Mapping[str, CompiledSource]) -> set[str]:
        """Top-level types of a file before and after."""
        return {name for found in (self._old.get(path), new.get(path)) if found is not None for name in found.types}

    def _dependents(self, types: Iterable[str], new: Mapping[str, CompiledSource]) -> set[str]:
        """All files that mention one of the types, or a type of a file that does, and so on."""
        texts = {path: self.step.view.file(path).read_bytes() for path in self.step.sources}
        found: set[str] = set()
        names = {_simple(name) for name in types}
        while names:
            fresh = {path for path, text in texts.items() if path not in found and _mentions(text, names)}
            found |= fresh
            names = {_simple(name) for path in fresh for name in self._types(path, new)}
        return found

    def _may_be_seen_unnamed(self, types: Collection[str]) -> bool:
        """Whether classes of the class path or the JDK may name one of the types, so that other files see it by way of
        those classes, without a mention."""
        jars = [entry for entry in self.step.class_path if entry.path.is_file()]
        for package in {_package(name) for name in types}:
            if jdk_may_speak_of(package) or any(self.jars.speaks_of(jar.path, jar.key, package) for jar in jars):
                return True
        folders = [entry.path for entry in self.step.class_path if entry.path.is_dir()]
        return any((folder / _class_file(name)).exists() for folder in folders for name in types)

    def _join(self, classes: Path, new: Mapping[str, CompiledSource], parts: list["_Part"]) -> TreeOutcome:
        place = {path: part.folder for part in parts for path in part.sources}
        files = {
            _class_file(name): place.get(path, self.base.folder) / _class_file(name)
            for path, source in new.items()
            for name in source.classes
        }
        if not all(file.is_file() for file in files.values()):
            raise InDoubt("a class is missing")
        link_files(files, classes)
        ordered = {path: new[path] for path in self.step.sources}
        return TreeOutcome(success=True, interface=interface_key(ordered), sources=ordered)


@dataclass(frozen=True)
class _Part:
    """Some of the sources, compiled into a folder of their own."""

    folder: Path
    done: Done
    sources: Mapping[str, CompiledSource]


def suits(step: JavacStep) -> bool:
    """Whether a step can be compiled from an earlier tree at all, or be the base of one."""
    if step.has_processors or step.has_patterns or step.has_module or step.module_path:
        return False
    words = [word for word in step.options if word not in _SAFE_AFTER_ALL]
    if any(word.startswith(_UNSAFE_OPTIONS) for word in words):
        return False
    encodings = [after for word, after in pairwise(words) if word == "-encoding"]
    return all(encoding.lower() in _ENCODINGS for encoding in encodings)


def full_outcome(step: JavacStep, done: Done, classes: Path) -> TreeOutcome:
    """The outcome of a full compilation, with what is known of its sources when they account for every class."""
    outcome = step.outcome(done)
    if not outcome.success:
        return outcome
    sources = step.compiled(done)
    accounted = [_class_file(name) for source in sources.values() for name in source.classes]
    if sorted(accounted) != sorted(files_of(classes)):
        return outcome
    return outcome.model_copy(update={"sources": sources, "interface": interface_key(sources)})


def interface_key(sources: Mapping[str, CompiledSource]) -> str:
    """Key of all that another compilation can read of the classes."""
    named = sorted(item for source in sources.values() for item in _interface(source).items())
    return content_key("interface", *(part for item in named for part in item))


def _interface(source: CompiledSource | None) -> Mapping[str, str]:
    if source is None:
        return {}
    return {name: digest for name, digest in source.classes.items() if digest is not None}


def _different(step: JavacStep, tree: ClassTree) -> set[str]:
    """Sources that were added, removed or changed."""
    old = tree.outcome.sources or {}
    before = {(path, source.digest) for path, source in old.items()}
    return {path for path, _ in before ^ set(step.digests.items())}


def _is_worth(compiled: int, step: JavacStep) -> bool:
    return compiled <= len(step.sources) * MOST_COMPILED


def _mentions(text: bytes, names: Collection[str]) -> bool:
    """Whether a source may name a type; one with Unicode escapes may, and so may any where the name is not ASCII.

    Comments and strings count too. A `$` ends a name, since `Outer$Inner` may stand for a member of `Outer`.
    """
    if b"\\u" in text or not all(name.isascii() for name in names):
        return True
    words = b"|".join(re.escape(name.encode()) for name in names)
    return re.search(rb"(?<![A-Za-z0-9_])(?:" + words + rb")(?![A-Za-z0-9_])", text) is not None


def _simple(name: str) -> str:
    return name.rsplit(".", 1)[-1]


def _package(name: str) -> str:
    return name.rpartition(".")[0]


def _packages(sources: Iterable[CompiledSource]) -> set[str]:
    return {_package(name) for source in sources for name in source.types}


def _class_file(name: str) -> str:
    return f"{name.replace('.', '/')}.class"


def _is_descriptor(path: str) -> bool:
    return path.rsplit("/", 1)[-1] in _DESCRIPTORS
