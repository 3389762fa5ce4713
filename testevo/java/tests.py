"""Find the test methods that files declare, and their kinds (TEB-X01).

Tests are found as the engines find them, from source alone: JUnit 3 by name in the subclasses of `TestCase`, JUnit 4
and Jupiter by annotation, also by annotations that the files themselves compose of those. Disabled tests are tests.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from testevo.java.declarations import JavaFile, JavaMethod
from testevo.java.type_names import PlacedType, TypeNames
from testevo.records.methods import MethodKey, TestKind

_TEST_CASE = "junit.framework.TestCase"
_NESTED = "org.junit.jupiter.api.Nested"
_PARAMETERIZED_RUNNER = "org.junit.runners.Parameterized"
_PARAMETERIZED_CLASS = "org.junit.jupiter.params.ParameterizedClass"
_JUNIT4 = "org.junit.Test"
_ANNOTATIONS = {
    _JUNIT4: TestKind.JUNIT4,
    "org.junit.experimental.theories.Theory": TestKind.PARAMETERISED,
    "org.junit.jupiter.api.Test": TestKind.JUPITER,
    "org.junit.jupiter.params.ParameterizedTest": TestKind.PARAMETERISED,
    "org.junit.jupiter.api.RepeatedTest": TestKind.REPEATED,
    "org.junit.jupiter.api.TestFactory": TestKind.FACTORY,
    "org.junit.jupiter.api.TestTemplate": TestKind.FACTORY,
}
_Signature = tuple[str, tuple[str, ...]]
_LIBRARY = frozenset({_TEST_CASE, _NESTED, _PARAMETERIZED_RUNNER, _PARAMETERIZED_CLASS, *_ANNOTATIONS})


@dataclass(frozen=True)
class DeclaredTest:
    """A test method in a class that runs it."""

    __test__ = False

    path: str
    """File of the class it runs in."""
    method: JavaMethod
    """The declaration; for an inherited test the one in the super class."""
    type_name: str
    """Binary name of the class it runs in."""
    kind: TestKind
    declared_in_path: str
    """File of the declaration."""
    is_plain: bool
    """The kind of test the released data has: `void`, without parameters, `@Test` of JUnit 4 or Jupiter, declared in
    the top-level class named like its file."""
    annotations: tuple[str, ...] = ()
    """The text of all annotations that apply to it: its own, then those of the class it runs in, of super classes and
    interfaces, and of the classes around."""
    is_one_of_several: bool = False
    """A type that it runs in or inherits from declares several methods of its key: their parameter types differ in
    package or outer class alone. Only the first is told."""

    @property
    def key(self) -> MethodKey:
        """The method under the class it runs in."""
        return MethodKey(type_name=self.type_name, name=self.method.key.name, parameters=self.method.key.parameters)


def find_tests(files: Mapping[str, JavaFile]) -> list[DeclaredTest]:
    """The tests of `files` (path → parsed file, usually all test files of a revision), sorted by path and key.

    A method is one test for each concrete class that runs it. How a test is invoked goes before where it is
    declared: a parameterised test in a nested class is PARAMETERISED, and its type name says that it is nested.
    """
    names = TypeNames(files)
    tests = [test for place in names if _runs(place, names) for test in _tests_of(place, names)]
    return sorted(tests, key=lambda test: (test.path, str(test.key)))


@dataclass(frozen=True)
class _Running:
    """Facts about all tests of a class, from its own declaration."""

    place: PlacedType
    by_name: bool
    """JUnit 3 runs it: methods called test..."""
    parameterised: bool
    annotations: tuple[str, ...]


def _runs(place: PlacedType, names: TypeNames) -> bool:
    """Whether an engine runs the type: it is concrete, and a member is static or `@Nested` in one that runs."""
    declared = place.type
    if declared.kind not in ("class", "record") or declared.modifiers & {"abstract", "private"}:
        return False
    outer = next(_around(place, names), None)
    if outer is None:
        return True
    if "static" in declared.modifiers or declared.kind == "record" or outer.type.kind in ("interface", "annotation"):
        return True
    nested = any(names.canonical(written, place, _LIBRARY) == _NESTED for written in declared.annotations)
    return nested and _runs(outer, names)


def _around(place: PlacedType, names: TypeNames) -> Iterator[PlacedType]:
    """The types that a member type lies in, from the inside out."""
    outer_name = place.type.name.rpartition("$")[0]
    outer = names.declared(outer_name.replace("$", "."), place) if outer_name else None
    if outer is not None:
        yield outer
        yield from _around(outer, names)


def _tests_of(place: PlacedType, names: TypeNames) -> list[DeclaredTest]:
    lineage, ends_at_test_case = _lineage(place, names)
    if not any(one.methods for one in lineage):
        return []
    running = _Running(
        place,
        by_name=ends_at_test_case and not any(one.type.runs_with for one in lineage),
        parameterised=any(_is_parameterised(one, names) for one in lineage),
        annotations=tuple(one.type.annotation_text for one in (*lineage, *_around(place, names))),
    )
    several = {signature for one in lineage for signature in _repeated(map(_signature, one.methods))}
    tests: dict[_Signature, DeclaredTest] = {}
    first: dict[_Signature, tuple[JavaMethod, PlacedType]] = {}
    for depth, declaring in enumerate(lineage):
        for method in declaring.methods:
            signature = _signature(method)
            if method.is_constructor or signature in tests or _is_overridden(method, lineage, depth):
                continue
            runs, its_type = first.setdefault(signature, (method, declaring))
            told_above = runs is not method
            if told_above:
                if not _is_found_above(method, declaring, names):
                    continue
                runs = _with_annotations(runs, method)
            kind = _kind(runs, declaring, running, names)
            if kind is not None:
                test = _declared_test(runs, its_type, running, kind)
                is_plain, shares = test.is_plain and not told_above, signature in several
                tests[signature] = replace(test, is_plain=is_plain, is_one_of_several=shares)
    return list(tests.values())


def _signature(method: JavaMethod) -> _Signature:
    return method.key.name, method.key.parameters


def _is_overridden(method: JavaMethod, lineage: list[PlacedType], depth: int) -> bool:
    """Whether a method with a type variable of its class is overridden by one of another erasure, in a class below:
    one with `@Override` that overrides nothing of its own erasure."""
    if not method.takes_variables:
        return False
    own = _signature(method)
    for place, below in enumerate(lineage[:depth]):
        above = {_signature(other) for one in lineage[place + 1 :] for other in one.methods}
        for other in below.methods:
            name, parameters = signature = _signature(other)
            alike = name == own[0] and len(parameters) == len(own[1]) and signature != own
            if alike and "Override" in other.annotations and signature not in above:
                return True
    return False


def _repeated(signatures: Iterable[_Signature]) -> set[_Signature]:
    return {signature for signature, number in Counter(signatures).items() if number > 1}


def _is_found_above(overridden: JavaMethod, declaring: PlacedType, names: TypeNames) -> bool:
    """Whether a method that a subclass overrides makes the overriding one a test: JUnit 4 looks for its annotation in
    super classes, too, and calls what overrides the method that it finds. Jupiter does not."""
    is_class = declaring.type.kind != "interface"
    return is_class and _annotated(overridden.annotations, declaring, names, frozenset()) == _JUNIT4


def _with_annotations(method: JavaMethod, overridden: JavaMethod) -> JavaMethod:
    texts = (method.annotation_text, overridden.annotation_text)
    return replace(
        method,
        annotations=(*method.annotations, *overridden.annotations),
        annotation_text=" ".join(text for text in texts if text),
    )


def _declared_test(method: JavaMethod, declaring: PlacedType, running: _Running, kind: TestKind) -> DeclaredTest:
    path, type_name = running.place.file.path, running.place.type.name
    if kind in (TestKind.JUNIT3, TestKind.JUNIT4, TestKind.JUPITER):
        if declaring.type.name != type_name:
            kind = TestKind.INHERITED
        elif "$" in type_name:
            kind = TestKind.NESTED
    named_like_file = path.rpartition("/")[2] == f"{type_name.rpartition('.')[2]}.java"
    is_plain = kind in (TestKind.JUNIT4, TestKind.JUPITER) and named_like_file and not method.key.parameters
    applying = (method.annotation_text, *(text for text in running.annotations if text))
    return DeclaredTest(path, method, type_name, kind, declaring.file.path, is_plain, applying)


def _kind(method: JavaMethod, declaring: PlacedType, running: _Running, names: TypeNames) -> TestKind | None:
    """The kind by invocation; None when no engine runs the method."""
    if method.modifiers & {"static", "abstract", "private"} or not method.has_body:
        return None
    public = "public" in method.modifiers or declaring.type.kind == "interface"
    framework = _annotated(method.annotations, declaring, names, frozenset())
    kind = _ANNOTATIONS.get(framework or "")
    if running.by_name and framework in (None, _JUNIT4):
        named = method.key.name.startswith("test") and not method.key.parameters
        return TestKind.JUNIT3 if named and public and method.return_type == "void" else None
    if kind in (TestKind.JUNIT4, TestKind.JUPITER) and method.return_type != "void":
        return None
    if kind is TestKind.JUNIT4 and not public:
        return None
    takes_values = running.parameterised or (kind is TestKind.JUNIT4 and method.key.parameters)
    return TestKind.PARAMETERISED if takes_values and kind in (TestKind.JUNIT4, TestKind.JUPITER) else kind


def _annotated(annotations: tuple[str, ...], place: PlacedType, names: TypeNames, seen: frozenset[str]) -> str | None:
    """The test annotation among `annotations`, also as part of one that the files declare."""
    for written in annotations:
        canonical = names.canonical(written, place, _LIBRARY)
        if canonical is None or canonical in seen:
            continue
        if canonical in _ANNOTATIONS:
            return canonical
        composed = names.declared(canonical, place)
        if composed is not None:
            found = _annotated(composed.type.annotations, composed, names, seen | {canonical})
            if found is not None:
                return found
    return None


def _lineage(place: PlacedType, names: TypeNames) -> tuple[list[PlacedType], bool]:
    """The class, its super classes and then their interfaces, as far as the files declare them; and whether the
    super classes end at `TestCase`."""
    classes, interfaces = [place], []
    ends_at_test_case = False
    while (superclass := classes[-1].type.superclass) is not None:
        canonical = names.canonical(superclass, classes[-1], _LIBRARY)
        ends_at_test_case = canonical == _TEST_CASE
        parent = names.declared(canonical, classes[-1]) if canonical else None
        if parent is None or parent in classes:
            break
        classes.append(parent)
    waiting = list(classes)
    while waiting:
        one = waiting.pop(0)
        for written in one.type.interfaces:
            canonical = names.canonical(written, one, _LIBRARY)
            found = names.declared(canonical, one) if canonical else None
            if found is not None and found not in interfaces:
                interfaces.append(found)
                waiting.append(found)
    return classes + interfaces, ends_at_test_case


def _is_parameterised(place: PlacedType, names: TypeNames) -> bool:
    runner = place.type.runs_with
    if runner is not None and names.canonical(runner, place, _LIBRARY) == _PARAMETERIZED_RUNNER:
        return True
    return any(names.canonical(written, place, _LIBRARY) == _PARAMETERIZED_CLASS for written in place.type.annotations)
