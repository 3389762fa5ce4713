"""Find the classes that a suite runs, and the file that declares a class.

Patterns are those of Surefire (`TestPatterns`), `**/*$*` (member classes) left out by default.
"""

from collections.abc import Sequence
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


def declared_tests(module: BuiltModule, type_name: str) -> tuple[RunTest, ...]:
    """The test methods of a class and its member classes, as byte code declares them.

    Needed where a class fails before any of its tests starts, so that no event names them. None for a name that no
    class file can have, as events and reports of hostile tests may say.
    """
    if not can_be_file(type_name):
        return ()
    classes = ClassPath([module.test_classes, *module.class_path])
    nested = [
        file.relative_to(module.test_classes).as_posix().removesuffix(".class").replace("/", ".")
        for file in module.test_classes.glob(type_name.replace(".", "/") + "$*.class")
    ]
    tests = set()
    for name in (type_name, *nested):
        start = classes.find(name)
        if start is None or not start.concrete:
            continue
        supers = list(classes.hierarchy(name))
        junit3 = any(found.name == "junit.framework.TestCase" for found in supers)
        for found in supers:
            for method in found.methods:
                plain3 = (
                    junit3
                    and method.name.startswith("test")
                    and method.descriptor == "()V"
                    and method.access & ACC_PUBLIC
                )
                if not method.synthetic and (plain3 or _TEST_ANNOTATIONS & set(method.annotations)):
                    tests.add(RunTest(name, method.name, parameters_of_descriptor(method.descriptor)))
    return tuple(sorted(tests))


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
