"""Attribute a compile error to the test method, its file, or another file (TEB-X04, `Outcome`)."""

from collections.abc import Sequence
from dataclasses import dataclass

from testevo.builds.engine import BuildResult
from testevo.records.methods import Span
from testevo.records.verdicts import BuildOutcome, Diagnostic, Outcome


@dataclass(frozen=True)
class BuildFailure:
    """Why a variant cannot run."""

    outcome: Outcome
    message: str
    diagnostics: tuple[Diagnostic, ...] = ()


def attribute(diagnostics: Sequence[Diagnostic], path: str, span: Span | None) -> Outcome:
    """Attribute compile errors by line: an error in the method outweighs one in its file, that one elsewhere.

    Args:
        path: repository-relative path of the file that holds the test method in the compiled variant.
        span: the method's lines in that file; None when the method has no place of its own.
    """
    in_file = [diagnostic for diagnostic in diagnostics if diagnostic.path == path]
    if span is not None and any(span.contains(diagnostic.line) for diagnostic in in_file):
        return Outcome.COMPILE_ERROR_IN_METHOD
    return Outcome.COMPILE_ERROR_IN_FILE if in_file else Outcome.COMPILE_ERROR_ELSEWHERE


def build_failure(result: BuildResult, path: str, span: Span | None) -> BuildFailure:
    """Read the verdict on the test from a build that did not succeed. Only compile errors give one."""
    if result.outcome not in (BuildOutcome.PRODUCTION_COMPILE_ERROR, BuildOutcome.TEST_COMPILE_ERROR):
        return BuildFailure(Outcome.INFRASTRUCTURE, f"{result.outcome.value}: {result.reason}")
    outcome = attribute(result.diagnostics, path, span)
    ordered = sorted(result.diagnostics, key=lambda found: (not _is_at(found, path, span), found.path != path))
    return BuildFailure(outcome, ordered[0].message if ordered else result.reason, tuple(result.diagnostics))


def _is_at(diagnostic: Diagnostic, path: str, span: Span | None) -> bool:
    return diagnostic.path == path and span is not None and span.contains(diagnostic.line)
