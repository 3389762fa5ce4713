"""Averages of grades, coverage and mutation by hand count (TEB-V01 to V09, V19 to V26)."""

from pathlib import Path

import pytest
from grading_factories import evidence, graded, lines, method, score, task
from hypothesis import given
from hypothesis import strategies as st

from testevo.analysis.reporting.audit_tables import unasserted_table, weakening_table
from testevo.analysis.statistics.glossary import BY_KEY, LEADERBOARD_FIELDS, MEASURES, METRICS, PARTITION, RATES, Metric
from testevo.analysis.statistics.metrics import (
    averaged_over_systems,
    macro,
    micro,
    mutation_statistics,
    run_warnings,
    summarise,
)
from testevo.analysis.statistics.results import task_results
from testevo.records.evaluation.grading import Discrimination, Grade, Undefined, Weakening
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.tasks import Coverage, Track

S, R, E, C, H = Grade.SUCCESS, Grade.REDUNDANT, Grade.EXEC_FAIL, Grade.COMPILE_FAIL, Grade.HARNESS_FAIL


def named(*grades: Grade) -> list:
    return [method(grade, f"t{place}") for place, grade in enumerate(grades)]


def test_macro_weighs_tasks_alike_and_micro_methods() -> None:
    """TEB-V08, V09: one of one and one of four: (100 + 25) / 2 against 2 / 5."""
    results = task_results([graded("a", *named(S)), graded("b", *named(S, E, E, C))])
    assert macro(results, "success").value == pytest.approx(0.625)
    assert micro(results, "success").value == pytest.approx(0.4)
    assert (macro(results, "success").count, micro(results, "success").count) == (2, 5)


def test_pass_compile_and_behavioural_rates() -> None:
    """TEB-V07: passing is success or redundant; what ran compiled, whatever came of it."""
    task_graded = graded(
        "a",
        method(S, "t0", behavioural=False),
        method(S, "t1"),
        method(R, "t2"),
        method(E, "t3"),
        method(C, "t4"),
        method(H, "t5"),
        track=Track.GENERATION,
    )
    values = task_results([task_graded])[0].values
    assert values["pass"] == pytest.approx(3 / 6)
    assert values["compiles"] == pytest.approx(4 / 6)
    assert values["behavioural"] == pytest.approx(1 / 6)
    assert values["redundant"] == pytest.approx(1 / 6)


def test_a_task_that_one_machine_could_not_judge_counts_for_no_system() -> None:
    results = task_results(
        [graded("a", *named(S), system="one"), graded("a", *named(S), system="other", quarantined="fails here")]
    )
    assert [one.excluded for one in results] == ["quarantined: fails here"] * 2


def test_the_update_track_has_no_redundant_rate() -> None:
    assert "redundant" not in task_results([graded("a", *named(S))])[0].values


@given(st.lists(st.sampled_from(Grade), min_size=1, max_size=8))
def test_the_outcome_partition_sums_to_one(grades: list[Grade]) -> None:
    """TEB-V01, for any mix of grades of a task."""
    values = task_results([graded("a", *named(*grades), track=Track.GENERATION)])[0].values
    assert sum(values[key] or 0 for key in PARTITION) == pytest.approx(1)


def test_wide_counts_missing_values_as_zero_and_narrow_leaves_them_out() -> None:
    """TEB-V21: 50 % and 100 % on two of four methods are 37.5 % wide and 75 % narrow."""
    record = graded(
        "a",
        method(S, "t0", coverage=lines(1, 2)),
        method(S, "t1", coverage=lines(4, 4)),
        method(S, "t2"),
        method(E, "t3"),
    )
    values = task_results([record])[0].values
    assert values["coverage_pred"] == pytest.approx(0.375)
    assert values["coverage_pred_success"] == pytest.approx(0.75)


def test_a_failing_test_has_no_coverage_even_when_a_record_carries_some() -> None:
    """TEB-E11."""
    values = task_results([graded("a", method(E, coverage=lines(1, 1)))])[0].values
    assert values["coverage_pred_success"] is None


def test_tasks_without_a_value_are_out_of_the_mean() -> None:
    """TEB-V22, V20: no mutants is not zero."""
    records = [graded("a", method(S, mutation=score(1, 2))), graded("b", method(S, mutation=score(0, 0)))]
    results = task_results(records)
    assert macro(results, "mutation_score_pred_success") == (macro(results[:1], "mutation_score_pred_success"))
    assert macro(results, "mutation_score_pred").value == pytest.approx(0.25)


def test_both_denominators_and_both_scores_are_kept_apart() -> None:
    values = task_results([graded("a", method(S, coverage=lines(3, 12, 4)))])[0].values
    assert values["coverage_pred_success"] == pytest.approx(0.25)
    assert values["coverage_executable_pred_success"] == pytest.approx(0.75)


def test_the_developer_is_compared_on_the_same_passing_methods() -> None:
    """TEB-V25: the failing method's developer value takes no part, and the difference keeps its sign."""
    known = task("a", evidence("t0", coverage=lines(4, 4)), evidence("t1", coverage=lines(1, 4)))
    record = graded("a", method(S, "t0", coverage=lines(3, 4)), method(E, "t1"))
    values = task_results([record], [known])[0].values
    assert values["coverage_gold_on_pass"] == pytest.approx(1.0)
    assert values["coverage_delta_on_pass"] == pytest.approx(-0.25)
    assert values["coverage_gold"] == pytest.approx(0.625)
    assert values["coverage_gold_success"] == pytest.approx(0.625)


def test_all_eight_released_fields_are_there() -> None:
    """TEB-V23."""
    known = task("a", evidence(coverage=lines(1, 2), mutation=score(1, 4)))
    values = task_results([graded("a", method(S, coverage=lines(2, 2), mutation=score(2, 4)))], [known])[0].values
    expected = [1.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25]
    assert [values[key] for key in LEADERBOARD_FIELDS] == pytest.approx(expected)


def test_without_a_dataset_the_developers_values_are_undefined_not_zero() -> None:
    values = task_results([graded("a", method(S, coverage=lines(1, 1)))])[0].values
    assert values["coverage_gold"] is None
    assert values["coverage_delta_on_pass"] is None


def test_a_run_that_was_not_to_measure_has_no_wide_value_either() -> None:
    """TEB-V20: what was never asked for must not look like 0 %."""
    results = task_results([graded("a", method(S, undefined=Undefined.SWITCHED_OFF)), graded("b", *named(E))])
    assert [one.values["coverage_pred"] for one in results] == [None, None]
    assert run_warnings(results) == []


def test_what_a_run_was_not_to_measure_is_undefined_for_a_system_that_passes_nothing_too() -> None:
    """Its methods only say that they do not pass."""
    good = graded("a", method(S, undefined=Undefined.SWITCHED_OFF), system="good")
    results = task_results([good, graded("a", *named(E), system="bad")])
    assert [(one.system, one.values["coverage_pred"]) for one in results] == [("bad", None), ("good", None)]


@given(st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(1, 5))), min_size=1, max_size=6))
def test_an_undefined_value_never_becomes_zero_silently(given_lines: list[tuple[int, int] | None]) -> None:
    """A narrow mean is None exactly when nothing was measured, and is the mean of what was."""
    methods = [
        method(S, f"t{place}", coverage=lines(min(one), one[1]) if one else None)
        for place, one in enumerate(given_lines)
    ]
    value = task_results([graded("a", *methods)])[0].values["coverage_pred_success"]
    shares = [min(one) / one[1] for one in given_lines if one]
    assert value == (pytest.approx(sum(shares) / len(shares)) if shares else None)


def test_infrastructure_failures_and_quarantine_are_counted_beside_the_aggregates() -> None:
    """They are not evidence about the system, and they are not hidden."""
    records = [
        graded("a", *named(S)),
        graded("b", *named(H), infrastructure="disk full"),
        graded("c", *named(E), quarantined="gold wavers"),
        graded("d", *named(E), quarantined="gold fails"),
    ]
    one = summarise(task_results(records))[0]
    assert (one.tasks, one.macro["success"].value) == (1, 1.0)
    assert one.left_out == {"infrastructure": 1, "quarantined": 2}


def test_a_run_that_measured_nothing_says_so_loudly() -> None:
    nothing = method(S, undefined=Undefined.NO_DATA)
    said = run_warnings(task_results([graded("a", nothing), graded("b", nothing, method(E, "t1"))]))
    assert len(said) == 2
    assert "not one of them has a coverage value, which was asked for (2 no_data)" in said[0]


def test_a_run_of_harness_failures_alone_points_at_the_linter() -> None:
    results = task_results([graded("a", *named(H), system="empty")])
    assert "testevo lint" in " ".join(run_warnings(results))
    assert run_warnings(results, controls=["empty"]) == []


def test_mutation_statistics_by_hand() -> None:
    """TEB-V26: two of four methods have mutants, 3 and 5 on average 4; 3 + 1 killed; rates 100 % and 20 %."""
    records = [
        graded("a", method(S, "t0", mutation=score(3, 3)), method(S, "t1", mutation=score(0, 0))),
        graded("b", method(S, "t0", mutation=score(1, 5)), method(E, "t1")),
    ]
    row = mutation_statistics(records)[0]
    assert (row.methods, row.with_mutants, row.share, row.generated, row.killed) == (4, 2, 0.5, 4.0, 2.0)
    assert row.kill_rate == pytest.approx(0.6)
    assert row.pooled_rate == pytest.approx(0.5)


def test_mutation_statistics_are_averaged_over_systems() -> None:
    """TEB-V26: the paper averages over result files."""
    records = [
        graded("a", method(S, mutation=score(1, 2)), system="one"),
        graded("a", method(S, mutation=score(4, 4)), system="two"),
    ]
    mean = averaged_over_systems(mutation_statistics(records), ["one", "two"])[0]
    assert (mean.generated, mean.killed, mean.kill_rate) == (3.0, 2.5, 0.75)


def test_reasons_name_what_each_method_did() -> None:
    one = task_results([graded("a", method(E, message="expected:<1> but was:<2>"), method(S, "fine"))])[0]
    assert one.reasons == ("ATest#adds: exec_fail, assertion_failed, expected:<1> but was:<2>",)


def test_every_metric_has_one_line_of_glossary() -> None:
    assert len(BY_KEY) == len(METRICS)
    assert all("\n" not in metric.meaning and metric.source for metric in METRICS)


def page_tables() -> list[list[str]]:
    """The rows of the three tables of docs/metrics.md: rates, measurements, forms of a measurement."""
    arrows = {"up": " ↑", "down": " ↓", None: ""}
    forms: dict[str, tuple[Metric, list[str]]] = {}
    measurements = []
    for stem, group in MEASURES.items():
        what = group[0].meaning.partition(", methods without")[0]
        measurements.append(f"| `{stem}` | {group[0].title} | {group[0].source} | {what} |")
        for one in group:
            meaning = one.meaning.replace(what, "value")
            title = one.title.replace(group[0].title, "X", 1)
            form = Metric(one.key.removeprefix(stem), title, one.better, one.source, meaning)
            forms.setdefault(form.key, (form, []))[1].append(one.undefined)
    return [
        [f"| `{one.key}` | {one.title}{arrows[one.better]} | {one.source} | {one.meaning} |" for one in RATES],
        measurements,
        [
            f"| `{key}` | {form.title}{arrows[form.better]} | {form.meaning} | {', or '.join(dict.fromkeys(reasons))} |"
            for key, (form, reasons) in forms.items()
        ],
    ]


def test_the_page_lists_every_metric_as_the_code_has_it() -> None:
    """docs/metrics.md; after a change put the rows of `page_tables()` there."""
    page = (Path(__file__).resolve().parents[4] / "docs" / "metrics.md").read_text(encoding="utf-8")
    for rows in page_tables():
        assert "\n".join(rows) in page


def test_weakened_updates_are_a_rate_and_a_list() -> None:
    weak = method(S, "t0").model_copy(update={"weakening": (Weakening.ASSERTIONS_REMOVED,)})
    failed = method(Grade.EXEC_FAIL, "t2").model_copy(update={"weakening": (Weakening.DISABLED,)})
    (one,) = task_results([graded("a", weak, method(S, "t1"), failed)])
    assert one.values["weakened"] == pytest.approx(1 / 3)
    assert [line.partition(": ")[2] for line in one.weakened] == ["fewer assertions than in the old test"]
    assert [row[1] for row in weakening_table([one]).rows] == ["a"]


def test_successes_that_no_assertion_brings_are_a_rate_and_a_list() -> None:
    """A kill by an exception would be one without the assertions; without mutants or old code nothing is known."""
    by_exception = score(3, 4).model_copy(update={"killed_by_assertion": 0, "killed_by_exception": 3})
    exception = {"discrimination": Discrimination.EXCEPTION}
    methods = [
        method(S, "t0", mutation=score(1, 4)).model_copy(update=exception),
        method(S, "t1", mutation=by_exception).model_copy(update=exception),
        method(S, "t2", mutation=by_exception),
        method(S, "t3").model_copy(update={"discrimination": None}),
        method(S, "t4", mutation=score(0, 4)).model_copy(update={"discrimination": None}),
        method(S, "t5").model_copy(update={"discrimination": Discrimination.OWN_COMPILE_ERROR}),
    ]
    (one,) = task_results([graded("a", *methods)])
    assert one.values["unasserted"] == pytest.approx(2 / 6)
    assert [line.partition("#")[2] for line in one.unasserted] == [
        "t1: 3 of 4 mutants killed, none by an assertion; old code: another exception or error on the old code",
        "t4: 0 of 4 mutants killed, none by an assertion",
    ]
    assert len(unasserted_table([one]).rows) == 2
    assert one.values["mutation_score_asserted_pred"] == pytest.approx(1 / 4 / 6)


def test_successes_that_run_no_focal_line_or_look_at_their_run_are_rates() -> None:
    """Their files are named among the reasons."""
    idle = method(S, "t0").model_copy(
        update={
            "coverage": Coverage(covered=0, raw_lines=3, executable_lines=2),
            "coverage_undefined": None,
            "entered": {},
        }
    )
    defect = Defect(kind=DefectKind.LOOKS_AROUND, message="it names user.dir", fatal=False)
    record = graded("a", idle, method(S, "t1"), method(Grade.EXEC_FAIL, "t2"))
    (plain,), (looks,) = task_results([record]), task_results([record.model_copy(update={"defects": (defect,)})])
    assert (plain.values["hollow"], plain.values["suspect"]) == (pytest.approx(1 / 3), 0)
    assert looks.values["suspect"] == pytest.approx(2 / 3)
    assert "looks_around: it names user.dir" in looks.reasons
    (hides,) = task_results([graded("a", method(S, undefined=Undefined.HIDDEN), method(S, "t1"))])
    assert (hides.values["hollow"], hides.values["suspect"]) == (0, pytest.approx(1 / 2))


def test_a_harness_failure_tells_how_the_system_ended() -> None:
    record = graded("a", method(H)).model_copy(update={"exit_status": "exit_cost"})
    (one,) = task_results([record])
    assert "the system ended with: exit_cost" in one.reasons


def test_the_worst_case_of_success_counts_every_task_that_is_left_out_as_a_failure() -> None:
    """Nobody gains by what the harness could not grade."""
    records = [
        graded("a", method(Grade.SUCCESS), method(Grade.EXEC_FAIL, "t1")),
        graded("b", method(Grade.SUCCESS)),
        graded("c", method(Grade.SUCCESS), method(Grade.SUCCESS, "t1"), quarantined="wavers"),
        graded("d", method(Grade.HARNESS_FAIL), infrastructure="no JVM"),
    ]
    (one,) = summarise(task_results(records))
    assert (one.macro["success"].value, one.micro["success"].value) == (0.75, pytest.approx(2 / 3))
    assert (one.worst["macro"].value, one.worst["macro"].count) == (1.5 / 4, 4)
    assert (one.worst["micro"].value, one.worst["micro"].count) == (pytest.approx(2 / 6), 6)
    (none_left,) = summarise(task_results(records[2:]))
    assert (none_left.macro["success"].value, none_left.worst["macro"].value) == (None, 0)
