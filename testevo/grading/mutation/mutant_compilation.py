"""Compile the mutants of one file in a warm compiler, in requests of bounded size."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.compilation.worker import CompiledVersion, Replacement, Worker
from testevo.builds.engines.file_compilation import FileCompilation
from testevo.builds.maven.line_service import ServiceError
from testevo.grading.mutation.mutant_generation import Candidate

BATCH = 100
"""Mutants in one request."""

SECONDS = 120.0
"""Time limit of a request; a mutant takes about 0.03 s."""


@dataclass(frozen=True)
class CompiledFile:
    """The mutants of a file that compile, with their class files in a scratch folder."""

    original: str | None
    """Digest of the byte code of the file as it is; None when it does not compile alone."""
    problem: str | None
    versions: Mapping[Candidate, CompiledVersion]
    folders: Mapping[Candidate, Path]

    def compiles(self, candidate: Candidate) -> bool:
        return candidate in self.versions and self.versions[candidate].success

    def classes(self, candidate: Candidate) -> dict[str, bytes]:
        """The class files in which a mutant that compiles differs from the original, by binary name."""
        folder, names = self.folders[candidate], self.versions[candidate].classes
        return {name: (folder / str(number)).read_bytes() for number, name in enumerate(names)}


def compile_mutants(
    worker: Worker,
    compilation: FileCompilation,
    place: Path,
    source: bytes,
    candidates: Sequence[Candidate],
    scratch: Path,
) -> CompiledFile:
    """Compile every candidate alone against the class trees of its module; none is left without a verdict.

    A mutant on which the compiler hangs or dies does not compile.
    """
    run = _Run(worker, compilation, place, source, scratch)
    original: CompiledVersion | None = None
    versions: dict[Candidate, CompiledVersion] = {}
    for start in range(0, len(candidates), BATCH):
        original = run.batch(candidates[start : start + BATCH], versions)
        if not original.success:
            return CompiledFile(None, original.error or "the compiler says nothing", versions, run.folders)
    return CompiledFile(original.digest if original else None, None, versions, run.folders)


class _Run:
    def __init__(self, worker: Worker, compilation: FileCompilation, place: Path, source: bytes, scratch: Path) -> None:
        self._worker, self._compilation = worker, compilation
        self._place, self._source, self._scratch = place, source, scratch
        self._requests = 0
        self.folders: dict[Candidate, Path] = {}

    def batch(self, candidates: Sequence[Candidate], into: dict[Candidate, CompiledVersion]) -> CompiledVersion:
        """Compile some candidates; halves the batch when there is no answer, to find the one the compiler dies of."""
        self._requests += 1
        output = self._scratch / str(self._requests)
        output.mkdir(parents=True)
        replacements = [Replacement(one.start, one.end, one.text) for one in candidates]
        try:
            original, found = self._worker.mutants(
                self._place,
                self._source,
                replacements,
                self._compilation.class_path,
                self._compilation.options,
                output,
                seconds=SECONDS,
            )
        except ServiceError as error:
            if not candidates:
                return CompiledVersion(False, str(error), None)
            if len(candidates) == 1:
                into[candidates[0]] = CompiledVersion(False, str(error), None)
                return self.batch((), into)
            middle = len(candidates) // 2
            self.batch(candidates[:middle], into)
            return self.batch(candidates[middle:], into)
        for number, (candidate, version) in enumerate(zip(candidates, found, strict=False)):
            into[candidate] = version
            self.folders[candidate] = output / str(number)
        return original
