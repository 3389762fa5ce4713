"""One target method run in a fresh JVM, with coverage where that is asked for, without it ever changing a verdict."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.builds.engine import BuiltTree
from testevo.execution.runner import MethodRun, TestRunner
from testevo.execution.runners.runners import runner_for
from testevo.grading.coverage.coverage import CoverageMeter, Measured
from testevo.records.evaluation.grading import Undefined
from testevo.records.labels import Dependency
from testevo.records.methods import TestKey
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
    """Runs target methods of one workspace (TEB-E06)."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._meter: CoverageMeter | None = None
        self._covering = self._covering_runner()

    def run(self, tree: BuiltTree, test: TestKey, dependencies: Sequence[Dependency], logs: Path | None) -> MeasuredRun:
        """Run a test on new code and measure its focal coverage in the same JVM (TEB-E09 to E11).

        Probes are visible to reflection, and a test may stumble over them. So a verdict other than a pass or a time-out
        is asked for again without probes, and then that one counts.
        """
        if not self._workspace.config.evaluation.coverage:
            run, seconds = self._timed(self._workspace.runner, tree, test, logs)
            return MeasuredRun(run, Measured(undefined=_without(run, Undefined.SWITCHED_OFF)), seconds)
        meter = self._meter = self._meter or CoverageMeter(tree.jdk.home, self._workspace.scratch / "coverage")
        instrumented = meter.instrumented(tree, dependencies)
        run, seconds = self._first_run(tree, instrumented, test, logs)
        if run.outcome is not Outcome.PASSED:
            return MeasuredRun(run, Measured(undefined=Undefined.NOT_PASSED), seconds)
        if self._covering is not self._workspace.runner and instrumented is not None:
            covering = self._covering.run_method(instrumented, test, None)
            run = replace(run, probes=covering.probes if covering.outcome is Outcome.PASSED else None)
        return MeasuredRun(run, meter.measure(tree, dependencies, run.probes), seconds)

    def run_plainly(self, tree: BuiltTree, test: TestKey, logs: Path | None) -> MethodRun:
        """Run a test without measuring anything, as on old code."""
        return self._workspace.runner.run_method(tree, test, logs)

    def close(self) -> None:
        if self._meter is not None:
            self._meter.close()
            self._meter = None

    def _first_run(
        self, tree: BuiltTree, instrumented: BuiltTree | None, test: TestKey, logs: Path | None
    ) -> tuple[MethodRun, float]:
        runner = self._workspace.runner
        if instrumented is not None and self._covering is runner:
            run, seconds = self._timed(runner, instrumented, test, logs)
            if run.outcome in (Outcome.PASSED, Outcome.TIMED_OUT):
                return run, seconds
        return self._timed(runner, tree, test, logs)

    @staticmethod
    def _timed(runner: TestRunner, tree: BuiltTree, test: TestKey, logs: Path | None) -> tuple[MethodRun, float]:
        before = time.monotonic()
        run = runner.run_method(tree, test, logs)
        return run, time.monotonic() - before

    def _covering_runner(self) -> TestRunner:
        """The workspace's own runner, or ours beside it where Surefire gives the verdicts, which takes no probes."""
        workspace = self._workspace
        if workspace.runner.name != "surefire":
            return workspace.runner
        build = workspace.config.build.model_copy(update={"engine": "direct"})
        return runner_for(workspace.config.model_copy(update={"build": build}), workspace.scratch / "covering")


def _without(run: MethodRun, reason: Undefined) -> Undefined:
    return reason if run.outcome is Outcome.PASSED else Undefined.NOT_PASSED
