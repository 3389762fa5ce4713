"""One target method run in a fresh JVM, and once more for its coverage, which never changes the verdict."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.engine import BuiltTree
from testevo.execution.runner import MethodRun, TestRunner
from testevo.execution.runners.runners import launcher_for
from testevo.grading.coverage.coverage import CoverageMeter, Measured
from testevo.grading.verdicts.repeats import repeated
from testevo.records.evaluation.grading import Undefined
from testevo.records.labels import Dependency
from testevo.records.methods import TestKey
from testevo.records.tasks import TestEvidence
from testevo.records.verdicts import Outcome
from testevo.revisions.workspace import Workspace


@dataclass(frozen=True)
class MeasuredRun:
    """A verdict, and what was covered if it is a pass."""

    run: MethodRun
    measured: Measured
    seconds: float
    """Wall time of the run that gave the verdict, JVM start included; limits of mutant runs are taken from it."""


class MethodRunner:
    """Runs target methods of one workspace (TEB-E06); a run without a verdict is repeated once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._meter: CoverageMeter | None = None
        self._covering = self._covering_runner()

    def run(self, tree: BuiltTree, test: TestKey, dependencies: Sequence[Dependency], logs: Path | None) -> MeasuredRun:
        """Run a test on new code, and when it passes measure its focal coverage in a run of its own (TEB-E09 to E11).

        The class path of the run that gives the verdict holds no probes, as on old code: a test that looks for them
        learns nothing about which code it runs on. What the second run says is only its coverage.
        """
        run, seconds = self._run(tree, test, logs)
        if run.outcome is not Outcome.PASSED:
            return MeasuredRun(run, Measured(undefined=Undefined.NOT_PASSED), seconds)
        if not self._workspace.config.evaluation.coverage:
            return MeasuredRun(run, Measured(undefined=Undefined.SWITCHED_OFF), seconds)
        if test.module in tree.surefire:
            return MeasuredRun(run, Measured(undefined=Undefined.NEEDS_SUREFIRE), seconds)
        measured = self._measure(tree, test, dependencies)
        if measured.undefined is Undefined.NO_DATA:
            # The second run did not pass, or its probes are to blame: another one without any decides.
            run, seconds = self._run(tree, test, logs)
            if run.outcome is not Outcome.PASSED:
                return MeasuredRun(run, Measured(undefined=Undefined.NOT_PASSED), seconds)
        return MeasuredRun(run, measured, seconds)

    def measured_again(self, tree: BuiltTree, test: TestKey, base: BuiltTree, evidence: TestEvidence) -> Measured:
        """The coverage of a test that passes and had no data.

        It is hidden where there is none again, and the developer's test has some on the base: a test can see the probes
        and fail, or clear them, so that nobody learns that it runs no focal code.
        """
        again = self._measure(tree, test, evidence.dependencies)
        if again.undefined is not Undefined.NO_DATA:
            return again
        developers = self._measure(base, evidence.test, evidence.dependencies)
        return again if developers.coverage is None else Measured(undefined=Undefined.HIDDEN)

    def run_plainly(self, tree: BuiltTree, test: TestKey, logs: Path | None) -> MethodRun:
        """Run a test without measuring anything, as on old code."""
        return self._run(tree, test, logs)[0]

    def _run(self, tree: BuiltTree, test: TestKey, logs: Path | None) -> tuple[MethodRun, float]:
        """The run that gives the verdict, and its wall time in seconds."""

        def run() -> tuple[MethodRun, float]:
            before = time.monotonic()
            done = self._workspace.runner.run_method(tree, test, logs)
            return done, time.monotonic() - before

        return repeated(run, lambda timed: timed[0].outcome is not Outcome.INFRASTRUCTURE)

    def close(self) -> None:
        if self._meter is not None:
            self._meter.close()
            self._meter = None

    def _measure(self, tree: BuiltTree, test: TestKey, dependencies: Sequence[Dependency]) -> Measured:
        meter = self._meter = self._meter or CoverageMeter(tree.jdk.home, self._workspace.scratch / "coverage")
        instrumented = meter.instrumented(tree, dependencies)
        covering = None if instrumented is None else self._covering.run_method(instrumented, test, None)
        passed = covering is not None and covering.outcome is Outcome.PASSED
        return meter.measure(tree, dependencies, covering.probes if covering is not None and passed else None)

    def _covering_runner(self) -> TestRunner:
        """The workspace's own runner, or ours beside it where Surefire gives the verdicts, which takes no probes."""
        workspace = self._workspace
        if workspace.runner.name != "surefire":
            return workspace.runner
        return launcher_for(workspace.config, workspace.scratch / "covering")
