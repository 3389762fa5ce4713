"""The encoding that the build of a revision records is the one in which its sources are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from mined_texts import package_repository

from testevo.builds.engine import BuildResult, BuiltModule, BuiltTree, Checkout
from testevo.builds.project.jdks import Jdk
from testevo.execution.refactoring_detector import Detection
from testevo.history.git import PathChange
from testevo.java.encodings import UnreadError, as_built
from testevo.records.methods import Span, TestKey
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SourceEncoding
from testevo.revisions.refactorings import Refactorings

PATH = "src/test/java/a/ATest.java"
OLD = 'class ATest { void prüft() { is("é"); } }'
NEW = 'class ATest { void prüft() { is("ß"); } }'
LATIN, GREEK = "ISO-8859-1", "ISO-8859-7"


@dataclass
class Files:
    """Stands in for a git repository: the bytes of one file at each revision."""

    by_revision: Mapping[str, bytes]

    def changed_paths(self, old: str, new: str) -> list[PathChange]:
        return [PathChange("M", PATH)]

    def read(self, revision: str, path: str) -> bytes:
        return self.by_revision[revision]

    def read_many(self, revision: str, paths: Sequence[str]) -> dict[str, bytes]:
        return {PATH: self.by_revision[revision]}


@dataclass
class Detector:
    """Finds nothing, and remembers what it was given."""

    asked: list[tuple[Mapping[str, str], Mapping[str, str]]] = field(default_factory=list)

    def detect(self, before: Mapping[str, str], after: Mapping[str, str]) -> Detection:
        self.asked.append((before, after))
        return Detection(())


def built(revision: str, *encodings: tuple[str, str]) -> BuildVerdict:
    told = tuple(SourceEncoding(folder=folder, encoding=encoding) for folder, encoding in encodings)
    return BuildVerdict(repository="o/p", revision=revision, outcome=BuildOutcome.BUILT, reason="", encodings=told)


def detected(old: bytes, new: bytes, builds: Sequence[BuildVerdict], detector: Detector):  # type: ignore[no-untyped-def]
    files = Files({"old": old, "new": new})
    by_revision = {build.revision: build for build in builds}
    return Refactorings(files, detector, by_revision).between("old", "new")  # type: ignore[arg-type]


def test_each_end_is_read_in_the_encoding_of_its_own_build() -> None:
    detector = Detector()
    builds = [built("old", ("src/test/java", LATIN)), built("new")]
    found = detected(OLD.encode(LATIN), NEW.encode(), builds, detector)
    assert (found.failure, detector.asked) == (None, [({PATH: OLD}, {PATH: NEW})])
    assert [method.key.name for method in (*found.old_methods, *found.new_methods)] == ["prüft", "prüft"]


def test_what_is_utf8_by_accident_is_read_as_its_build_reads_it() -> None:
    detector = Detector()
    builds = [built(revision, ("src/test/java", GREEK)) for revision in ("old", "new")]
    detected("class A {} // Ω".encode(GREEK), "class A {} // Ξ©".encode(GREEK), builds, detector)
    assert detector.asked == [({PATH: "class A {} // Ω"}, {PATH: "class A {} // Ξ©"})]


@pytest.mark.parametrize("known", [[], [built("old"), built("new").model_copy(update={"encodings": None})]])
def test_without_a_recorded_encoding_refactorings_are_unknown_with_the_reason(known: list[BuildVerdict]) -> None:
    detector = Detector()
    found = detected(OLD.encode(), NEW.encode(), known, detector)
    assert found.failure == f"encoding_unknown: no build record names the encoding of {PATH}; run build_check again"
    assert (found.moves, detector.asked) == (frozenset(), [])
    assert detected(b"class A {}", b"class A { }", known, detector).failure is None, "ASCII is the same in all"


def test_the_nearest_source_folder_decides() -> None:
    build = built("old", ("src", LATIN), ("src/test/java", GREEK), ("made", "GBK"))
    assert as_built("ü".encode(LATIN), "src/main/A.java", build).decode() == "ü"
    assert as_built("Ω".encode(GREEK), PATH, build).decode() == "Ω"
    assert as_built("ü".encode(), "examples/A.java", build).decode() == "ü"
    with pytest.raises(UnreadError, match=r"made/A\.java at old is compiled as GBK, an encoding that is not read here"):
        as_built("ü".encode(), "made/A.java", build)


@pytest.mark.parametrize(
    ("test", "production", "recorded"), [("UTF-8", "utf8", ()), (LATIN, "UTF-8", (("main", "UTF-8"), ("test", LATIN)))]
)
def test_a_build_records_encodings_only_where_one_is_not_utf8(
    test: str, production: str, recorded: tuple[tuple[str, str], ...]
) -> None:
    here = Path("/none")
    roots = {"test_roots": ("test",), "production_roots": ("main",)}
    module = BuiltModule(
        "", here, here, here, (), "junit4", (), (), {}, (), (), **roots,
        test_encoding=test, production_encoding=production,
    )  # fmt: skip
    checkout = Checkout("o/p", "old", here, "key")
    tree = BuiltTree(checkout, Jdk(here, 17, "17"), (module,), "key")
    assert BuildResult(BuildOutcome.BUILT, tree=tree).verdict(checkout).encodings == built("old", *recorded).encodings
    assert BuildResult(BuildOutcome.TIMED_OUT).verdict(checkout).encodings is None


def test_sources_of_tasks_are_read_as_their_builds_read_them() -> None:
    text = "class ATest {\f\r\n  // ä\n  void prüft() {\r  }\n}"
    files = Files({"old": text.encode(LATIN), "new": text.encode()})
    builds = {"old": built("old", ("src", LATIN)), "new": built("new")}
    source_of = package_repository.method_source(files, builds)  # type: ignore[arg-type]
    place = Span(first_line=3, last_line=4)
    test = TestKey(module="", path=PATH, type_name="ATest", name="prüft")
    assert {source_of(revision, PATH, place, test) for revision in builds} == {"  void prüft() {\r  }\n"}
    with pytest.raises(UnreadError):
        package_repository.method_source(files, {})("old", PATH, place, test)  # type: ignore[arg-type]


def test_the_source_of_a_test_leaves_out_what_shares_its_lines() -> None:
    """Two tests on a line, and a class that ends behind its last method."""
    text = "class ATest { // why\n  void a() { is(1); } void b() {\n is(2); }\n  void c() { is(3); } }\n"
    source_of = package_repository.method_source(Files({"new": text.encode()}), {})  # type: ignore[arg-type]
    found = []
    for name, first, last in (("a", 2, 2), ("b", 2, 3), ("c", 4, 4)):
        test = TestKey(module="", path=PATH, type_name="ATest", name=name)
        found.append(source_of("new", PATH, Span(first_line=first, last_line=last), test))
    assert found == ["void a() { is(1); }", "void b() {\n is(2); }", "void c() { is(3); }"]
