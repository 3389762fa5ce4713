"""A submission to the leaderboard, what a check of it finds, and the entries of the leaderboard (TEB-R09, R11)."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, model_validator

from testevo.records.base import DocumentedEnum, Part, Record, each_once
from testevo.records.tasks import Track

Url = str
CUTOFF = r"^\d{4}-\d{2}(-\d{2})?$"


class UsedModel(Part):
    """A model that a system uses."""

    name: str = Field(min_length=1)
    cutoff: str | None = Field(None, pattern=CUTOFF)
    """End of its training data, a month or a day; taken from `config/model-cutoffs.yaml` where that knows the model."""
    cutoff_source: Url | None = Field(None, pattern="^https://")
    """Where the provider says so."""

    @model_validator(mode="after")
    def _has_source(self) -> "UsedModel":
        if (self.cutoff is None) is not (self.cutoff_source is None):
            raise ValueError("cutoff and cutoff_source belong together")
        return self


class Links(Part):
    """Pages about a system."""

    paper: Url | None = Field(None, pattern="^https://")
    code: Url | None = Field(None, pattern="^https://")
    project: Url | None = Field(None, pattern="^https://")


class Cost(Part):
    """What the whole run cost."""

    usd: float | None = Field(None, ge=0, allow_inf_nan=False)
    """None where nothing was billed, as for models on one's own machine."""
    budget_usd_per_task: float | None = Field(None, gt=0, allow_inf_nan=False)
    hours: float | None = Field(None, ge=0, allow_inf_nan=False)
    """Hours of machines, summed."""


class Submission(Record):
    """`submission.yaml`: who submits what, beside `predictions.jsonl` and optional `trajectories/`."""

    schema_version: Literal[1]
    system: str = Field(min_length=1)
    """As in the predictions."""
    agent: str = Field(min_length=1)
    models: tuple[UsedModel, ...] = Field(min_length=1)
    organization: str | None = None
    submitted: date
    contact: str = Field(min_length=3)
    """An address for questions; not shown on the leaderboard."""
    licence: Literal["CC-BY-4.0", "CC0-1.0", "MIT", "Apache-2.0", "BSD-3-Clause"]
    """Of predictions and trajectories, beyond what is the repositories'."""
    tracks: Annotated[tuple[Track, ...], each_once("track")] = Field((Track.UPDATE, Track.GENERATION), min_length=1)
    links: Links = Links()
    cost: Cost
    notes: str | None = None


class SubmissionDefect(DocumentedEnum):
    """What can be wrong with a submission."""

    UNKNOWN_TASK = "unknown_task", "a prediction is for a task that the dataset does not have, or another track"
    DUPLICATE_TASK = "duplicate_task", "a task has several predictions"
    MISSING_TASK = "missing_task", "a task of the tracks has no prediction; submit an empty one where a run failed"
    OTHER_SYSTEM = "other_system", "a prediction names another system"
    COPIED = "copied", "most files are byte for byte those of the developers"
    TRAJECTORY = "trajectory", "a trajectory that a prediction names is not a file below the folder"
    CUTOFF = "cutoff", "the cutoff of a model is not the one that is known"
    UNKNOWN_CUTOFF = "unknown_cutoff", "no cutoff of a model is known or given"
    HARNESS_FAILURE = "harness_failure", "a prediction cannot be run, and will count as a harness failure"
    NO_COST = "no_cost", "neither the run nor its tasks have a cost"


class SubmissionFinding(Part):
    """One defect; a warning where the submission can be graded all the same."""

    defect: SubmissionDefect
    fatal: bool
    message: str


class Regraded(Record):
    """`graded.json`: what the grades of a listed submission were made from."""

    schema_version: Literal[1] = 1
    predictions: str
    """SHA-256 of `predictions.jsonl` as graded."""
    dataset: str
    """Name of the snapshot."""
    dataset_checksums: str
    """SHA-256 of the dataset's `checksums.sha256`."""
    grades: str
    """SHA-256 of `graded.jsonl`."""
    version: str
    """Of testevo."""


class BoardRow(Part):
    """A task of an entry, as in the released leaderboard: rates are shares of its methods, 0 to 1."""

    d: date
    """UTC day of the new revision."""
    pass_: float = Field(alias="pass", ge=0, le=1)
    exec: float = Field(ge=0, le=1)
    cmpl: float = Field(ge=0, le=1)
    hrns: float = Field(ge=0, le=1)
    cov: float | None = Field(ge=0, le=1)
    mut: float | None = Field(ge=0, le=1)
    disc: float | None = Field(None, ge=0, le=1)
    """Success; generation only, where `pass` counts redundant tests too."""

    @property
    def success(self) -> float:
        return self.pass_ if self.disc is None else self.disc


class BoardEntry(Part):
    """A system on one track of the leaderboard. The first keys are those of the released file."""

    agent: str
    model: str
    organization: str | None = None
    submission_date: date
    paper_url: Url | None = None
    tasks: tuple[BoardRow, ...]
    origin: Literal["graded", "imported"] = "imported"
    """Graded here from its predictions, or taken over from a released file, whose grades nobody has repeated."""
    system: str | None = None
    cutoff: str | None = Field(None, pattern=CUTOFF)
    """The latest of its models; None where one is unknown."""
    dataset: str | None = None
    """Name of the snapshot it was graded on; None where it is imported."""
    cost_usd: float | None = Field(None, allow_inf_nan=False)
    links: Links = Links()
