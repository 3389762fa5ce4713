"""Compare what two engines found in the same histories: builds, suites, method changes, runs, labels.

`direct` is held to the verdicts of `maven`. Compared is what a verdict consists of; the words of
compilers and exceptions are only told, as the cause of a difference.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from testevo.config.layout import RepositoryFiles
from testevo.records.base import read_records
from testevo.records.changes import MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import Label
from testevo.records.verdicts import BuildVerdict, Diagnostic, SuiteOutcome, SuiteVerdict

UNFINISHED = (SuiteOutcome.CRASHED, SuiteOutcome.TIMED_OUT)


@dataclass(frozen=True)
class Fact:
    """The facts of an item that must be equal, and the engine's message about it."""

    verdict: tuple[Any, ...]
    said: str = field(default="", compare=False)

    def __str__(self) -> str:
        verdict = ", ".join(str(part) for part in self.verdict if part not in (None, "", (), []))
        return f"{verdict} ({self.said})" if self.said else verdict


Facts = Mapping[str, Fact]
"""Name of a thing (a revision, a test in a suite, a run) -> the fact about it."""


@dataclass
class Agreement:
    """How many things were equal, by kind, and every difference in words."""

    compared: dict[str, int] = field(default_factory=dict)
    equal: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def add(self, kind: str, direct: Facts, reference: Facts) -> None:
        names = sorted(direct.keys() | reference.keys())
        different = [name for name in names if direct.get(name) != reference.get(name)]
        self.compared[kind] = len(names)
        self.equal[kind] = len(names) - len(different)
        self.differences += [
            f"{kind} {name}: direct {direct.get(name, 'has none')}; maven {reference.get(name, 'has none')}"
            for name in different
        ]

    def __str__(self) -> str:
        counts = ", ".join(f"{self.equal[kind]} of {self.compared[kind]} {kind}" for kind in self.compared)
        return "\n".join([f"equal: {counts}", *self.differences])


def compare(direct: RepositoryFiles, reference: RepositoryFiles, shared: Collection[str] = ()) -> Agreement:
    """Everything that both engines recorded of one repository.

    Args:
        shared: kinds that the second snapshot took over from the first. What a stage has not written is left out too.
    """
    agreement = Agreement()
    for kind, path_of, facts_of in KINDS:
        if kind not in shared and path_of(direct).is_file() and path_of(reference).is_file():
            agreement.add(kind, *(dict(facts_of(path_of(files))) for files in (direct, reference)))
    return agreement


def build_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """Outcome, JDK, modules, and the places of compile errors; compilers word messages for whom they talk to."""
    for build in read_records(path, BuildVerdict):
        modules = build.modules if build.outcome == "built" else ()
        verdict = (str(build.outcome), build.java_level, build.jdk, modules, places(build.diagnostics))
        yield build.revision[:7], Fact(verdict, build.reason)


def suite_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    for suite in read_records(path, SuiteVerdict):
        yield suite.revision[:7], Fact((str(suite.outcome),), suite.reason)


def suite_test_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """The outcome of every test; of a suite that did not end, nobody knows the rest."""
    for suite in read_records(path, SuiteVerdict):
        for found in suite.tests if suite.outcome not in UNFINISHED else ():
            said = f"reused from {found.reused_from[:7]}" if found.reused_from else ""
            yield f"{suite.revision[:7]} {found.test}", Fact((str(found.outcome),), said)


def change_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """Whole records: byte code of both engines has equal digests, or methods would differ that do not."""
    for change in read_records(path, MethodChange):
        yield change.line(), Fact((True,))


def run_facts(path: Path) -> Iterator[tuple[str, Fact]]:
    """One fact per combination of a candidate: outcomes, exception, swap, and the places of compile errors."""
    for run in read_records(path, Execution):
        outcomes = tuple(str(outcome) for outcome in run.outcomes)
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
    ("tests of suites", lambda files: files.suites, suite_test_facts),
    ("method changes", lambda files: files.changes, change_facts),
    ("runs", lambda files: files.executions, run_facts),
    ("labels", lambda files: files.first_labels, label_facts),
)
"""The kinds of records that are compared, their files, and how their facts are read."""
