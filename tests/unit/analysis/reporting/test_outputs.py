"""The files of the stage `aggregate` (TEB-R01 to R08)."""

import json
from datetime import date

import pytest
from grading_factories import evidence, graded, lines, method, score, task

from testevo.analysis.output.file_names import output_files
from testevo.analysis.reporting.outputs import aggregate_files
from testevo.analysis.reporting.report import JUDGED, build_report, report_document
from testevo.config.model import Analysis
from testevo.grading.verdicts.impossible import Impossible
from testevo.records.evaluation.grading import Grade
from testevo.records.tasks import Track

S, R, E = Grade.SUCCESS, Grade.REDUNDANT, Grade.EXEC_FAIL
QUICK = Analysis(repository_cap=1)
TASKS = [
    task(f"t{n}", evidence(coverage=lines(1, 2), mutation=score(1, 2)), repository=f"o/{n % 3}") for n in range(6)
] + [task("g", evidence(), track=Track.GENERATION)]


def records() -> list:
    found = [graded("g", method(R), system="mine", track=Track.GENERATION)]
    for n in range(6):
        where = {"repository": f"o/{n % 3}", "day": date(2015 + n, 3, 1)}
        found.append(graded(f"t{n}", method(S, coverage=lines(1, 2), mutation=score(1, 2)), system="gold", **where))
        found.append(graded(f"t{n}", method(E), system="trivial", **where))
        mine = method(S if n % 2 else E, coverage=lines(1, 4))
        found.append(graded(f"t{n}", mine, system="mine", cost=n / 2, **where))
        found.append(graded(f"t{n}", method(E if n == 5 else S, coverage=lines(2, 4)), system="other", **where))
    return found


def test_every_declared_file_is_made() -> None:
    report = build_report(records(), TASKS, QUICK)
    assert sorted(aggregate_files(report, [], QUICK)) == sorted(output_files())


def test_a_run_of_controls_alone_and_an_empty_dataset_make_all_files_too() -> None:
    controls = [record for record in records() if record.system in ("gold", "trivial")]
    for graded_tasks, tasks in ((controls, TASKS), ([], [])):
        report = build_report(graded_tasks, tasks, QUICK)
        assert sorted(aggregate_files(report, [], QUICK)) == sorted(output_files())


def test_equal_records_in_any_order_give_equal_bytes() -> None:
    first = aggregate_files(build_report(records(), TASKS, QUICK), [], QUICK)
    again = aggregate_files(build_report(list(reversed(records())), list(reversed(TASKS)), QUICK), [], QUICK)
    assert [name for name in first if first[name] != again[name]] == []


def test_controls_are_shown_apart_and_take_no_part_in_comparisons() -> None:
    report = build_report(records(), TASKS, QUICK)
    assert (report.systems, report.controls) == (("mine", "other"), ("gold", "trivial"))
    files = aggregate_files(report, [], QUICK)
    assert "gold" not in files["tables/results_update_macro.csv"].decode()
    assert "gold" in files["tables/controls_update_macro.csv"].decode()
    assert {(one.first, one.second) for one in report.tracks[Track.UPDATE].comparisons} == {("mine", "other")}


def test_the_report_holds_every_number_with_its_averaging_and_null_for_undefined() -> None:
    document = json.loads(aggregate_files(build_report(records(), TASKS, QUICK), [], QUICK)["report.json"])
    mine = next(one for one in document["summaries"] if one["system"] == "mine" and one["track"] == "update")
    assert mine["macro"]["success"] == {"count": 6, "value": 0.5}
    assert mine["micro"]["success"] == {"count": 6, "value": 0.5}
    assert mine["macro"]["mutation_score_pred_success"] == {"count": 0, "value": None}
    assert mine["macro"]["coverage_delta_on_pass"] == {"count": 3, "value": -0.25}
    assert document["glossary"]["success"]["source"] == "TEB-V02"


def test_a_cost_cap_applies_to_results_but_not_to_the_operating_points() -> None:
    """The operating points cut the same run at every cap themselves."""
    report = build_report(records(), TASKS, QUICK, cost_cap=1.0)
    mine = next(one for one in report.summaries if one.system == "mine" and one.track is Track.UPDATE)
    assert mine.macro["harness_fail"].value == pytest.approx(0.5)
    uncut = [point for track, point in report.costs if (point.system, point.cap, track) == ("mine", None, Track.UPDATE)]
    assert [point.harness_macro for point in uncut] == [0]


def test_mutants_of_a_task_above_the_cost_cap_count_for_nothing() -> None:
    """Its methods stay in the denominator, as harness failures."""
    found = [graded(name, method(S, mutation=score(1, 2)), cost=cost) for name, cost in (("t0", 0.5), ("t1", 5.0))]
    for cap, passing in ((None, 2), (1.0, 1)):
        [row] = [one for one in build_report(found, TASKS, QUICK, cost_cap=cap).mutation if one.system == "one"]
        assert (row.tasks, row.methods, row.with_mutants, row.share) == (2, 2, passing, passing / 2)


def test_suspects_use_the_controls() -> None:
    spoiled = [*records()]
    spoiled[1] = graded("t0", method(E), system="gold", repository="o/0")
    document = report_document(build_report(spoiled, TASKS, QUICK))
    assert [
        reason
        for one in document["suspects"]
        if one["task_id"] == "t0"
        for reason in one["reasons"]
        if "developer" in reason and "own" in reason
    ] == ["the developer's own test does not reach full success"]


def test_coverage_has_intervals_and_comparisons_and_half_years_have_comparisons() -> None:
    """Not Success alone; mutants come by the same list of metrics."""
    assert {"success", "coverage_pred_success", "mutation_score_pred_success"} <= set(JUDGED)
    found = build_report(records(), TASKS, QUICK).tracks[Track.UPDATE]
    assert {"success", "coverage_pred_success"} <= {row.key for row in found.intervals}
    assert {"success", "coverage_pred_success"} <= {one.key for one in found.comparisons}
    assert {one.window for one in found.comparisons} > {"all"}


def test_a_repository_cap_is_reported_beside_the_plain_averages() -> None:
    report = build_report(records(), TASKS, QUICK)
    assert {row.weighting for row in report.tracks[Track.UPDATE].intervals} == {
        "tasks",
        "repositories",
        "at most 1 per repository",
    }


def test_impossible_outcomes_are_listed() -> None:
    report = build_report(records(), TASKS, QUICK, impossible=[Impossible("mine", "t1", Track.UPDATE, "cannot be")])
    files = aggregate_files(report, [], QUICK)
    assert json.loads(files["report.json"])["impossible"] == ["mine, t1: cannot be"]
    assert "mine,t1,update,cannot be" in files["tables/impossible_outcomes.csv"].decode()
