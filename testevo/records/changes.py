"""`CommitPair` and `MethodChange`: what the stage `commit_pair` writes."""

from testevo.records.base import DocumentedEnum, Record
from testevo.records.methods import ChangeKind, MethodKey, Side, Span, TestKind


class PairRelation(DocumentedEnum):
    """How the two ends of a pair are related in the commit graph."""

    PARENT_CHILD = "parent_child", "the old end is a parent of the new end"
    ANCESTOR = "ancestor", "the old end is a remoter ancestor"
    UNRELATED = "unrelated", "the old end is not an ancestor of the new end"


class PairRejection(DocumentedEnum):
    """Why a pair yields no candidates."""

    OUTSIDE_GAP = "outside_gap", "the time between the ends is negative or longer than the limit (TEB-X12)"
    ENDPOINT_UNUSABLE = "endpoint_unusable", "an end does not build or its tests do not pass (TEB-M13, M14)"
    NOT_ANCESTOR = "not_ancestor", "the old end is not an ancestor of the new end"
    NO_JAVA_CHANGE = "no_java_change", "no Java file differs (TEB-M15)"
    NO_TEST_TOUCHED = "no_test_touched", "no test method is inserted or modified, and none calls a changed method"


class TestFileRejection(DocumentedEnum):
    """Why a test file that a pair touches yields no candidates."""

    __test__ = False

    OTHER_LANGUAGE = "other_language", "in Kotlin, Groovy or Scala: only tests in Java are read"
    OTHER_FRAMEWORK = "other_framework", "of TestNG: only tests of JUnit are read"


class CommitPair(Record):
    """Two revisions that are compared. `position` is the new end's place in the walk."""

    repository: str
    old_revision: str
    new_revision: str
    position: int
    relation: PairRelation
    author_gap: int
    """Seconds from the old end's author time to the new end's."""
    committer_gap: int
    """Seconds from the old end's committer time to the new end's."""
    joined: bool = False
    """Made by the code-then-test join, not a pair of neighbours."""
    rejection: PairRejection | None = None
    detail: str | None = None
    other_language_tests: tuple[str, ...] = ()
    """Test files in other languages than Java that a compared pair touches (`other_language`)."""
    other_framework_tests: tuple[str, ...] = ()
    """Test files of TestNG that a compared pair touches (`other_framework`)."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.position, self.joined, self.old_revision)


class MethodChange(Record):
    """A method that differs between the ends of a pair, with its places at both."""

    repository: str
    old_revision: str
    new_revision: str
    side: Side
    module: str
    method: MethodKey
    copies: tuple[str, ...] = ()
    """Other modules that hold a class of this name too, at the new revision (the old one if removed): calls name no
    module."""
    key_is_shared: bool = False
    """Another method of its file has this key, at the same revision: their parameter types differ in package or outer
    class alone, and calls name neither."""
    kind: ChangeKind
    """As judged by the configured meaning of *changed*."""
    text_differs: bool
    """For a test with its annotations and those of its classes, where they count (`rules.changes.test_annotations`)."""
    byte_code_differs: bool | None = None
    """None when an end has no byte code for it (abstract methods, code that does not compile)."""
    old_path: str | None = None
    new_path: str | None = None
    old_span: Span | None = None
    new_span: Span | None = None
    changed_tokens: int = 0
    """How large the change is, for production methods: comment-free tokens that only one end has."""
    test_kind: TestKind | None = None
    """Set for test methods; None for production methods and helpers in the test tree."""

    def sort_key(self) -> tuple[object, ...]:
        return (
            self.repository,
            self.new_revision,
            self.old_revision,
            self.side,
            self.new_path or self.old_path or "",
            str(self.method),
        )
