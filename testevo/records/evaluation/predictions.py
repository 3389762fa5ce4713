"""`Prediction` and `Edit`: what a system submitted for a task, and what it is reduced to (TEB-E02, E12)."""

from base64 import b64decode, b64encode

from testevo.records.base import DocumentedEnum, Part, Record


class DefectKind(DocumentedEnum):
    """A defect of a prediction. Listed in the order in which they are looked for."""

    UNKNOWN_TASK = "unknown_task", "the dataset has no task of that id"
    DUPLICATE_TASK = "duplicate_task", "the task has more than one prediction; none of them counts"
    MISSING_TASK = "missing_task", "the task has no prediction"
    EMPTY = "empty", "nothing was submitted for the task"
    TOO_LARGE = "too_large", "more text than a test file can have: 1 MiB and twice the developer's file"
    TWO_FORMS = "two_forms", "more than one of patch, files and tests is given, or one file twice"
    FENCED = "fenced", "the text is wrapped in a Markdown fence"
    INDENTED = "indented", "all lines of the patch are indented"
    NO_FINAL_NEWLINE = "no_final_newline", "the patch ends without a line end"
    LINE_ENDS = "line_ends", "line ends of the patch differ from those of the file"
    NO_PATCH = "no_patch", "the text is not a unified diff"
    HUNK_COUNTS = "hunk_counts", "a hunk has other numbers of lines than its header says"
    BINARY = "binary", "a binary hunk"
    MODE = "mode", "a change of file mode"
    LINK = "link", "a symbolic link or submodule"
    RENAME = "rename", "a rename or copy"
    UNSAFE_PATH = "unsafe_path", "an absolute path, or one that leaves the repository"
    BUILD_FILE = "build_file", "a build file is touched"
    OUTSIDE_TARGET = "outside_target", "a file other than the target test file is touched"
    DELETES_TARGET = "deletes_target", "the target test file is deleted"
    DOES_NOT_APPLY = "does_not_apply", "the patch fits the start state in no way that is tried"
    NO_SUCH_METHOD = "no_such_method", "a text is given for a method that is not a target of the task"
    NOT_JAVA = "not_java", "the text of a method, or the whole file, cannot be read as Java"
    UNWRITABLE = "unwritable", "a character of the file has no form in the encoding in which a build reads it"
    NO_EFFECT = "no_effect", "the file is the same afterwards"
    TARGET_MISSING = "target_missing", "a target method is absent from the edited file"
    LOOKS_AROUND = "looks_around", "the file names loaders, stack frames, class files or folders of its run"
    ENTERS_NO_FOCAL_LINE = "enters_no_focal_line", "a passing test runs no line of its focal methods"
    HIDES_COVERAGE = "hides_coverage", "a passing test has no coverage data where the developer's test has some"
    HAS_RESERVES = (
        "has_reserves",
        "the file declares members that the compiler takes only where the old code lacks a new one",
    )
    IMPOSSIBLE_OUTCOME = "impossible_outcome", "the recorded outcome cannot be, so it counts for nothing"


class Defect(Part):
    """A finding about a prediction."""

    kind: DefectKind
    message: str
    """A sentence: thing, reason, next step."""
    line: int | None = None
    """Of the predictions file for defects of a line, of the patch for defects of a patch; from 1."""
    fatal: bool = True
    """The prediction is a harness failure; others are warnings."""
    repaired: bool = False
    """Repaired by a repair that the run allowed."""


class Prediction(Record):
    """A system's answer to a task as it was submitted. At most one of `patch`, `files` and `tests` is given."""

    task_id: str
    system: str
    patch: str | None = None
    """A unified diff against the task's start state."""
    files: dict[str, str] | None = None
    """Whole files by repository-relative path."""
    tests: dict[str, str] | None = None
    """Source of test methods by method name, or by `Class#method`."""
    track: str | None = None
    cost_usd: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    wall_s: float | None = None
    exit_status: str | None = None
    trajectory: str | None = None
    file_line: int | None = None
    """Where it stands in its file, from 1; None when the format has no lines."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.system, self.task_id)


class Edit(Record):
    """The one canonical form of a prediction: the whole content of the target test file, or nothing to run."""

    task_id: str
    system: str
    text: str | None = None
    """The file when it is UTF-8; None with `base64` for other bytes, both None when there is nothing to run."""
    base64: str | None = None
    applied_by: str | None = None
    """The way of applying that fitted: `exact`, `whitespace`, `offset`, `files`, `methods` or `control`."""
    defects: tuple[Defect, ...] = ()
    cost_usd: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    wall_s: float | None = None
    exit_status: str | None = None

    @property
    def content(self) -> bytes | None:
        """The bytes of the target test file; None when the prediction is a harness failure."""
        if self.text is not None:
            return self.text.encode()
        return None if self.base64 is None else b64decode(self.base64)

    def sort_key(self) -> tuple[object, ...]:
        return (self.system, self.task_id)


def encoded(content: bytes | None) -> dict[str, str | None]:
    """The fields `text` and `base64` of an `Edit` for the content of a file."""
    if content is None:
        return {"text": None, "base64": None}
    try:
        return {"text": content.decode("utf-8"), "base64": None}
    except UnicodeDecodeError:
        return {"text": None, "base64": b64encode(content).decode("ascii")}
