"""`SecondOpinion`: what PIT says of tests that were graded; beside the grades, never part of them."""

from testevo.records.base import DocumentedEnum, Part, Record
from testevo.records.methods import TestKey
from testevo.records.tasks import Track


class PitStatus(DocumentedEnum):
    """PIT's status of one mutation. All but the last two count as detected, as PIT counts."""

    KILLED = "killed", "the test fails"
    TIMED_OUT = "timed_out", "the test passes the time limit"
    MEMORY_ERROR = "memory_error", "the JVM runs out of memory"
    RUN_ERROR = "run_error", "the JVM ends without a verdict"
    NON_VIABLE = "non_viable", "the mutated class cannot be loaded"
    SURVIVED = "survived", "the test passes"
    NO_COVERAGE = "no_coverage", "the test does not reach the line; not run"

    @property
    def detected(self) -> bool:
        return self not in (PitStatus.SURVIVED, PitStatus.NO_COVERAGE)


class OpinionUndefined(DocumentedEnum):
    """Why there is no second opinion: undefined is not zero."""

    NOT_PASSED = "not_passed", "only tests that pass on the new code are measured"
    NO_LINES = "no_lines", "no changed line in a focal method, so nothing was run"
    NO_MUTATIONS = "no_mutations", "PIT makes no mutation on these lines"
    NOT_RUN_HERE = "not_run_here", "PIT does not run on the JDK of the task, or with its test framework"
    NOT_GREEN = "not_green", "the test does not pass under PIT before anything is mutated"
    NO_TEST = "no_test", "PIT finds no such test"
    TIMED_OUT = "timed_out", "PIT passed the time limit of a suite"
    NO_REPORT = "no_report", "PIT ended without a whole report"
    NOT_BUILT = "not_built", "the tree of the candidate did not build this time"


class PitMutation(Part):
    """One mutation on the lines that mutants may change, and what became of it."""

    path: str
    line: int
    type_name: str
    method: str
    descriptor: str
    mutator: str
    """Simple name of PIT's mutation operator."""
    indexes: tuple[int, ...]
    """Places in the byte code of the method; with the mutator they tell mutations of one line apart."""
    status: PitStatus


class MethodOpinion(Part):
    """The second opinion on one target method."""

    test: TestKey
    mutations: tuple[PitMutation, ...] = ()
    """Sorted; empty when undefined."""
    undefined: OpinionUndefined | None = None

    def count(self, status: PitStatus) -> int:
        return sum(one.status is status for one in self.mutations)

    @property
    def detected(self) -> int:
        return sum(one.status.detected for one in self.mutations)

    @property
    def score(self) -> float | None:
        """Detected over all mutations, 0 to 1; None without mutations, never 0."""
        return self.detected / len(self.mutations) if self.mutations else None


class SecondOpinion(Record):
    """PIT's result for one system on one task; the grade it belongs to has the same system, task and key."""

    system: str
    task_id: str
    track: Track
    key: str
    """`GradedTask.key`."""
    methods: tuple[MethodOpinion, ...] = ()
    """In the order of the graded task."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.system, self.task_id, self.track)
