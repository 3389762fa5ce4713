"""Facts that two engines must agree on, and where they do not."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from testevo.execution.runner import SuiteRun
from testevo.execution.verdicts.channel import Verdict, merge
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest, SuiteVerdict

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


def suite_test_facts(suite: SuiteRun | SuiteVerdict) -> Iterator[tuple[str, Fact]]:
    """The outcome of every test; of a suite that did not end, nobody knows the rest.

    Overloads are one test: the reports of Surefire do not tell which of them an invocation belongs to. A failed
    assumption is a skipped test: old versions report both alike.
    """
    named: dict[str, list[SuiteTest]] = defaultdict(list)
    for found in suite.tests if suite.outcome not in UNFINISHED else ():
        named[str(found.test.model_copy(update={"parameters": ()}))].append(found)
    for name, overloads in named.items():
        reused = sorted({one.reused_from[:7] for one in overloads if one.reused_from})
        said = f"reused from {', '.join(reused)}" if reused else ""
        yield name, Fact((str(merge(Verdict(reported(one.outcome)) for one in overloads).outcome),), said)


def reported(outcome: Outcome) -> Outcome:
    """What every version of Surefire tells of an outcome."""
    return Outcome.SKIPPED if outcome is Outcome.ABORTED else outcome
