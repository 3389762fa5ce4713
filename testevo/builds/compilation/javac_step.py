"""One run of javac in a build, with everything that decides its outcome."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from testevo.builds.compilation.class_trees import CompiledSource, TreeOutcome
from testevo.builds.compilation.worker import Compilation as Done
from testevo.builds.compilation.worker import CompiledFile, CompilerError, Worker
from testevo.builds.machine_failures import require_space_for
from testevo.builds.model.model import Compilation
from testevo.builds.model.sources import SourceView
from testevo.builds.project.processors import may_run_processors, without_processors
from testevo.records.verdicts import Diagnostic
from testevo.runtime.files.files import content_key

_CANNOT_WRITE = ("compiler.err.class.cant.write", "compiler.err.error.writing.file")
_OF_PROCESSORS = "compiler.err.proc.messager"


@dataclass(frozen=True)
class Entry:
    """A class path or module path entry.

    `key` stands for all bytes in it, `interface` for all that javac can read of it, where that is known.
    """

    path: Path
    key: str
    interface: str | None = None


@dataclass(frozen=True)
class JavacStep:
    """One run of javac.

    Args:
        place: JDK, module and side, and whatever else tells this run from others with equal options.
        words: the options as they stand in the model; `options` are the same with the paths of this machine.
    """

    place: tuple[str, ...]
    view: SourceView
    compilation: Compilation
    words: tuple[str, ...]
    options: tuple[str, ...]
    class_path: tuple[Entry, ...]
    module_path: tuple[Entry, ...]
    worker: Worker
    ends: float
    """When it must be done, on the monotonic clock."""
    beside: str = ""
    """Key of files that processors read beside the sources."""
    reads_interfaces: bool = True
    """Whether class path entries count by what javac can read of them; always by all bytes when processors may run."""

    @cached_property
    def sources(self) -> list[str]:
        """Repository-relative paths in javac's order."""
        return self.view.java_files(self.compilation.roots, self.compilation.includes, self.compilation.excludes)

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """SHA-256 of every source."""
        return {path: self.view.digest(path) for path in self.sources}

    @cached_property
    def has_processors(self) -> bool:
        return may_run_processors(self.options, (entry.path for entry in (*self.class_path, *self.module_path)))

    @property
    def has_patterns(self) -> bool:
        """Whether patterns leave files out, which javac may still find through the source path."""
        return bool(self.compilation.excludes or self.compilation.includes)

    @cached_property
    def has_module(self) -> bool:
        """Whether the sources are a module: javac wants them on its source path then."""
        return any(path.rsplit("/", 1)[-1] == "module-info.java" for path in self.sources)

    @property
    def finds_removed_files(self) -> bool:
        """Whether javac would find files that the view leaves out of a checkout, where they still lie."""
        roots = tuple(f"{root}/" if root else "" for root in self.compilation.roots)
        removed = [path for path, content in self.view.replaced.items() if content is None and path.startswith(roots)]
        return self._needs_source_path and any(path.endswith(".java") for path in removed)

    @cached_property
    def family(self) -> str:
        """Key of all but the sources."""
        exact = self.has_processors or not self.reads_interfaces
        class_path = (entry.key if exact else entry.interface or entry.key for entry in self.class_path)
        return content_key(
            *self.place,
            *self.compilation.roots,
            "options",
            *self.words,
            "class path",
            *class_path,
            "module path",
            *(entry.key for entry in self.module_path),
            *(("beside", self.beside) if self.has_processors else ()),
        )

    @cached_property
    def key(self) -> str:
        reachable = self.view.java_files(self.compilation.roots, (), ()) if self.has_patterns else ()
        sources = (part for item in self.digests.items() for part in item)
        return content_key(self.family, *sources, "reachable", self.view.key(reachable))

    def run(
        self, output: Path, scratch: Path, *, before: Iterable[Path] = (), only: Sequence[str] | None = None
    ) -> Done:
        """Compile into `output`, against the folders `before` ahead of the class path; see `Worker.compile`."""
        options = without_processors(self.options, [*before, *(entry.path for entry in self.class_path)])
        if self.has_processors:
            generated = scratch / f"generated-{self.compilation.execution}"
            generated.mkdir(exist_ok=True)
            options += ["-s", str(generated)]
        if self.module_path:
            options += ["--module-path", ":".join(str(entry.path) for entry in self.module_path)]
        return self.worker.compile(
            [self.view.file(path) for path in self.sources],
            [*before, *(entry.path for entry in self.class_path)],
            options,
            output,
            source_path=self._source_path(),
            only=None if only is None else [self.view.file(path) for path in only],
            seconds=self.ends - time.monotonic(),
        )

    def compiled(self, done: Done) -> dict[str, CompiledSource]:
        """The classes compiled from each source, by repository-relative path, generated sources left out."""
        nothing = CompiledFile((), {})
        found = {path: done.files.get(self.view.file(path).absolute(), nothing) for path in self.sources}
        return {
            path: CompiledSource(digest=self.digests[path], types=file.types, classes=dict(file.classes))
            for path, file in found.items()
        }

    def outcome(self, done: Done) -> TreeOutcome:
        """Success and messages.

        Raises:
            MachineError: the disk was full, which says nothing about the sources.
        """
        require_space_for("\n".join(error.message for error in done.diagnostics if _is_of_machine(error)))
        return TreeOutcome(success=done.success, diagnostics=self._diagnostics(done.diagnostics))

    @property
    def _needs_source_path(self) -> bool:
        return self.has_patterns or self.has_module

    def _source_path(self) -> list[Path]:
        """Empty where all sources are named one by one: javac must not find others."""
        if not self._needs_source_path:
            return []
        folders = [base / root for root in self.compilation.roots for base in self._bases()]
        return [folder for folder in folders if folder.is_dir()]

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


def _is_of_machine(error: CompilerError) -> bool:
    """Whether a message can be about the machine: other messages quote sources, which can say anything."""
    return error.code in _CANNOT_WRITE or (error.path is None and error.code != _OF_PROCESSORS)
