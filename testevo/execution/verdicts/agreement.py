"""Facts that two engines must agree on, and where they do not."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from testevo.execution.runner import SuiteRun
from testevo.execution.verdicts.channel import Verdict, merge
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest, SuiteVerdict

UNFINISHED = (SuiteOutcome.CRASHED, SuiteOutcome.TIMED_OUT)


@dataclass(frozen=True)
class Fact:
    """The facts of an item that must be equal, and the engine's message about it."""

    verdict: tuple[Any, ...]
    said: str = field(default="", compare=False)
    may_be_untold: bool = field(default=False, compare=False)
    """Whether Surefire may report nothing of this item."""

    def __str__(self) -> str:
        verdict = ", ".join(str(part) for part in self.verdict if part not in (None, "", (), []))
        return f"{verdict} ({self.said})" if self.said else verdict


Facts = Mapping[str, Fact]
"""Name of a thing (a revision, a test in a suite, a run) -> the fact about it."""


def agree(direct: Fact | None, reference: Fact | None) -> bool:
    """Whether two engines say the same of an item; None where one tells nothing of it, as only Surefire may."""
    if reference is None and direct is not None:
        return direct.may_be_untold
    return direct == reference


@dataclass
class Agreement:
    """How many things were equal, by kind, and every difference in words."""

    compared: dict[str, int] = field(default_factory=dict)
    equal: dict[str, int] = field(default_factory=dict)
    differences: list[str] = field(default_factory=list)

    def add(self, kind: str, direct: Facts, reference: Facts) -> None:
        names = sorted(direct.keys() | reference.keys())
        different = [name for name in names if not agree(direct.get(name), reference.get(name))]
        self.compared[kind] = len(names)
        self.equal[kind] = len(names) - len(different)
        self.differences += [
            f"{kind} {name}: direct {direct.get(name, 'has none')}; maven {reference.get(name, 'has none')}"
            for name in different
        ]

    def __str__(self) -> str:
        counts = ", ".join(f"{self.equal[kind]} of {self.compared[kind]} {kind}" for kind in self.compared)
        return "\n".join([f"equal: {counts}", *self.differences])


def suite_test_facts(suite: SuiteRun | SuiteVerdict) -> Iterator[tuple[str, Fact]]:
    """The outcome of every test; of a suite that did not end, nobody knows the rest.

    Overloads are one test: the reports of Surefire do not tell which of them an invocation belongs to. A failed
    assumption is a skipped test: old versions report both alike. Where the assumption of a whole class fails, Surefire
    3.0.0-M4 to 3.5 tell nothing of its tests on the JUnit Platform.
    """
    named: dict[str, list[SuiteTest]] = defaultdict(list)
    ended = suite.tests if suite.outcome not in UNFINISHED else ()
    for found in ended:
        named[name_of(found.test)].append(found)
    told = {_class_of(one) for one in ended if one.outcome is not Outcome.ABORTED}
    for name, overloads in named.items():
        reused = sorted({one.reused_from[:7] for one in overloads if one.reused_from})
        said = f"reused from {', '.join(reused)}" if reused else ""
        outcome = merge(Verdict(reported(one.outcome)) for one in overloads).outcome
        yield name, Fact((str(outcome),), said, may_be_untold=_class_of(overloads[0]) not in told)


def name_of(test: TestKey) -> str:
    """What a fact about a test and its overloads is called."""
    return str(test.model_copy(update={"parameters": ()}))


def _class_of(entry: SuiteTest) -> tuple[str, str]:
    return entry.test.module, entry.test.type_name


def reported(outcome: Outcome) -> Outcome:
    """What every version of Surefire tells of an outcome."""
    return Outcome.SKIPPED if outcome is Outcome.ABORTED else outcome
