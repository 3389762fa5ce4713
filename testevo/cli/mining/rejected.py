"""Histories and revisions that an earlier run could not use: say why, and ask again once the cause is fixed."""

from pathlib import Path

from testevo.config.snapshot.layout import RepositoryFiles
from testevo.execution.journal import Journal
from testevo.grading.gold import is_settled
from testevo.labels.reasons.advice import advice
from testevo.records.base import read_records, records_so_far
from testevo.records.repository import Repository
from testevo.records.tasks import Task
from testevo.records.verdicts import BuildVerdict, SuiteVerdict, is_settled_work
from testevo.runtime.errors import UserError


def require_history(files: RepositoryFiles) -> None:
    """Refuse to go on with a single history that yields nothing.

    Raises:
        UserError: the stage `clone` rejected it (TEB-M06).
    """
    for one in read_records(files.repository, Repository):
        if one.rejection is not None:
            reason = one.detail or one.rejection.doc
            raise UserError(f"{one.name} cannot be mined: {reason}. {advice(one.rejection)}.")


def changeable_file(files: RepositoryFiles, history: str) -> list[Path]:
    """The record of a history that may have changed since: a folder may have new commits, a rejection may be fixed."""
    local = Path(history).is_dir() and files.repository.is_file()
    return [files.repository] if local else rejected_file(files)


def retried_files(files: RepositoryFiles) -> list[Path]:
    """Outputs to make again once network, JDK or time limit are fixed (`--retry`)."""
    return rejected_file(files) + unresolved_file(files) + unmeasured_file(files)


def rejected_file(files: RepositoryFiles) -> list[Path]:
    """The record of a history that the stage `clone` rejected and can look at again."""
    rejected = any(one.rejection is not None for one in records_so_far(files.repository, Repository))
    return [files.repository] if rejected else []


def unmeasured_file(files: RepositoryFiles) -> list[Path]:
    """The measured tasks, when the harness failed on the developer's test of one."""
    return [] if all(is_settled(task) for task in records_so_far(files.measured, Task)) else [files.measured]


def unresolved_file(files: RepositoryFiles) -> list[Path]:
    """The verdicts that the stage `build_check` can find again, when some failed for a cause outside the history.

    Its journal forgets those, so that the others are not built again.
    """
    for path in files.journals("build_check"):
        with Journal(path) as journal:
            journal.keep(is_settled_work)
    unbuilt = any(verdict.outcome.possible_fault for verdict in records_so_far(files.builds, BuildVerdict))
    unfinished = any(verdict.outcome.possible_fault for verdict in records_so_far(files.suites, SuiteVerdict))
    return [files.builds] if unbuilt or unfinished else []
