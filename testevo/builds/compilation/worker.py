"""Client of `jvm/worker`: compile and digest in one warm JVM of the JDK at hand."""

import base64
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

from testevo.builds.maven.line_service import FIRST_TIER, LineService, java_service_command
from testevo.java.signatures import method_key
from testevo.records.methods import MethodKey
from testevo.runtime.files.files import content_key
from testevo.runtime.files.jars import tool_jar

MEMORY_MB = 1024
"""Heap of a worker; compiling the largest of the development projects takes a quarter of it."""

YOUNG_MB = 256
"""Size of the young generation: most of what one compilation allocates fits in, so the collector copies little."""

SECONDS = 300.0
"""Time limit of one request."""

SECOND_TIER_AFTER = 60.0
"""Seconds of work after which a worker has both tiers of the JIT: the second costs as much until it pays
(docs/performance.md), and most workers end before."""

_SOURCE_PATH_OPTIONS = {"-sourcepath", "--source-path", "--module-source-path"}

_OPENED_PACKAGES = ("api", "comp", "util")
"""Packages of javac that the worker opens beyond the public interface, to strike classes off its work list."""

_ERRORS_REPORTED = "100000"
"""The compiler stops reporting at 100, and a missing error would make a broken file look sound."""


@dataclass(frozen=True)
class CompilerError:
    """One error message of the compiler.

    `path` is absolute, None for errors of no file; `line` is 1-based, 0 when there is no place; `code` is the
    compiler's own key (`compiler.err.cant.resolve`).
    """

    path: Path | None
    line: int
    code: str
    message: str


@dataclass(frozen=True)
class CompiledFile:
    """The types and classes that a compilation found in one source file.

    `types` are the top-level ones, qualified; `classes` the class files that were made from it, by binary name: digest
    of all that other files can read of the class, None when they cannot name it or when the compilation failed.
    """

    types: tuple[str, ...]
    classes: Mapping[str, str | None]


@dataclass(frozen=True)
class Compilation:
    """How a compilation ended. Classes may have been written although it failed."""

    success: bool
    diagnostics: tuple[CompilerError, ...]
    files: Mapping[Path, CompiledFile]
    """By source file, those that annotation processors wrote included; empty when the compiler did not come so far."""


@dataclass(frozen=True)
class Replacement:
    """A mutant of a source file: the bytes from `start` to `end` (excluded) become `text`."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True)
class CompiledVersion:
    """One version of a file, compiled alone; `digest` is over the code of its classes, None if it does not compile."""

    success: bool
    error: str | None
    digest: str | None
    classes: tuple[str, ...] = ()
    """Binary names of the classes that differ from those of the original, in the order of their files."""


class Worker:
    """A warm JVM of `jdk_home` that compiles and reads, but never runs, a project's classes.

    It starts at the first request, and anew when it keeps too much memory or is to have both tiers of the JIT. All
    methods raise `ServiceError` when there is no answer (time limit, death, refusal, for example of an unknown compiler
    option); the worker can be used again then.
    """

    def __init__(
        self,
        jdk_home: Path,
        *,
        memory_mb: int = MEMORY_MB,
        seconds: float = SECONDS,
        second_tier_after: float = SECOND_TIER_AFTER,
    ) -> None:
        class_path = [tool_jar("worker")]
        compiler_of_jdk_8 = jdk_home / "lib" / "tools.jar"
        if compiler_of_jdk_8.is_file():
            class_path.append(compiler_of_jdk_8)
            opened = []
        else:
            opened = [f"--add-exports=jdk.compiler/com.sun.tools.javac.{name}=ALL-UNNAMED" for name in _OPENED_PACKAGES]
        young = f"-Xmn{min(YOUNG_MB, memory_mb // 2)}m"
        program = [young, *opened, "-cp", os.pathsep.join(map(str, class_path)), "testevo.worker.Main"]
        self._first_tier, self._both_tiers = (
            LineService(java_service_command(jdk_home, memory_mb, arguments), name="compiler worker", seconds=seconds)
            for arguments in ([FIRST_TIER, *program], program)
        )
        self._service = self._first_tier
        self._worked, self._second_tier_after = 0.0, second_tier_after

    def compile(
        self,
        sources: Iterable[Path],
        class_path: Iterable[Path],
        options: Sequence[str],
        output: Path,
        *,
        source_path: Iterable[Path] | None = None,
        only: Iterable[Path] | None = None,
        seconds: float | None = None,
    ) -> Compilation:
        """Compile `sources` into the folder `output`, which must exist.

        Args:
            options: the compiler's, class path and output folder excepted; annotation processors run if they say so.
            source_path: folders where the compiler finds further sources by name.
            only: those of `sources` whose classes are wanted. All are read, so that the classes are those of a full
                compilation; of the other files only errors in declarations are found. Without annotation processors.
        """
        request: dict[str, object] = {
            "command": "compile",
            "sources": _absolute(sources),
            "classPath": _absolute(class_path),
            "output": str(output.absolute()),
        }
        if source_path is None:
            request["options"] = _completed(options)
        else:
            request |= {"options": _all_errors(options), "sourcePath": _absolute(source_path)}
        if only is not None:
            request["only"] = _absolute(only)
        answer = self._ask(request, seconds)
        if answer["recycle"]:
            self._service.close()  # the next request starts a new one
        errors = tuple(_compiler_error(found) for found in answer["diagnostics"])
        files = {
            Path(found["path"]): CompiledFile(tuple(found["types"]), found["classes"]) for found in answer["sources"]
        }
        return Compilation(answer["success"], errors, files)

    def mutants(
        self,
        path: Path,
        source: bytes,
        replacements: Sequence[Replacement],
        class_path: Iterable[Path],
        options: Sequence[str],
        output: Path,
        *,
        seconds: float | None = None,
    ) -> tuple[CompiledVersion, list[CompiledVersion]]:
        """Compile one file as it is and with each replacement alone, in memory, against the classes of its module.

        Args:
            path: where the file lies; nothing is read there.
            output: the class files of the mutant at index n that differ from those of the file as it is go to
                `<output>/<n>/<0, 1, ...>`, in the order of `CompiledVersion.classes`; an empty one stands for a class
                that the mutant no longer has.

        Returns:
            The file as it is, and the mutants in order; no mutants when the file as it is does not compile alone.
        """
        answer = self._ask(
            {
                "command": "mutants",
                "path": str(path.absolute()),
                "source": base64.b64encode(source).decode(),
                "mutants": [
                    {"start": one.start, "end": one.end, "text": base64.b64encode(one.text).decode()}
                    for one in replacements
                ],
                "classPath": _absolute(class_path),
                "options": _completed(options),
                "output": str(output.absolute()),
            },
            seconds,
        )
        mutants = [
            replace(_version(found), classes=tuple(found["classes"] if found["success"] else ()))
            for found in answer["mutants"]
        ]
        return _version(answer["original"]), mutants

    def digest(self, folder: Path, *, seconds: float | None = None) -> dict[MethodKey, str]:
        """Digests of the byte code of all methods below `folder`, without debug data and annotations.

        They cover the bodies of lambdas, local and anonymous classes written in a method, and depend on no name or
        number that the compiler made up. Overloads whose parameter types differ in package only share a key and a
        digest of all.
        """
        answer = self._ask({"command": "digest", "folder": str(folder.absolute())}, seconds)
        found: dict[MethodKey, list[str]] = defaultdict(list)
        for method in sorted(answer["methods"], key=itemgetter("class", "name", "descriptor")):
            found[method_key(method["class"], method["name"], method["descriptor"])].append(method["digest"])
        return {key: digests[0] if len(digests) == 1 else content_key(*digests) for key, digests in found.items()}

    def references(self, folders: Iterable[Path]) -> dict[str, Any]:
        """List the references between classes of class folders; see `testevo.builds.compilation.project_classes`."""
        return self._ask({"command": "references", "folders": _absolute(folders)})

    def close(self) -> None:
        self._service.close()

    def _ask(self, request: Mapping[str, object], seconds: float | None = None) -> dict[str, Any]:
        began = time.monotonic()
        try:
            return self._service.ask(request, seconds)
        finally:
            self._worked += time.monotonic() - began
            if self._service is self._first_tier and self._worked > self._second_tier_after:
                self._service.close()
                self._service = self._both_tiers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _absolute(paths: Iterable[Path]) -> list[str]:
    return [str(path.absolute()) for path in paths]


def _completed(options: Sequence[str]) -> list[str]:
    """All errors are reported, and what is compiled are the sources asked for, not those that lie in the class path."""
    completed = _all_errors(options)
    if _SOURCE_PATH_OPTIONS.isdisjoint(options):
        completed += ["-sourcepath", ""]
    return completed


def _all_errors(options: Sequence[str]) -> list[str]:
    return list(options) if "-Xmaxerrs" in options else [*options, "-Xmaxerrs", _ERRORS_REPORTED]


def _version(found: Mapping[str, Any]) -> CompiledVersion:
    return CompiledVersion(found["success"], found.get("error"), found.get("digest"))


def _compiler_error(found: Mapping[str, Any]) -> CompilerError:
    path = None if found["path"] is None else Path(found["path"])
    return CompilerError(path, found["line"], found["code"], found["message"])
