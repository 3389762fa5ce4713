"""How the developer's test of a task ends when its runs vary what it should not depend on (TEB-X15)."""

from collections.abc import Iterator, Mapping, Sequence

from testevo.builds.engine import BuiltTree
from testevo.builds.project.jdks import find_jdks
from testevo.execution.variation import Variation, libfaketime, next_jdk
from testevo.records.evidence.stability import Axis, Stability
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.revisions.workspace import Workspace

CONTAINERS = ("docker", "apptainer")
"""Sandboxes that show a run no library of this machine."""


class StabilityMeter:
    """Runs developers' tests of one workspace on the new code with other values of `stability.axes`."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._settings = workspace.config.stability

    def measure(self, tree: BuiltTree, test: TestKey) -> tuple[Stability, ...]:
        """All axes at once, and where a run fails, each alone; an axis that cannot be varied here says why.

        Raises:
            MachineError: the machine is broken.
        """
        lacking = {
            axis: reason for axis in self._settings.axes if (reason := self._lacks(axis, tree, test)) is not None
        }
        axes = [axis for axis in self._settings.axes if axis not in lacking]
        found = [Stability(axes=(axis,), runs=0, failures=0, unavailable=why) for axis, why in lacking.items()]
        if axes and self._settings.runs:
            together = self._runs(tree, test, axes)
            found.append(together)
            if together.failures and len(axes) > 1:
                found += [self._runs(tree, test, [axis]) for axis in axes]
        return tuple(found)

    def _runs(self, tree: BuiltTree, test: TestKey, axes: Sequence[Axis]) -> Stability:
        numbers = range(1, self._settings.runs + 1)
        runs = [self._workspace.runner.run_method(tree, test, None, Variation(tuple(axes), one)) for one in numbers]
        outcomes = [run.outcome for run in runs if run.outcome is not Outcome.INFRASTRUCTURE]
        failures = sum(outcome is not Outcome.PASSED for outcome in outcomes)
        unavailable = None if outcomes else "no run gave a verdict"
        return Stability(axes=tuple(axes), runs=len(outcomes), failures=failures, unavailable=unavailable)

    def _lacks(self, axis: Axis, tree: BuiltTree, test: TestKey) -> str | None:
        runner = self._workspace.runner
        if test.module in tree.surefire or runner.name == "surefire":
            return "Surefire runs the test, and varies nothing"
        if axis is Axis.DATE and (libfaketime() is None or runner.sandbox in CONTAINERS):
            return "libfaketime is not installed, or the container does not show it"
        if axis is Axis.JDK and next_jdk(tree.jdk, find_jdks(self._workspace.config.build.java_homes)) is None:
            return "there is no newer JDK"
        return None


def unstable(found: Mapping[TestKey, Sequence[Stability]]) -> str | None:
    """Why a task is quarantined: a test fails in some varied run. Axes that fail alone are named, else all varied."""
    return "; ".join(text for test, parts in found.items() for text in _failing(test, parts)) or None


def _failing(test: TestKey, parts: Sequence[Stability]) -> Iterator[str]:
    failing = [one for one in parts if one.failures]
    for one in [one for one in failing if len(one.axes) == 1] or failing:
        yield f"{test.short} fails in {one.failures} of {one.runs} runs that vary {', '.join(one.axes)}"
