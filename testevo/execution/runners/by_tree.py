"""The runner of the direct engine: each tree is run by our launcher, or by Surefire where only Surefire does it right.

A build says by `BuiltTree.surefire` that its tests need Surefire: it sets a parameter that the launcher does not
implement, or a certificate has shown a difference. Surefire runs in bubblewrap and in no other sandbox, and its reports
can be written by what it tests. Where it may not run, nothing of such a tree runs, and the verdict names the reason and
the next step.
"""

from collections.abc import Sequence
from pathlib import Path

from testevo.builds.engine import BuiltTree
from testevo.execution.runner import MethodRun, SuiteRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome


class RunnerByTree:
    """Asks the tree which runner serves it; see `testevo.execution.runner.TestRunner`.

    Args:
        launcher: runs all trees but those that need Surefire, and makes all call maps.
        surefire: runs the others.
        surefire_may_run: it is confined and tests a project's own tests, or the code is trusted, or no sandbox is asked
            for.
    """

    name = "by_tree"

    def __init__(self, launcher: OneShotRunner, surefire: SurefireRunner, *, surefire_may_run: bool) -> None:
        self.launcher = launcher
        self.surefire = surefire
        self.surefire_may_run = surefire_may_run
        self.sandbox = launcher.sandbox
        self.key = launcher.key
        """Who runs a tree is part of the tree's key, and both runners have the same limits."""

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        """See `TestRunner.run_suite`; `needs_surefire` where Surefire may not run."""
        if tree.surefire is None:
            return self.launcher.run_suite(tree)
        if not self.surefire_may_run:
            return SuiteRun(SuiteOutcome.NEEDS_SUREFIRE, refusal(tree.surefire))
        return self.surefire.run_suite(tree)

    def run_method(
        self,
        tree: BuiltTree,
        test: TestKey,
        logs: Path | None = None,
        variation: Variation = AS_IT_IS,
        times_limit: float = 1.0,
    ) -> MethodRun:
        """See `TestRunner.run_method`; `infrastructure` where Surefire may not run."""
        if tree.surefire is None:
            return self.launcher.run_method(tree, test, logs, variation, times_limit)
        if not self.surefire_may_run:
            return MethodRun(Outcome.INFRASTRUCTURE, message=refusal(tree.surefire))
        return self.surefire.run_method(tree, test, logs, variation, times_limit)

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        """Call maps by the launcher's probe, also of trees that need Surefire: they tell calls, and no verdict."""
        return self.launcher.call_maps(tree, tests)


def refusal(reason: str) -> str:
    """Why tests were not run, and what to do."""
    return (
        f"{reason}: only Surefire runs these tests as Maven does. In bubblewrap it runs a project's own tests, no "
        "submission, and in other sandboxes nothing. Nothing was run. Say yes by `--sandbox none`: tests can then read "
        "and change your files and use the network."
    )
