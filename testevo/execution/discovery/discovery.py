"""Find the classes that a suite runs, and the file that declares a class.

Patterns are those of Surefire (`TestPatterns`), `**/*$*` (member classes) left out by default.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from testevo.builds.classes.class_files import ACC_PUBLIC, ClassFile, ClassPath
from testevo.builds.classes.class_names import can_be_file
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.model.parameters.test_patterns import TestPatterns
from testevo.execution.verdicts.channel import RunTest, simple_parameter
from testevo.java.signatures import parameters_of_descriptor
from testevo.records.methods import TestKey

DEFAULT_INCLUDES = ("**/Test*.java", "**/*Test.java", "**/*Tests.java", "**/*TestCase.java")
DEFAULT_EXCLUDES = ("**/*$*",)

_RUN_WITH = "org.junit.runner.RunWith"
_TEST_ANNOTATIONS = frozenset(
    {
        "org.junit.Test",
        "org.junit.jupiter.api.Test",
        "org.junit.jupiter.api.RepeatedTest",
        "org.junit.jupiter.api.TestFactory",
        "org.junit.jupiter.api.TestTemplate",
        "org.junit.jupiter.params.ParameterizedTest",
    }
)


def suite_classes(module: BuiltModule) -> tuple[str, ...]:
    """Binary names of the concrete classes among a module's test classes that its suite runs, sorted.

    Where a build chooses by categories of JUnit 4, Surefire runs abstract classes that enclose tests, too; the launcher
    tells those that others run.
    """
    patterns = TestPatterns.of(module.test_includes or DEFAULT_INCLUDES, module.test_excludes or DEFAULT_EXCLUDES)
    classes = ClassPath([module.test_classes])
    by_categories = module.framework == "junit4" and module.settings.chooses_tests
    names = []
    for file in module.test_classes.rglob("*.class"):
        path = file.relative_to(module.test_classes).as_posix()
        if patterns.choose(path):
            name = path.removesuffix(".class").replace("/", ".")
            found = classes.find(name)
            if found is not None and (found.concrete or (by_categories and _has_runner(name, classes))):
                names.append(name)
    return tuple(sorted(names))


def _has_runner(name: str, classes: ClassPath) -> bool:
    return any(_RUN_WITH in found.annotations for found in classes.hierarchy(name))


def classes_by_jvm(module: BuiltModule, classes: Sequence[str]) -> list[tuple[str, ...]]:
    """The classes of a suite in the groups that share a JVM: all, or each by itself where the build asks for that."""
    if module.settings.jvm_per_class:
        return [(name,) for name in classes]
    return [tuple(classes)] if classes else []


class DeclaredTests:
    """The test methods of classes of a module, as byte code declares them; each class is read once.

    Needed where a class fails before any of its tests starts, so that no event names them.
    """

    def __init__(self, module: BuiltModule) -> None:
        self._folder = module.test_classes
        self._classes = ClassPath(module.test_class_path)
        self._known: dict[str, tuple[RunTest, ...]] = {}

    def of(self, type_name: str) -> tuple[RunTest, ...]:
        """Those of a class and its member classes, sorted. None for a name that no class file can have, as events and
        reports of hostile tests may say."""
        if not can_be_file(type_name):
            return ()
        if type_name not in self._known:
            names = (type_name, *self._members(type_name))
            self._known[type_name] = tuple(sorted({test for name in names for test in self._of_one(name)}))
        return self._known[type_name]

    def _members(self, type_name: str) -> list[str]:
        files = self._folder.glob(type_name.replace(".", "/") + "$*.class")
        return [file.relative_to(self._folder).as_posix().removesuffix(".class").replace("/", ".") for file in files]

    def _of_one(self, name: str) -> Iterator[RunTest]:
        start = self._classes.find(name)
        if start is None or not start.concrete:
            return
        supers = list(self._classes.hierarchy(name))
        is_junit_3 = any(found.name == "junit.framework.TestCase" for found in supers)
        for method in (method for found in supers for method in found.methods):
            by_name = is_junit_3 and method.name.startswith("test") and method.descriptor == "()V"
            is_test = (by_name and method.access & ACC_PUBLIC) or _TEST_ANNOTATIONS & set(method.annotations)
            if is_test and not method.synthetic:
                yield RunTest(name, method.name, parameters_of_descriptor(method.descriptor))


class TestPlaces:
    """Maps what ran to `TestKey`: module, and the repository-relative file that declares the class."""

    __test__ = False

    def __init__(self, tree: BuiltTree, module: BuiltModule) -> None:
        self._folder = tree.checkout.folder
        self._module = module
        self._classes = ClassPath([module.test_classes])

    def key(self, test: RunTest) -> TestKey:
        return TestKey(
            module=self._module.path,
            path=self.path(test.type_name),
            type_name=test.type_name,
            name=test.method,
            parameters=test.parameters,
        )

    def path(self, type_name: str) -> str:
        """The file of a class: its package below the test root that has it, the first root when none does."""
        package, _, simple = type_name.rpartition(".")
        found = self._classes.find(type_name)
        file = _source_name(found) or f"{simple.split('$')[0]}.java"
        below = f"{package.replace('.', '/')}/{file}" if package else file
        roots = self._module.test_roots or ("",)
        for root in roots if can_be_file(type_name) else ():
            if (self._folder / root / below).is_file():
                return (Path(root) / below).as_posix()
        return (Path(roots[0]) / below).as_posix()


def run_test(test: TestKey) -> RunTest:
    """A test as channels name it."""
    return RunTest(test.type_name, test.name, tuple(simple_parameter(parameter) for parameter in test.parameters))


def _source_name(found: ClassFile | None) -> str | None:
    name = found.source_file if found else None
    return name if name and name.endswith(".java") and can_be_file(name.removesuffix(".java")) else None
