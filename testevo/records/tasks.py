"""`Task`: the packaged, proven unit of the benchmark (TEB-K04 to K09)."""

from collections.abc import Iterable

from pydantic import Field, field_validator

from testevo.records.base import DocumentedEnum, Part, Record
from testevo.records.evidence.mutants import MutantAccounting, MutationScore
from testevo.records.evidence.stability import Stability
from testevo.records.labels import Dependency, LabelKind
from testevo.records.methods import ChangeKind, Span, TestKey, TestKind
from testevo.records.repository import slug_of
from testevo.records.verdicts import Outcome, SurefireReasons
from testevo.runtime.files.files import canonical_json, stays_inside

REVISION = "^[0-9a-f]+$"
FIRST_TIME, LAST_TIME = -62_135_596_800, 253_402_300_799
"""The begin of the year 1 and the end of the year 9999: no other day has a name."""


class Track(DocumentedEnum):
    """The two tracks."""

    UPDATE = "update", "adapt tests that the code change broke"
    GENERATION = "generation", "write tests that tell the new code from the old"


class Coverage(Part):
    """Focal line coverage of one test method, with both denominators (TEB-V10)."""

    covered: int
    """Lines of the focal methods with at least one covered instruction."""
    raw_lines: int
    """All lines of their line ranges: the paper's denominator."""
    executable_lines: int
    """Lines of the ranges that have byte code."""

    @property
    def raw(self) -> float | None:
        """0 to 1; None without lines."""
        return self.covered / self.raw_lines if self.raw_lines else None

    @property
    def executable(self) -> float | None:
        return self.covered / self.executable_lines if self.executable_lines else None


class TargetTest(Part):
    """A target test method as a system may see it: which one, and its old version."""

    test: TestKey
    old_source: str | None
    old_span: Span | None
    dependencies: tuple[Dependency, ...]


class Solution(Part):
    """What the developers made of a target test method, and what was proven about it."""

    test_kind: TestKind
    change: ChangeKind
    label: LabelKind
    new_source: str
    new_span: Span
    outcomes: dict[str, Outcome]
    """By combination (TEB-K06)."""
    focal: str | None = None
    gold_coverage: Coverage | None = None
    """Of the developer's test on the new revision (TEB-K06); None when it could not be measured."""
    gold_mutation: MutationScore | None = None
    """Of the developer's test; None without mutants."""
    stability: tuple[Stability, ...] = ()
    """Of the developer's test, in runs that vary what it should not depend on."""
    mutants: tuple[str, ...] = ()
    """The kill set of this test method, by name of mutant (TEB-V17)."""
    accounting: tuple[MutantAccounting, ...] = ()
    """By mutated file."""


class TestEvidence(TargetTest, Solution):
    """A target test method of a task, its sources and what was proven about it."""

    __test__ = False


class OpenTask(Record):
    """A task as a system may see it: the lines of `tasks/<track>.jsonl` of a dataset."""

    task_id: str
    track: Track
    repository: str
    project_name: str
    version: str
    web_url: str | None
    clone_url: str | None
    """As of its `Repository`, which says why there is none."""
    old_revision: str = Field(pattern=REVISION)
    new_revision: str = Field(pattern=REVISION)
    old_time: int = Field(ge=FIRST_TIME, le=LAST_TIME)
    """Committer time, seconds since 1970, UTC."""
    new_time: int = Field(ge=FIRST_TIME, le=LAST_TIME)
    build_system: str = "maven"
    java_level: str | None
    jdk: int
    fingerprint: str
    """Key of the build model with class paths and options."""
    surefire: str | None = None
    """Why only Surefire runs the tests of its module as Maven does, at one end or the other (`BuildVerdict.surefire`);
    None for the normal case."""
    module: str
    test_file: str
    old_test_file: str | None
    tests: tuple[TargetTest, ...] = Field(min_length=1)
    dependencies: tuple[Dependency, ...]
    mutants: int | None = None
    """Number of cached mutants of the task (TEB-K09); None when they were not asked for."""
    quarantined: str | None = None
    """Why the task is left out of aggregates: its developer's test does not reach Success, or not every time."""
    encoding: str | None = None
    """In which the build of the new revision reads the test file; absent for UTF-8, and where the file is ASCII at
    both ends."""
    old_encoding: str | None = None
    """The same of the old revision."""

    @field_validator("task_id", "module", "test_file", "old_test_file")
    @classmethod
    def _stays_inside(cls, value: str | None) -> str | None:
        if value and not stays_inside(value):
            raise ValueError(f"{value!r} is no place below a folder")
        return value

    @field_validator("task_id")
    @classmethod
    def _is_a_name(cls, value: str) -> str:
        if not value or "/" in value:
            raise ValueError(f"{value!r} is no name of a file")
        return value

    @property
    def compiled_as(self) -> str:
        """The encoding of the test file and of whatever takes its place."""
        return self.encoding or "UTF-8"

    def line(self) -> str:
        said = self.model_dump(mode="json")
        return canonical_json({name: said[name] for name in said if said[name] is not None or name not in _ENCODINGS})

    @property
    def old_module(self) -> str:
        """The module of the tests at the old revision: another one where the test file came from another folder."""
        inside = f"{self.module}/" if self.module else ""
        old, below = f"/{self.old_test_file}", f"/{self.test_file.removeprefix(inside)}"
        moved = self.test_file.startswith(inside) and old.endswith(below)
        return old.removesuffix(below).removeprefix("/") if moved else self.module

    @property
    def slug(self) -> str:
        """The repository as a file name."""
        return slug_of(self.repository)

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.track)


_ENCODINGS = ("encoding", "old_encoding")
"""Not written where they say nothing."""


class Task(OpenTask):
    """One (repository, old revision, new revision, test file, track)."""

    tests: tuple[TestEvidence, ...] = Field(min_length=1)


class Answer(Solution, Record):
    """The solution of a target test method of a task: the lines of `answers/<track>.jsonl` of a dataset."""

    task_id: str
    track: Track
    test: TestKey

    def sort_key(self) -> tuple[object, ...]:
        return (self.task_id, self.track, str(self.test))


def surefire_of(tasks: Iterable[Task]) -> dict[str, SurefireReasons]:
    """By revision at an end of a task, why only Surefire runs the tests of the modules of tasks as Maven does."""
    found: dict[str, SurefireReasons] = {}
    for task in tasks:
        if task.surefire is not None:
            for end, module in ((task.old_revision, task.old_module), (task.new_revision, task.module)):
                found.setdefault(end, {})[module] = task.surefire
    return found


class FunnelCount(Part):
    """How many items left a stage for a reason; reason '' are those that went on."""

    reason: str
    count: int


class FunnelStage(Record):
    """A stage of the funnel; the counts add up to `entered`."""

    stage: str
    unit: str
    entered: int
    left: tuple[FunnelCount, ...]

    @property
    def went_on(self) -> int:
        return sum(one.count for one in self.left if one.reason == "")

    def sort_key(self) -> tuple[object, ...]:
        return (self.stage, self.unit)
