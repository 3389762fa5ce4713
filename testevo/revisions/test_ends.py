"""The tests of two revisions side by side: which declaration each test runs at the old end and at the new one.

A test is what an engine runs: a class and a method that the class declares or inherits. So a test that is pulled up
into a base class, pushed down or overridden is the same test with another declaration, and a method that gains its
annotation between the ends is a test that is new.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from testevo.java.changes import paired
from testevo.java.tests import DeclaredTest
from testevo.records.methods import MethodKey


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
        return self.old is not None and self.new is not None and self.old.annotations != self.new.annotations

    @property
    def moved(self) -> bool:
        """Whether the test runs at both ends, and another class declares it; a class keeps its name in another file."""
        return self.old is not None and self.new is not None and not self.same_class_declares


def is_inherited(test: DeclaredTest) -> bool:
    """Whether another class than the one that runs the test declares it."""
    return test.method.key.type_name != test.type_name


def test_ends(old: Iterable[DeclaredTest], new: Iterable[DeclaredTest]) -> list[TestEnds]:
    """Each test of either revision once, sorted by class, name and parameters, then by path.

    Tests of one class name, name and parameter types are the same test. Where several modules have such a class, those
    at the same path belong together, and the rest in the order of their paths.
    """
    before, after = _by_key(old), _by_key(new)
    keys = sorted(before.keys() | after.keys(), key=str)
    return [TestEnds(*ends) for key in keys for ends in paired(before.get(key, {}), after.get(key, {}))]


def _by_key(tests: Iterable[DeclaredTest]) -> dict[MethodKey, dict[str, DeclaredTest]]:
    """By key, then by path; of two in one file, which no compiler accepts, the first."""
    found: dict[MethodKey, dict[str, DeclaredTest]] = defaultdict(dict)
    for test in tests:
        found[test.key].setdefault(test.path, test)
    return found
