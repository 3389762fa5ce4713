"""Edits are written in the encoding in which the build of the task reads them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from prediction_factories import GOLD, OLD, PATH, diff, fatal, prediction, text
from prediction_factories import task as factory_task

from testevo.builds.engine import BuildResult, BuiltModule, BuiltTree, Checkout
from testevo.builds.project.jdks import Jdk
from testevo.grading.candidate_trees import CandidateTrees, InfrastructureError
from testevo.grading.edits import canonical_edit
from testevo.grading.submissions.candidate_file import read_candidate
from testevo.java.encodings import UnwritableError
from testevo.packaging.start_states.controls import control_edits
from testevo.packaging.start_states.start_state import TargetFile, target_file
from testevo.records.evaluation.predictions import DefectKind, Edit
from testevo.records.tasks import Task, Track
from testevo.records.verdicts import BuildOutcome

LATIN, GREEK = "ISO-8859-1", "ISO-8859-7"
BEFORE, AFTER = (source.replace("adds", "prüft").replace("1, 2", 'größe("é")') for source in (OLD, GOLD))
TARGETS = ("prüft", "divides")
ASCII = GOLD.replace("é", "e").replace("à", "a")


def task(encoding: str | None = LATIN, old_encoding: str | None = LATIN, track: Track = Track.UPDATE) -> Task:
    made = factory_task(track, AFTER, TARGETS)
    return made.model_copy(update={"encoding": encoding, "old_encoding": old_encoding})


def target(of: Task, old: str = BEFORE, new: str = AFTER) -> TargetFile:
    files = {
        of.old_revision: old.encode(of.old_encoding or "UTF-8"),
        of.new_revision: new.encode(of.encoding or "UTF-8"),
    }
    return target_file(of, lambda revision, path: files[revision])


def edit_of(of: Task, **form: object) -> Edit:
    return canonical_edit(prediction(**form), of, target(of), repair=False)


def method_of(source: str, name: str) -> str:
    start = source.index("@Test\n    public void " + name)
    return source[start : source.index("}", start) + 1]


def forms() -> dict[str, dict[str, object]]:
    texts = {name: method_of(AFTER, name) for name in TARGETS}
    return {
        "exact": {"patch": text(diff(BEFORE, AFTER))},
        "files": {"files": {PATH: AFTER}},
        "methods": {"tests": texts},
    }


@pytest.mark.parametrize(("encoding", "old_encoding"), [(LATIN, LATIN), (LATIN, None), (None, LATIN), ("Cp1252", None)])
@pytest.mark.parametrize("way", ["exact", "files", "methods"])
def test_the_developers_edit_comes_out_of_every_form(way: str, encoding: str | None, old_encoding: str | None) -> None:
    edit = edit_of(task(encoding, old_encoding), **forms()[way])
    assert (edit.content, edit.applied_by, edit.defects) == (AFTER.encode(encoding or "UTF-8"), way, ())


def test_bytes_that_a_program_could_not_decode_are_those_bytes() -> None:
    patch = text(diff(BEFORE.encode(LATIN), AFTER.encode(LATIN)))
    assert "\udce9" in patch
    assert edit_of(task(), patch=patch).content == AFTER.encode(LATIN)


def test_an_import_is_written_as_the_file() -> None:
    made = edit_of(task(), tests={"prüft": "import p.Größe;\n" + method_of(AFTER, "prüft")}).content
    assert made is not None and "import p.Größe;" in made.decode(LATIN)


@pytest.mark.parametrize("way", ["patch", "files", "tests"])
def test_a_character_without_a_form_is_named_with_its_escape(way: str) -> None:
    said = AFTER.replace("é", "€")
    given = {"patch": text(diff(BEFORE, said)), "files": {PATH: said}, "tests": {"prüft": method_of(said, "prüft")}}
    edit = edit_of(task(), **{way: given[way]})
    assert (edit.content, fatal(edit)) == (None, [DefectKind.UNWRITABLE])
    assert edit.defects[0].message == (
        f"{PATH}: the character '€' has no form in ISO-8859-1, in which the build reads the file; write it as a "
        "Unicode escape (\\u20ac)."
    )


@pytest.mark.parametrize("encoding", ["GBK", "UTF-8/ISO-8859-1", "x-unknown"])
def test_in_an_encoding_that_is_not_written_an_edit_is_ascii(encoding: str) -> None:
    of = factory_task(gold=ASCII)
    there = replace(target(of, ASCII, ASCII), encoding=encoding)
    of = of.model_copy(update={"encoding": encoding})
    plain, other = (
        canonical_edit(prediction(files={PATH: said}), of, there, repair=False)
        for said in (ASCII.replace("1, 2", "2, 3"), ASCII.replace("1, 2", '"é"'))
    )
    assert plain.content == ASCII.replace("1, 2", "2, 3").encode() and fatal(plain) == []
    assert fatal(other) == [DefectKind.UNWRITABLE] and "only ASCII is written here" in other.defects[0].message
    [trivial] = control_edits("trivial", [of], lambda _: there)
    assert trivial.content is not None


def test_letters_that_are_no_utf8_are_not_added_to_a_file_that_should_be() -> None:
    """Lines that hold such bytes already may stay; the compiler reads them as it did before."""
    old = OLD.encode(LATIN)
    stray = replace(target(factory_task(), OLD, GOLD), start=old)
    kept = diff(old, old.replace(b"A().add", b"B().add"), context=9).decode(LATIN)
    added = diff(old, old.replace(b"(3, ", b'("\xe9", '), context=9).decode(LATIN)
    edits = [canonical_edit(prediction(patch=one), factory_task(), stray, repair=False) for one in (kept, added)]
    assert [fatal(edit) for edit in edits] == [[], [DefectKind.UNWRITABLE]]
    assert "bytes that say nothing in UTF-8" in edits[1].defects[0].message


@pytest.mark.parametrize("control", ["gold", "unchanged", "trivial", "broken", "sabotage"])
@pytest.mark.parametrize("track", list(Track))
def test_controls_have_the_targets_under_the_names_that_the_compiler_reads(control: str, track: Track) -> None:
    of = task(track=track)
    [edit] = control_edits(control, [of], target)
    assert edit.content is not None
    if control == "unchanged" and track is Track.GENERATION:
        return
    found = read_candidate(of, edit.content, target(of).gold).methods
    assert [method is not None and method.test.name for method in found] == ["prüft", "divides"]
    assert [method is not None and TARGETS[at] in method.text for at, method in enumerate(found)] == [True, True]


@dataclass
class Workspace:
    """Two revisions that build, each in its encoding; remembers what is put into them."""

    encodings: Mapping[str, str]
    put: list[tuple[str, Mapping[str, bytes | None]]] = field(default_factory=list)
    config: object = field(default_factory=lambda: SimpleNamespace(evaluation=SimpleNamespace(build_seconds=1.0)))

    @property
    def engine(self) -> "Workspace":
        return self

    def build(self, revision: str) -> BuildResult:
        here = Path("/none")
        module = BuiltModule(
            "", here, here, here, (), "junit4", (), (), {}, (), (), ("src/test/java",), (),
            test_encoding=self.encodings[revision],
        )  # fmt: skip
        tree = BuiltTree(Checkout("o/r", revision, here, revision), Jdk(here, 17, "17"), (module,), revision)
        return BuildResult(BuildOutcome.BUILT, tree=tree)

    def build_variant(self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float) -> BuildResult:
        self.put.append((base.checkout.revision, replaced))
        return BuildResult(BuildOutcome.BUILT, tree=base)


def trees(of: Task, content: bytes, gold: str = AFTER, old: str = "UTF-8", new: str = LATIN) -> CandidateTrees:
    workspace = Workspace({of.old_revision: old, of.new_revision: new})
    return CandidateTrees(workspace, of, content, gold.encode(of.compiled_as))  # type: ignore[arg-type]


def written(made: CandidateTrees) -> dict[str, bytes | None]:
    assert made.new.built and made.old.built
    return {revision: files[PATH] for revision, files in made._workspace.put}  # type: ignore[attr-defined]


def test_each_end_gets_an_edit_in_its_own_encoding() -> None:
    of, content = task(LATIN, None), AFTER.replace("é", "ß")
    assert written(trees(of, content.encode(LATIN))) == {
        of.new_revision: content.encode(LATIN),
        of.old_revision: content.encode(),
    }


def test_an_edit_of_an_ascii_file_is_written_as_its_build_reads_it() -> None:
    """Its task says nothing about encodings, so that edits are UTF-8."""
    of = factory_task(gold=ASCII)
    made = trees(of, 'class A { String s = "é"; }'.encode(), ASCII)
    assert written(made)[of.new_revision] == 'class A { String s = "é"; }'.encode(LATIN)


def test_what_has_no_form_at_an_end_is_not_put_there() -> None:
    of = task(LATIN, GREEK)
    with pytest.raises(
        UnwritableError, match=r"cannot be put into revision aaaaaaa: the character 'é' has no form in ISO-8859-7"
    ):
        _ = trees(of, AFTER.replace("ü", "u").replace("1", "2").encode(LATIN), old=GREEK).old


def test_a_task_that_says_another_encoding_than_its_build_is_not_graded() -> None:
    made = trees(task(None, None), (AFTER + "// more").encode())
    with pytest.raises(
        InfrastructureError, match=r"compiles src/test/java/p/ATest\.java as ISO-8859-1, and its task says UTF-8"
    ):
        _ = made.new


def test_encodings_are_written_to_a_dataset_only_where_they_matter() -> None:
    assert "encoding" not in factory_task().line()
    assert '"encoding":"ISO-8859-1"' in task(LATIN, None).line() and "old_encoding" not in task(LATIN, None).line()
    assert Task.model_validate_json(task().line()) == task()
