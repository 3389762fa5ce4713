"""What two suites prove of the engine `direct`: a difference counts when it is there twice."""

from collections.abc import Callable

import pytest

from testevo.execution.runner import SuiteRun, Vanished
from testevo.execution.verdicts.agreement import Agreement, Fact
from testevo.execution.verdicts.suites import judge_suite
from testevo.packaging.dataset.served import served
from testevo.records.evidence.certificates import MOST_DIFFERENCES, Certificate, CertificateVerdict, Comparison
from testevo.records.methods import TestKey
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteTest
from testevo.revisions.suites.certification import compare_suites, judged, of_modules

P, F = Outcome.PASSED, Outcome.EXCEPTION
CRASHED = judge_suite([], [Vanished("", False, "ended")])
LATE = judge_suite([], [Vanished("", True, "passed its limit")])
Both = tuple[SuiteRun, SuiteRun]


def suite(**outcomes: Outcome) -> SuiteRun:
    key = {"module": "", "path": "a/T.java", "type_name": "a.T"}
    return judge_suite([SuiteTest(test=TestKey(**key, name=name), outcome=end) for name, end in outcomes.items()])


def runs(*rounds: Both) -> Callable[[], Both]:
    left = list(rounds)
    return lambda: left.pop(0)


def verdict(*rounds: Both) -> Comparison:
    agreement = Agreement()
    return judged("1a2b3c4d5e", agreement, compare_suites(agreement, runs(*rounds)))


def test_equal_suites_run_once() -> None:
    """A red test that is red both ways is as equal as a green one."""
    found = verdict((suite(a=P, b=F), suite(a=P, b=F)))
    assert (found.verdict, found.tests, found.reason) == (CertificateVerdict.CERTIFIED, 2, "")


def test_what_differs_twice_counts() -> None:
    found = verdict(*[(suite(a=P, b=F), suite(a=P, b=P))] * 2)
    assert found.verdict is CertificateVerdict.DIFFERS
    assert found.differences == (found.reason,)
    assert found.reason.endswith("direct exception; maven passed")
    assert Certificate(repository="o/r", procedure="p", commits=1, comparison=found).surefire is not None


@pytest.mark.parametrize("again", [(suite(a=P), suite(a=F)), (suite(a=F), suite(a=F))])
def test_a_test_that_ends_as_it_likes_says_nothing(again: Both) -> None:
    assert verdict((suite(a=F, b=P), suite(a=P, b=P)), again).verdict is CertificateVerdict.CERTIFIED


def test_a_test_that_only_one_way_runs_is_a_difference() -> None:
    assert verdict(*[(suite(a=P), suite(a=P, b=P))] * 2).verdict is CertificateVerdict.DIFFERS


def test_overloads_are_one_test_as_in_the_reports_of_surefire() -> None:
    key = {"module": "", "path": "a/T.java", "type_name": "a.T", "name": "a"}
    one, other = TestKey(**key), TestKey(**key, parameters=("int",))
    direct = judge_suite([SuiteTest(test=one, outcome=P), SuiteTest(test=other, outcome=F)])
    assert verdict((direct, suite(a=F))).verdict is CertificateVerdict.CERTIFIED
    assert verdict(*[(direct, suite(a=P))] * 2).verdict is CertificateVerdict.DIFFERS


def test_a_failed_assumption_is_a_skipped_test_as_in_the_reports_of_old_surefire() -> None:
    aborted, skipped = (suite(a=P, b=end) for end in (Outcome.ABORTED, Outcome.SKIPPED))
    assert verdict((aborted, skipped)).verdict is CertificateVerdict.CERTIFIED
    assert verdict(*[(aborted, suite(a=P, b=P))] * 2).verdict is CertificateVerdict.DIFFERS


def test_new_surefire_tells_nothing_of_a_class_whose_assumption_fails() -> None:
    """A test that fails an assumption by itself is told of, with the others of its class."""
    other = TestKey(module="", path="a/S.java", type_name="a.S", name="a")
    whole_class = judge_suite([*suite(a=P).tests, SuiteTest(test=other, outcome=Outcome.ABORTED)])
    assert verdict((whole_class, suite(a=P))).verdict is CertificateVerdict.CERTIFIED
    assert verdict(*[(suite(a=P), whole_class)] * 2).verdict is CertificateVerdict.DIFFERS
    assert verdict(*[(suite(a=P, b=Outcome.ABORTED), suite(a=P))] * 2).verdict is CertificateVerdict.DIFFERS
    skipped = judge_suite([*suite(a=P).tests, SuiteTest(test=other, outcome=Outcome.SKIPPED)])
    assert verdict(*[(skipped, suite(a=P))] * 2).verdict is CertificateVerdict.DIFFERS


@pytest.mark.parametrize(
    ("both", "expected"),
    [
        ((CRASHED, suite(a=P)), CertificateVerdict.DIFFERS),
        ((CRASHED, CRASHED), CertificateVerdict.BUILT_EQUAL),
        ((LATE, suite(a=P)), CertificateVerdict.UNFINISHED),
        ((LATE, LATE), CertificateVerdict.UNFINISHED),
        ((suite(), suite()), CertificateVerdict.BUILT_EQUAL),
    ],
    ids=["one crashes", "both crash", "a limit passed", "both pass the limit", "no tests"],
)
def test_suites_that_cannot_be_compared(both: Both, expected: CertificateVerdict) -> None:
    found = verdict(both, both)
    assert found.verdict is expected
    assert found.reason
    by_surefire = Certificate(repository="o/r", procedure="p", commits=1, comparison=found).surefire
    assert (by_surefire is not None) == (expected in (CertificateVerdict.DIFFERS, CertificateVerdict.UNFINISHED))


def test_of_a_suite_the_tests_of_launched_modules_count() -> None:
    other = TestKey(module="b", path="b/T.java", type_name="b.T", name="a")
    run = suite(a=P)
    both = SuiteRun(SuiteOutcome.RED, "b fails", (*run.tests, SuiteTest(test=other, outcome=F)))
    assert of_modules(both, {""}).tests == run.tests
    assert verdict((run, of_modules(both, {""}))).verdict is CertificateVerdict.CERTIFIED


def scenarios(type_name: str, **outcomes: Outcome) -> SuiteRun:
    """A suite with one method and what an engine runs that is no method, under the names of one way to tell it."""
    key = {"module": "", "path": "a/T.java", "type_name": type_name}
    told = [SuiteTest(test=TestKey(**key, name=name), outcome=end) for name, end in outcomes.items()]
    return judge_suite([*suite(a=P).tests, *told])


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((P, P), CertificateVerdict.CERTIFIED),
        ((F, F), CertificateVerdict.CERTIFIED),
        ((P, F), CertificateVerdict.DIFFERS),
    ],
)
def test_what_is_no_method_is_compared_by_its_worst_outcome(
    ends: tuple[Outcome, Outcome], expected: CertificateVerdict
) -> None:
    """Surefire tells a scenario below its feature, the launcher below the class that runs it."""
    both = scenarios("g.RunTest", adds=ends[0]), scenarios("Sums", **{"adds two numbers": ends[1], "is three": P})
    agreement = Agreement()
    doubt = compare_suites(agreement, runs(both, both), lambda test: test.type_name == "a.T")
    found = judged("1a2b3c4d5e", agreement, doubt)
    assert (found.verdict, found.tests) == (expected, 2), found.reason
    only_one = scenarios("g.RunTest", adds=P), suite(a=P)
    agreement = Agreement()
    compare_suites(agreement, runs(only_one, only_one), lambda test: test.type_name == "a.T")
    assert [line.split(": ")[0] for line in agreement.differences] == ["tests . (no methods)"]


def test_a_record_holds_the_first_of_many_differences() -> None:
    agreement = Agreement()
    agreement.add("files", {str(number): Fact((number,)) for number in range(99)}, {})
    found = judged("1a2b3c4d5e", agreement)
    assert (len(found.differences), found.files) == (MOST_DIFFERENCES, 99)


def test_commits_count_by_the_verdict_of_their_certificate() -> None:
    """Those of a way that differs are Surefire's, by their own record."""
    names = [None, None, None, "certificate_differs: x"]
    builds = [
        BuildVerdict(
            repository="o/r",
            revision=str(number),
            outcome=BuildOutcome.BUILT,
            reason="",
            fallback=why,
            surefire={"": why} if why else {},
        )
        for number, why in enumerate(names)
    ]
    ends = [
        (CertificateVerdict.CERTIFIED, "", 1, ()),
        (CertificateVerdict.BUILT_EQUAL, "no test ran", 1, ("", "b")),
        (CertificateVerdict.DIFFERS, "x", 1, ()),
    ]
    certificates = [
        Certificate(
            repository="o/r",
            procedure=why,
            commits=count,
            comparison=Comparison(verdict=end, reason=why),
            other_modules=others,
        )
        for end, why, count, others in ends
    ]
    assert served(builds, certificates) == {
        ("certified", ""): 1,
        ("built_equal", "no test ran; Surefire runs the tests of ., b"): 1,
        ("not certified", ""): 1,
        ("by Surefire", "certificate_differs: x"): 1,
    }
