"""The runner of the direct engine: our launcher runs the tests of a module, or Surefire where only it does so right.

A build says by `BuiltTree.surefire` which modules need Surefire: they set a parameter that the launcher does not
implement, or a certificate has shown a difference. Single tests go by their module. A suite with such a module is run
by Surefire as a whole. Surefire needs what Maven has built, which Maven does only when such a test is to run.

Surefire runs in bubblewrap and in no other sandbox. Where it may not run, no such test runs, and the verdict names the
reason and the next step.

What Surefire tests can write Surefire's reports. So a submission is run by both, and has the verdict that they share:
that of the launcher cannot be forged, and that of Surefire shows that the launcher runs this test as Maven does.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from testevo.builds.engine import BuildResult, BuiltTree
from testevo.execution.runner import MethodRun, SuiteRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome


class RunnerByTree:
    """Asks the tree which runner serves a module; see `testevo.execution.runner.TestRunner`.

    Args:
        launcher: runs the tests of all modules but those that need Surefire, and makes all call maps.
        surefire: runs the others.
        by_maven: gives a tree as Maven builds it (`Engine.by_maven`).
        surefire_may_run: it is confined, or the code is trusted, or no sandbox is asked for.
        surefire_is_believed: only tests of a project's own history run, or a user has agreed to believe what they say.
    """

    name = "by_tree"

    def __init__(
        self,
        launcher: OneShotRunner,
        surefire: SurefireRunner,
        *,
        by_maven: Callable[[BuiltTree], BuildResult],
        surefire_may_run: bool,
        surefire_is_believed: bool = True,
    ) -> None:
        self.launcher = launcher
        self.surefire = surefire
        self._by_maven = by_maven
        self.surefire_may_run = surefire_may_run
        self._surefire_is_believed = surefire_is_believed
        self.sandbox = launcher.sandbox
        self.key = launcher.key
        """Who runs a module is part of the tree's key, and both runners have the same limits."""

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        """See `TestRunner.run_suite`; `needs_surefire` where Surefire may not run or has no build of Maven's."""
        if tree.why_surefire is None:
            return self.launcher.run_suite(tree)
        built = self._for_surefire(tree, tree.why_surefire)
        if isinstance(built, str):
            return SuiteRun(SuiteOutcome.NEEDS_SUREFIRE, built)
        return self.surefire.run_suite(built)

    def run_method(
        self,
        tree: BuiltTree,
        test: TestKey,
        logs: Path | None = None,
        variation: Variation = AS_IT_IS,
        times_limit: float = 1.0,
    ) -> MethodRun:
        """See `TestRunner.run_method`; `infrastructure` where Surefire may not run or has no build of Maven's, or ends
        otherwise than the launcher where its word alone is not believed."""
        reason = tree.surefire.get(test.module)
        if reason is None:
            return self.launcher.run_method(tree, test, logs, variation, times_limit)
        built = self._for_surefire(tree, reason)
        if isinstance(built, str):
            return MethodRun(Outcome.INFRASTRUCTURE, message=built)
        if self._surefire_is_believed:
            return self.surefire.run_method(built, test, logs, variation, times_limit)
        run = self.launcher.run_method(tree, test, logs, variation, times_limit)
        reported = self.surefire.run_method(built, test, None, variation, times_limit)
        if _verdict(run.outcome) == _verdict(reported.outcome):
            return run
        return replace(run, outcome=Outcome.INFRASTRUCTURE, message=_disagreement(reason, run, reported))

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        """Call maps by the launcher's probe, also of modules that need Surefire: they tell calls, and no verdict."""
        return self.launcher.call_maps(tree, tests)

    def _for_surefire(self, tree: BuiltTree, reason: str) -> BuiltTree | str:
        """The tree as Maven builds it, or why Surefire runs nothing of it."""
        if not self.surefire_may_run:
            return refusal(reason)
        result = self._by_maven(tree)
        return result.tree or f"{reason}: Surefire runs no test of what Maven does not build: {result.reason}"


def _verdict(outcome: Outcome) -> Outcome:
    """What both have to say alike: reports tell failures and assumptions in fewer kinds than the launcher."""
    if outcome in (Outcome.ASSERTION_FAILED, Outcome.EXCEPTION):
        return Outcome.EXCEPTION
    return Outcome.SKIPPED if outcome is Outcome.ABORTED else outcome


def _disagreement(reason: str, run: MethodRun, reported: MethodRun) -> str:
    """Why a submission has no verdict."""
    said = f" ({reported.message})" if reported.message else ""
    return (
        f"{reason}: Surefire says {reported.outcome.value}{said} and the launcher {run.outcome.value}. Submissions can "
        "write Surefire's reports, so only a verdict that both share counts."
    )


def refusal(reason: str) -> str:
    """Why tests were not run, and what to do."""
    return (
        f"{reason}: only Surefire runs these tests as Maven does, and of the sandboxes it runs in bubblewrap alone. "
        "Nothing was run. Install bubblewrap, or say yes by `--sandbox none`: tests can then read and change your "
        "files and use the network."
    )
