"""Records of the online half: what was fetched for builds, and that they need no network any more."""

from testevo.records.base import Record
from testevo.records.verdicts import BuildOutcome


class WarmBuild(Record):
    """How the build of a revision ends that stands for all revisions with its build fingerprint."""

    repository: str
    position: int
    """Place in the walk."""
    revision: str
    """The newest revision of the fingerprint that is to be built."""
    fingerprint: str | None
    """None where the build files cannot be read."""
    outcome: BuildOutcome
    reason: str
    """The whole sentence for a person; '' when built."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.position)


class OfflineProof(Record):
    """Whether a build ends without a network as it does with one."""

    repository: str
    position: int
    revision: str
    fingerprint: str | None
    holds: bool
    reason: str
    """The difference; '' when it holds."""
    by_maven: bool
    """Whether Maven itself ran again with `-o`; where not, the model that such a run left was built from."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.position)
