"""Compare what two engines found in the same histories: builds, suites, method changes, runs, labels.

`direct` is held to the verdicts of `maven`. Compared is what a verdict consists of; the words of
compilers and exceptions are only told, as the cause of a difference.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from testevo.config.snapshot.layout import RepositoryFiles
from testevo.execution.verdicts.agreement import Agreement, Fact, reported, suite_test_facts
from testevo.records.base import read_records
from testevo.records.changes import MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import Label
from testevo.records.verdicts import BuildVerdict, Diagnostic, SuiteVerdict


def compare(
    direct: RepositoryFiles, reference: RepositoryFiles, shared: Collection[str] = (), *, of: str = ""
) -> Agreement:
    """Everything that both engines recorded of one repository.

    Args:
        shared: kinds that the second snapshot took over from the first. What a stage has not written is left out too.
        of: an abbreviated revision, to compare what is recorded of that commit alone.
    """
    agreement = Agreement()
    for kind, path_of, facts_of in KINDS:
        if kind not in shared and path_of(direct).is_file() and path_of(reference).is_file():
            agreement.add(kind, *(facts_about(of, facts_of(path_of(files))) for files in (direct, reference)))
    return agreement


def facts_about(revision: str, facts: Iterable[tuple[str, Fact]]) -> dict[str, Fact]:
    """The facts whose names begin with an abbreviated revision; all of them where none is given."""
    return {name: fact for name, fact in facts if name.startswith(revision)}


def build_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """Outcome, JDK, modules, and the places of compile errors; compilers word messages for whom they talk to."""
    for build in read_records(path, BuildVerdict):
        modules = build.modules if build.outcome == "built" else ()
        verdict = (str(build.outcome), build.java_level, build.jdk, modules, places(build.diagnostics))
        yield build.revision[:7], Fact(verdict, build.reason)


def suite_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    for suite in read_records(path, SuiteVerdict):
        yield suite.revision[:7], Fact((str(suite.outcome),), suite.reason)


def tests_of_suites(path: Path) -> Iterator[tuple[str, Fact]]:
    for suite in read_records(path, SuiteVerdict):
        for name, fact in suite_test_facts(suite):
            yield f"{suite.revision[:7]} {name}", fact


def change_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """Whole records: byte code of both engines has equal digests, or methods would differ that do not."""
    for change in read_records(path, MethodChange):
        yield change.line(), Fact((True,))


def run_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """One fact per combination of a candidate: outcomes, exception, swap, and the places of compile errors."""
    for run in read_records(path, Execution):
        outcomes = tuple(str(reported(outcome)) for outcome in run.outcomes)
        verdict = (outcomes, run.exception, run.swap, run.old_tree, places(run.diagnostics))
        name = f"{run.old_revision[:7]} {run.new_revision[:7]} {run.test} {run.combination}"
        yield name, Fact(verdict, run.message or "")


def label_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    for label in read_records(path, Label):
        name = f"{label.old_revision[:7]} {label.new_revision[:7]} {label.test}"
        yield name, Fact((str(label.label), str(label.reason)))


def places(diagnostics: Iterable[Diagnostic]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted({(found.path, found.line) for found in diagnostics}))


KINDS: tuple[tuple[str, Callable[[RepositoryFiles], Path], Callable[[Path], Iterator[tuple[str, Fact]]]], ...] = (
    ("builds", lambda files: files.builds, build_facts),
    ("suites", lambda files: files.suites, suite_facts),
    ("tests of suites", lambda files: files.suites, tests_of_suites),
    ("method changes", lambda files: files.changes, change_facts),
    ("runs", lambda files: files.executions, run_facts),
    ("labels", lambda files: files.first_labels, label_facts),
)
"""The kinds of records that are compared, their files, and how their facts are read."""
