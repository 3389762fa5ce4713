"""Rows of the published tables, taken from the tasks of a dataset folder."""

from collections.abc import Iterable, Mapping, Sequence

from testevo.records.base import Record
from testevo.records.executions import Combination
from testevo.records.repository import Repository
from testevo.records.snapshots.publication import (
    PublishedAnswer,
    PublishedDependency,
    PublishedRepository,
    PublishedTask,
)
from testevo.records.tasks import Task, TestEvidence, Track
from testevo.runtime.clock import utc_date

TASKS, DEPENDENCIES, ANSWERS, REPOSITORIES = "tasks", "dependencies", "answers", "repositories"
TABLES: Mapping[str, type[Record]] = {
    TASKS: PublishedTask,
    DEPENDENCIES: PublishedDependency,
    ANSWERS: PublishedAnswer,
    REPOSITORIES: PublishedRepository,
}
"""Record of each table's rows, by name. All but the last have a part for each track."""


def table_parts(tasks: Sequence[Task], repositories: Mapping[str, Repository]) -> dict[str, list[Record]]:
    """The sorted rows of each part of a table, by its path without suffix (`tasks/update`, `repositories`).

    Args:
        tasks: of both tracks.
        repositories: by `owner/name`; those without tasks are left out.
    """
    parts: dict[str, list[Record]] = {}
    for track in Track:
        own = [task for task in tasks if task.track == track]
        parts[f"{TASKS}/{track.value}"] = _sorted(_task(one, repositories.get(one.repository)) for one in own)
        parts[f"{DEPENDENCIES}/{track.value}"] = _sorted(row for one in own for row in _dependencies(one))
        parts[f"{ANSWERS}/{track.value}"] = _sorted(_answer(one, test) for one in own for test in one.tests)
    names = {task.repository for task in tasks}
    parts[REPOSITORIES] = _sorted(_repository(repositories[name]) for name in names & repositories.keys())
    return parts


def record_of(part: str) -> type[Record]:
    """The record of the rows of a part of a table."""
    return TABLES[part.partition("/")[0]]


def _sorted(rows: Iterable[Record]) -> list[Record]:
    return sorted(rows, key=lambda row: (row.sort_key(), row.line()))


def _task(task: Task, repository: Repository | None) -> PublishedTask:
    return PublishedTask(
        task_id=task.task_id,
        track=task.track,
        repository=task.repository,
        clone_url=task.clone_url,
        licence=repository.licence if repository else None,
        old_revision=task.old_revision,
        new_revision=task.new_revision,
        old_date=str(utc_date(task.old_time)),
        new_date=str(utc_date(task.new_time)),
        build_system=task.build_system,
        java_level=task.java_level,
        jdk=task.jdk,
        module=task.module,
        test_file=task.test_file,
        old_test_file=task.old_test_file,
        tests=tuple(str(evidence.test.method) for evidence in task.tests),
        quarantined=task.quarantined,
    )


def _dependencies(task: Task) -> Iterable[PublishedDependency]:
    for dependency in task.dependencies:
        yield PublishedDependency(
            task_id=task.task_id,
            track=task.track,
            method=str(dependency.method),
            change=dependency.kind,
            path=dependency.path,
            first_line=dependency.span.first_line,
            last_line=dependency.span.last_line,
            coupling=dependency.score,
        )


def _answer(task: Task, evidence: TestEvidence) -> PublishedAnswer:
    coverage, mutation = evidence.gold_coverage, evidence.gold_mutation
    return PublishedAnswer(
        task_id=task.task_id,
        track=task.track,
        test=str(evidence.test.method),
        kind=evidence.test_kind,
        change=evidence.change,
        focal=evidence.focal,
        old_source=evidence.old_source,
        new_source=evidence.new_source,
        **{each.value: evidence.outcomes.get(each.value) for each in Combination},
        covered_lines=coverage.covered if coverage else None,
        executable_lines=coverage.executable_lines if coverage else None,
        killed_mutants=mutation.killed if mutation else None,
        mutants=mutation.mutants if mutation else None,
    )


def _repository(repository: Repository) -> PublishedRepository:
    return PublishedRepository(
        repository=repository.name,
        clone_url=repository.clone_url,
        licence=repository.licence,
        licence_file=repository.licence_origin,
    )
