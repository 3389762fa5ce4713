"""`Certificate`: whether the engine `direct` was shown to end as plain Maven for one way of building."""

from testevo.records.base import DocumentedEnum, Part, Record

MOST_DIFFERENCES = 20
"""Kept of one certificate."""


class CertificateVerdict(DocumentedEnum):
    """What the comparison with plain Maven has shown."""

    CERTIFIED = "certified", "class folders and suites are equal"
    BUILT_EQUAL = "built_equal", "class folders are equal; the suites crash both ways, or have no tests to compare"
    UNFINISHED = "unfinished", "class folders are equal; a suite passed its time limit, so Surefire runs the tests"
    DIFFERS = "differs", "a class folder or a test differs; Surefire runs the tests of these commits"
    NOT_TRIED = "not_tried", "not compared; the engine is believed as it is"


class Comparison(Part):
    """One commit built and tested both ways."""

    verdict: CertificateVerdict
    reason: str = ""
    """Why it is not certified; '' when it is."""
    differences: tuple[str, ...] = ()
    """Of files and tests, both ends of each; the first of them when there are many."""
    files: int = 0
    """In class folders, compared."""
    tests: int = 0
    """Compared."""
    revision: str = ""
    """The commit that was compared, perhaps by an earlier snapshot; '' when none was."""


class Certificate(Record):
    """What a comparison says of all commits of a repository that are built in one way."""

    repository: str
    procedure: str
    """Key of the way of building (`testevo.builds.model.build_procedure`)."""
    commits: int
    """Of the walk that were built in this way."""
    comparison: Comparison
    compiled_by_maven: bool = False
    """Whether Maven compiled them all, and only our launcher was compared."""
    other_modules: tuple[str, ...] = ()
    """Modules whose suites were not compared, since Surefire runs their tests (`BuildVerdict.surefire`)."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.procedure)

    @property
    def surefire(self) -> str | None:
        """Why Surefire runs all tests of these commits; None when the engine is believed."""
        found = self.comparison
        by_surefire = found.verdict in (CertificateVerdict.DIFFERS, CertificateVerdict.UNFINISHED)
        return f"certificate_{found.verdict.value}: {found.reason}" if by_surefire else None

    @property
    def told(self) -> str:
        """What is to be said beside the verdict: why it is not certified, and which modules were not compared."""
        others = ", ".join(path or "." for path in self.other_modules)
        by_surefire = f"Surefire runs the tests of {others}" if others else ""
        return "; ".join(text for text in (self.comparison.reason, by_surefire) if text)
