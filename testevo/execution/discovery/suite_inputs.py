"""Digest everything that decides how the tests of a class end: one digest for each class of a suite.

A test class has the same inputs at two revisions when all of this is equal: the classes it can reach by names in
constant pools, without debug data; the other files of the class folders; jars, JDK, JVM arguments, environment and
limits; and the files of the checkout that a test may read by their path. See docs/performance.md, "Test selection".
"""

import fnmatch
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from testevo.builds.classes.class_files import ClassPath
from testevo.builds.classes.module_descriptors import DESCRIPTOR
from testevo.builds.compilation.project_classes import ProjectClasses
from testevo.builds.engine import BuiltModule, BuiltTree, NamedModule
from testevo.execution.discovery.discovery import TestPlaces, suite_classes
from testevo.execution.runner import ModuleRun
from testevo.runtime.files.files import canonical_json, content_key, file_digest

NO_DATA = (
    "pom.xml",
    ".mvn/*",
    "mvnw*",
    "*.md",
    "*.adoc",
    "LICENSE*",
    "LICENCE*",
    "NOTICE*",
    "COPYING*",
    "AUTHORS*",
    "CONTRIBUTORS*",
    "CHANGELOG*",
    "README*",
    "docs/*",
    ".gitignore",
    ".gitattributes",
    ".mailmap",
    ".editorconfig",
    ".travis.yml",
    "appveyor.yml",
    ".github/*",
    ".circleci/*",
    ".idea/*",
)
"""Shell patterns of files that are not data of tests: the build, whose effects are inputs by themselves, and documents.
They count for a test class only when a class it reaches names a file of that kind. Below `src` everything is data."""


_SUITE_OF_CLASSES = "org.junit.runners.Suite$SuiteClasses"


@dataclass(frozen=True)
class CheckoutFiles:
    """Digests of the files of a revision."""

    data: str
    """Files that a test may read by their path."""
    code: str
    """Sources, build files and documents, which matter to few test classes (`ProjectClass.reads_code`)."""

    @classmethod
    def of(cls, blobs: Mapping[str, str], roots: Collection[str]) -> "CheckoutFiles":
        """Those of a revision.

        Args:
            blobs: path -> mode and digest of content.
            roots: folders whose `.java` files are compiled; all others are data.
        """
        sources = tuple(f"{root}/" if root else "" for root in roots)
        compiled = {path for path in blobs if path.endswith(".java") and path.startswith(sources)}
        data = {path for path in blobs.keys() - compiled if is_data(path)}
        return cls(_digest(blobs, data), _digest(blobs, blobs.keys() - data))


def is_data(path: str) -> bool:
    """Whether tests may be expected to read a file by its path."""
    name = path.rsplit("/", 1)[-1]
    in_sources = "src" in path.split("/")
    return in_sources or not any(fnmatch.fnmatchcase(path if "/" in one else name, one) for one in NO_DATA)


def suite_inputs(
    tree: BuiltTree, module: BuiltModule, classes: ProjectClasses, files: CheckoutFiles, runner: str
) -> dict[str, str]:
    """The digest of each class of a module's suite, by binary name.

    Args:
        classes: those of the module's class path.
        runner: key of the test runner (`TestRunner.key`).
    """
    common = _common_inputs(tree, module, classes, files, runner)
    all_code = content_key(files.code, *_digests(classes, classes.classes))
    places = TestPlaces(tree, module)
    suite = suite_classes(module)
    inputs = {}
    for name in suite:
        reached = frozenset([name]) if _only_runs_others(name, module, classes, suite) else classes.reached_from([name])
        reads_code = any(classes.classes[one].reads_code for one in reached)
        code = [all_code] if reads_code else _digests(classes, reached)
        inputs[name] = content_key(common, name, places.path(name), *code)
    return inputs


def _only_runs_others(name: str, module: BuiltModule, classes: ProjectClasses, suite: Collection[str]) -> bool:
    """Whether a class is a JUnit 4 suite of classes that are in the suite by themselves, and has no code of its own.

    It has no verdicts but theirs, so a change of theirs is not a reason to run all the others again.
    """
    found = ClassPath([module.test_classes]).find(name)
    if found is None or name not in classes.classes or _SUITE_OF_CLASSES not in found.annotations:
        return False
    has_code = found.super_name != "java.lang.Object" or any(method.name != "<init>" for method in found.methods)
    return not has_code and set(classes.classes[name].references) - {name} <= set(suite)


def dynamically_loaded(run: ModuleRun, classes: ProjectClasses) -> tuple[str, ...]:
    """Project classes that were loaded although no class that ran can reach them by names: found by reflection."""
    loaded = (run.loaded or frozenset()) & classes.classes.keys()
    return tuple(sorted(loaded - classes.reached_from(run.classes)))


def _common_inputs(
    tree: BuiltTree, module: BuiltModule, classes: ProjectClasses, files: CheckoutFiles, runner: str
) -> str:
    """The inputs that all classes of a suite share."""
    entries = zip(module.class_path, module.class_path_keys, strict=True)
    parts = {
        "runner": [runner, tree.jdk.version, module.framework],
        "module": [module.path],
        "class path": ["folder" if path.is_dir() else key for path, key in entries],
        "engines": [jar.name for jar in module.engine_jars],
        "JVM": [_placeless(tree, module, argument) for argument in module.jvm_arguments],
        "environment": [
            f"{name}={_placeless(tree, module, module.environment[name])}" for name in sorted(module.environment)
        ],
        "files": [classes.resources, files.data],
        "settings": [canonical_json(module.settings.model_dump(mode="json"))],
    }
    if module.named is not None:
        parts["modules"] = _modules(module, module.named)
    return content_key(*(content_key(name, *values) for name, values in parts.items()))


def _modules(module: BuiltModule, named: NamedModule) -> list[str]:
    """What is on the module path; descriptors are no classes."""
    entries = [module.class_path.index(entry) for entry in named.module_path]
    descriptors = (entry / DESCRIPTOR for entry in named.module_path if entry.is_dir())
    return [named.name, *map(str, entries), *(file_digest(one) for one in descriptors if one.is_file())]


def _placeless(tree: BuiltTree, module: BuiltModule, text: str) -> str:
    """Without the folders of one checkout, which differ at every revision."""
    places = {
        module.folder: "<module>",
        module.production_classes: "<classes>",
        module.test_classes: "<test classes>",
        tree.checkout.folder: "<tree>",
    }
    for folder, word in places.items():
        text = text.replace(str(folder), word)
    return text


def _digests(classes: ProjectClasses, names: Iterable[str]) -> list[str]:
    return [part for name in sorted(names) for part in (name, classes.classes[name].digest)]


def _digest(blobs: Mapping[str, str], paths: Iterable[str]) -> str:
    named = ((path.encode("utf-8", "surrogateescape"), blobs[path]) for path in sorted(paths))
    return content_key(*(part for pair in named for part in pair))
