"""Members in reserve: what a test file declares under the name of what only the new code has.

The compiler takes the new member where there is one, and the test's own where the old code lacks it. The test then
fails on the old code by an assertion, for what that code lacks and not for what it does.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from testevo.builds.classes.class_files import (
    ACC_INTERFACE,
    ACC_PRIVATE,
    ACC_STATIC,
    ACC_SYNTHETIC,
    ClassFile,
    ClassMethod,
    ClassPath,
    read_class,
)
from testevo.builds.classes.class_names import can_be_file
from testevo.builds.engine import BuiltTree
from testevo.grading.verdicts.code_classes import production_classes

MOST_CLASSES = 1000
"""Of a test file; no person writes more, and comparing them would take long. A file that has more is suspect."""
_OF_ALL_OBJECTS = frozenset({"equals", "hashCode", "toString"})
_ON_DEMAND = re.compile(r"static ([\w.$]+)\.\*")
Signature = tuple[str, str]
"""Name and descriptor."""


@dataclass(frozen=True)
class TestFile:
    """What a test file says of itself: path, package, and imports as in `JavaFile`."""

    __test__ = False

    path: str
    package: str
    imports: tuple[str, ...] = ()


def members_in_reserve(file: TestFile, old: BuiltTree, new: BuiltTree) -> tuple[str, ...]:
    """The methods and types of a test file among which the compiler chooses by what the old code lacks, sorted.

    Args:
        file: the edited test file.
        old: the old revision with it.
        new: the new revision with it.
    """
    return tuple(sorted(set(_Reserve(file, old, new).found())))


class _Reserve:
    """Compares the classes of one test file with those of production code before and after."""

    def __init__(self, file: TestFile, old: BuiltTree, new: BuiltTree) -> None:
        self._before, self._after = production_classes(old), production_classes(new)
        self._package = file.package
        self._own = {found.name: found for found in _classes_of(file, new)}
        tests = [module.test_classes for module in new.modules]
        self._all = ClassPath([*tests, *(module.production_classes for module in new.modules)])
        written = [match.group(1) for one in file.imports if (match := _ON_DEMAND.fullmatch(one))]
        self._imported = [found for name in written if (found := self._all.find_written(name)) is not None]

    def found(self) -> Iterator[str]:
        if len(self._own) > MOST_CLASSES:
            yield f"more than {MOST_CLASSES} classes"
            return
        inherited: set[str] = set()
        for one in self._own.values():
            kin = list(self._all.hierarchy(one.name))
            bases = [found.name for found in kin if self._after.find(found.name) is not None]
            inherited.update(bases)
            yield from self._methods(one, kin, bases)
        yield from self._types(inherited)
        bases = [found.name for found in self._imported if found.name not in self._own]
        for one in self._imported:
            if one.name in self._own:
                yield from self._imported_methods(one, bases)

    def _methods(self, one: ClassFile, kin: Iterable[ClassFile], bases: list[str]) -> Iterator[str]:
        """Of a class that inherits from production code, its own types that it inherits from and those around it."""
        before, after = _signatures(self._before, bases), _signatures(self._after, bases)
        added = {name for name, _ in after - before} - _OF_ALL_OBJECTS
        for holder in kin:
            # A method of a class overrides the new one; one of an interface gives way to it.
            overridden = before if holder.access & ACC_INTERFACE else before | after
            for method in _declared(holder) if holder.name in self._own else ():
                if method.name in added and not _overrides(method, holder, overridden):
                    yield f"{holder.name}.{method.name}"
        entirely = added - {name for name, _ in before}
        fields = _inherited_fields(self._after, bases) - _inherited_fields(self._before, bases)
        for holder in self._around(one):
            for method in _declared(holder):
                if method.name in entirely and not method.annotations:
                    yield f"{holder.name}.{method.name}"
            yield from (f"{holder.name}.{name}" for name in _fields(holder) if name in fields)

    def _around(self, one: ClassFile) -> Iterator[ClassFile]:
        """The classes that a class stands in."""
        name = one.name
        while "$" in name:
            name = name.rpartition("$")[0]
            if name in self._own:
                yield self._own[name]

    def _imported_methods(self, one: ClassFile, bases: list[str]) -> Iterator[str]:
        """Static methods of the file that are imported on demand beside those of production code."""
        added = {name for name, _ in _signatures(self._after, bases) - _signatures(self._before, bases)}
        for method in _declared(one):
            if method.access & ACC_STATIC and method.name in added:
                yield f"{one.name}.{method.name}"

    def _types(self, inherited: Iterable[str]) -> Iterator[str]:
        """Types with the simple name of a new one of the package, or of a new member of what the file inherits from."""
        places = [f"{self._package}." if self._package else "", *(f"{base}$" for base in inherited)]
        for name in self._own:
            simple = re.split(r"[.$]", name)[-1].lstrip("0123456789")
            others = [f"{place}{simple}" for place in places] if simple else []
            if any(self._is_added(other) for other in others if other != name):
                yield name

    def _is_added(self, name: str) -> bool:
        return self._after.find(name) is not None and self._before.find(name) is None


def _classes_of(file: TestFile, tree: BuiltTree) -> Iterator[ClassFile]:
    """All classes that were compiled from a test file, those without a name included."""
    module = tree.module_of(file.path)
    if module is None or (file.package and not can_be_file(file.package)):
        return
    folder = module.test_classes / file.package.replace(".", "/")
    for path in sorted(folder.glob("*.class")):
        found = read_class(path.read_bytes())
        if found.source_file == file.path.rpartition("/")[2]:
            yield found


def _declared(one: ClassFile) -> Iterator[ClassMethod]:
    return (method for method in one.methods if not method.synthetic and not method.name.startswith("<"))


def _fields(one: ClassFile) -> set[str]:
    return {field.name for field in one.fields if not field.access & ACC_SYNTHETIC}


def _inherited_fields(classes: ClassPath, bases: Iterable[str]) -> set[str]:
    """Names of all fields that others can inherit from some classes."""
    fields = (field for base in bases for found in classes.hierarchy(base) for field in found.fields)
    return {field.name for field in fields if not field.access & (ACC_PRIVATE | ACC_SYNTHETIC)}


def _signatures(classes: ClassPath, bases: Iterable[str]) -> set[Signature]:
    """Of all methods that others can inherit from some classes."""
    return {
        (method.name, method.descriptor)
        for base in bases
        for found in classes.hierarchy(base)
        for method in _declared(found)
        if not method.access & ACC_PRIVATE
    }


def _overrides(method: ClassMethod, holder: ClassFile, signatures: set[Signature]) -> bool:
    """By itself, or by the bridge that the compiler gave it where types of the overridden one are variables."""
    bridges = {other.descriptor for other in holder.methods if other.synthetic and other.name == method.name}
    return any((method.name, descriptor) in signatures for descriptor in (method.descriptor, *bridges))
