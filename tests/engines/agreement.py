"""Compare what two snapshots of the same histories found: builds, suites, method changes, runs, labels."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from testevo.config.layout import RepositoryFiles
from testevo.records.base import Record, read_records
from testevo.records.changes import MethodChange
from testevo.records.executions import Execution
from testevo.records.labels import Label
from testevo.records.verdicts import BuildVerdict, SuiteOutcome, SuiteVerdict

R = TypeVar("R", bound=Record)
Facts = Mapping[str, Any]
"""Name of a thing (a revision, a test in a suite, a run) -> what must be equal about it."""

UNFINISHED = (SuiteOutcome.CRASHED, SuiteOutcome.TIMED_OUT)


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
            f"{kind} {name}: direct {direct.get(name, 'nothing')}, maven {reference.get(name, 'nothing')}"
            for name in different
        ]

    def __str__(self) -> str:
        counts = ", ".join(f"{self.equal[kind]} of {self.compared[kind]} {kind}" for kind in self.compared)
        return "\n".join([f"equal: {counts}", *self.differences])


def compare(direct: RepositoryFiles, reference: RepositoryFiles, shared: Collection[str] = ()) -> Agreement:
    """Everything that both engines recorded of one repository.

    What a stage has not written is left out, and so are kinds that the second snapshot took over from the first.
    """
    agreement = Agreement()
    kinds: list[tuple[str, Callable[[RepositoryFiles], Path], type[Any], Callable[[list[Any]], Facts]]] = [
        ("builds", lambda files: files.builds, BuildVerdict, build_facts),
        ("suites", lambda files: files.suites, SuiteVerdict, suite_facts),
        ("tests of suites", lambda files: files.suites, SuiteVerdict, suite_test_facts),
        ("method changes", lambda files: files.changes, MethodChange, change_facts),
        ("runs", lambda files: files.executions, Execution, run_facts),
        ("labels", lambda files: files.first_labels, Label, label_facts),
    ]
    for kind, path_of, record, facts_of in kinds:
        if kind not in shared and path_of(direct).is_file() and path_of(reference).is_file():
            found = [facts_of(read_records(path_of(files), record)) for files in (direct, reference)]
            agreement.add(kind, found[0], found[1])
    return agreement


def build_facts(builds: list[BuildVerdict]) -> Facts:
    """Outcome, JDK, modules, and the places of compile errors; compilers word messages for whom they talk to."""
    return {
        build.revision[:7]: (
            str(build.outcome), build.java_level, build.jdk, build.modules if build.outcome == "built" else (),
            sorted({(found.path, found.line) for found in build.diagnostics}),
        )
        for build in builds
    }  # fmt: skip


def suite_facts(suites: list[SuiteVerdict]) -> Facts:
    return {suite.revision[:7]: str(suite.outcome) for suite in suites}


def suite_test_facts(suites: list[SuiteVerdict]) -> Facts:
    """The outcome of every test; of a suite that did not end, nobody knows the rest."""
    return {
        f"{suite.revision[:7]} {found.test}": str(found.outcome)
        for suite in suites
        if suite.outcome not in UNFINISHED
        for found in suite.tests
    }


def change_facts(changes: list[MethodChange]) -> Facts:
    """Whole records: byte code of both engines has equal digests, or methods would differ that do not."""
    return {change.line(): True for change in changes}


def run_facts(executions: list[Execution]) -> Facts:
    """One fact per combination of a candidate: outcomes, exception, swap, and the places of compile errors."""
    return {
        f"{run.old_revision[:7]} {run.new_revision[:7]} {run.test} {run.combination}": (
            [str(outcome) for outcome in run.outcomes], run.exception, run.swap, run.old_tree,
            sorted({(found.path, found.line) for found in run.diagnostics}),
        )
        for run in executions
    }  # fmt: skip


def label_facts(labels: list[Label]) -> Facts:
    return {
        f"{label.old_revision[:7]} {label.new_revision[:7]} {label.test}": (str(label.label), str(label.reason))
        for label in labels
    }
