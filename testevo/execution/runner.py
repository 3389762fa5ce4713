"""The interface of test runners, and the results of a run.

Two runners keep the promise: `testevo.execution.runners.one_shot.OneShotRunner` (direct) and
`testevo.execution.runners.surefire.SurefireRunner` (the reference).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from testevo.builds.engine import BuiltTree
from testevo.config.model import Execution
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest

MESSAGE_CHARACTERS = 500
"""Names and messages of exceptions are cut to this length in records (`Execution.message`)."""


def shortened(text: str | None) -> str | None:
    """What a test says of itself, a name or a message, as records hold it; None stays."""
    return None if text is None else text[:MESSAGE_CHARACTERS]


@dataclass(frozen=True)
class Limits:
    """Bounds of every run; the defaults are those of the configuration section `execution`."""

    method_seconds: float = 60
    suite_seconds: float = 900
    memory_mb: int = 1024
    output_kb: int = 1024
    disk_mb: int = 2048

    @classmethod
    def of(cls, execution: Execution) -> "Limits":
        return cls(
            execution.method_seconds,
            execution.suite_seconds,
            execution.memory_mb,
            execution.output_kb,
            execution.disk_mb,
        )

    @property
    def output_bytes(self) -> int:
        return self.output_kb * 1024


@dataclass(frozen=True)
class MethodRun:
    """One run of one test method. Output is bytes as written by the test, cut to the limit per stream."""

    outcome: Outcome
    exception: str | None = None
    message: str | None = None
    stdout_bytes: bytes = b""
    stderr_bytes: bytes = b""
    trace: str | None = None
    invocations: int = 0
    """How often the method ran: more than 1 for parameterised, repeated and factory tests."""
    output_lost: bool = False
    """The test left `System.out` null; only the direct runner sees it."""
    probes: tuple[str, ...] | None = field(default=None, repr=False)
    """The notes of probes in instrumented classes; None where no class was instrumented, and from Surefire."""


@dataclass(frozen=True)
class SuiteRun:
    """The suite of a tree, test by test, sorted by test. `reason` is '' for a green suite, else a sentence."""

    outcome: SuiteOutcome
    reason: str
    tests: tuple[SuiteTest, ...] = ()


@dataclass(frozen=True)
class Vanished:
    """A module whose test JVM ended without a verdict or passed the time limit."""

    module: str
    timed_out: bool
    reason: str


@dataclass(frozen=True)
class ModuleRun:
    """Some test classes of one module, run in one JVM."""

    module: str
    classes: tuple[str, ...]
    """Those asked for."""
    tests: tuple[SuiteTest, ...]
    vanished: Vanished | None = None
    loaded: frozenset[str] | None = None
    """Binary names of the classes that the JVM loaded, its own among them; None when it has not told."""


class TestRunner(Protocol):
    """Runs tests of built trees."""

    name: str
    sandbox: str
    """Name of the sandbox that tests run in."""

    @property
    def key(self) -> str:
        """Names everything about the runner that can change an outcome: kind, limits, sandbox."""

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        """Run every test of every module (TEB-M09, M14)."""

    def run_method(
        self, tree: BuiltTree, test: TestKey, logs: Path | None, variation: Variation = AS_IT_IS, times_limit: float = 1
    ) -> MethodRun:
        """Run one test method in a JVM of its own (TEB-E06).

        Args:
            logs: folder that receives `stdout`, `stderr` and `result.xml` (TEB-E07); None keeps none.
            variation: what a repeated run varies; what the runner or the machine cannot vary stays as it is.
            times_limit: how many times the usual time limit it may take.
        """

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        """Run `tests`, or all tests, with the call probe (TEB-M19); one map for each test asked for."""
