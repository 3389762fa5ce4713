"""The tests of two revisions side by side: which declaration each test runs at the old end and at the new one.

A test is what an engine runs: a class and a method that the class declares or inherits. So a test that is pulled up
into a base class, pushed down or overridden is the same test with another declaration, and a method that gains its
annotation between the ends is a test that is new.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from testevo.java.changes import paired
from testevo.java.tests import DeclaredTest
from testevo.records.methods import MethodKey, TestKind

_ANNOTATION = re.compile(r"@([\w$.]+)")


@dataclass(frozen=True)
class TestEnds:
    """One test: the declaration that runs at each end; None where no engine runs the test."""

    __test__ = False

    old: DeclaredTest | None
    new: DeclaredTest | None

    @property
    def same_class_declares(self) -> bool:
        """Whether the same class declares the method at both ends; False when it runs at one end only."""
        return (
            self.old is not None
            and self.new is not None
            and self.old.method.key.type_name == self.new.method.key.type_name
        )

    @property
    def annotations_differ(self) -> bool:
        """Whether the test runs at both ends, and an annotation that applies to it differs."""
        if self.old is None or self.new is None:
            return False
        if {self.old.kind, self.new.kind} == {TestKind.JUNIT4, TestKind.JUPITER}:
            return True
        texts = zip_longest(self.old.annotations, self.new.annotations, fillvalue="")
        return not all(same_annotations(*pair) for pair in texts)

    @property
    def moved(self) -> bool:
        """Whether the test runs at both ends, and another class declares it; a class keeps its name in another file."""
        return self.old is not None and self.new is not None and not self.same_class_declares


def same_annotations(old: str, new: str) -> bool:
    """Whether two texts of annotations are equal, whichever form of import names the annotations.

    A name without a package, as `import a.*;` leaves it, is taken for the name with one that ends alike.
    """
    names = zip_longest(_ANNOTATION.findall(old), _ANNOTATION.findall(new), fillvalue="")
    return _ANNOTATION.sub("@", old) == _ANNOTATION.sub("@", new) and all(_may_be_one(*pair) for pair in names)


def _may_be_one(name: str, other: str) -> bool:
    in_full = ("." in name) != ("." in other)
    return name == other or (in_full and name.rpartition(".")[2] == other.rpartition(".")[2])


def is_inherited(test: DeclaredTest) -> bool:
    """Whether another class than the one that runs the test declares it."""
    return test.method.key.type_name != test.type_name


def test_ends(old: Iterable[DeclaredTest], new: Iterable[DeclaredTest]) -> list[TestEnds]:
    """Each test of either revision once, sorted by class, name and parameters, then by path.

    Tests of one class name, name and parameter types are the same test. Where several modules have such a class, those
    at the same path belong together, and the rest in the order of their paths. Left out are those whose key tells no
    single test at an end.
    """
    before, after = _by_key(old), _by_key(new)
    shared = {
        test.key
        for end in (before, after)
        for found in end.values()
        for test in found.values()
        if test.is_one_of_several
    }
    keys = sorted((before.keys() | after.keys()) - shared, key=str)
    return [TestEnds(*ends) for key in keys for ends in paired(before.get(key, {}), after.get(key, {}))]


def _by_key(tests: Iterable[DeclaredTest]) -> dict[MethodKey, dict[str, DeclaredTest]]:
    found: dict[MethodKey, dict[str, DeclaredTest]] = defaultdict(dict)
    for test in tests:
        found[test.key][test.path] = test
    return found
