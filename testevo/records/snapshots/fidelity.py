"""`RepositoryAgreement`, `EngineAgreement`: a snapshot beside released tasks, its verdicts beside those of Maven."""

from testevo.records.base import Part, Record
from testevo.records.tasks import FunnelCount, Track


class TrackAgreement(Part):
    """Counts of tasks on one track; `expected` = exact + same pair + other pair + missing."""

    track: Track
    released: int
    """Tasks in the released file."""
    expected: int
    """Those whose two revisions were walked, and those found in another way."""
    mined: int
    exact: int
    """Equal revisions, test file and set of test methods."""
    same_pair: int
    """Equal revisions and test file, another set of test methods."""
    other_pair: int
    """Equal test file and a common test method, the new revision has the same Java files, another old revision."""
    missing: tuple[FunnelCount, ...] = ()
    """Expected tasks that were not found, by the one reason that the records of the stages give."""
    extra: tuple[FunnelCount, ...] = ()
    """Mined tasks that match no released one, by what the release has instead."""


class RepositoryAgreement(Record):
    """A repository of a snapshot beside its released tasks. Holds counts only, no released data."""

    repository: str
    rejection: str | None = None
    """Stage and reason why the whole repository yielded nothing; None when it was mined to the end."""
    maven: str = ""
    """Version of the Maven that mined it, or versions with commas; '' where the snapshot names none."""
    compared_on: str = ""
    """Day of the comparison (ISO 8601); '' where nobody noted it."""
    walked: int = 0
    """Commits of the walk."""
    kept: int = 0
    """Commits that were to be built."""
    built: int = 0
    green: int = 0
    """Built commits whose suite makes them usable as the end of a pair."""
    served: tuple[FunnelCount, ...] = ()
    """Compiled commits by who compiled and tested them, in the words of `testevo status`, with the reason."""
    wall_seconds: int = 0
    """Of all stages, one after the other, beside whatever else the machine did."""
    processor_seconds: int = 0
    tracks: tuple[TrackAgreement, ...] = ()

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository,)


class RevisionAgreement(Part):
    """The verdicts of a mined commit beside those of Maven and Surefire on the same commit."""

    revision: str
    served: str
    """Who built and tested it when it was mined: `direct`, `by Maven` (compiled only) or `by Surefire`."""
    tests: int
    """Outcomes of tests that were compared, beside the verdicts of the build and the suite."""
    differences: tuple[str, ...] = ()


class EngineAgreement(Record):
    """Drawn commits of a mined repository, held against Maven."""

    repository: str
    revisions: tuple[RevisionAgreement, ...] = ()
    """None where the mining found no usable commit."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository,)
