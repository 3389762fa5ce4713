"""Plain test classes: with JUnit 3 or no JUnit at all, Surefire runs the `test…` methods of any class that it can make.

The launcher runs none of them, so that Surefire runs the tests of a module, or of an edited one, with such a class.
"""

from pathlib import Path

from testevo.builds.classes.class_files import ACC_PUBLIC, ACC_STATIC, ClassFile, ClassPath
from testevo.builds.engine import BuiltModule
from testevo.builds.model.parameters.test_patterns import TestPatterns

_OLD_FRAMEWORKS = ("junit3", "none")
_JUNIT_3 = "junit.framework.Test"


def why_plain_tests(module: BuiltModule) -> str | None:
    """The first plain test class of a module, as a reason why Surefire runs its tests; None when there is none."""
    if module.framework not in _OLD_FRAMEWORKS or not module.test_classes.is_dir():
        return None
    classes = ClassPath(module.test_class_path)
    suite = _suite(module.test_classes, TestPatterns.of(module.test_includes, module.test_excludes))
    name = next((name for name in suite if _is_plain_test(name, classes)), None)
    return f"Surefire runs the plain test class {name}" if name else None


def _suite(folder: Path, patterns: TestPatterns) -> list[str]:
    """Binary names of the classes that the patterns of Surefire choose, sorted."""
    paths = (file.relative_to(folder).as_posix() for file in folder.rglob("*.class"))
    return sorted(path.removesuffix(".class").replace("/", ".") for path in paths if patterns.choose(path))


def _is_plain_test(name: str, classes: ClassPath) -> bool:
    own = classes.find(name)
    if own is None or not own.concrete or not _can_be_made(own):
        return False
    line = list(classes.hierarchy(name))
    if any(found.name == _JUNIT_3 or _JUNIT_3 in found.interfaces for found in line):
        return False
    return any(_is_test(method.name, method.descriptor, method.access) for found in line for method in found.methods)


def _can_be_made(found: ClassFile) -> bool:
    return any(one.name == "<init>" and one.descriptor == "()V" and one.access & ACC_PUBLIC for one in found.methods)


def _is_test(name: str, descriptor: str, access: int) -> bool:
    is_own = access & ACC_PUBLIC and not access & ACC_STATIC
    return bool(is_own) and name.startswith("test") and descriptor == "()V"
