"""`GradedTask`: what the stage `evaluate` writes, one per system and task (TEB-E07, V01 to V07)."""

from testevo.records.base import DocumentedEnum, Part, Record
from testevo.records.evaluation.predictions import Defect, DefectKind
from testevo.records.evidence.mutants import MutantRun, MutationScore
from testevo.records.methods import TestKey
from testevo.records.tasks import Coverage, Track
from testevo.records.verdicts import Diagnostic, Outcome


class Grade(DocumentedEnum):
    """The outcome partition of a target method: exactly one of these, shares of a task sum to one (TEB-V01)."""

    SUCCESS = "success", "passes on the new code; generation: and fails on the old code (TEB-V02)"
    REDUNDANT = "redundant", "generation only: passes on the new code and on the old code (TEB-V03)"
    EXEC_FAIL = "exec_fail", "compiles and does not pass on the new code (TEB-V04)"
    COMPILE_FAIL = "compile_fail", "does not compile on the new code (TEB-V05)"
    HARNESS_FAIL = "harness_fail", "nothing was submitted, or it cannot be applied (TEB-V06)"


PASSING = (Grade.SUCCESS, Grade.REDUNDANT)
"""Grades of a test that passes on the new code."""


class Discrimination(DocumentedEnum):
    """How a passing test of the generation track tells old code from new code; kept apart."""

    ASSERTION = "assertion", "an assertion fails on the old code"
    EXCEPTION = "exception", "another exception or error on the old code"
    OWN_COMPILE_ERROR = "own_compile_error", "the test method does not compile on the old code"
    COLLATERAL_COMPILE_ERROR = "collateral_compile_error", "other test code, in its file or not, does not compile there"
    MISSING_CLASS = "missing_class", "a class or member is missing on the old code when the test runs"
    NONE = "none", "passes on the old code too"
    NOT_JUDGED = (
        "not_judged",
        "skipped, aborted, not found, timed out, ended the JVM or twice without a verdict on the old code: the test "
        "itself neither passed nor failed",
    )

    @property
    def fails(self) -> bool:
        """Fails on the old code in the sense of the paper."""
        return self not in (Discrimination.NONE, Discrimination.NOT_JUDGED)

    @property
    def behavioural(self) -> bool:
        """Fails by what the code does (assertion or exception), not by what it lacks."""
        return self in (Discrimination.ASSERTION, Discrimination.EXCEPTION)


class Undefined(DocumentedEnum):
    """Why there is no measurement: undefined is not zero (TEB-V20)."""

    NOT_PASSED = "not_passed", "only tests that pass on the new code are measured (TEB-E11)"
    NO_LINES = "no_lines", "no focal method has a line at the new revision (all removed)"
    NO_DATA = "no_data", "the probes left no data, or data that contradict each other"
    HIDDEN = (
        "hidden",
        "twice without data where the developer's test has some: the test does not let itself be measured",
    )
    NO_MUTANTS = "no_mutants", "the kill set is empty"
    NO_BASELINE = "no_baseline", "the test does not pass again on the unmutated code, run as mutants are"
    SWITCHED_OFF = "switched_off", "the run was asked not to measure it"
    NEEDS_SUREFIRE = "needs_surefire", "only Surefire runs this test as Maven does, and it measures nothing"


class Weakening(DocumentedEnum):
    """How an update checks less than the old test did."""

    ASSERTIONS_REMOVED = "assertions_removed", "fewer assertions than in the old test"
    ASSERTIONS_LOOSENED = "assertions_loosened", "an assertion became weaker, such as equality to non-null"
    NO_ASSERTION = "no_assertion", "asserts nothing while the old test did"
    DISABLED = "disabled", "disabled, assumes what never holds, or returns before its assertions"
    EXCEPTION_SWALLOWED = (
        "exception_swallowed",
        "assertions moved where a catch or finally hides that they fail, or an exception says that they must",
    )


class MethodResult(Part):
    """The grade of one target test method. `old_run` is judged for passing tests of the generation track only."""

    test: TestKey
    grade: Grade
    new_run: Outcome | None
    """On the new code; None when nothing could be run."""
    old_run: Outcome | None = None
    """On the old code."""
    discrimination: Discrimination | None = None
    behavioural_success: bool = False
    """The stricter Success: the test enters focal code or is not measured, without hiding its coverage, and generation
    fails on old by what the code does."""
    exception: str | None = None
    """Class of the exception of the run that decides: on the new code if it did not pass there, else on the old."""
    message: str | None = None
    """The message of that run, or the first compile error of its tree."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """All compile errors of that tree."""
    coverage: Coverage | None = None
    coverage_undefined: Undefined | None = None
    entered: dict[str, tuple[int, ...]] | None = None
    """Lines of the focal methods by path on which a mutant could matter: all those of methods that the test entered.
    None when they are not known."""
    mutation: MutationScore | None = None
    mutation_undefined: Undefined | None = None
    mutant_runs: tuple[MutantRun, ...] = ()
    weakening: tuple[Weakening, ...] = ()
    logs: str | None = None
    """Folder with stdout, stderr and JUnit XML, relative to the stage folder."""

    @property
    def enters_no_focal_line(self) -> bool:
        """Measured, and of code that can run; False also where nothing is known."""
        coverage = self.coverage
        if coverage is None or coverage.executable_lines == 0 or coverage.covered:
            return False
        return not any((self.entered or {}).values())

    @property
    def hides_coverage(self) -> bool:
        """Cannot be measured, while the developer's test can."""
        return self.coverage_undefined is Undefined.HIDDEN


NOT_HERE = "On this machine its preconditions do not hold: "
"""Begins the reason of a quarantine that is of one machine, not of the dataset (`testevo.grading.preconditions`)."""


class GradedTask(Record):
    """The grade of one system on one task."""

    system: str
    task_id: str
    track: Track
    repository: str
    old_revision: str
    new_revision: str
    new_time: int
    """Committer time of the new revision, seconds since 1970, UTC: windows are cut by it (TEB-K08)."""
    key: str
    """Content key of task, edit, tools, JDK and settings."""
    edit: str | None
    """SHA-256 of the edited test file; None when there was nothing to run."""
    sandbox: str | None = None
    """Name of the sandbox that its tests run in; `none` also below Maven's Surefire (docs/sandboxes.md)."""
    applied_by: str | None = None
    defects: tuple[Defect, ...] = ()
    infrastructure: str | None = None
    """Why the harness, not the candidate, failed; then no share of this task is evidence about the system."""
    quarantined: str | None = None
    """Why the task is quarantined; it stays graded and out of the aggregates."""
    methods: tuple[MethodResult, ...] = ()
    cost_usd: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    wall_s: float | None = None
    exit_status: str | None = None

    @property
    def is_missing(self) -> bool:
        """Whether the system has no prediction for the task at all."""
        return any(defect.kind is DefectKind.MISSING_TASK for defect in self.defects)

    def share(self, grade: Grade) -> float:
        """Share of the task's methods with a grade, 0 to 1 (TEB-V08)."""
        return sum(method.grade is grade for method in self.methods) / len(self.methods)

    def sort_key(self) -> tuple[object, ...]:
        return (self.system, self.task_id)
