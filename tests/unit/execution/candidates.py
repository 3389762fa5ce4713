"""Candidates of one small test file, which tests of variants and of triples share."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.builds.project.jdks import Jdk
from testevo.config.rules import SwapRules
from testevo.execution.variants import Candidate, TestSide
from testevo.java.syntax import parse_java
from testevo.records.methods import ChangeKind, TestKey

PATH = "src/test/java/a/T.java"
OLD = b"""package a;

class T {
    @Test
    void adds() {
        assertEquals(2, new C().add(1));
    }
}
"""
NEW = b"""package a;

import x.Y;

class T {
    /** Adds. */
    @Test
    void adds() {
        assertEquals(
            3, new C().add(1, 2));
    }

    @Test
    void isNew() {
        new C().more();
    }
}
"""
GERMAN = tuple(text.replace(b"new C()", f'größe("{letter}")'.encode()) for text, letter in ((OLD, "é"), (NEW, "ß")))


def tree(name: str) -> BuiltTree:
    return BuiltTree(Checkout("o/p", name, Path("/none"), name), Jdk(Path("/none"), 17, "17"), (), name)


def side(file: bytes, name: str, path: str = PATH) -> TestSide:
    method = next(found for found in parse_java(file, path).methods if found.key.name == name)
    key = TestKey(module="", path=path, type_name=method.key.type_name, name=name)
    return TestSide(key, path, file, method)


def modified(old: bytes = OLD, new: bytes = NEW, **more: object) -> Candidate:
    return Candidate(tree("old"), tree("new"), ChangeKind.MODIFIED, side(old, "adds"), side(new, "adds"), old, **more)  # type: ignore[arg-type]


def inserted(old_file: bytes | None = OLD, name: str = "isNew", **more: object) -> Candidate:
    return Candidate(tree("old"), tree("new"), ChangeKind.INSERTED, None, side(NEW, name), old_file, **more)  # type: ignore[arg-type]


def rules(swap: Literal["file", "method_splice"] = "file", **more: str) -> SwapRules:
    return SwapRules.model_validate({"test_swap": swap} | more)


def told(name: str, encoding: str, production: str = "UTF-8") -> BuiltTree:
    """A tree whose build names an encoding for its tests."""
    nowhere = Path("/none")
    module = BuiltModule(
        "", nowhere, nowhere, nowhere, (), "junit4", (), (), {}, (), (), ("src/test/java",), ("src/main/java",)
    )
    return replace(tree(name), modules=(replace(module, test_encoding=encoding, production_encoding=production),))


def in_encodings(old: str, new: str, added: Mapping[str, bytes] | None = None, production: str = "UTF-8") -> Candidate:
    """A candidate whose files are written as the builds of their revisions say."""
    before, after = (text.decode().encode(encoding) for text, encoding in zip(GERMAN, (old, new), strict=True))
    trees = told("old", old), told("new", new, production)
    sides = (side(before, "adds"), side(after, "adds"))
    return Candidate(*trees, ChangeKind.MODIFIED, *sides, before, added or {})
