"""Rows of the published tables: flat, so that data frames and databases read them without this project's code."""

from testevo.records.base import Record
from testevo.records.methods import ChangeKind, TestKind
from testevo.records.tasks import Track
from testevo.records.verdicts import Outcome


class PublishedTask(Record):
    """A task as a system may see it: everything but the developer's answer."""

    task_id: str
    track: Track
    repository: str
    clone_url: str | None
    licence: str | None
    """SPDX id of the repository; None where none was recognised."""
    old_revision: str
    new_revision: str
    old_date: str
    """Committer's day, UTC, as `YYYY-MM-DD`."""
    new_date: str
    """Committer's day, UTC: the date of the task."""
    build_system: str
    java_level: str | None
    jdk: int
    """Major version of the JDK that the tests ran on."""
    module: str
    """Folder of the module, '' for the root."""
    test_file: str
    old_test_file: str | None
    tests: tuple[str, ...]
    """The target test methods, `package.Class#name(parameter types)`."""
    quarantined: str | None
    """Why the task is left out of aggregates; None for a task that counts."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.track)


class PublishedDependency(Record):
    """A changed production method that the target tests of a task call."""

    task_id: str
    track: Track
    method: str
    """`package.Class#name(parameter types)`."""
    change: ChangeKind
    path: str
    first_line: int
    """At the new revision; at the old one for a removed method. 1-based, annotations included."""
    last_line: int
    coupling: float
    """Static coupling with the tests, 0 to 1."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.track, -self.coupling, self.method)


class PublishedAnswer(Record):
    """A developer's test method, and what was proven about it. Never shown to a system."""

    task_id: str
    track: Track
    test: str
    """`package.Class#name(parameter types)`."""
    kind: TestKind
    change: ChangeKind
    focal: str | None
    """The production method that the test is coupled to most strongly."""
    old_source: str | None
    new_source: str
    old_test_old_code: Outcome | None
    """Outcome of the run; None where the combination was not run."""
    old_test_new_code: Outcome | None
    new_test_old_code: Outcome | None
    new_test_new_code: Outcome | None
    covered_lines: int | None
    """Executable focal lines that the test covers."""
    executable_lines: int | None
    killed_mutants: int | None
    mutants: int | None

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.track, self.test)


class PublishedRepository(Record):
    """A repository with tasks, for attribution."""

    repository: str
    clone_url: str | None
    licence: str | None
    """SPDX id; None where none was recognised."""
    licence_file: str | None
    """The file that says so, or what was found instead."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository,)


class Subset(Record):
    """A named selection of tasks, fixed by the digest of its ids."""

    name: str
    rule: str
    """How the tasks were selected, a sentence."""
    tasks: tuple[str, ...]
    """`<track>/<task id>`, sorted."""
    sha256: str
    """Of the lines of `tasks`, each with a line end."""
