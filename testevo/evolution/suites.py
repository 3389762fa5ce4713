"""From builds and suite runs to the verdicts that are recorded."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from testevo.build.engine import BuildResult
from testevo.config.model import ToleratedTest
from testevo.execution.runner import SuiteRun
from testevo.records.methods import TestKey
from testevo.records.verdicts import BuildVerdict, Outcome, SuiteOutcome, SuiteVerdict

GREEN_OUTCOMES = (Outcome.PASSED, Outcome.SKIPPED, Outcome.ABORTED)


def build_verdict(repository: str, revision: str, result: BuildResult) -> BuildVerdict:
    """The record of a build."""
    return BuildVerdict(
        repository=repository,
        revision=revision,
        outcome=result.outcome,
        reason=result.reason,
        fingerprint=result.fingerprint,
        java_level=result.level,
        jdk=result.jdk_feature,
        jdk_reason=result.jdk_reason,
        modules=tuple(result.modules),
        fallback=result.fallback,
        diagnostics=result.diagnostics,
    )


def suite_verdict(
    repository: str, revision: str, run: SuiteRun | None, tolerated: Sequence[ToleratedTest]
) -> SuiteVerdict:
    """The record of a suite run, with the configured tolerance applied; `run` is None when nothing was built."""
    if run is None:
        return SuiteVerdict(repository=repository, revision=revision, outcome=SuiteOutcome.NOT_RUN, reason="")
    outcome, reason = run.outcome, run.reason
    if outcome is SuiteOutcome.RED:
        red = [test.test for test in run.tests if test.outcome not in GREEN_OUTCOMES]
        reasons = [tolerance_of(test, tolerated) for test in red]
        if red and all(reasons):
            outcome, reason = SuiteOutcome.TOLERATED, "; ".join(sorted({text for text in reasons if text}))
    return SuiteVerdict(repository=repository, revision=revision, outcome=outcome, reason=reason, tests=run.tests)


def tolerance_of(test: TestKey, tolerated: Sequence[ToleratedTest]) -> str | None:
    """The configured reason why a test may be red, None when it may not."""
    for entry in tolerated:
        pattern = entry.test if "#" in entry.test else f"{entry.test}#*"
        if fnmatchcase(test.short, pattern) or fnmatchcase(f"{test.type_name}#{test.name}", pattern):
            return entry.reason
    return None
