"""Mutants of one file in the warm compiler: verdicts, changed classes, equal byte code (TEB-V13, K09)."""

from pathlib import Path

import pytest
from tiny_revisions import worker

from testevo.builds.compilation.worker import Replacement, Worker
from testevo.builds.engines.file_compilation import FileCompilation
from testevo.builds.maven.line_service import ServiceDiedError
from testevo.grading.mutation import mutant_compilation
from testevo.grading.mutation.mutant_compilation import CompiledFile, compile_mutants
from testevo.grading.mutation.mutant_generation import Candidate

__all__ = ["worker"]

SOURCE = """package a;
public class Größe {
    int value = 1;
    Runnable first() { return new Runnable() { public void run() { value++; } }; }
    Object second() { return new Object() { public String toString() { return "é"; } }; }
}
"""
COMPILATION = FileCompilation(("-encoding", "UTF-8", "-proc:none"), ())


def candidate(old: str, new: str, source: str = SOURCE) -> Candidate:
    start = len(source[: source.index(old)].encode())
    return Candidate(
        1 + source[: source.index(old)].count("\n"), 0, new, old, start, start + len(old.encode()), new.encode()
    )


def compiled(worker: Worker, folder: Path, *candidates: Candidate, source: str = SOURCE) -> CompiledFile:
    return compile_mutants(worker, COMPILATION, Path("/p/a/Größe.java"), source.encode(), candidates, folder)


def test_only_classes_that_differ_are_kept_under_their_names(worker: Worker, tmp_path: Path) -> None:
    """Anonymous classes move up when one goes, and the last of them is gone."""
    one = candidate("value++", "value--")
    gone = candidate("return new Runnable() { public void run() { value++; } };", "return null;")
    found = compiled(worker, tmp_path, one, gone)
    assert found.problem is None
    assert set(found.classes(one)) == {"a.Größe$1"}
    assert found.classes(one)["a.Größe$1"].startswith(b"\xca\xfe\xba\xbe")
    assert set(found.classes(gone)) == {"a.Größe", "a.Größe$1", "a.Größe$2"}
    assert found.classes(gone)["a.Größe$2"] == b""


def test_what_does_not_compile_has_no_classes(worker: Worker, tmp_path: Path) -> None:
    bad, worse = candidate("value++", "missing++"), candidate("{ value++; }", "{ value++; ")
    good = candidate("value++", "value += 2")
    found = compiled(worker, tmp_path, bad, good, worse)
    assert [found.compiles(one) for one in (bad, good, worse)] == [False, True, False]
    assert "missing" in (found.versions[bad].error or "")


def test_equal_byte_code_has_equal_digests_whatever_the_lines(worker: Worker, tmp_path: Path) -> None:
    """Debug data changes class files and not what a test can see."""
    longer = candidate("int value = 1;", "int value =\n\n 1;")
    one, other = candidate("value++", "value -= 3"), candidate("value++", "value -= (3)")
    found = compiled(worker, tmp_path, longer, one, other)
    digests = [found.versions[version].digest for version in (longer, one, other)]
    assert digests[0] == found.original
    assert found.classes(longer)
    assert digests[1] == digests[2] != found.original


def test_a_file_that_does_not_compile_alone_is_a_problem_and_no_mutant_compiles(worker: Worker, tmp_path: Path) -> None:
    source = SOURCE.replace("int value", "Elsewhere value")
    one = candidate("value++", "value--", source)
    found = compiled(worker, tmp_path, one, source=source)
    assert "Elsewhere" in (found.problem or "")
    assert not found.compiles(one)


class Dying:
    """A compiler that dies of one mutant."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.deaths = 0

    def mutants(
        self, path: Path, source: bytes, replacements: list[Replacement], *more: object, **named: object
    ) -> object:
        if any(one.text == b"value -= 7" for one in replacements):
            self.deaths += 1
            raise ServiceDiedError("the compiler worker ended without an answer")
        return self.worker.mutants(path, source, replacements, *more, **named)  # type: ignore[arg-type]


def test_a_mutant_the_compiler_dies_of_does_not_compile_and_harms_no_other(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_compilation, "BATCH", 5)
    candidates = [candidate("value++", f"value -= {number}") for number in range(12)]
    dying = Dying(worker)
    found = compiled(dying, tmp_path, *candidates)  # type: ignore[arg-type]
    assert [one.mutated for one in candidates if not found.compiles(one)] == ["value -= 7"]
    assert found.problem is None
    assert dying.deaths > 1
