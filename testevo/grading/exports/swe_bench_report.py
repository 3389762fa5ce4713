"""Graded tasks in the shapes of SWE-bench's reports, so that dashboards made for those show ours.

An instance is a task; it is resolved when every target method is a Success. Failures of the harness itself stay in the
denominator and are listed besides, as there. Quarantined tasks are in no report.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.evaluation.predictions import DefectKind
from testevo.records.tasks import Track
from testevo.records.verdicts import Outcome

SCHEMA_VERSION = 2
"""Of SWE-bench's run report."""
_FAILURES = ("resolved", "unresolved", "infra_failure", "ambiguous_failure")
_COUNTED = ("submitted", "completed", *_FAILURES, "empty_patch", "error")
_LISTED = ("completed", "incomplete", "empty_patch", "submitted", *_FAILURES)
"""Groups of tasks, in the order of SWE-bench."""
_UNCLEAR = (Outcome.TIMED_OUT, Outcome.CRASHED)
"""Outcomes that a slow or small machine causes as well as a bad test."""

Report = dict[str, object]


def run_report(graded: Sequence[GradedTask]) -> Report:
    """The run report of one system: counts and sorted id lists.

    Args:
        graded: all tasks of the run, one record each.

    Raises:
        ValueError: records of several systems.
    """
    if len({task.system for task in graded}) > 1:
        raise ValueError(f"a run report is about one system, got {sorted({task.system for task in graded})}")
    instances = _instances(graded)
    ids: dict[str, list[str]] = {name: [] for name in ("error", *_LISTED)}
    for instance, task in sorted(instances.items()):
        for group in _groups(task):
            ids[group].append(instance)
    failed = {*ids["unresolved"], *ids["error"]}
    reasons = {name: reason for name, task in instances.items() if name in failed and (reason := _reason(task))}
    return {
        "total_instances": len(instances),
        **{f"{name}_instances": len(ids[name]) for name in _COUNTED},
        **{f"{name}_ids": ids[name] for name in _LISTED},
        "failure_reasons": dict(sorted(reasons.items())),
        "error_ids": ids["error"],
        "schema_version": SCHEMA_VERSION,
    }


def instance_reports(graded: Iterable[GradedTask]) -> Report:
    """The reports of all instances of one system, by the ids of its run report."""
    return {name: instance_report(task) for name, task in _instances(graded).items()}


def instance_report(task: GradedTask) -> Report:
    """The report of one instance. A target method fails before the edit, by construction: all are `FAIL_TO_PASS`."""
    kinds = _defects(task)
    missing = bool(kinds & {DefectKind.MISSING_TASK, DefectKind.EMPTY})
    tests: dict[str, list[str]] = {"success": [], "failure": []}
    for method in task.methods:
        tests["success" if method.grade is Grade.SUCCESS else "failure"].append(str(method.test))
    nothing: dict[str, list[str]] = {"success": [], "failure": []}
    return {
        "patch_is_None": missing,
        "patch_exists": not missing,
        "patch_successfully_applied": task.edit is not None,
        "resolved": is_resolved(task),
        "infra_failure": task.infrastructure is not None,
        "infra_failure_reason": task.infrastructure,
        "tests_status": {
            "FAIL_TO_PASS": {name: sorted(ids) for name, ids in tests.items()},
            "PASS_TO_PASS": nothing,
            "FAIL_TO_FAIL": nothing,
            "PASS_TO_FAIL": nothing,
        },
    }


def is_resolved(task: GradedTask) -> bool:
    """Every target method is a Success; a generation that also passes on the old code is none."""
    return (
        task.infrastructure is None
        and bool(task.methods)
        and all(method.grade is Grade.SUCCESS for method in task.methods)
    )


def _instances(graded: Iterable[GradedTask]) -> dict[str, GradedTask]:
    """The tasks that count, by task id; where one id occurs on both tracks, with the track behind it."""
    counted = [task for task in graded if task.quarantined is None]
    times = Counter(task.task_id for task in counted)
    return {
        task.task_id if times[task.task_id] == 1 else f"{task.task_id}__{task.track.value}": task for task in counted
    }


def _groups(task: GradedTask) -> list[str]:
    """SWE-bench's groups that a task is in; those after `submitted` overlap as they do there."""
    kinds = _defects(task)
    if DefectKind.MISSING_TASK in kinds:
        return ["incomplete"]
    if DefectKind.EMPTY in kinds:
        return ["submitted", "empty_patch"]
    if task.infrastructure is not None:
        return ["submitted", "error", "infra_failure"]
    if task.edit is None or DefectKind.IMPOSSIBLE_OUTCOME in kinds:
        return ["submitted", "error"]
    if is_resolved(task):
        return ["submitted", "completed", "resolved"]
    unclear = ["ambiguous_failure"] if _reason(task) else []
    return ["submitted", "completed", "unresolved", *unclear]


def _defects(task: GradedTask) -> set[DefectKind]:
    return {defect.kind for defect in task.defects if defect.fatal}


def _reason(task: GradedTask) -> str | None:
    """Why the harness failed, or what may be its fault; None when the candidate is to blame."""
    if task.infrastructure is not None:
        return task.infrastructure
    impossible = [defect.message for defect in task.defects if defect.kind is DefectKind.IMPOSSIBLE_OUTCOME]
    if impossible:
        return f"{DefectKind.IMPOSSIBLE_OUTCOME.value}: {'; '.join(impossible)}"
    unclear = sorted({method.new_run.value for method in task.methods if method.new_run in _UNCLEAR})
    return f"{', '.join(unclear)} on the new code" if unclear and not is_resolved(task) else None


def tracks_of(graded: Iterable[GradedTask]) -> list[Track]:
    """The tracks that occur, in the order of `Track`."""
    found = {task.track for task in graded}
    return [track for track in Track if track in found]
