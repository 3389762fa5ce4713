"""`AgentRun`: what a system did with a task: how it ended, what it cost, what it changed, what it looked for."""

from typing import Literal

from testevo.records.agents.usage import Budget, ModelUsage, Spent
from testevo.records.base import DocumentedEnum, Part, Record
from testevo.records.tasks import Track


class RunStatus(DocumentedEnum):
    """How a run ended."""

    FINISHED = "finished", "the program ended by itself, with status 0"
    FAILED = "failed", "the program ended by itself, with another status"
    TOKENS = "tokens", "the model was asked again after the limit of tokens"
    COST = "cost", "the model was asked again after the limit of US dollars"
    CALLS = "calls", "the model was asked again after the limit of calls"
    SECONDS = "seconds", "the run passed its limit of wall time, and was ended"
    DISK = "disk", "the run filled its folders, and was ended"
    OUTPUT = "output", "the run flooded the channel of the sandbox, and was ended"
    INFRASTRUCTURE = (
        "infrastructure",
        "the last call to the model brought no answer: its address, the key or the network failed. The next run tries "
        "again",
    )


class OutsideEdit(Part):
    """An edit of another file than the target: reported, and no part of the prediction (TEB-E12)."""

    path: str
    change: Literal["created", "changed", "deleted"]


class FindingKind(DocumentedEnum):
    """What the scanner of trajectories looks for."""

    GIT_OBJECTS = "git_objects", "looks into git for other revisions: log, reflog, alternates, packs, lost objects"
    DATASET = "dataset", "looks for the dataset or results of this project, or for workspaces of others"
    NETWORK = "network", "tries to reach the network, beside its model"
    NEWER_ARTIFACTS = "newer_artifacts", "looks for other versions of the project, or for jars of sources and tests"
    SECRETS = "secrets", "reads environment variables or files that hold keys"
    PROCESSES = "processes", "looks into other processes, or for what is mounted from outside"
    CANARY = "canary", "a canary string was read or written"
    OUTSIDE_EDIT = "outside_edit", "edits a file other than the target"
    DELETED_ASSERTIONS = "deleted_assertions", "the patch takes away more assertions than it adds, or disables a test"
    UNSCANNED = "unscanned", "a step or the run is so long that a part of it was not scanned"


class Finding(Part):
    """Something in a trajectory or a patch that a reader should look at; it changes no grade."""

    kind: FindingKind
    event: int | None
    """Of the trajectory, from 1; None for what the patch or the final files say."""
    text: str
    """The words that were found, cut to 200 characters."""


class AgentRun(Record):
    """One attempt of one system at one task: a measurement, unlike other records."""

    system: str
    task_id: str
    track: Track
    repository: str
    attempt: int = 1
    key: str
    """Of all that was asked for: task, prompt, program and version, model, budget."""
    program: str
    version: str
    model: str
    sandbox: str
    status: RunStatus
    reason: str = ""
    """What the run said last, where it did not end well."""
    exit_code: int | None = None
    """Of the program, negative for a signal; None when it was ended from outside."""
    tries: int = 1
    """Times that it was started; more than one after failures of the infrastructure, and after a kill."""
    budget: Budget
    """Of each try."""
    usage: ModelUsage
    """Of the last try, as are the seconds."""
    wall_s: float
    cpu_s: float
    """Of the program and all that it started, in seconds."""
    spoiled: Spent = Spent()
    """What the tries before the last took. They say nothing of the system, and were paid all the same."""
    patch: str | None
    """Unified diff of the target file; None when it is as it was."""
    outside: tuple[OutsideEdit, ...] = ()
    findings: tuple[Finding, ...] = ()
    trajectory: str
    """Folder with output, events and calls, relative to that of the system."""

    @property
    def last(self) -> Spent:
        """What the last try took."""
        return Spent(tries=1, usage=self.usage, wall_s=self.wall_s, cpu_s=self.cpu_s)

    @property
    def spent(self) -> Spent:
        """What all tries took together: the cost of the run."""
        return self.spoiled + self.last

    def sort_key(self) -> tuple[object, ...]:
        return (self.system, self.task_id, self.track, self.attempt)
