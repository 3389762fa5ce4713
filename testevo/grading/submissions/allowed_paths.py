"""Check the paths that a prediction touches: only the target test file is allowed (TEB-E12)."""

import re
from pathlib import PurePosixPath

from testevo.records.evaluation.predictions import DefectKind

_BUILD_FILES = re.compile(
    r"(?:.+\.)?pom(?:\..+)?|pom\.xml.*|mvnw(?:\.cmd)?|gradlew(?:\.bat)?|.+\.gradle(?:\.kts)?|gradle\.properties"
    r"|build\.(?:xml|sbt|properties)|ivy\.xml|BUILD(?:\.bazel)?|WORKSPACE(?:\.bazel)?"
)
_BUILD_FOLDERS = frozenset({".mvn", "gradle", "buildSrc"})
_PREFIXES = frozenset({"a", "b", "c", "i", "o", "w", "1", "2", "old", "new"})
"""First parts of paths in diffs of git (with `diff.mnemonicPrefix` too) and of other tools."""
_DRIVE = re.compile(r"[A-Za-z]:")


def matches_target(written: str, target: str) -> bool:
    """Whether a path of a diff is the target's, with or without the prefix that diffs put before it."""
    return written == target or without_prefix(written) == target


def without_prefix(written: str) -> str:
    """A path of a diff without its first part, when that is one that tools add; `./` is not a part."""
    bare = re.sub(r"^(?:\./)+", "", written)
    first, slash, rest = bare.partition("/")
    return rest if slash and first in _PREFIXES else bare


def path_defect(path: str, target: str) -> DefectKind | None:
    """The defect of touching a repository-relative path; None for the target."""
    if path == target:
        return None
    parts = path.replace("\\", "/").split("/")
    if path.startswith(("/", "\\")) or _DRIVE.match(path) or ".." in parts or ".git" in parts or "\0" in path:
        return DefectKind.UNSAFE_PATH
    if _BUILD_FILES.fullmatch(PurePosixPath(path).name) or _BUILD_FOLDERS & set(parts[:-1]):
        return DefectKind.BUILD_FILE
    return DefectKind.OUTSIDE_TARGET
