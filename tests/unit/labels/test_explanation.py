"""Why a snapshot has few tasks: reasons by weight, an example in its own words, something to try."""

import pytest

from testevo.config.rules import PairRules
from testevo.labels.reasons.advice import ADVICE, advice
from testevo.labels.reasons.explanation import Mined, explain, explanation_lines
from testevo.records.methods import TestKey
from testevo.records.repository import Commit, CommitRejection, Repository, RepositoryRejection, SourceKind
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteTest, SuiteVerdict

LOG = "o/r at c0: Maven failed: The JAVA_HOME environment variable is not defined correctly"


def commit(position: int, rejection: CommitRejection | None = None) -> Commit:
    return Commit(
        repository="o/r",
        position=position,
        revision=f"c{position}",
        parents=(),
        author_time=0,
        committer_time=0,
        java_tree="",
        first_parent_line=True,
        rejection=rejection,
    )


def build(position: int, outcome: BuildOutcome = BuildOutcome.BUILT, reason: str = "") -> BuildVerdict:
    return BuildVerdict(repository="o/r", revision=f"c{position}", outcome=outcome, reason=reason)


def suite(position: int, outcome: SuiteOutcome, **tests: Outcome) -> SuiteVerdict:
    keys = {name: TestKey(module="", path="DiffTest.java", type_name="p.DiffTest", name=name) for name in tests}
    run = tuple(SuiteTest(test=keys[name], outcome=outcome) for name, outcome in tests.items())
    return SuiteVerdict(repository="o/r", revision=f"c{position}", outcome=outcome, reason="", tests=run)


def red(position: int) -> SuiteVerdict:
    return suite(position, SuiteOutcome.RED, fine=Outcome.PASSED, reads=Outcome.EXCEPTION, writes=Outcome.EXCEPTION)


@pytest.mark.parametrize("kind", ADVICE, ids=lambda kind: kind.__name__)
def test_there_is_advice_against_every_reason(kind: type) -> None:
    """No reason is without a next step; none is advised against that stops nothing."""
    stopping = set(kind) - {BuildOutcome.BUILT, SuiteOutcome.GREEN, SuiteOutcome.TOLERATED}
    assert set(ADVICE[kind]) == stopping
    assert all(text and not text.endswith(".") for text in ADVICE[kind].values())


def test_the_same_word_of_two_stages_has_two_answers() -> None:
    assert advice(BuildOutcome.TIMED_OUT) != advice(SuiteOutcome.TIMED_OUT)


def test_red_suites_are_named_with_the_test_that_fails_first() -> None:
    """All commits build, no suite is green."""
    rules = {"o/r": PairRules(usability="all_tests_pass")}
    mined = Mined(
        commits=[commit(at) for at in range(3)],
        builds=[build(at) for at in range(3)],
        suites=[red(0), red(1), red(2)],
        pair_rules=rules,
    )
    assert explain(mined)[0].lines()[0] == "3 of 3 suites red, first by DiffTest#reads (it fails in 3 of them)"
    assert not explain(Mined(commits=mined.commits, builds=mined.builds, suites=mined.suites))  # usable by other rules


def test_a_suite_without_tests_that_surefire_ran_says_why_surefire() -> None:
    """Such as the version of Surefire that Maven 3.8 chooses, which runs no test of JUnit 5."""
    why = "maven-surefire-plugin 2.12.4 does not run the JUnit Platform"
    none = suite(0, SuiteOutcome.NO_TESTS).model_copy(update={"reason": "no test was found"})
    for surefire, told in ((why, f"no test was found by Surefire, which ran because {why}"), (None, none.reason)):
        served = build(0).model_copy(update={"surefire": {"": surefire} if surefire else {}})
        mined = Mined(commits=[commit(0)], builds=[served], suites=[none])
        assert explain(mined)[0].lines()[0] == f"1 of 1 suites no_tests, {told}"


def test_the_newest_commit_that_is_not_built_says_why() -> None:
    """What Maven says stands in the explanation, of the newest commit whatever the order of the records."""
    failed = [build(at, BuildOutcome.BUILD_TOOL_FAILED, LOG.replace("c0", f"c{at}")) for at in (2, 0)]
    mined = Mined(commits=[commit(at) for at in range(4)], builds=[*failed, build(1), build(3)])
    (reason,) = explain(mined)
    assert reason.lines()[0].startswith("2 of 4 commits not built: build_tool_failed (")
    assert reason.lines()[0].endswith(f"about one of them: {LOG}")
    assert "mvn test-compile" in reason.lines()[1]


def test_the_heaviest_reason_comes_first() -> None:
    """Weight is the share of what a step was given; equal ones keep the order of the steps."""
    commits = [commit(0), commit(1), *(commit(at, CommitRejection.ISOLATED) for at in (2, 3, 4))]
    mined = Mined(
        repositories=[
            Repository(name="o/r", source=SourceKind.LIST, address="o"),
            Repository(
                name="o/s",
                source=SourceKind.LIST,
                address="s",
                rejection=RepositoryRejection.CLONE_FAILED,
                detail="no such folder",
            ),
        ],
        commits=commits,
        builds=[build(0, BuildOutcome.TIMED_OUT, "too slow"), build(1)],
    )
    first, second, third = [reason.lines()[0] for reason in explain(mined)]
    assert first.startswith("3 of 5 commits not tried: isolated")
    assert second.startswith("1 of 2 repositories without a history: clone_failed") and "no such folder" in second
    assert third.startswith("1 of 2 commits not built: timed_out") and "too slow" in third
    assert "TEB-" not in first + second + third


def test_what_follows_from_another_reason_comes_after_it() -> None:
    """Commits behind the first ones, which do not build, are many and say nothing."""
    failed = [
        build(0, BuildOutcome.DEPENDENCY_UNAVAILABLE, "needs g:a:1"),
        *(build(at, BuildOutcome.NOT_TRIED, "was not tried") for at in range(1, 9)),
    ]
    first, second = explain(Mined(commits=[commit(at) for at in range(9)], builds=failed))
    assert "1 of 9 commits not built: dependency_unavailable" in first.lines()[0]
    assert "8 of 9 commits not built: not_tried" in second.lines()[0]


def test_a_snapshot_with_tasks_enough_needs_no_explanation() -> None:
    mined = Mined(commits=[commit(0, CommitRejection.ISOLATED)])
    assert explanation_lines(mined, 100) == [] and explanation_lines(Mined(), 0) == []
    assert explanation_lines(mined, 0)[0].startswith("Why there are no tasks")
    assert explanation_lines(mined, 2)[0].startswith("Why there are only few tasks")
