"""A task's answer for people: what it is, each test whole before and after, the four runs, the licence.

The page holds what the rows of the task in the tables hold of it; a test reads it back and compares.
"""

import difflib

from testevo.records.repository import Repository
from testevo.records.tasks import Task, TestEvidence
from testevo.runtime.clock import utc_date


def answer_page(task: Task, repository: Repository | None) -> str:
    """The page as Markdown."""
    licence = (repository.licence if repository else None) or "not recorded"
    lines = [
        f"# {task.task_id}",
        "",
        f"- track: {task.track.value} ({task.track.doc})",
        f"- repository: {task.repository}, licence {licence}, {task.clone_url or 'no public address'}",
        f"- old revision: `{task.old_revision}` of {utc_date(task.old_time)}",
        f"- new revision: `{task.new_revision}` of {utc_date(task.new_time)}",
        f"- test file: `{task.test_file}`",
        f"- changed methods below the tests: {', '.join(f'`{one.method.short}`' for one in task.dependencies)}",
        *([f"- quarantined: {task.quarantined}"] if task.quarantined else []),
    ]
    for evidence in task.tests:
        lines += ["", f"## {evidence.test.short}", "", *_facts(evidence), "", *_runs(evidence), "", *_change(evidence)]
    return "\n".join(lines) + "\n"


def _facts(evidence: TestEvidence) -> list[str]:
    coverage, mutation = evidence.gold_coverage, evidence.gold_mutation
    return [
        f"- method: `{evidence.test.method}`, {evidence.test_kind.value}, {evidence.change.value}",
        f"- focal method: {f'`{evidence.focal}`' if evidence.focal else 'none'}",
        *([f"- covers {coverage.covered} of {coverage.executable_lines} executable lines"] if coverage else []),
        *([f"- kills {mutation.killed} of {mutation.mutants} mutants"] if mutation else []),
    ]


def _runs(evidence: TestEvidence) -> list[str]:
    rows = [f"| {name.replace('_', ' ')} | {outcome} |" for name, outcome in sorted(evidence.outcomes.items())]
    return ["| run | outcome |", "|---|---|", *rows]


def _change(evidence: TestEvidence) -> list[str]:
    """A diff that holds both sources whole, fenced by more back-ticks than they hold in a row."""
    old, new = (evidence.old_source or "").splitlines(), evidence.new_source.splitlines()
    diff = list(difflib.unified_diff(old, new, "old", "new", lineterm="", n=len(old) + len(new)))
    diff = diff or ["--- old", "+++ new", *(f" {line}" for line in new)]
    fence = "`" * 3
    while any(fence in line for line in diff):
        fence += "`"
    return [f"{fence}diff", *diff, fence]
