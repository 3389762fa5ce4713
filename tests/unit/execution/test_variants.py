"""The files of a candidate in another revision than their own (TEB-X01 to X04)."""

from dataclasses import replace
from typing import Literal

import pytest

from testevo.execution.variants import Candidate, variant_for
from testevo.records.executions import Combination
from testevo.records.methods import ChangeKind, Span
from tests.unit.execution.candidates import (
    GERMAN,
    NEW,
    OLD,
    PATH,
    in_encodings,
    inserted,
    modified,
    rules,
    side,
    told,
    tree,
)


def test_a_file_swap_puts_the_whole_file_into_the_other_revision() -> None:
    old_new = variant_for(modified(), Combination.OLD_TEST_NEW_CODE, rules())
    assert (old_new.base.key, old_new.replaced, old_new.span) == ("new", {PATH: OLD}, Span(first_line=4, last_line=7))
    new_old = variant_for(modified(), Combination.NEW_TEST_OLD_CODE, rules())
    assert (new_old.base.key, new_old.replaced, new_old.old_tree) == ("old", {PATH: NEW}, "clean")


def test_a_splice_moves_one_method_and_nothing_else() -> None:
    variant = variant_for(modified(), Combination.OLD_TEST_NEW_CODE, rules("method_splice"))
    content = variant.replaced[PATH]
    assert content is not None
    assert b"import x.Y;" in content and b"isNew" in content and b"new C().add(1))" in content
    assert variant.span == Span(first_line=7, last_line=10)
    assert content.split(b"\n")[6:10] == OLD.split(b"\n")[3:7]


def test_an_inserted_method_is_appended_to_the_old_file_even_when_it_is_there_already() -> None:
    variant = variant_for(inserted(), Combination.NEW_TEST_OLD_CODE, rules("method_splice"))
    content = variant.replaced[PATH]
    assert content is not None and variant.span is not None
    assert b"import x.Y;" not in content
    assert content.split(b"\n")[variant.span.first_line - 1].strip() == b"@Test"
    again = variant_for(inserted(name="adds"), Combination.NEW_TEST_OLD_CODE, rules("method_splice"))
    assert again.replaced[PATH].count(b"void adds()") == 2  # type: ignore[union-attr]
    assert again.span is not None and again.span.first_line > 7


def test_the_old_tree_keeps_added_production_files_only_where_the_rules_say_so() -> None:
    candidate = inserted(added_production={"src/main/java/a/N.java": b"class N {}"})
    clean, kept = (
        variant_for(candidate, Combination.NEW_TEST_OLD_CODE, rules(old_tree=mode)) for mode in ("clean", "keep_added")
    )
    assert set(clean.replaced) == {PATH}
    assert set(kept.replaced) == {PATH, "src/main/java/a/N.java"}
    assert (clean.old_tree, kept.old_tree) == ("clean", "keep_added")


def test_a_test_whose_class_came_to_a_file_of_another_name_takes_its_own_file_along() -> None:
    other = "src/test/java/a/Other.java"
    candidate = Candidate(
        tree("old"), tree("new"), ChangeKind.MODIFIED, side(OLD, "adds"), side(NEW, "adds", other), None
    )
    assert variant_for(candidate, Combination.OLD_TEST_NEW_CODE, rules()).replaced == {other: None, PATH: OLD}
    assert variant_for(candidate, Combination.NEW_TEST_OLD_CODE, rules()).replaced == {PATH: None, other: NEW}


def test_a_test_that_came_to_another_module_runs_where_the_other_revision_has_its_file() -> None:
    """There may be no such module, and its code is not there."""
    moved = f"part/{PATH}"
    old, new = side(OLD, "adds"), side(NEW, "adds", moved)
    new = replace(new, test=new.test.model_copy(update={"module": "part"}))
    candidate = Candidate(tree("old"), tree("new"), ChangeKind.MODIFIED, old, new)
    variant = variant_for(candidate, Combination.OLD_TEST_NEW_CODE, rules())
    assert (variant.replaced, variant.path, variant.test) == ({moved: OLD}, moved, new.test)
    variant = variant_for(candidate, Combination.NEW_TEST_OLD_CODE, rules())
    assert (variant.replaced, variant.path, variant.test) == ({PATH: NEW}, PATH, old.test)
    added = side(NEW, "isNew", moved)
    at_old = side(NEW, "isNew").test
    candidate = Candidate(
        tree("old"), tree("new"), ChangeKind.INSERTED, None, added, OLD, old_path=PATH, old_test=at_old
    )
    variant = variant_for(candidate, Combination.NEW_TEST_OLD_CODE, rules())
    assert (variant.replaced, variant.path, variant.test) == ({PATH: NEW}, PATH, at_old)


def test_crlf_files_keep_their_bytes_and_lines_are_counted_right() -> None:
    old, new = OLD.replace(b"\n", b"\r\n"), NEW.replace(b"\n", b"\r\n")
    variant = variant_for(modified(old, new), Combination.OLD_TEST_NEW_CODE, rules("method_splice"))
    assert variant.span == Span(first_line=7, last_line=10)
    assert variant.replaced[PATH].count(b"\n") == variant.replaced[PATH].count(b"\r\n")  # type: ignore[union-attr]


@pytest.mark.parametrize(("old", "new"), [("ISO-8859-1", "UTF-8"), ("UTF-8", "Cp1252"), ("latin1", "iso-8859-15")])
@pytest.mark.parametrize("swap", ["file", "method_splice"])
def test_a_swapped_test_is_written_as_the_other_build_reads_it(
    swap: Literal["file", "method_splice"], old: str, new: str
) -> None:
    same = modified(*GERMAN)
    for combination, encoding in ((Combination.OLD_TEST_NEW_CODE, new), (Combination.NEW_TEST_OLD_CODE, old)):
        told_variant, usual = (variant_for(one, combination, rules(swap)) for one in (in_encodings(old, new), same))
        content, expected = told_variant.replaced[PATH], usual.replaced[PATH]
        assert content is not None and expected is not None
        assert content.decode(encoding) == expected.decode() and "größe" in expected.decode()
        assert told_variant.span == usual.span


@pytest.mark.parametrize("swap", ["file", "method_splice"])
def test_an_inserted_test_is_written_as_the_old_build_reads_it(swap: Literal["file", "method_splice"]) -> None:
    after = GERMAN[1].decode().replace("more()", 'größer("ß")').encode("ISO-8859-1")
    trees = told("old", "UTF-8"), told("new", "ISO-8859-1")
    candidate = Candidate(*trees, ChangeKind.INSERTED, None, side(after, "isNew"), GERMAN[0])
    content = variant_for(candidate, Combination.NEW_TEST_OLD_CODE, rules(swap)).replaced[PATH]
    assert content is not None and 'größer("ß")' in content.decode()


def test_production_files_that_stay_are_written_as_the_old_build_reads_them() -> None:
    path, text = "src/main/java/a/N.java", 'class N { String s = "é"; }'
    candidate = in_encodings("UTF-8", "UTF-8", {path: text.encode("ISO-8859-1")}, "ISO-8859-1")
    variant = variant_for(candidate, Combination.NEW_TEST_OLD_CODE, rules(old_tree="keep_added"))
    assert variant.replaced[path] == text.encode()


def test_ascii_is_the_same_in_all_encodings() -> None:
    candidate = Candidate(
        told("old", "UTF-8"), told("new", "GBK"), ChangeKind.MODIFIED, side(OLD, "adds"), side(NEW, "adds"), OLD
    )
    assert variant_for(candidate, Combination.OLD_TEST_NEW_CODE, rules()).replaced == {PATH: OLD}
