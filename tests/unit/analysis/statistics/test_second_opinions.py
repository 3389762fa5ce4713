"""How far PIT agrees with the mutation scores, counted by hand."""

import pytest
from grading_factories import evidence, graded, method, score, task, test_key

from testevo.analysis.output.file_names import TABLES_PAGE, output_files
from testevo.analysis.output.tables import to_csv
from testevo.analysis.reporting.outputs import aggregate_files
from testevo.analysis.reporting.report import build_report
from testevo.analysis.statistics.second_opinions import Pair, agreement, compared_tasks, opinion_tables
from testevo.config.load import load_config
from testevo.config.model import Analysis, Evaluation
from testevo.config.resolved import STAGE_PARTS, stage_key
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.evaluation.second_opinions import (
    MethodOpinion,
    OpinionUndefined,
    PitMutation,
    PitStatus,
    SecondOpinion,
)

S, R, E = Grade.SUCCESS, Grade.REDUNDANT, Grade.EXEC_FAIL
QUICK = Analysis()


def said(name: str, killed: int, survived: int, *, timed_out: int = 0, no_coverage: int = 0) -> MethodOpinion:
    counts = {
        PitStatus.KILLED: killed,
        PitStatus.SURVIVED: survived,
        PitStatus.TIMED_OUT: timed_out,
        PitStatus.NO_COVERAGE: no_coverage,
    }
    mutations = [
        PitMutation(
            path="A.java", line=1, type_name="A", method="a", descriptor="()V", mutator="M", indexes=(n,), status=status
        )
        for status, times in counts.items()
        for n in range(times)
    ]
    return MethodOpinion(test=test_key(name), mutations=tuple(mutations))


def silent(name: str, reason: OpinionUndefined) -> MethodOpinion:
    return MethodOpinion(test=test_key(name), undefined=reason)


def opinion(record: GradedTask, *methods: MethodOpinion) -> SecondOpinion:
    return SecondOpinion(
        system=record.system, task_id=record.task_id, track=record.track, key=record.key, methods=methods
    )


def passing(name: str, killed: int, mutants: int) -> MethodResult:
    return method(S, name, mutation=score(killed, mutants))


@pytest.fixture
def answers() -> tuple[list[GradedTask], list[SecondOpinion]]:
    """Seven tasks of one system: four with both scores, one with ours alone, one with PIT's alone, one not passing.

    t0: 4/4 and 2/2. t1: 0/4 and 0/3. t2: methods 1/4 and 3/4, PIT 1/2 and 3/3 (one timed out); its third method has no
    score of PIT and does not count. t3: 2/4 and 0/4.
    """
    records = [
        graded("t0", passing("adds", 4, 4), system="mine"),
        graded("t1", passing("adds", 0, 4), system="mine"),
        graded("t2", passing("a", 1, 4), passing("b", 3, 4), passing("c", 4, 4), system="mine"),
        graded("t3", passing("adds", 2, 4), system="mine"),
        graded("t4", passing("adds", 1, 4), system="mine"),
        graded("t5", method(S), system="mine"),
        graded("t6", method(E), system="mine"),
    ]
    opinions = [
        opinion(records[0], said("adds", 2, 0)),
        opinion(records[1], said("adds", 0, 2, no_coverage=1)),
        opinion(records[2], said("a", 1, 1), said("b", 2, 0, timed_out=1), silent("c", OpinionUndefined.NOT_GREEN)),
        opinion(records[3], said("adds", 0, 4)),
        opinion(records[4], silent("adds", OpinionUndefined.NO_MUTATIONS)),
        opinion(records[5], said("adds", 1, 0)),
        opinion(records[6], silent("adds", OpinionUndefined.NOT_PASSED)),
    ]
    return records, opinions


def test_agreement_is_as_counted_by_hand(answers: tuple[list[GradedTask], list[SecondOpinion]]) -> None:
    """Ours 1, 0, 0.5, 0.5; PIT 1, 0, 0.75, 0. Ranks 4, 1, 2.5, 2.5 and 4, 1.5, 3, 1.5.

    Of the ranks less their mean: 1.5, -1.5, 0, 0 and 1.5, -1, 0.5, -1: 3.75 / sqrt(4.5 * 4.5) = 0.8333.
    """
    tasks = compared_tasks(*answers)
    assert [one.task_id for one in tasks] == ["t0", "t1", "t2", "t3", "t4", "t5"], "t6 does not pass"
    found = agreement([one.pairs["paper"] for one in tasks if "paper" in one.pairs])
    assert found.tasks == 4
    assert (found.all_of_both, found.some_of_both, found.none_of_both) == (1, 1, 1)
    assert (found.ours, found.pit, found.difference) == (0.5, 0.4375, (0.25 + 0.5) / 4)
    assert found.spearman == pytest.approx(0.8333, abs=1e-4)


def test_tables_have_a_row_per_score_and_a_row_per_task(answers: tuple[list[GradedTask], list[SecondOpinion]]) -> None:
    summary, tasks = opinion_tables(*answers)
    assert [row[:7] for row in summary.rows] == [
        ("update", "mine", "paper", 6, 1, 1, 4),
        ("update", "mine", "strict", 6, 1, 1, 4),
    ]
    rows = {row[2]: row[3:] for row in tasks.rows}
    # passing, with ours, with PIT's; our mutants, killed; PIT's, then by fate; ours, strict, PIT; why not
    assert rows["t2"] == (3, 3, 2, 12, 8, 5, 3, 1, 0, 0, 0, 1, 0, 0.5, 0.5, 0.75, "not_green (1)")
    assert rows["t4"] == (1, 1, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0, None, None, None, "no_mutations (1)")
    assert rows["t5"] == (1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, None, None, None, "")
    assert "t4,1,1,0,4,1,0,0,0,0,0,0,0,0,,,,no_mutations (1)" in to_csv(tasks), "undefined is empty, not 0"


def test_statistics_without_ground_are_undefined() -> None:
    """No tasks have no mean; two tasks, or a side that never differs, have no rank correlation."""
    assert agreement([]).tasks == 0
    assert (agreement([]).ours, agreement([]).difference, agreement([]).spearman) == (None, None, None)
    assert agreement([Pair(0, 0), Pair(1, 1)]).spearman is None
    assert agreement([Pair(1, 0), Pair(1, 0.5), Pair(1, 1)]).spearman is None
    assert agreement([Pair(0, 0), Pair(0.5, 0.1), Pair(1, 0.2)]).spearman == pytest.approx(1)


def test_an_opinion_on_another_grade_is_refused(answers: tuple[list[GradedTask], list[SecondOpinion]]) -> None:
    records, opinions = answers
    other = [opinions[0].model_copy(update={"key": "another"}), *opinions[1:]]
    with pytest.raises(ValueError, match="t0: PIT was not asked about this grade"):
        compared_tasks(records, other)
    with pytest.raises(ValueError, match="t6"):
        compared_tasks(records, opinions[:-1])


def test_tasks_out_of_the_aggregates_are_not_compared(answers: tuple[list[GradedTask], list[SecondOpinion]]) -> None:
    records, opinions = answers
    records = [records[0].model_copy(update={"quarantined": "flaky"}), *records[1:]]
    assert [one.task_id for one in compared_tasks(records, opinions)] == ["t1", "t2", "t3", "t4", "t5"]


def test_the_second_opinion_is_off_by_default_and_adds_no_file() -> None:
    assert not Evaluation().asks_pit
    assert not [name for name in output_files() if "opinion" in name]


def test_asking_for_it_makes_no_other_stage_run_again() -> None:
    """Grades, mutants and their keys do not know of it."""
    asked, plain = (load_config({"evaluation": {"second_opinion": name}}) for name in ("pit", "none"))
    changed = {stage for stage in STAGE_PARTS if stage_key(asked, stage) != stage_key(plain, stage)}
    assert changed == {"second_opinion"}


def test_its_tables_are_files_of_aggregate_where_it_is_asked_for(
    answers: tuple[list[GradedTask], list[SecondOpinion]],
) -> None:
    """And nothing else changes: every other file but the page of all tables has the same bytes with it and without."""
    records, opinions = answers
    report = build_report(records, [task(record.task_id, evidence()) for record in records], QUICK)
    without = aggregate_files(report, [], QUICK)
    files = aggregate_files(report, [], QUICK, opinion_tables(records, opinions))
    assert sorted(files) == sorted(output_files(second_opinion=True))
    assert {name for name in without if files[name] != without[name]} == {TABLES_PAGE}
    assert 'id="second_opinion"' in files[TABLES_PAGE].decode()
    assert files.keys() - without.keys() == {
        f"tables/{name}.{suffix}"
        for name in ("second_opinion", "second_opinion_tasks")
        for suffix in ("csv", "md", "tex")
    }
