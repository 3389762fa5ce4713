"""The target methods of a task in the file that a candidate left."""

from collections.abc import Sequence
from dataclasses import dataclass

from testevo.grading.submissions.surroundings import surroundings
from testevo.java.declarations import JavaFile, JavaMethod
from testevo.java.encodings import USUAL, in_utf8
from testevo.java.splice import method_text
from testevo.java.syntax import parse_java
from testevo.java.tokens import without_unicode_escapes
from testevo.packaging.start_states.start_state import target_methods
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.methods import Span, TestKey
from testevo.records.tasks import Task, TestEvidence

ABSENT = "the edited file has no such method"
"""Why there is nothing to run of a target, said alike before and after grading."""


@dataclass(frozen=True)
class CandidateMethod:
    """A target as the candidate wrote it."""

    test: TestKey
    """To select it: the target with the parameters that it has now."""
    span: Span
    text: str
    """The whole declaration."""


@dataclass(frozen=True)
class CandidateFile:
    """The edited test file with its targets, in the order of the task; None for one that is absent."""

    content: bytes
    methods: tuple[CandidateMethod | None, ...]
    readable: bool
    """Without syntax errors; what an unreadable file lacks may be there for all we know."""
    looks_around: tuple[str, ...] = ()
    """What it names of its surroundings, and the developer's file does not."""
    package: str = ""
    imports: tuple[str, ...] = ()
    """As in `JavaFile`."""


def read_candidate(task: Task, content: bytes, gold: bytes) -> CandidateFile:
    """Find the targets by class and name. Their parameters may be others: a parameterised test may take what it likes.
    But an overload that the developer's file annotates, too, is a test of its own, and one that neither file annotates
    is none.

    What is read is what the compiler reads, with Unicode escapes translated: they can end comments and methods.
    The class is the one that declares the method in the developer's file, which for an inherited test is not the class
    it runs in.
    """
    written = parse_java(content, task.test_file, task.compiled_as)
    read = without_unicode_escapes(in_utf8(content, task.compiled_as))
    file = parse_java(read, task.test_file, USUAL)
    declared = target_methods(task, gold)
    beside = {one.key: bool(one.annotations) for one in parse_java(gold, task.test_file, task.compiled_as).methods}
    found = []
    for evidence, original in zip(task.tests, declared, strict=True):
        named = [
            method
            for method in file.methods
            if (method.key.type_name, method.key.name) == (original.key.type_name, original.key.name)
            and (method.key == original.key or not _stands_apart(method, beside.get(method.key)))
        ]
        found.append(_candidate(evidence, _best(named, original), read, written) if named else None)
    around = surroundings(content, gold)
    return CandidateFile(content, tuple(found), not file.has_errors, around, file.package, file.imports)


def missing(evidence: TestEvidence, reason: str) -> Defect:
    """The defect of a target that there is nothing to run of."""
    message = f"{evidence.test.short}: {reason}. Keep the class, the name and the annotation of target methods."
    return Defect(kind=DefectKind.TARGET_MISSING, message=message, fatal=False)


def without_focal_line(evidence: TestEvidence) -> Defect:
    """The defect of a passing target that does not run what it is to test, such as one with classes of its own."""
    message = f"{evidence.test.short}: passes and runs no line of its focal methods. Call the code of the project."
    return Defect(kind=DefectKind.ENTERS_NO_FOCAL_LINE, message=message, fatal=False)


def hiding_coverage(evidence: TestEvidence) -> Defect:
    """The defect of a passing target that fails or leaves no sound data where its coverage is measured."""
    message = f"{evidence.test.short}: passes and does not let its coverage be measured. Test the code, not the run."
    return Defect(kind=DefectKind.HIDES_COVERAGE, message=message, fatal=False)


def choosing(path: str, names: Sequence[str]) -> Defect:
    """The defect of a file whose own members stand in for those that the old code lacks."""
    message = f"{path} declares {', '.join(names)}, which the compiler takes only where the old code lacks a new member"
    return Defect(kind=DefectKind.HAS_RESERVES, message=f"{message}; test the new member itself.", fatal=False)


def _stands_apart(method: JavaMethod, annotated: bool | None) -> bool:
    """Whether a method is one that the developer has beside the target: a test of its own, or none, such as a provider.

    Args:
        annotated: whether the developer's file annotates it; None where that file has none of its name and parameters.
    """
    return annotated is not None and (annotated or not method.annotations)


def _best(named: list[JavaMethod], original: JavaMethod) -> JavaMethod:
    """Of overloads, the one with the parameters of the original, else an annotated one, else the first."""
    return min(named, key=lambda method: (method.key.parameters != original.key.parameters, not method.annotations))


def _candidate(evidence: TestEvidence, method: JavaMethod, read: bytes, written: JavaFile) -> CandidateMethod:
    """A target as the compiler reads it, on the lines where it is written: escapes of line ends are no lines."""
    test = evidence.test.model_copy(update={"parameters": method.key.parameters})
    span = next((one.span for one in written.methods if one.key == method.key), method.span)
    return CandidateMethod(test, span, method_text(read, method).decode())
