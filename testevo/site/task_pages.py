"""The pages of tasks: what changed in test and code, what each run proved, and what systems reached."""

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from testevo.history.bundle import open_bundle
from testevo.history.git import GitRepository
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evidence.mutants import Mutant, MutantFate
from testevo.records.executions import Combination, Execution
from testevo.records.labels import Dependency
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task, TestEvidence
from testevo.records.verdicts import Outcome
from testevo.runtime.clock import utc_date
from testevo.runtime.files.files import url_safe_name
from testevo.site.content import SiteContent, run_key
from testevo.site.diffs import Row, cut, rows_of
from testevo.site.listings import DAY, FACET, LINK, NUMBER, TEXT, Field, Listing
from testevo.site.rendering import Page
from testevo.site.traces import Trace, shown_trace

WORDS = {
    Combination.OLD_TEST_OLD_CODE: "Old test, old code",
    Combination.OLD_TEST_NEW_CODE: "Old test, new code",
    Combination.NEW_TEST_OLD_CODE: "New test, old code",
    Combination.NEW_TEST_NEW_CODE: "New test, new code",
}


@dataclass(frozen=True)
class Run:
    """One of the four runs of a test, and what it said."""

    title: str
    outcome: Outcome | None
    """None where the combination was not run: no old test, or nothing hangs on it."""
    repeats: tuple[Outcome, ...] = ()
    exception: str | None = None
    message: str | None = None
    diagnostics: tuple[str, ...] = ()
    trace: Trace | None = None


@dataclass(frozen=True)
class ShownMutant:
    """A mutant and what the developer's tests did to it, where that is known."""

    mutant: Mutant
    fate: str


@dataclass(frozen=True)
class ChangedFile:
    """A file of dependency methods, old beside new."""

    path: str
    rows: Sequence[Row]
    methods: Sequence[Dependency]
    mutants: Sequence[ShownMutant]


def page_of(content: SiteContent, task: Task) -> str:
    return f"tasks/{task.track.value}/{url_safe_name(content.name_of(task))}.html"


def task_pages(content: SiteContent) -> Iterator[Page]:
    """A page per task, in the order of the explorer."""
    tasks = list(content.tasks)
    with tempfile.TemporaryDirectory(prefix="testevo-") as scratch:
        opened: dict[str, GitRepository] = {}
        for at, task in enumerate(tasks):
            if task.slug not in opened:
                bundle = content.dataset.bundle(task.slug)
                opened[task.slug] = open_bundle(bundle, Path(scratch) / url_safe_name(task.slug))
            values = {
                "task": task,
                "compare": address_of_change(task),
                "tests": [(one, test_rows(one), runs_of(task, one, content, opened[task.slug])) for one in task.tests],
                "files": changed_files(task, content, opened[task.slug]),
                "results": content.graded_by_task.get((task.task_id, task.track), []),
                "previous": page_of(content, tasks[at - 1]) if at else None,
                "following": page_of(content, tasks[at + 1]) if at + 1 < len(tasks) else None,
            }
            yield Page(page_of(content, task), "task.html", content.name_of(task), values)


def address_of_change(task: Task) -> str | None:
    """Where the project's host shows the whole change; only addresses that a browser may follow safely."""
    if task.web_url is None or not task.web_url.startswith(("https://", "http://")):
        return None
    return f"{task.web_url}/compare/{task.old_revision}...{task.new_revision}"


def test_rows(evidence: TestEvidence) -> list[Row]:
    """The test method before and after."""
    return rows_of(
        (evidence.old_source or "").splitlines(),
        evidence.new_source.splitlines(),
        old_first=evidence.old_span.first_line if evidence.old_span else 1,
        new_first=evidence.new_span.first_line,
    )


def runs_of(task: Task, evidence: TestEvidence, content: SiteContent, git: GitRepository) -> list[Run]:
    """The four runs; with their messages and traces where the records of runs are at hand."""
    said = {one.combination: one for one in content.executions.get(run_key(task, evidence.test), ())}
    found = []
    for kind in WORDS:
        run = run_of(kind, evidence.outcomes.get(kind.value), said.get(kind))
        printed = trace_of(content, said.get(kind))
        if run.outcome is not None and printed is not None:
            run = replace(run, trace=shown_trace(printed, java_files(git, task.old_revision, task.new_revision)))
        found.append(run)
    return found


def run_of(kind: Combination, outcome: Outcome | None, said: Execution | None) -> Run:
    if said is None or outcome is None:
        return Run(WORDS[kind], outcome)
    lines = tuple(f"{one.path}:{one.line} {one.message}" for one in said.diagnostics)
    return Run(WORDS[kind], outcome, said.outcomes, said.exception, said.message, lines)


def trace_of(content: SiteContent, said: Execution | None) -> str | None:
    return None if said is None or said.logs is None else content.traces.get((said.repository, said.logs))


@lru_cache(maxsize=64)
def java_files(git: GitRepository, *revisions: str) -> frozenset[str]:
    """The paths of the Java files of some revisions."""
    return frozenset(path for revision in revisions for path in git.java_blobs(revision))


def changed_files(task: Task, content: SiteContent, git: GitRepository) -> list[ChangedFile]:
    """The files of the task's dependency methods, cut to what changed and to those methods."""
    by_path: dict[str, list[Dependency]] = defaultdict(list)
    for one in task.dependencies:
        by_path[one.path].append(one)
    fates, entered = developers_runs(content.graded_by_task.get((task.task_id, task.track), ()))
    mutants = content.dataset.mutants.get(task.task_id, []) if task.mutants else []
    found = []
    for path, methods in sorted(by_path.items()):
        was, now = file_at(git, task.old_revision, path), file_at(git, task.new_revision, path)
        if was is None:
            renamed = git.renamed_from(task.old_revision, task.new_revision)
            was = file_at(git, task.old_revision, renamed[path]) if path in renamed else None
        own = [one for one in mutants if one.path == path]
        rows = annotated(rows_of(lines_of(was), lines_of(now)), methods, entered.get(path, frozenset()), own)
        shown = [ShownMutant(one, fate_words(one, fates)) for one in own]
        found.append(ChangedFile(path, cut(rows, lambda row: row.marked), methods, shown))
    return found


@lru_cache(maxsize=256)
def file_at(git: GitRepository, revision: str, path: str) -> bytes | None:
    """A file at a revision; neighbouring tasks often share a commit pair, and each reading starts git."""
    return git.read(revision, path)


def lines_of(content: bytes | None) -> list[str]:
    return [] if content is None else content.decode("utf-8", "replace").splitlines()


def annotated(
    rows: Iterable[Row], methods: Sequence[Dependency], entered: frozenset[int], mutants: Sequence[Mutant]
) -> list[Row]:
    """The rows with marks of dependency methods, of lines the developer's test reaches, and of mutants."""
    counts = Counter(one.first_line for one in mutants)
    return [
        replace(
            row,
            marked=any(one.span.contains(line) for one in methods if (line := line_for(row, one)) is not None),
            entered=row.new_number in entered,
            mutants=counts[row.new_number] if row.new_number is not None else 0,
        )
        for row in rows
    ]


def line_for(row: Row, method: Dependency) -> int | None:
    """The number of the row at the revision that a dependency's span is of."""
    return row.old_number if method.kind is ChangeKind.REMOVED else row.new_number


def developers_runs(graded: Iterable[GradedTask]) -> tuple[dict[str, MutantFate], dict[str, frozenset[int]]]:
    """Of the control submission `gold`, if it was graded: the fate of each mutant and the lines entered, by path."""
    fates: dict[str, MutantFate] = {}
    entered: dict[str, set[int]] = defaultdict(set)
    for method in (method for one in graded if one.system == "gold" for method in one.methods):
        for path, numbers in (method.entered or {}).items():
            entered[path] |= set(numbers)
        for run in method.mutant_runs:
            if run.mutant not in fates or run.fate.killed:
                fates[run.mutant] = run.fate
    return fates, {path: frozenset(numbers) for path, numbers in entered.items()}


def fate_words(mutant: Mutant, fates: Mapping[str, MutantFate]) -> str:
    if mutant.equivalent:
        return "equivalent: same byte code"
    if mutant.mutant in fates:
        return fates[mutant.mutant].value.replace("_", " ")
    return "not known here"


def task_listing(content: SiteContent) -> Listing:
    """The explorer's rows, the newest first."""
    fields = (
        Field("Task", LINK, "tasks/$1/$0.html"),
        Field("Track", FACET),
        Field("Repository", FACET),
        Field("Day", DAY),
        Field("Test methods", TEXT),
        Field("Kind of test", FACET),
        Field("Tests", NUMBER),
        Field("Methods", NUMBER),
        Field("Mutants", NUMBER),
        Field("Success", NUMBER),
        Field("State", FACET),
    )
    shares = success_shares(content)
    newest = sorted(content.tasks, key=lambda one: (-one.new_time, *one.sort_key()))
    return Listing("tasks", fields, [row_of(content, one, shares.get((one.task_id, one.track))) for one in newest])


def row_of(content: SiteContent, task: Task, share: float | None) -> list[Any]:
    return [
        content.name_of(task),
        task.track.value,
        task.repository,
        utc_date(task.new_time).isoformat(),
        ", ".join(one.test.name for one in task.tests),
        " ".join(sorted({one.test_kind.value for one in task.tests})),
        len(task.tests),
        len(task.dependencies),
        task.mutants,
        None if share is None else round(100 * share, 1),
        "quarantined" if task.quarantined else "active",
    ]


def success_shares(content: SiteContent) -> dict[Any, float]:
    """Mean success of the submitted systems in per cent by task; of the controls nothing is told here."""
    found = defaultdict(list)
    for one in content.results:
        value = one.values.get("success")
        if one.system not in content.controls and one.excluded is None and value is not None:
            found[one.task_id, one.track].append(value)
    return {key: sum(values) / len(values) for key, values in found.items()}
