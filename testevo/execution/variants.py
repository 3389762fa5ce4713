"""Choose the files that a cross-revision run replaces: whole test files, or the text of one method.

`file` swaps the test file and nothing else into the other revision. `method_splice` moves the text of one method:
imports and fields do not travel, so a changed import alone can make a label.

What is put into a revision is written in the encoding that its build tells the compiler.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from testevo.builds.engine import BuildResult, BuiltTree, Engine
from testevo.config.rules import SwapRules
from testevo.java.declarations import JavaMethod
from testevo.java.encodings import UnwritableError, rewritten
from testevo.java.splice import append_method, method_text, replace_method
from testevo.java.syntax import parse_java
from testevo.records.executions import Combination
from testevo.records.methods import ChangeKind, Span, TestKey
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import content_key

_LINE_END = re.compile(rb"\r\n?|\n")

APPLICABLE: Mapping[ChangeKind, tuple[Combination, ...]] = {
    ChangeKind.MODIFIED: tuple(Combination),
    ChangeKind.INSERTED: (Combination.NEW_TEST_NEW_CODE, Combination.NEW_TEST_OLD_CODE),
    # The new text of an unchanged test is its old text: what would be swapped is the same.
    ChangeKind.UNCHANGED: (Combination.OLD_TEST_OLD_CODE, Combination.NEW_TEST_NEW_CODE),
    ChangeKind.REMOVED: (Combination.OLD_TEST_OLD_CODE,),
}
"""The combinations that mean something for a kind of change (TEB-X03)."""


@dataclass(frozen=True)
class TestSide:
    """A test at one revision: how it is selected, and the file that declares its method, with its bytes."""

    __test__ = False

    test: TestKey
    path: str
    """Repository-relative; another file than `test.path` for an inherited test."""
    file: bytes = field(repr=False)
    method: JavaMethod


@dataclass(frozen=True)
class Candidate:
    """One work unit: old revision, new revision, test method (TEB-X01).

    `old` is None for an inserted test, `new` for a removed one. `old_file` is the file at the new side's path in the
    old revision when there is one, also for inserted tests, or the one that moved there (`old_path`).
    """

    old_tree: BuiltTree
    new_tree: BuiltTree
    change: ChangeKind
    old: TestSide | None
    new: TestSide | None
    old_file: bytes | None = field(default=None, repr=False)
    added_production: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """Production files that the new revision has and the old one lacks, by repository-relative path."""
    old_path: str | None = None
    """Of `old_file`, where the file of an inserted test moved; None for the new side's path."""
    old_test: TestKey | None = None
    """How an inserted test is called at the old revision, where the file of its class moved; None for `new.test`."""

    @property
    def test(self) -> TestKey:
        side = self.new or self.old
        assert side is not None
        return side.test

    @property
    def combinations(self) -> tuple[Combination, ...]:
        return APPLICABLE[self.change]


@dataclass(frozen=True)
class Variant:
    """A tree to build and the test to run in it; `replaced` is empty for a revision as it is."""

    base: BuiltTree
    replaced: Mapping[str, bytes | None]
    test: TestKey
    path: str
    span: Span | None
    """Where the test method lies in the variant's file, for the attribution of compile errors."""
    swap: Literal["none", "file", "method_splice"]
    old_tree: Literal["", "clean", "keep_added"]
    impossible: str | None = None
    """Why there is nothing to run; then it counts as failing."""
    unwritable: str | None = None
    """Why the test cannot be written into the tree; then nothing is known of it."""

    @property
    def key(self) -> str:
        """Equal for variants with equal content, whichever way they were made."""
        parts = [
            part
            for path, content in sorted(self.replaced.items())
            for part in (path, "absent" if content is None else "present", content or b"")
        ]
        return content_key(self.base.key, self.base.checkout.key, *parts)


def variant_for(candidate: Candidate, combination: Combination, rules: SwapRules) -> Variant:
    """The variant of one combination under the switches of `swap`.

    Raises:
        ValueError: the combination needs a side that the candidate lacks.
    """
    if combination is Combination.OLD_TEST_OLD_CODE:
        return _as_is(candidate.old_tree, _needed(candidate.old), "clean")
    if combination is Combination.NEW_TEST_NEW_CODE:
        return _as_is(candidate.new_tree, _needed(candidate.new), "")
    swapped = _old_test_new_code if combination is Combination.OLD_TEST_NEW_CODE else _new_test_old_code
    reason = _unread(candidate) if rules.test_swap == "method_splice" else None
    if reason is None:
        try:
            return swapped(candidate, rules)
        except UnwritableError as error:
            reason = f"encodings_differ: {error}"
    of_old = combination is Combination.NEW_TEST_OLD_CODE
    return Variant(
        candidate.old_tree if of_old else candidate.new_tree,
        {},
        candidate.test,
        candidate.test.path,
        None,
        rules.test_swap,
        rules.old_tree if of_old else "",
        unwritable=reason,
    )


class VariantBuilder:
    """Builds variants through an engine, each distinct content once. Make one per pair of revisions, so that memory and
    disk are bounded by a pair."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._built: dict[str, BuildResult] = {}

    def build(self, variant: Variant) -> BuildResult:
        """The built variant; the base tree itself when nothing is replaced."""
        if not variant.replaced:
            return BuildResult(outcome=BuildOutcome.BUILT, reason="", tree=variant.base)
        if variant.key not in self._built:
            self._built[variant.key] = self._engine.build_variant(variant.base, variant.replaced)
        return self._built[variant.key]


def _unread(candidate: Candidate) -> str | None:
    """Why nobody knows where the methods of its test files begin and end; None for files without syntax errors."""
    old, new = candidate.old_tree, candidate.new_tree
    files = [(one.path, one.file, tree) for one, tree in ((candidate.old, old), (candidate.new, new)) if one]
    if candidate.old is None and candidate.new is not None and candidate.old_file is not None:
        files.append((candidate.new.path, candidate.old_file, old))
    for path, file, tree in files:
        if parse_java(file, path, tree.encoding_of(path)).has_errors:
            return f"syntax_unread: {path} of {tree.checkout} holds what the parser of testevo does not know"
    return None


def _as_is(tree: BuiltTree, side: TestSide, old_tree: Literal["", "clean"]) -> Variant:
    return Variant(tree, {}, side.test, side.path, side.method.span, "none", old_tree)


def _old_test_new_code(candidate: Candidate, rules: SwapRules) -> Variant:
    old, new = _needed(candidate.old), _needed(candidate.new)
    from_tree, tree = candidate.old_tree, candidate.new_tree
    if rules.test_swap == "file":
        path = place_of_moved(old.path, new.path)
        file = _carried(old.file, (from_tree, old.path), (tree, path))
        replaced = _file_in_place(new.path, new.file, path, file)
        return Variant(tree, replaced, new.test if path == new.path else old.test, path, old.method.span, "file", "")
    text = _carried(method_text(old.file, old.method), (from_tree, old.path), (tree, new.path))
    content, span = _replaced(new.file, new.method, text)
    replaced = {new.path: content} if content != new.file else {}
    return Variant(tree, replaced, new.test, new.path, span, "method_splice", "")


def _new_test_old_code(candidate: Candidate, rules: SwapRules) -> Variant:
    new = _needed(candidate.new)
    old_path = candidate.old.path if candidate.old else candidate.old_path or new.path
    old_file = candidate.old.file if candidate.old else candidate.old_file
    from_tree, tree = candidate.new_tree, candidate.old_tree
    kept = candidate.added_production if rules.old_tree == "keep_added" else {}
    added = {path: _carried(content, (from_tree, path), (tree, path)) for path, content in kept.items()}
    if old_file is None and rules.missing_old_file == "counts_as_failing":
        return Variant(
            tree,
            {},
            new.test,
            new.path,
            None,
            rules.test_swap,
            rules.old_tree,
            "the test file is absent at the old revision",
        )
    if rules.test_swap == "file" or old_file is None:
        path = place_of_moved(new.path, old_path)
        file = _carried(new.file, (from_tree, new.path), (tree, path))
        replaced = added | _file_in_place(old_path, old_file, path, file)
        old_test = candidate.old.test if candidate.old else candidate.old_test
        test = old_test if old_test is not None and path == old_path else new.test
        return Variant(tree, replaced, test, path, new.method.span, "file", rules.old_tree)
    text = _carried(method_text(new.file, new.method), (from_tree, new.path), (tree, old_path))
    if candidate.change is not ChangeKind.INSERTED and candidate.old is not None:
        content, span = _replaced(old_file, candidate.old.method, text)
        test = candidate.old.test
    else:
        appended = _appended(old_file, old_path, tree.encoding_of(old_path), new.method, text)
        if appended is None:
            return Variant(
                tree,
                {},
                new.test,
                old_path,
                None,
                "method_splice",
                rules.old_tree,
                f"the old file has no class {new.method.key.simple_type}",
            )
        content, span = appended
        test = new.test
    changed: dict[str, bytes | None] = {old_path: content} if content != old_file else {}
    return Variant(tree, added | changed, test, old_path, span, "method_splice", rules.old_tree)


def place_of_moved(path: str, there: str) -> str:
    """Where the test file `path` of one revision stands in another one, which has its class at `there`.

    A file that only moved, to another module or source folder, stands where the other revision has it: beside its own
    path there may be neither that module nor the code that it tests. A public class needs the name of its file.
    """
    return there if PurePosixPath(path).name == PurePosixPath(there).name else path


def _carried(source: bytes, origin: tuple[BuiltTree, str], goal: tuple[BuiltTree, str]) -> bytes:
    """Bytes of a file of one tree as they are written in a file of another.

    Raises:
        UnwritableError: they cannot be; the message names the file.
    """
    (from_tree, from_path), (tree, path) = origin, goal
    try:
        return rewritten(source, from_tree.encoding_of(from_path), tree.encoding_of(path))
    except UnwritableError as error:
        raise UnwritableError(
            f"{from_path} of {from_tree.checkout} cannot be put into {tree.checkout}: {error}"
        ) from error


def _file_in_place(there_path: str, there: bytes | None, path: str, content: bytes) -> dict[str, bytes | None]:
    """Put `content` at `path` in a tree that has `there` at `there_path`; nothing when that changes nothing."""
    if there_path != path:
        return {there_path: None, path: content} if there is not None else {path: content}
    return {} if there == content else {path: content}


def _replaced(file: bytes, method: JavaMethod, text: bytes) -> tuple[bytes, Span]:
    content = replace_method(file, method, text)
    return content, _span(content, method.start_byte, text)


def _appended(
    file: bytes, path: str, encoding: str | None, method: JavaMethod, text: bytes
) -> tuple[bytes, Span] | None:
    """`file` with the method as last member of the class of its name, even when the class has one like it.

    'Already defined' is then a compile error of the method, as in the released data.
    """
    types = parse_java(file, path, encoding).types
    type_ = next((found for found in types if found.name == method.key.type_name), None)
    if type_ is None:
        return None
    content = append_method(file, type_, text)
    behind = len(file) - type_.body_end_byte
    return content, _span(content, content.rindex(text, 0, len(content) - behind), text)


def _span(content: bytes, start: int, text: bytes) -> Span:
    first = 1 + len(_LINE_END.findall(content, 0, start))
    return Span(first_line=first, last_line=first + len(_LINE_END.findall(text)))


def _needed(side: TestSide | None) -> TestSide:
    if side is None:
        raise ValueError("this combination needs a test that the candidate does not have")
    return side
