"""Our results in SWE-bench's shapes: every task is in the groups it would be in there."""

import json

import pytest
from graded_factories import graded, method

from testevo.grading.exports.swe_bench_report import instance_report, instance_reports, run_report
from testevo.records.evaluation.grading import Grade
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.tasks import Track
from testevo.records.verdicts import Outcome

SUCCESS, FAILED = method(Grade.SUCCESS), method(Grade.EXEC_FAIL, 1)
NOTHING = method(Grade.HARNESS_FAIL)
RUN = [
    graded("solved", SUCCESS, method(Grade.SUCCESS, 1)),
    graded("half", SUCCESS, FAILED),
    graded("redundant", method(Grade.REDUNDANT), track=Track.GENERATION),
    graded("slow", method(Grade.EXEC_FAIL, outcome=Outcome.TIMED_OUT)),
    graded("empty", NOTHING, defect=DefectKind.EMPTY),
    graded("missing", NOTHING, defect=DefectKind.MISSING_TASK),
    graded("mismatch", NOTHING, defect=DefectKind.DOES_NOT_APPLY),
    graded("broken", NOTHING, infrastructure="the disk was full"),
]


def test_every_task_is_in_its_groups() -> None:
    report = run_report(RUN)
    groups = {name.removesuffix("_ids"): ids for name, ids in report.items() if name.endswith("_ids")}
    assert groups == {
        "completed": ["half", "redundant", "slow", "solved"],
        "incomplete": ["missing"],
        "empty_patch": ["empty"],
        "submitted": ["broken", "empty", "half", "mismatch", "redundant", "slow", "solved"],
        "resolved": ["solved"],
        "unresolved": ["half", "redundant", "slow"],
        "infra_failure": ["broken"],
        "ambiguous_failure": ["slow"],
        "error": ["broken", "mismatch"],
    }
    assert report["failure_reasons"] == {"broken": "the disk was full", "slow": "timed_out on the new code"}


def test_counts_are_those_of_the_lists_and_every_task_is_counted_once() -> None:
    report = run_report(RUN)
    for name, ids in report.items():
        if name.endswith("_ids") and name != "incomplete_ids":
            assert isinstance(ids, list) and report[name.replace("_ids", "_instances")] == len(ids)
    parts = ("completed", "empty_patch", "error")
    assert report["total_instances"] == sum(report[f"{part}_instances"] for part in parts) + 1 == len(RUN)  # type: ignore[misc]
    assert report["schema_version"] == 2 and json.loads(json.dumps(report)) == report


def test_the_report_does_not_depend_on_the_order_of_the_records() -> None:
    assert json.dumps(run_report(RUN)) == json.dumps(run_report(RUN[::-1]))


def test_quarantined_tasks_are_in_no_report() -> None:
    left_out = graded("flaky", SUCCESS, quarantined="fails in 1 of 3 runs")
    assert run_report([*RUN, left_out]) == run_report(RUN)
    assert instance_reports([*RUN, left_out]) == instance_reports(RUN)


def test_one_id_on_both_tracks_is_two_instances() -> None:
    both = [graded("x", SUCCESS), graded("x", FAILED, track=Track.GENERATION), graded("y", SUCCESS)]
    report = run_report(both)
    assert (report["resolved_ids"], report["unresolved_ids"]) == (["x__update", "y"], ["x__generation"])
    assert report["total_instances"] == 3 and set(instance_reports(both)) == {"x__update", "x__generation", "y"}


def test_a_result_that_cannot_be_is_an_error() -> None:
    """As `testevo.grading.dataset.voided_results` leaves it."""
    defect = Defect(kind=DefectKind.IMPOSSIBLE_OUTCOME, message="success with no run on the new code")
    report = run_report([graded("odd", NOTHING).model_copy(update={"defects": (defect,)})])
    assert report["error_ids"] == report["submitted_ids"] == ["odd"]
    assert report["completed_ids"] == report["unresolved_ids"] == []
    assert "no run on the new code" in str(report["failure_reasons"])


def test_a_report_is_about_one_system() -> None:
    other = RUN[0].model_copy(update={"system": "other"})
    with pytest.raises(ValueError, match="one system"):
        run_report([RUN[1], other])


def test_an_instance_names_its_methods() -> None:
    assert set(instance_reports(RUN)) == {task.task_id for task in RUN}
    report = instance_reports(RUN)["half"]
    assert isinstance(report, dict)
    assert report["patch_exists"] and report["patch_successfully_applied"] and not report["resolved"]
    assert report["tests_status"]["FAIL_TO_PASS"] == {
        "success": ["src/test/java/p/ATest.java:p.ATest#m0()"],
        "failure": ["src/test/java/p/ATest.java:p.ATest#m1()"],
    }


def test_an_instance_without_a_patch_says_so() -> None:
    report = instance_report(RUN[5])
    assert report["patch_is_None"] and not report["patch_exists"] and not report["patch_successfully_applied"]
