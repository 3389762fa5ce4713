"""A diff of any two files, applied to the first, gives the second, byte for byte; nothing is dropped on the way."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prediction_factories import diff

from testevo.grading.submissions.patch_application import Applied, HunkMismatch, apply_hunks
from testevo.grading.submissions.unified_diff import parse_patch

LINES = [
    b"a",
    b"b",
    b"",
    b" ",
    b"\t}",
    b"a\r",
    b"\xe9\xff",
    "\u4e16\u2028".encode(),
    b"x\x0cy\x0bz",
    b"-- ",
    b"-- a",
    b"++ b",
    b"- x",
    b"+ y",
    b"@@ -1 +1 @@",
    b"\\ No newline at end of file",
    b"diff --git a/x b/x",
    b"--- a",
    b"+++ b",
    b"```",
]
"""Lines that look like parts of a diff, and bytes at which text is wrongly split."""


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    lines = draw(st.lists(st.sampled_from(LINES), max_size=12))
    return b"\n".join(lines) + (b"\n" if lines and draw(st.booleans()) else b"")


def applied(old: bytes, patch: bytes) -> Applied | HunkMismatch:
    read = parse_patch(patch)
    assert not read.bad_lines and len(read.files) <= 1
    assert not any(hunk.miscounted for file in read.files for hunk in file.hunks)
    return apply_hunks(old, [hunk for file in read.files for hunk in file.hunks])


@settings(max_examples=300)
@given(contents(), contents(), st.integers(0, 3))
def test_a_diff_of_difflib_applies_exactly(old: bytes, new: bytes, context: int) -> None:
    assert applied(old, diff(old, new, context=context)) == Applied(new, "exact", line_ends=False)


@settings(max_examples=40)
@given(contents(), contents(), st.sampled_from(["", "--unified=0", "--patience", "--no-prefix"]))
def test_a_diff_of_git_applies_exactly(
    tmp_path_factory: pytest.TempPathFactory, old: bytes, new: bytes, option: str
) -> None:
    folder = tmp_path_factory.mktemp("diff")
    (folder / "old").write_bytes(old)
    (folder / "new").write_bytes(new)
    command = ["git", "-c", "core.autocrlf=false", "diff", "--no-index", "--text", *option.split(), "old", "new"]
    patch = subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout
    assert applied(old, patch) == Applied(new, "exact", line_ends=False)


@settings(max_examples=40)
@given(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, unique=True), st.data())
def test_where_git_applies_a_patch_to_a_file_that_moved_on_the_outcome_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], data: st.DataObject
) -> None:
    """git looks for context as we do, and drops none unless told. It refuses more: a hunk at an end must stay there."""

    def changed(before: list[str], letters: str) -> bytes:
        after = list(before)
        for _ in range(data.draw(st.integers(1, 2))):
            at = data.draw(st.integers(0, len(after)))
            after[at:at] = data.draw(st.lists(st.sampled_from(letters), max_size=3)) or after[at + 1 : at + 2]
        return "".join(f"{line}\n" for line in after).encode()

    old = "".join(f"{line}\n" for line in lines).encode()
    patch, current = diff(old, changed(lines, "XY"), "f"), changed(lines, "YZ")
    folder = tmp_path_factory.mktemp("apply")
    (folder / "f").write_bytes(current)
    done = subprocess.run(["git", "apply", "-"], cwd=folder, input=patch, capture_output=True, check=False)
    if done.returncode == 0:
        found = applied(current, patch)
        assert isinstance(found, Applied) and found.content == (folder / "f").read_bytes()


@given(contents(), contents())
def test_text_around_a_diff_changes_nothing(old: bytes, new: bytes) -> None:
    patch = b"From 0123\nSubject: [PATCH] x\n\n---\n 1 file changed\n\n" + diff(old, new) + b"-- \n2.43.0\n\n"
    assert applied(old, patch) == Applied(new, "exact", line_ends=False)


OLD = b"one\n  two\nthree\nfour\nfive\nsix\nseven\n"
NEW = OLD.replace(b"four\n", b"4\n")


def test_white_space_that_differs_is_tolerated_and_the_bytes_of_the_file_stay() -> None:
    found = applied(OLD, diff(OLD.replace(b"  two", b"\ttwo "), NEW.replace(b"  two", b"\ttwo ")))
    assert found == Applied(NEW, "whitespace", line_ends=False)


def test_a_hunk_is_found_where_its_lines_moved_to() -> None:
    assert applied(b"zero\nhalf\n" + OLD, diff(OLD, NEW)) == Applied(b"zero\nhalf\n" + NEW, "offset", line_ends=False)


def test_a_later_hunk_that_also_fits_where_its_header_says_moves_with_the_earlier_one() -> None:
    """Blocks are alike, and the file is longer by as many lines as one has than the patch knows."""
    block = b"start\nx\nend\n"
    old = b"head\n" + block * 3
    new = b"HEAD\n" + block * 2 + block.replace(b"x", b"y")
    assert applied(b"new\n" * 3 + old, diff(old, new, context=1)) == Applied(b"new\n" * 3 + new, "offset", False)


def test_an_insertion_without_context_moves_with_the_hunk_before_it() -> None:
    old, new = b"one\ntwo\nthree\n", b"1\ntwo\nadded\nthree\n"
    assert applied(b"zero\n" + old, diff(old, new, context=0)) == Applied(b"zero\n" + new, "offset", False)


def test_later_hunks_move_as_far_as_earlier_ones() -> None:
    """The second hunk fits twice; the place as far off as the first one is the nearer."""
    block = b"start\nx\nend\n"
    old = b"head\n" + b"filler\n" * 9 + block + b"between\n" * 9 + block
    new = old.replace(b"head", b"HEAD").replace(block, block.replace(b"x", b"y"), 1)
    shifted = b"new\n" * 5
    found = applied(shifted + old, diff(old, new))
    assert found == Applied(shifted + new, "offset", line_ends=False)


def test_two_places_equally_near_are_no_place() -> None:
    patch = b"--- a/f\n+++ b/f\n@@ -4,1 +4,1 @@\n-x\n+y\n"
    found = applied(b"1\nx\n3\n4\n5\nx\n", patch)
    assert isinstance(found, HunkMismatch) and found.places == 2


@pytest.mark.parametrize("line", [b" three", b"-four", b" seven"])
def test_no_line_of_context_is_ever_dropped(line: bytes) -> None:
    """What `patch --fuzz` would place without a word."""
    patch = diff(OLD, NEW).replace(b"\n" + line, b"\n" + line + b" and a half")
    found = applied(OLD, patch)
    assert isinstance(found, HunkMismatch) and found.line == line[1:] + b" and a half\n"


def test_hunks_in_the_wrong_order_do_not_apply() -> None:
    patch = b"--- a/f\n+++ b/f\n@@ -5 +5 @@\n-five\n+5\n@@ -1 +1 @@\n-one\n+1\n"
    assert isinstance(applied(OLD, patch), HunkMismatch)


def test_a_hunk_beyond_the_end_does_not_apply() -> None:
    assert isinstance(applied(OLD, b"--- a/f\n+++ b/f\n@@ -20,0 +21 @@\n+new\n"), HunkMismatch)


def test_lines_added_behind_a_last_line_without_end_begin_a_line() -> None:
    patch = b"--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n b\n+c\n"
    assert applied(b"a\nb", patch) == Applied(b"a\nb\nc\n", "whitespace", line_ends=False)


def test_the_line_ends_of_the_file_win() -> None:
    old = OLD.replace(b"\n", b"\r\n")
    assert applied(old, diff(OLD, NEW)) == Applied(NEW.replace(b"\n", b"\r\n"), "whitespace", line_ends=True)


@pytest.mark.parametrize(
    ("patch", "miscounted"),
    [
        (b"@@ -1,2 +1,2 @@\n-one\n+1\n", True),
        (b"@@ -1,1 +1,1 @@\n-one\n+1\n+more\n", True),
        (b"@@ -1,1 +1,1 @@\n-one\n+1\n", False),
        (b"@@ -1 +1 @@ class A\n-one\n+1\n", False),
        (b"@@ ... @@\n-one\n+1\n", True),
        (b"@@ -1 +1 @@\n one\n \n-two\n+2\n", True),
        (b"@@ -1 +1 @@\n-one\n+1\n \n text\n-- \n2.43.0\n", False),
    ],
)
def test_hunks_that_hold_other_numbers_of_lines_than_they_say(patch: bytes, miscounted: bool) -> None:
    hunks = parse_patch(b"--- a/f\n+++ b/f\n" + patch).files[0].hunks
    assert [hunk.miscounted for hunk in hunks] == [miscounted]


@pytest.mark.parametrize(
    ("patch", "bad"),
    [
        (b"--- a/f\n+++ b/f\n one\n-two\n", (3, 4)),
        (b"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+1\n\n-two\n", (7,)),
        (b"--- a/f\n+++ b/f\n@@ -1 +1 @\n-one\n+1\n", (3, 4, 5)),
        (b"@@ -1 +1 @@\n-one\n+1\n", (1,)),
        (b"- a list\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+1\n-- \n2.43.0\n\nbye\n", ()),
    ],
)
def test_no_line_of_a_change_is_skipped_as_prose(patch: bytes, bad: tuple[int, ...]) -> None:
    assert parse_patch(patch).bad_lines == bad


def test_a_stripped_end_is_filled_in_again() -> None:
    """`strip()` takes the line end, and blank context before it."""
    old, new = b"a\nb\n\n\n", b"A\nb\n\n\n"
    read = parse_patch(diff(old, new).strip())
    assert not read.final_newline and [hunk.stripped for hunk in read.files[0].hunks] == [2]
    assert apply_hunks(old, read.files[0].hunks) == Applied(new, "exact", line_ends=False)


@pytest.mark.parametrize(
    ("header", "paths", "facts"),
    [
        (b"diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", [b"a/f", b"b/f"], {"mode"}),
        (b"diff --git a/f b/f\nnew file mode 100755\n", [b"a/f", b"b/f"], {"mode", "created"}),
        (b"diff --git a/f b/f\nnew file mode 120000\n", [b"a/f", b"b/f"], {"link", "created"}),
        (b"diff --git a/f b/f\nindex 1..2 160000\n", [b"a/f", b"b/f"], {"link"}),
        (b"diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n", [b"f", b"g"], {"renamed"}),
        (b"diff --git a/f b/g\ncopy from f\ncopy to g\n", [b"f", b"g"], {"renamed"}),
        (b"diff --git a/f b/f\ndeleted file mode 100644\n", [b"a/f", b"b/f"], {"deleted"}),
        (b"diff --git a/f b/f\nBinary files a/f and b/f differ\n", [b"a/f", b"b/f"], {"binary"}),
        (b"diff --git a/f b/f\nGIT binary patch\nliteral 3\n", [b"a/f", b"b/f"], {"binary"}),
        (b"diff --git a/x y b/x y\n", [b"a/x y", b"b/x y"], set()),
        (b'diff --git "a/\\303\\244\\n\\"" "b/\\303\\244\\n\\""\n', [b'a/\xc3\xa4\n"', b'b/\xc3\xa4\n"'], set()),
        (b"--- a/f\t2024-01-01 00:00:00\n+++ b/f\t2024-01-01\n", [b"a/f", b"b/f"], set()),
        (b"--- /dev/null\n+++ b/f\n", [b"b/f"], {"created"}),
        (b"--- a/f\n+++ /dev/null\n", [b"a/f"], {"deleted"}),
        (b"diff --git a/f b/f\r\nold mode 100644\r\nnew mode 100755\r\n", [b"a/f", b"b/f"], {"mode"}),
    ],
)
def test_what_headers_say(header: bytes, paths: list[bytes], facts: set[str]) -> None:
    [file] = parse_patch(header).files
    assert file.paths == paths and file.facts == facts


def test_files_of_a_patch_are_told_apart() -> None:
    patch = diff(b"a\n", b"b\n", "x") + b"diff --git a/y b/y\nindex 1..2 100644\n" + diff(b"a\n", b"b\n", "y")
    read = parse_patch(patch + diff(b"a\n", b"b\n", "z"))
    assert [(file.new_path, len(file.hunks)) for file in read.files] == [(b"b/x", 1), (b"b/y", 1), (b"b/z", 1)]


def test_a_patch_that_git_made_in_a_repository_is_read_whole(tmp_path: Path) -> None:
    """Renames, modes, links, binaries and quoted names, as git itself writes them."""

    def git(*arguments: str) -> bytes:
        command = ["git", "-c", "user.name=n", "-c", "user.email=e", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, check=True).stdout

    git("init", "-q")
    for name in ("moved", "mode", "text \u00e4", "gone"):
        (tmp_path / name).write_text(f"{name}\nb\nc\nd\n")
    (tmp_path / "binary").write_bytes(b"\0\1\2" * 9)
    git("add", ".")
    git("commit", "-qm", "x")
    (tmp_path / "moved").rename(tmp_path / "target")
    (tmp_path / "mode").chmod(0o755)
    (tmp_path / "text \u00e4").write_text("b\n")
    (tmp_path / "gone").unlink()
    (tmp_path / "binary").write_bytes(b"\0\1\3" * 9)
    (tmp_path / "link").symlink_to("target")
    git("add", "-A")
    read = parse_patch(git("diff", "--cached", "--binary", "--find-renames"))
    facts = {file.paths[-1].split(b"/", 1)[-1].decode(): file.facts for file in read.files}
    assert facts == {
        "binary": {"binary"},
        "gone": {"deleted"},
        "link": {"link", "created"},
        "mode": {"mode"},
        "target": {"renamed"},
        "text \u00e4": set(),
    }
