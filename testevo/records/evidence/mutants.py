"""`Mutant` and what is counted about mutants (TEB-V13 to V20, K09)."""

from testevo.records.base import DocumentedEnum, Part, Record


class Mutant(Record):
    """A mutant of the new revision that tests of a task are run against."""

    task_id: str
    mutant: str
    """Name within the task: content digest of place and text."""
    path: str
    """Repository-relative path of the mutated file."""
    first_line: int
    """First changed line, from 1."""
    original: str
    """The line as it is."""
    mutated: str
    """The line as it becomes; '' for a deleted one."""
    classes: dict[str, str]
    """Changed class files: binary name → SHA-256 of the bytes, which lie in the task's archive of mutants."""
    equivalent: bool = False
    """Same byte code as the original: nothing can kill it. Part of the kill set of `paper`, not of `strict`."""
    duplicate_of: str | None = None
    """Another mutant of the task with the same byte code; part of the kill set of `paper`, not of `strict`."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.path, self.first_line, self.mutant)


class MutantAccounting(Part):
    """The fate of all mutants of one file for one test method: nothing is dropped silently (TEB-V15, V16).

    emitted = count + compile_failed + redundant + capped_out.
    """

    path: str
    lines: tuple[int, ...]
    """The lines mutants may change: changed lines within the test's dependency methods."""
    emitted: int
    compile_failed: int
    redundant: int
    """Byte-identical to the source, or same text as another mutant (`duplicate_text` of them)."""
    capped_out: int
    count: int
    duplicate_text: int = 0
    string_only: int = 0
    """Left out by the generator because only a string literal would change; not part of `emitted`."""
    equivalent: int = 0
    """Among `count`: same byte code as the original."""
    duplicate_code: int = 0
    """Among `count`: same byte code as another one."""

    @property
    def closes(self) -> bool:
        return self.emitted == self.count + self.compile_failed + self.redundant + self.capped_out


class MutantFate(DocumentedEnum):
    """The outcome of one test method on one mutant."""

    KILLED_BY_ASSERTION = "killed_by_assertion", "the test fails by an assertion"
    KILLED_BY_EXCEPTION = "killed_by_exception", "the test fails by another exception or error"
    TIMED_OUT = "timed_out", "the test passes the time limit calibrated on the unmutated code"
    HARNESS = "harness", "the JVM ends without a verdict, or the mutated class cannot be loaded"
    SURVIVED = "survived", "the test passes"
    NOT_COVERED = (
        "not_covered",
        "the test does not enter the mutated method, or brings its own class in that place; survives without being run",
    )
    NOT_BELIEVED = "not_believed", "the test does not always pass on the unmutated code, run beside the mutant"

    @property
    def killed(self) -> bool:
        """Killed in the sense of the paper: the test does not return pass (TEB-V18)."""
        return self not in (MutantFate.SURVIVED, MutantFate.NOT_COVERED, MutantFate.NOT_BELIEVED)


class MutantRun(Part):
    """The fate of one mutant under one test method."""

    mutant: str
    fate: MutantFate


class MutationScore(Part):
    """Two scores of one test method over its kill set; a score without mutants is undefined, never 0 (TEB-V20).

    `paper` counts every mutant and every way of not passing. `strict` leaves out equivalents and duplicates, and only
    assertions and exceptions kill.
    """

    mutants: int
    killed: int
    strict_mutants: int
    strict_killed: int
    killed_by_assertion: int
    killed_by_exception: int
    timed_out: int
    harness: int
    survived: int
    not_covered: int
    not_believed: int = 0

    @property
    def paper(self) -> float | None:
        return self.killed / self.mutants if self.mutants else None

    @property
    def strict(self) -> float | None:
        return self.strict_killed / self.strict_mutants if self.strict_mutants else None

    @property
    def asserted(self) -> float | None:
        """Only kills by an assertion: those that the test would lose without its assertions."""
        return self.killed_by_assertion / self.mutants if self.mutants else None

    @property
    def closes(self) -> bool:
        parts = (self.killed_by_assertion, self.killed_by_exception, self.timed_out, self.harness)
        rest = self.survived + self.not_covered + self.not_believed
        return self.killed == sum(parts) and self.mutants == self.killed + rest
