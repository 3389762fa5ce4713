"""Facts about a candidate before any verdict, for `judge`."""

from dataclasses import dataclass, field
from typing import Literal

from testevo.labels.dependencies import DependencyLinks
from testevo.records.methods import ChangeKind, Span, TestKey, TestKind

Declaration = Literal["same_class", "other_class", "other_file", "idle_before", "nowhere"]
"""The declaration that a test runs: of one class at both ends, or it runs at one end only; of another class at the
other end; of one class, which left a file for another one, and either is there at both ends; at the old end no engine
runs the method that is declared there; at an end that is needed none was found."""


@dataclass(frozen=True)
class CandidateFacts:
    """A test between two revisions, with what the changes and calls say about it."""

    repository: str
    old_revision: str
    new_revision: str
    test: TestKey
    """The test at the new end; at the old end for a removed one."""
    test_kind: TestKind
    is_plain: bool
    """Void, parameterless, plain `@Test`, in the top-level class named like its file."""
    nominated: ChangeKind
    """The change of the test in the pair of neighbours that nominated it."""
    change: ChangeKind
    """Its change between `old_revision` and `new_revision`."""
    links: DependencyLinks = field(default_factory=DependencyLinks)
    calls_unknown: str | None = None
    """Why it is not known what the new test calls, see `dependencies.why_unknown`."""
    calls_of_another_run: str | None = None
    """How the run with the call probe ended otherwise than Surefire's suite, see `dependencies.why_another_run`."""
    outside_gap: bool = False
    changed_helpers: tuple[str, ...] = ()
    """The findings of the helper filter, see `filters.changed_helpers`."""
    old_file_exists: bool = True
    """Whether the test's file exists at the old revision."""
    old_path: str | None = None
    old_span: Span | None = None
    new_span: Span | None = None
    declared_path: str | None = None
    """File that declares an inherited test; None for the test's own path."""
    declaration: Declaration = "same_class"
    unread: tuple[str, ...] = ()
    """Files that differ, and that nobody knows the declarations of, see `revisions.unread_files`."""
    annotations_differ: bool = False
    """Whether annotations that apply to the test differ between the ends."""
