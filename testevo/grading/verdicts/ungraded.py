"""The result of a test method that was not run, or whose runs say nothing."""

from typing import Any

from testevo.records.evaluation.grading import Grade, MethodResult, Undefined
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

NOT_MEASURED: dict[str, Any] = {"coverage_undefined": Undefined.NOT_PASSED, "mutation_undefined": Undefined.NOT_PASSED}


def ungraded(test: TestKey, outcome: Outcome | None = None) -> MethodResult:
    """A harness failure: nothing was submitted, it cannot be applied, or the harness itself failed."""
    return MethodResult(test=test, grade=Grade.HARNESS_FAIL, new_run=outcome, **NOT_MEASURED)
