"""From the tests of a suite to its one outcome (TEB-M14)."""

import fnmatch
from collections import defaultdict
from collections.abc import Sequence

from testevo.config.model import ToleratedTest
from testevo.execution.runner import ModuleRun, SuiteRun, Vanished
from testevo.execution.verdicts.channel import Verdict, merge
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome, SuiteTest

HARMLESS = (Outcome.PASSED, Outcome.SKIPPED, Outcome.ABORTED)


def judge_suite(
    tests: Sequence[SuiteTest], vanished: Sequence[Vanished] = (), tolerated: Sequence[ToleratedTest] = ()
) -> SuiteRun:
    """The outcome and the reason of a suite: crash and time-out first, then red, tolerated, empty, green."""
    ordered = tuple(sorted(tests, key=lambda entry: str(entry.test)))
    failed = [entry for entry in ordered if entry.outcome not in HARMLESS]
    untolerated = [entry for entry in failed if not is_tolerated(entry.test, tolerated)]
    if vanished:
        first = vanished[0]
        outcome = SuiteOutcome.TIMED_OUT if first.timed_out else SuiteOutcome.CRASHED
        return SuiteRun(outcome, f"module {first.module or '.'}: {first.reason}", ordered)
    if untolerated:
        first_failed = untolerated[0]
        return SuiteRun(
            SuiteOutcome.RED,
            f"{len(untolerated)} of {len(ordered)} tests did not pass, first {first_failed.test.short} "
            f"({first_failed.outcome.value})",
            ordered,
        )
    if not any(entry.outcome is Outcome.PASSED for entry in ordered):
        return SuiteRun(SuiteOutcome.NO_TESTS, "no test passed" if ordered else "no test was found", ordered)
    if failed:
        return SuiteRun(SuiteOutcome.TOLERATED, f"{len(failed)} tolerated tests did not pass", ordered)
    return SuiteRun(SuiteOutcome.GREEN, "", ordered)


def judge_runs(runs: Sequence[ModuleRun], tolerated: Sequence[ToleratedTest] = ()) -> SuiteRun:
    """The suite that the runs of its JVMs make up.

    A test that several of them ran, as below a JUnit 4 suite and by itself, has the worst of its outcomes.
    """
    verdicts: dict[TestKey, list[Verdict]] = defaultdict(list)
    for entry in (entry for run in runs for entry in run.tests):
        verdicts[entry.test].append(Verdict(entry.outcome))
    tests = [SuiteTest(test=test, outcome=merge(found).outcome) for test, found in verdicts.items()]
    return judge_suite(tests, [run.vanished for run in runs if run.vanished is not None], tolerated)


def is_tolerated(test: TestKey, tolerated: Sequence[ToleratedTest]) -> bool:
    """`Class#method` or `Class`, simple or qualified, with shell wildcards."""
    simple = test.type_name.rsplit(".", 1)[-1]
    names = (simple, test.type_name, f"{simple}#{test.name}", f"{test.type_name}#{test.name}")
    return any(fnmatch.fnmatchcase(name, entry.test) for entry in tolerated for name in names)


def has_tolerated_tests(type_name: str, tolerated: Sequence[ToleratedTest]) -> bool:
    """Whether a test of this class, or of a member class of it, may be red."""
    names = (type_name, type_name.rsplit(".", 1)[-1])
    patterns = [entry.test.split("#")[0] for entry in tolerated]
    return any(fnmatch.fnmatchcase(name, one) or one.startswith(f"{name}$") for name in names for one in patterns)
