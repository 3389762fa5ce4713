"""`Repository` and `Commit`: what the stages `search` and `clone` write."""

from testevo.records.base import DocumentedEnum, Record


def slug_of(name: str) -> str:
    """The name of a repository, `owner/name`, as a file name: `owner+name`."""
    return name.replace("/", "+")


class SourceKind(DocumentedEnum):
    """Where a history comes from."""

    GITHUB = "github", "found by a search of GitHub"
    LIST = "list", "a clone address, local git folder or bundle named in the configuration"
    RELEASES = "releases", "consecutive releases of Maven coordinates"
    WORLDS = "worlds", "a history embedded in this project, with known labels"


class RepositoryRejection(DocumentedEnum):
    """Why a repository yields no history (TEB-M02, M06)."""

    CLONE_FAILED = "clone_failed", "the address could not be cloned or read"
    EMPTY = "empty", "the repository has no commit"
    SHALLOW = "shallow", "the clone is shallow, its history ends early"
    START_MISSING = "start_missing", "the tag, branch or commit to start at does not exist"
    NO_COMMIT_BEFORE_CUTOFF = "no_commit_before_cutoff", "every commit is younger than the cutoff"
    NO_BUILD_FILE = "no_build_file", "no pom.xml at top level at the start of the walk"
    JAVA_TOO_OLD = "java_too_old", "declares an older Java level than `rules.walk.least_java_level` (TEB-M07)"
    RELEASES_UNAVAILABLE = "releases_unavailable", "fewer than two releases publish sources, test sources and a POM"


class Repository(Record):
    """A candidate repository: named by `search`, and again by `clone` once its start is known."""

    name: str
    """`owner/name`."""
    source: SourceKind
    address: str
    """The origin of the clone: address, folder or bundle; coordinates for releases; the name of a world."""
    web_url: str | None = None
    clone_url: str | None = None
    """Where anyone can clone it from; None with the reason. Never a place of one machine, never with credentials."""
    clone_url_reason: str | None = None
    licence: str | None = None
    """SPDX id of the files at the start of the walk; None where none was recognised."""
    licence_origin: str | None = None
    """The file that says so, or what was found instead."""
    start: str | None = None
    """Tag, branch or commit the walk starts from; None before it has been chosen."""
    version: str | None = None
    """The released data's `version`: the start tag, or the branch when there is none."""
    rejection: RepositoryRejection | None = None
    detail: str | None = None

    @property
    def slug(self) -> str:
        """The name as a file name: `owner+name`."""
        return slug_of(self.name)

    @property
    def project_name(self) -> str:
        """`<owner>_<repo>-<version>`, as in the released data; slashes of a version become `-`."""
        return f"{self.name.replace('/', '_')}-{(self.version or 'HEAD').replace('/', '-')}"

    def sort_key(self) -> tuple[object, ...]:
        return (self.name,)


class CommitRejection(DocumentedEnum):
    """Why a walked commit is not an end of any pair."""

    EQUAL_JAVA = "equal_java", "a neighbour with the same Java files stands for it"
    NO_JAVA_CHANGE = "no_java_change", "neither it nor its child changes a Java file (TEB-M15)"
    INCOMPLETE = "incomplete", "the clone lacks a file of it (a partial clone); the others are mined"
    UNWRITABLE = "unwritable", "a file of it has a name too long, or lies too deep, for the folders of a machine"
    ISOLATED = "isolated", "no commit it could be paired with has other Java files and lies within the time gap"


class Commit(Record):
    """A commit of the walk, in walk order (newest first)."""

    repository: str
    position: int
    """0 for the start of the walk."""
    revision: str
    parents: tuple[str, ...]
    author_time: int
    """Seconds since 1970, UTC."""
    committer_time: int
    """Seconds since 1970, UTC."""
    java_tree: str
    """SHA-256 over the sorted (path, blob) of all *.java files."""
    first_parent_line: bool
    """Reached from the start through first parents only."""
    rejection: CommitRejection | None = None
    represented_by: str | None = None
    """The revision that stands for this one when Java trees are equal."""

    def sort_key(self) -> tuple[object, ...]:
        return (self.repository, self.position)
