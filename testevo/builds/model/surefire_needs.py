"""Why the tests of a module need Surefire: what its project sets and the launcher does not do as Maven does.

Everything is an allow-list (`surefire_parameters`): what this module does not know needs Surefire.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.model import ant_runs
from testevo.builds.model.build_record import Element, Project, version_key
from testevo.builds.model.parameters import categories
from testevo.builds.model.parameters.jvm_options import is_plain, read_at_start, read_by_jvms, unknown_option
from testevo.builds.model.parameters.platform import configuration_parameters, runs_in_parallel
from testevo.builds.model.parameters.surefire import PARAMETERS, PROPERTY_OF, TAGS, are_tags
from testevo.builds.model.parameters.test_patterns import is_ant_pattern, regular_expression
from testevo.builds.model.resources.class_folders import compiles, side_of
from testevo.builds.model.surefire_settings import (
    PLUGIN,
    TestRun,
    relative_folder,
    setting,
    surefire_configuration,
    surefire_plugin,
    surefire_version,
    words_of,
)
from testevo.builds.model.test_framework import (
    JUNIT_4,
    JUPITER,
    JUPITER_API,
    VINTAGE,
    adds_vintage,
    jar_coordinates,
    runs_on_vintage,
)

FIRST_WITH_REUSED_JVMS = (2, 14, 0)
"""Knows `reuseForks`, with `true` as its default."""
FIRST_WITH_PATTERNS_BELOW = (2, 19, 0)
"""Puts `**/` in front of a pattern without a folder, so that it holds in every package, and reads `%regex[...]`."""
FIRST_WITH_ANY_LOADER = (2, 15, 0)
"""Tests see the same class path whichever way `useSystemClassLoader` and `useManifestOnlyJar` bring it."""
FIRST_WITH_PLATFORM = (2, 22, 0)
"""Runs tests on the JUnit Platform by itself."""
FIRST_WITH_ENGINES = (3, 0, 0, 4)
"""3.0.0-M4 adds the engine that the class path lacks."""
FIRST_WITH_JUNIT_6 = (3, 0, 0, 4)
"""Older versions fail on JUnit 6, or find no test of it (tried with 2.22.0, 2.22.2 and 3.0.0-M3)."""
JUNIT_5, JUNIT_6 = "1", "6"
"""The major versions of the JUnit Platform that the launcher was compared with."""
FIRST_WITHOUT_PLATFORM_BESIDE_RUNNER = (3, 0, 0, 6)
"""3.0.0-M6 runs tests by JUnit 4 where the runner of the Platform for JUnit 4 is."""
FIRST_ON_PLATFORM_ALONE = (3, 6, 0, 0)
"""3.6.0-M1 runs JUnit 4 on the JUnit Platform, with categories as its tags, and refuses JUnit before 4.12."""
NEWEST_COMPARED = (3, 6)
"""Major and minor version of the newest that the launcher was compared with, feature by feature (docs/features.md)."""
_SETS_ASSERTIONS = re.compile(r"(?<!\S)-(ea|enableassertions)\b")
_PLACEHOLDER = re.compile(r"\$\{([^{}]+)\}")
_OF_MAVEN = re.compile(r"(env|java|maven|mojo|os|plugin|pom|project|session|settings|user)\.|basedir$|localRepository$")
"""Names of properties that have a value although no POM sets them."""
_HARMLESS_DEPENDENCIES = {
    "org.apache.maven.surefire:surefire-junit4": ("junit3", "junit4"),
    "org.apache.maven.surefire:surefire-junit-platform": ("platform",),
    "org.apache.maven.surefire:surefire-junit47": ("categories",),
    "me.fabriciorby:maven-surefire-junit5-tree-reporter": ("junit3", "junit4", "categories", "platform"),
}
"""Dependencies of the plugin that name the provider it would choose by itself, or only report: with the framework;
`categories` of JUnit 4 have a provider of their own."""


@dataclass(frozen=True)
class TestedModule:
    """The facts of a module that decide how Surefire runs its tests."""

    __test__ = False

    project: Project
    run: TestRun
    """The settings that go to the launcher."""
    framework: str
    given: Mapping[str, str]
    """Properties that the repository passes to Maven (`.mvn/maven.config`)."""
    jdk: int
    """Feature version of the JDK."""

    @property
    def properties(self) -> Mapping[str, str]:
        return {**self.project.properties, **self.given}


def has_tests(project: Project) -> bool:
    """Whether a module that Maven compiles may have tests: something compiles them, or Surefire is bound.

    Neither holds of a parent (packaging `pom`) in which an execution runs that compiles its modules.
    """
    plugin = surefire_plugin(project)
    bound = [goal.name for one in (plugin.executions if plugin else ()) for goal in one.goals]
    return "test" in bound or any(compiles(goal) and side_of(goal) == "test" for goal in project.goals)


def why_surefire(module: TestedModule) -> str | None:
    """The first reason of a module itself by which only Surefire runs its tests as Maven does; None when there is none,
    or the module has no tests."""
    names = {found.name for found in map(jar_coordinates, module.project.class_path) if found}
    if "org.testng:testng" in names:
        return "TestNG is on the class path"
    if module.framework == "none":
        return None
    return next(_reasons(module, names), None)


def _reasons(module: TestedModule, names: set[str]) -> Iterator[str]:
    yield from _executions(module.project)
    yield from _parameters(module)
    yield from _jvms(module)
    yield from _run_settings(module)
    yield from _jvm_options(module.run, module.jdk)
    yield from _old_loaders(module)
    yield from _provider(module, names)


def _executions(project: Project) -> Iterator[str]:
    """The plugin runs tests once up to the phase `test`, as `default-test` in it."""
    plugin = surefire_plugin(project)
    for one in plugin.executions if plugin else ():
        if one.id == "default-test" and one.phase not in (None, "test"):
            yield f"{PLUGIN} runs default-test in the phase {one.phase}"
        elif (
            one.id != "default-test"
            and "test" in [goal.name for goal in one.goals]
            and one.phase not in _NOT_WITH_TESTS
        ):
            yield f"{PLUGIN} has the execution {one.id}"


def late_goals(project: Project, skips: PluginSkips) -> Iterator[str]:
    """Goals of a module that run behind the compilation of tests. The launcher runs none, Surefire comes after them.
    They may change what the tests of any module see.

    Args:
        skips: tells goals that can change no test.
    """
    plugins = (plugin for plugin in project.plugins if plugin.artifact != PLUGIN)
    for name, one in ((plugin.artifact, one) for plugin in plugins for one in plugin.executions):
        writing = one.configuration if name == ant_runs.DEPENDENCY_PLUGIN else None
        file = writing.text_at("outputFile") if writing else ""
        is_read = bool(file) and not ant_runs.is_documentation(file, project.folder)
        for goal in (goal for goal in one.goals if is_read or not skips.ignores(name, goal.name)):
            if goal.phase is None:
                yield f"{name}:{goal.name} runs in an unknown phase"
            elif goal.phase in _LATE_PHASES and not (name == ant_runs.PLUGIN and ant_runs.is_aside(project, one.id)):
                yield f"{name}:{goal.name} runs in the phase {goal.phase}"


def _parameters(module: TestedModule) -> Iterator[str]:
    found = {item.name: item for item in surefire_configuration(module.project).children}
    values = {name: _value(element, module.properties) for name, element in found.items()}
    for name, value in sorted(values.items()):
        if not _is_implemented(module, name, value):
            yield f"{PLUGIN} sets {name}"
    for name, by in sorted(PROPERTY_OF.items()):
        value = module.properties.get(by, "")
        unread = name in ("includes", "excludes") and value
        # Maven takes the property also where the configuration is there and empty.
        if not values.get(name) and by in module.properties and (unread or not _is_implemented(module, name, value)):
            yield f"the property {by} sets {name} of {PLUGIN}"


def _is_implemented(module: TestedModule, name: str, value: str) -> bool:
    """Whether the launcher does as Surefire with this value of a parameter."""
    if name in TAGS:
        return not value or _are_names(module, value)
    if name == "systemPropertiesFile":
        return not value or module.run.knows_properties_file
    if name == "properties" and module.framework == "platform":
        return configuration_parameters(surefire_configuration(module.project).find(name)) is not None
    if name == "workingDirectory":
        return relative_folder(value, module.project.folder) is not None
    return PARAMETERS.covers(name, value)


def _jvms(module: TestedModule) -> Iterator[str]:
    """A JVM for each test class is asked for by a parameter that the version of Surefire knows and takes so."""
    version = surefire_version(module.project)
    reused = setting(surefire_configuration(module.project), module.properties, "reuseForks")
    if reused == "false" and version_key(version) < FIRST_WITH_REUSED_JVMS:
        yield f"{PLUGIN} {version} sets reuseForks"


def _are_names(module: TestedModule, value: str) -> bool:
    """Whether a value names tags or categories that the launcher chooses by as Surefire."""
    if module.framework == "platform":
        return are_tags(value)
    jars = filter(None, map(jar_coordinates, module.project.class_path))
    junit = next((jar.version for jar in jars if jar.name == "junit:junit"), "")
    return (
        module.framework == "junit4"
        and version_key(junit) >= categories.FIRST_JUNIT
        and version_key(surefire_version(module.project)) >= categories.FIRST
        and categories.are_categories(value)
    )


def _value(element: Element, properties: Mapping[str, str]) -> str:
    """The text of a parameter; the names of what is in it where it has parts, so that it is not empty.

    A property that nothing sets gives a parameter no value, so that it has its default.
    """
    text = " ".join(part.name for part in element.children) or element.text
    placeholder = _PLACEHOLDER.fullmatch(text)
    is_unset = placeholder and placeholder.group(1) not in properties and not _OF_MAVEN.match(placeholder.group(1))
    return "" if is_unset else text


def _old_loaders(module: TestedModule) -> Iterator[str]:
    version = surefire_version(module.project)
    for name in ("useManifestOnlyJar", "useSystemClassLoader"):
        written = surefire_configuration(module.project).text_at(name)
        value = written or module.properties.get(f"surefire.{name}", "true")
        if value == "false" and version_key(version) < FIRST_WITH_ANY_LOADER:
            yield f"{PLUGIN} {version} sets {name}"


def _run_settings(module: TestedModule) -> Iterator[str]:
    version = version_key(surefire_version(module.project))
    for pattern in (*module.run.includes, *module.run.excludes):
        if not _is_read_alike(pattern, version):
            yield f"{PLUGIN} includes or excludes {pattern}"
    for name in module.run.unresolved:
        yield f"{PLUGIN} uses ${{{name}}}, which is set while Maven runs"


def _is_read_alike(pattern: str, version: tuple[int, ...]) -> bool:
    """Whether a pattern chooses the same classes here and below Surefire."""
    if regular_expression(pattern):
        return version >= FIRST_WITH_PATTERNS_BELOW
    return is_ant_pattern(pattern) and _holds_in_every_package(pattern, version)


def _holds_in_every_package(pattern: str, version: tuple[int, ...]) -> bool:
    """Whether a pattern chooses the same classes here and below Surefire: others depend on its version, and so does
    `**` within a name."""
    folders = pattern.split("/")
    if any("**" in name and name != "**" for name in folders) or "\\" in pattern:
        return False
    return folders[0] == "**" if len(folders) > 1 else version >= FIRST_WITH_PATTERNS_BELOW


def _jvm_options(run: TestRun, jdk: int) -> Iterator[str]:
    """What the JVM of the launcher would do otherwise than Surefire's."""
    if not is_plain(run.argument_line):
        yield f"{PLUGIN} sets argLine with escapes or signs of a shell"
    elif unknown := unknown_option(words_of(run.argument_line)):
        yield f"{PLUGIN} sets argLine with {unknown}"
    elif "-da" in run.jvm_arguments and _SETS_ASSERTIONS.search(run.argument_line):
        yield f"{PLUGIN} sets enableAssertions beside an argLine that does"
    late = (name for name in run.properties if read_at_start(name, jdk))
    yield from (f"{PLUGIN} sets the property {name} of a running JVM" for name in late)
    for name, _, value in (word.removeprefix("-D").partition("=") for word in run.jvm_arguments):
        if runs_in_parallel(name, value):
            yield f"{PLUGIN} sets the property {name}"
    if variable := read_by_jvms(run.environment):
        yield f"{PLUGIN} sets the environment variable {variable}, which the JVM reads"


def _provider(module: TestedModule, names: set[str]) -> Iterator[str]:
    """The provider that Surefire would choose runs the tests that the launcher's engines run."""
    plugin = surefire_plugin(module.project)
    by_categories = module.framework == "junit4" and module.run.settings.chooses_tests
    runs_on = "categories" if by_categories else module.framework
    for name in plugin.dependencies if plugin else ():
        if runs_on not in _HARMLESS_DEPENDENCIES.get(name, ()):
            yield f"{PLUGIN} depends on {name}"
    version = surefire_version(module.project)
    if not version:
        yield f"no version of {PLUGIN} is known"
    elif version_key(version)[:2] > NEWEST_COMPARED:
        yield f"{PLUGIN} {version} is newer than those that the launcher was compared with"
    elif module.framework == "platform":
        yield from _platform(version, names)
        yield from _engine_of_junit_4(version, module.project.class_path)
        yield from _major_versions(version, module.project.class_path)
    elif version_key(version) >= FIRST_ON_PLATFORM_ALONE:
        yield f"{PLUGIN} {version} runs JUnit 3 and 4 on the JUnit Platform"


def _platform(version: str, names: set[str]) -> Iterator[str]:
    """The same of tests on the JUnit Platform."""
    if version_key(version) < FIRST_WITH_PLATFORM:
        yield f"{PLUGIN} {version} does not run the JUnit Platform"
    elif version_key(version) < FIRST_WITH_ENGINES and _lacks_engine(names):
        yield f"{PLUGIN} {version} adds no engine of JUnit"
    elif version_key(version) >= FIRST_WITHOUT_PLATFORM_BESIDE_RUNNER and _RUNNER in names:
        yield f"{PLUGIN} {version} leaves tests to JUnit 4 beside {_RUNNER}"


def _engine_of_junit_4(version: str, class_path: Sequence[str]) -> Iterator[str]:
    """JUnit 4 beside the JUnit Platform has the vintage engine, or none where Surefire adds none."""
    versions = {jar.name: jar.version for jar in filter(None, map(jar_coordinates, class_path))}
    found = {name: versions[name] for name in JUNIT_4 if name in versions}
    if not found or VINTAGE in versions:
        return
    if version_key(version) >= FIRST_ON_PLATFORM_ALONE:
        yield f"{PLUGIN} {version} adds the vintage engine for JUnit 4"
    elif adds_vintage(versions, version):
        old = (f"{name} {junit}" for name, junit in found.items() if not runs_on_vintage(junit))
        yield from (f"{one} is too old for the vintage engine, which {PLUGIN} {version} adds" for one in old)


def _major_versions(version: str, class_path: Sequence[str]) -> Iterator[str]:
    """The JUnit Platform is one that both the version of Surefire and the launcher know."""
    jars = filter(None, map(jar_coordinates, class_path))
    majors = {jar.version.partition(".")[0] for jar in jars if jar.group == "org.junit.platform"}
    if JUNIT_6 in majors and version_key(version) < FIRST_WITH_JUNIT_6:
        yield f"{PLUGIN} {version} does not run JUnit 6"
    yield from (f"JUnit Platform {major} is not known" for major in sorted(majors - {JUNIT_5, JUNIT_6}))


def _lacks_engine(names: set[str]) -> bool:
    return not names & {JUPITER, VINTAGE} or (JUPITER_API in names and JUPITER not in names)


_RUNNER = "org.junit.platform:junit-platform-runner"
_NOT_WITH_TESTS = (
    "none",
    "prepare-package",
    "package",
    "pre-integration-test",
    "integration-test",
    "post-integration-test",
    "verify",
    "install",
    "deploy",
)
"""Phases that `mvn test` does not come to, and the word for no phase."""
_LATE_PHASES = ("process-test-classes", "test")
