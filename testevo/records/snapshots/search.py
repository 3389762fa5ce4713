"""`FoundRepository`: what the search of GitHub found, and why it was left out."""

from pydantic import Field, JsonValue

from testevo.records.base import DocumentedEnum, Record
from testevo.records.repository import slug_of


class SearchRejection(DocumentedEnum):
    """Why a repository that was found is not a candidate; the first that applies (TEB-M01 to M05)."""

    GONE = "gone", "it no longer exists, or is no longer public"
    BLOCKED = "blocked", "GitHub blocks access to it, for instance for a DMCA notice"
    NOT_PUBLIC = "not_public", "its visibility is not public"
    FORK = "fork", "it is a fork"
    ARCHIVED = "archived", "it is archived, and the configuration leaves such repositories out"
    FEW_STARS = "few_stars", "it has fewer stars than demanded"
    FEW_FORKS = "few_forks", "it has fewer forks than demanded"
    TOO_LARGE = "too_large", "it is larger than allowed"
    NOT_PUSHED = "not_pushed", "its last push is before the demanded day"
    TOO_YOUNG = "too_young", "it was created after the demanded day"
    NOT_JAVA = "not_java", "its main language is not Java"
    NO_LICENCE = "no_licence", "GitHub detects no licence"
    UNKNOWN_LICENCE = "unknown_licence", "GitHub detects a licence, but not which (NOASSERTION)"
    OTHER_LICENCE = "other_licence", "its licence is not one of those demanded"
    EMPTY = "empty", "it has no commit"
    NO_BUILD_FILE = "no_build_file", "no pom.xml at top level of the default branch"
    LITTLE_JAVA = "little_java", "less of its code is Java than demanded"


class FoundRepository(Record):
    """A repository as GitHub described it on the day of the search."""

    id: int | None = None
    """GitHub's number of the repository, which survives renaming; None where a name is all that is known."""
    name: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    """`owner/name`, after renaming."""
    found_as: str | None = None
    """The name that it was found by, where GitHub has another one for it now."""
    web_url: str | None = None
    clone_url: str | None = Field(None, pattern="^https?://")
    stars: int | None = None
    forks: int | None = None
    archived: bool | None = None
    size_kb: int | None = None
    licence: str | None = None
    """SPDX id that GitHub detects; the stage `clone` reads the files themselves."""
    created: str | None = None
    """UTC, ISO 8601."""
    pushed: str | None = None
    """UTC, ISO 8601."""
    default_branch: str | None = None
    head: str | None = None
    """Commit of the default branch; None where it was not asked for, since something else rejects the repository."""
    java_share: float | None = None
    """Bytes of Java by bytes of all languages that GitHub counts, likewise."""
    rejection: SearchRejection | None = None
    detail: str | None = None

    @property
    def slug(self) -> str:
        """The name as a file name: `owner+name`."""
        return slug_of(self.name)

    def sort_key(self) -> tuple[object, ...]:
        return (self.name.lower(), self.id or 0)


class SearchSummary(Record):
    """How the repositories of a lock file were found; its first line."""

    criteria: dict[str, JsonValue]
    """The keys of `sources.github` that decide what is found."""
    names_digest: str | None = None
    """SHA-256 of the file of names that was checked in place of a search."""
    first_day: str
    """UTC day of the first answer."""
    last_day: str
    """UTC day of the last answer."""
    not_shown: int = 0
    """Repositories that GitHub counted in a slice and never showed."""
