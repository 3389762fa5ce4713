"""Which axis a developer's test depends on, from a few runs (TEB-X15)."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from testevo.builds.engine import BuiltTree
from testevo.config.model import Config
from testevo.execution.runner import MethodRun
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.grading.stability import StabilityMeter, unstable
from testevo.records.evidence.stability import Axis, Stability
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

TEST = TestKey(module="", path="T.java", type_name="p.T", name="m")
TREE = SimpleNamespace(surefire={})


class Depends:
    """A runner of a test that fails when one axis is varied."""

    name, sandbox = "one_shot", "docker"

    def __init__(self, axis: Axis | None) -> None:
        self.axis = axis
        self.runs = 0

    def run_method(
        self, tree: BuiltTree, test: TestKey, logs: Path | None, variation: Variation = AS_IT_IS
    ) -> MethodRun:
        self.runs += 1
        fails = self.axis is not None and variation.varies(self.axis)
        return MethodRun(Outcome.EXCEPTION if fails else Outcome.PASSED)


def measured(runner: Depends, *axes: Axis) -> tuple[Stability, ...]:
    config = Config.model_validate({"stability": {"axes": axes}})
    return StabilityMeter(SimpleNamespace(config=config, runner=runner)).measure(TREE, TEST)  # type: ignore[arg-type]


@pytest.mark.parametrize("axis", [Axis.TIME_ZONE, Axis.LOCALE, Axis.HASH, Axis.ORDER, Axis.LOAD])
def test_the_axis_that_a_test_depends_on_is_named(axis: Axis) -> None:
    runner = Depends(axis)
    found = measured(runner, Axis.TIME_ZONE, Axis.LOCALE, Axis.HASH, Axis.ORDER, Axis.LOAD)
    assert [(one.runs, one.failures) for one in found if axis in one.axes] == [(2, 2), (2, 2)]
    assert not any(one.failures for one in found if axis not in one.axes)
    assert unstable({TEST: found}) == f"T#m fails in 2 of 2 runs that vary {axis.value}"


def test_a_stable_test_costs_the_runs_that_vary_all_axes() -> None:
    """An axis that the machine cannot vary is recorded with the reason."""
    runner = Depends(None)
    found = measured(runner, Axis.TIME_ZONE, Axis.DATE, Axis.HASH)
    assert (runner.runs, unstable({TEST: found})) == (2, None)
    assert found == (
        Stability(
            axes=(Axis.DATE,),
            runs=0,
            failures=0,
            unavailable="libfaketime is not installed, or the container does not show it",
        ),
        Stability(axes=(Axis.TIME_ZONE, Axis.HASH), runs=2, failures=0),
    )
    assert measured(runner) == ()


def test_the_interval_of_no_failure_reaches_up() -> None:
    """Wilson's, as R's `prop.test(..., correct = FALSE)` gives it."""
    none, some = Stability(axes=(), runs=3, failures=0).interval, Stability(axes=(), runs=10, failures=3).interval
    assert none is not None and some is not None
    assert (none, some) == (pytest.approx((0, 0.5615), abs=1e-4), pytest.approx((0.1078, 0.6032), abs=1e-4))
    assert Stability(axes=(Axis.DATE,), runs=0, failures=0, unavailable="not installed").interval is None
