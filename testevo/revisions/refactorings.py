"""Refactorings and moves between two revisions, detected once per pair of ends (TEB-X10, X11)."""

from collections.abc import Mapping, Sequence

from testevo.execution.refactoring_detector import RefactoringDetector
from testevo.history.git import GitRepository
from testevo.java.declarations import JavaFile, JavaMethod, JavaType
from testevo.java.encodings import UnreadError, as_built
from testevo.java.moves import moved_files
from testevo.java.syntax import parse_java
from testevo.java.tokens import is_word, token_text, tokens_of
from testevo.labels.refactorings.detected import DetectedRefactorings, MethodText
from testevo.labels.refactorings.imports import FileImports
from testevo.labels.refactorings.type_texts import TypeText
from testevo.records.verdicts import BuildVerdict


class Refactorings:
    """Asks the detector about the changed Java files of two revisions.

    Args:
        builds: what is recorded of the build of each revision, by revision.
    """

    def __init__(self, git: GitRepository, detector: RefactoringDetector, builds: Mapping[str, BuildVerdict]) -> None:
        self._git = git
        self._detector = detector
        self._builds = builds
        self._known: dict[tuple[str, str], DetectedRefactorings] = {}

    def between(self, old: str, new: str) -> DetectedRefactorings:
        """Refactorings and moves between two revisions."""
        if (old, new) not in self._known:
            self._known[old, new] = self._detect(old, new)
        return self._known[old, new]

    def _detect(self, old: str, new: str) -> DetectedRefactorings:
        paths = [change.path for change in self._git.changed_paths(old, new) if change.path.endswith(".java")]
        try:
            before, after = self._texts(old, paths), self._texts(new, paths)
        except UnreadError as error:
            return DetectedRefactorings((), (), (), failure=f"encoding_unknown: {error}")
        detection = self._detector.detect(decoded(before), decoded(after))
        return DetectedRefactorings(
            refactorings=detection.refactorings,
            old_methods=method_texts(before),
            new_methods=method_texts(after),
            old_type_texts=type_texts(before),
            new_type_texts=type_texts(after),
            old_imports=file_imports(before),
            new_imports=file_imports(after),
            moves=frozenset((move.old_path, move.new_path) for move in moved_files(before, after)),
            failure=detection.failure,
        )

    def _texts(self, revision: str, paths: Sequence[str]) -> dict[str, bytes]:
        """Files of a revision in UTF-8, read as its build reads them.

        Raises:
            UnreadError: the record of the build does not tell how.
        """
        build = self._builds.get(revision)
        return {path: as_built(content, path, build) for path, content in self._git.read_many(revision, paths).items()}


def decoded(files: dict[str, bytes]) -> dict[str, str]:
    """The detector reads text."""
    return {path: content.decode("utf-8") for path, content in files.items()}


def method_texts(files: dict[str, bytes]) -> Sequence[MethodText]:
    return [
        MethodText(method.key, path, method.span, method.tokens)
        for path, content in sorted(files.items())
        for method in parse_java(content, path).methods
    ]


def type_texts(files: dict[str, bytes]) -> Sequence[TypeText]:
    """The types of some files without their methods, constructors and member types."""
    return [
        TypeText(declared.name.replace("$", "."), path, own_text(content, declared, file))
        for path, content in sorted(files.items())
        for file in (parse_java(content, path),)
        for declared in file.types
    ]


def file_imports(files: dict[str, bytes]) -> Sequence[FileImports]:
    return [
        FileImports(
            path, file.package, file.imports, words=frozenset(map(bytes.decode, filter(is_word, tokens_of(content))))
        )
        for path, content in sorted(files.items())
        for file in (parse_java(content, path),)
    ]


def own_text(content: bytes, declared: JavaType, file: JavaFile) -> str:
    """The tokens of a type, without the methods and types that it declares."""
    members: list[JavaType | JavaMethod] = [one for one in file.methods if one.key.type_name == declared.name]
    members += [one for one in file.types if one.name.rpartition("$")[0] == declared.name]
    parts, at = [], declared.start_byte
    for member in sorted(members, key=lambda one: one.start_byte):
        parts.append(content[at : member.start_byte])
        at = member.end_byte
    return token_text(b" ".join([*parts, content[at : declared.end_byte]]))
