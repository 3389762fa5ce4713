"""`Label` and `RefactoringVerdict`: what executions and changes say about a test (TEB-X05 to X15)."""

from testevo.records.base import DocumentedEnum, Part, Record
from testevo.records.methods import ChangeKind, MethodKey, Span, TestKey, TestKind


class LabelKind(DocumentedEnum):
    """The effect of a test change, proven by execution."""

    UPDATE = "update", "old test passes on old code and not on new code; the new test passes on new code (TEB-X05)"
    REFINEMENT = "refinement", "the old test still passes on new code (TEB-K02)"
    DISCRIMINATING = "discriminating", "inserted, passes on new code, fails on old code (TEB-X07)"
    REDUNDANT = "redundant", "inserted, passes on both (TEB-K01)"
    UNCHANGED = "unchanged", "an unchanged test whose dependencies changed and that still passes (TEB-K03)"
    BROKEN_UNCHANGED = "broken_unchanged", "an unchanged test whose dependencies changed and that no longer passes"
    NONE = "none", "no label; the reason says why"


class DropReason(DocumentedEnum):
    """The one reason a candidate is not a task. Listed in the order in which they are judged."""

    TEST_KIND = "test_kind", "a kind of test that the preset leaves out"
    SYNTAX_UNREAD = (
        "syntax_unread",
        "a changed file of the test sources, or of a class that it enters, holds syntax that the parser does not know",
    )
    REMOVED = "removed", "the test is absent at the new revision; recorded only (TEB-X02)"
    NOT_TEXTUALLY_CHANGED = "not_changed", "the method has not changed between the joined ends"
    AMBIGUOUS_DEPENDENCY = (
        "ambiguous_dependency",
        "calls a changed method of a class that several other modules hold, or one with an overload whose parameter "
        "types differ in package or outer class alone: calls do not tell which one ran",
    )
    CALLS_UNKNOWN = (
        "calls_unknown",
        "no run with the call probe shows what it calls: it ended its JVM, took too long, was not found, ended "
        "otherwise than in its suite, or loads classes that the probe cannot instrument",
    )
    NO_DEPENDENCY = "no_dependency", "calls no method that changed"
    LOST_DEPENDENCY = (
        "lost_dependency",
        "all changed callees are of the kinds the released data loses, or are gone and the new test calls nothing that "
        "sources declare",
    )
    OUTSIDE_GAP = "outside_gap", "the joined ends lie outside the time gap (TEB-X12)"
    HELPER_CHANGED = "helper_changed", "a helper in the test tree changed at the same time (TEB-X09)"
    NOT_DECLARED = (
        "not_declared",
        "no source file at hand declares the method that runs at an end, alone under its key and in a class that runs "
        "by itself",
    )
    NOT_A_TEST_BEFORE = (
        "not_a_test_before",
        "no engine runs it at the old revision, which declares it: no new method to splice in",
    )
    DECLARED_ELSEWHERE = (
        "declared_elsewhere",
        "changed, and declared in another class (pulled up, pushed down or overridden), or in one that left a file "
        "that stays or came into one that was there",
    )
    ANNOTATIONS_CHANGED = (
        "annotations_changed",
        "only annotations of the test differ, which the preset does not count: neither changed nor a negative",
    )
    TEST_REFACTORED = "test_refactored", "the test change is a refactoring (TEB-X10)"
    CODE_REFACTORED = "code_refactored", "the code change is only a refactoring (TEB-X11)"
    MOVED = "moved", "class or package moved or renamed, nothing else (TEB-X11)"
    NEW_TEST_FAILS = "new_test_fails", "the new test does not pass on the new code (TEB-X08)"
    OLD_TEST_FAILS = "old_test_fails", "the old test does not pass on the old code (TEB-X05)"
    OUTPUT_LOST = "output_lost", "leaves `System.out` null, where the released data's harness lost its results"
    CONSOLE_FAILS = (
        "console_fails",
        "does not pass when the console launcher of JUnit runs it, as the released data's harness did",
    )
    UNSTABLE = "unstable", "repeated runs disagree (TEB-X15)"
    COLLATERAL_COMPILE_ERROR = "collateral_compile_error", "only other code of the swapped tree fails to compile"
    NOT_RUNNABLE = "not_runnable", "a needed run ended in skipped, aborted, not found or infrastructure"
    REFINEMENT = "refinement", "the old test still passes on the new code (TEB-K02)"
    REDUNDANT = "redundant", "the inserted test passes on the old code too (TEB-K01)"
    UNCHANGED = "unchanged", "the test did not change; kept as a negative sample (TEB-K03)"


class Dependency(Part):
    """A changed production method that the test calls; `path` and `span` are at the new revision, old if removed."""

    method: MethodKey
    kind: ChangeKind
    path: str
    span: Span
    score: float = 0.0
    """Static coupling, 0 to 1 (TEB-X13, X14); the list is sorted by it."""


class Label(Record):
    """The judgement over one (old revision, new revision, test method)."""

    repository: str
    old_revision: str
    new_revision: str
    test: TestKey
    test_kind: TestKind
    change: ChangeKind
    label: LabelKind
    reason: DropReason | None
    """None for a candidate that becomes part of a task."""
    detail: str | None = None
    dependencies: tuple[Dependency, ...] = ()
    closure: tuple[Dependency, ...] = ()
    """Changed methods anywhere below the test, ranked."""
    old_path: str | None = None
    old_span: Span | None = None
    new_span: Span | None = None
    stable: bool | None = None
    """Whether the runs of every execution that decides agree; None where one ran only once, as of most negatives."""
    declared_path: str | None = None
    """File that declares an inherited test, where its spans lie; None for the test's own path."""

    @property
    def edited_path(self) -> str:
        """The file that holds the method, and that a solution of a task would edit."""
        return self.declared_path or self.test.path

    @property
    def focal(self) -> Dependency | None:
        """The strongest dependency (TEB-X13)."""
        return self.dependencies[0] if self.dependencies else None

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.new_revision, self.old_revision, str(self.test))


class Purity(DocumentedEnum):
    """The verdict of refactoring detection on a change."""

    NONE = "none", "no refactoring found"
    PURE = "pure", "nothing but refactoring"
    MIXED = "mixed", "a refactoring and other edits"
    UNKNOWN = "unknown", "detection failed, timed out or ran out of memory"


class Refactoring(Part):
    """A refactoring as reported, cut to what the filters read."""

    kind: str
    """For example `Rename Method`."""
    description: str
    declarations: tuple[str, ...] = ()
    """`path:first-last` of METHOD_DECLARATION locations on either side, `L:` or `R:` in front. Unlike a `Span`, the
    first line is that of the documentation comment when there is one."""
    purity: Purity = Purity.UNKNOWN
    """The detector's judgement of this refactoring; it judges a few method-level kinds only."""


class RefactoringVerdict(Record):
    """Refactorings between the ends of a pair, judged for one test and its dependencies."""

    repository: str
    old_revision: str
    new_revision: str
    test: TestKey
    test_change: Purity
    code_change: Purity
    moved: bool
    """Class or package move or rename with an equal normalised syntax tree."""
    refactorings: tuple[Refactoring, ...] = ()
    detail: str | None = None

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.new_revision, self.old_revision, str(self.test))
