"""The funnel closes, or says where it does not (TEB-M10, M20, X16)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_factories import STRICT, facts, pair, runs

from testevo.labels.judge import judge
from testevo.labels.reasons.funnel import build_funnel, check_funnel, count_stage, went_on
from testevo.records.changes import PairRejection
from testevo.records.failures import StageFailure
from testevo.records.repository import Commit, CommitRejection, Repository, RepositoryRejection, SourceKind
from testevo.records.snapshots.search import FoundRepository, SearchRejection
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteVerdict
from testevo.runtime.errors import UserError


@given(st.lists(st.sampled_from([None, "", "red", "empty"])))
def test_counts_add_up_to_what_entered(reasons: list[str | None]) -> None:
    stage = count_stage("build_check", "commits", reasons)
    check_funnel([stage])
    assert stage.entered == len(reasons)
    assert went_on(stage) == sum(not reason for reason in reasons)


def test_a_lost_item_is_reported_with_its_stage() -> None:
    stage = count_stage("build_check", "commits", ["red", None], entered=3)
    with pytest.raises(UserError, match=r"stage build_check \(commits\): 3 entered, but 2 are accounted for"):
        check_funnel([stage])


def test_what_went_on_must_enter_the_next_stage_of_the_same_unit() -> None:
    first = count_stage("clone", "commits", [None, None, "equal_java"])
    other = count_stage("clone", "repositories", [None])
    second = count_stage("build_check", "commits", [None])
    with pytest.raises(UserError, match="2 left stage clone, but 1 entered"):
        check_funnel([first, other, second])


def repository(name: str, rejection: RepositoryRejection | None = None) -> Repository:
    return Repository(name=name, source=SourceKind.LIST, address=name, rejection=rejection)


def commit(revision: str, rejection: CommitRejection | None = None) -> Commit:
    return Commit(
        repository="o/r",
        position=0,
        revision=revision,
        parents=(),
        author_time=0,
        committer_time=0,
        java_tree="",
        first_parent_line=True,
        rejection=rejection,
    )


def build(revision: str, outcome: BuildOutcome) -> BuildVerdict:
    return BuildVerdict(repository="o/r", revision=revision, outcome=outcome, reason="")


def suite(revision: str, outcome: SuiteOutcome) -> SuiteVerdict:
    return SuiteVerdict(repository="o/r", revision=revision, outcome=outcome, reason="")


def test_the_funnel_of_a_snapshot_closes_over_all_its_stages() -> None:
    update = judge(facts(), runs(new=Outcome.PASSED, old=Outcome.PASSED, old_on_new=Outcome.EXCEPTION), STRICT)
    dropped = judge(facts(outside_gap=True), {}, STRICT)
    rejected = pair("old", "other").model_copy(update={"rejection": PairRejection.OUTSIDE_GAP})
    stages = build_funnel(
        repositories=[repository("o/r"), repository("o/empty", RepositoryRejection.EMPTY)],
        commits=[commit("new"), commit("old"), commit("same", CommitRejection.EQUAL_JAVA)],
        builds=[build("new", BuildOutcome.BUILT), build("old", BuildOutcome.TEST_COMPILE_ERROR)],
        suites=[suite("new", SuiteOutcome.GREEN), suite("old", SuiteOutcome.NOT_RUN)],
        unusable=[None],
        pairs=[pair("old", "new"), rejected],
        labels=[update, dropped],
        tasks=[],
    )
    check_funnel(stages)
    counts = {(s.stage, s.unit): {c.reason: c.count for c in s.left} for s in stages}
    assert counts["clone", "repositories"] == {"": 1, "empty": 1}
    assert counts["package", "repositories"] == {"": 0, "no_task": 1}
    assert counts["build_check", "commits"] == {"": 1, "test_compile_error": 1}
    assert counts["commit_pair", "commit pairs"] == {"": 1, "outside_gap": 1}
    assert counts["triple_execute", "test methods"] == {"": 1, "outside_gap": 1}
    assert counts["package", "test methods"] == {"": 0, "not_packaged": 1}


def test_the_search_is_the_first_stage_and_repositories_of_other_sources_join_what_it_leaves() -> None:
    reasons = (None, SearchRejection.NO_BUILD_FILE, SearchRejection.NO_LICENCE, SearchRejection.NO_LICENCE)
    stages = build_funnel(
        searched=[FoundRepository(name=f"o/{at}", rejection=reason) for at, reason in enumerate(reasons)],
        repositories=[repository("o/0"), repository("o/listed")],
        commits=[],
        builds=[],
        suites=[],
        unusable=[],
        pairs=[],
        labels=[],
        tasks=[],
    )
    check_funnel(stages)
    assert stages[0].stage == "search"
    assert {one.reason: one.count for one in stages[0].left} == {"": 2, "no_build_file": 1, "no_licence": 2}


@pytest.mark.parametrize(
    ("stage", "leaves"),
    [("clone", "clone"), ("build_check", "commit_pair"), ("triple_execute", "package"), ("measure_gold", "package")],
)
def test_a_repository_that_made_a_stage_fail_leaves_where_it_failed(stage: str, leaves: str) -> None:
    failure = StageFailure(repository="o/bad", stage=stage, error="KeyError", reason="x")
    stages = build_funnel(
        repositories=[repository("o/r"), repository("o/bad")],
        commits=[commit("new"), commit("old")],
        builds=[build("new", BuildOutcome.BUILT), build("old", BuildOutcome.BUILT)],
        suites=[suite("new", SuiteOutcome.GREEN), suite("old", SuiteOutcome.GREEN)],
        unusable=[None, None],
        pairs=[pair("old", "new")],
        labels=[],
        tasks=[],
        failures=[failure],
    )
    check_funnel(stages)
    counts = {s.stage: {c.reason: c.count for c in s.left} for s in stages if s.unit == "repositories"}
    assert [name for name, left in counts.items() if "stage_failed" in left] == [leaves]
    assert counts["package"]["no_task"] == 1 and counts[leaves]["stage_failed"] == 1


def test_a_commit_without_suite_verdict_is_reported() -> None:
    with pytest.raises(UserError, match="1 build verdicts, but 0 suite verdicts"):
        build_funnel(
            repositories=[],
            commits=[],
            builds=[build("new", BuildOutcome.BUILT)],
            suites=[],
            unusable=[None],
            pairs=[],
            labels=[],
            tasks=[],
        )
