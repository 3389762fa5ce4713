"""How Surefire would run a module's tests: JVM arguments, includes."""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from testevo.builds.model.build_record import BuildPlugin, Element, Project, version_key
from testevo.builds.model.model import REPOSITORY, USUAL_SETTINGS, ModulePathRules, RunSettings
from testevo.builds.model.parameters import categories
from testevo.builds.model.parameters.platform import configuration_parameters
from testevo.builds.model.parameters.surefire import PROPERTY_OF, are_tags

PLUGIN = "maven-surefire-plugin"

REPORTS = "surefire-reports"
"""The usual folder of reports, in that of the build."""

DEFAULT_INCLUDES = ("**/Test*.java", "**/*Test.java", "**/*Tests.java", "**/*TestCase.java")
"""Of surefire since 2.20."""

FIRST_WITH_TESTS = 20
"""Minor version of surefire 2 whose default patterns have `*Tests`."""
OLD_INCLUDES = tuple(pattern for pattern in DEFAULT_INCLUDES if pattern != "**/*Tests.java")
"""Of older ones. Which version runs is often Maven's choice, not the project's."""

DEFAULT_EXCLUDES = ("**/*$*",)

FORK_MODES_PER_CLASS = ("always", "pertest")
FIRST_WITHOUT_FORK_MODE = version_key("3.0.0")
"""Surefire 3.0.0 leaves out `forkMode`, for which there is `reuseForks`, and so takes no notice of it."""
FIRST_WITH_ONE_SESSION = version_key("3.0.0-M6")
"""It makes the folder of reports before the first test, too."""

FIRST_WITH_MODULE_PATH = version_key("2.21.0")
"""Runs the tests of a named module on the module path."""
FIRST_WITH_OPEN_PACKAGES = version_key("3.0.0-M6")
FIRST_WITH_ALL_MODULES = version_key("3.2.0")

_BY_MAVEN = re.compile(r"\$\{([^{}]+)\}")
_BY_MAVEN_OR_SUREFIRE = re.compile(r"[@$]\{([^{}]+)\}")
"""Surefire fills in `@{…}` in `argLine`, and leaves it as it is anywhere else."""
_ARTIFACT_PROPERTY = re.compile(r"^([\w.-]+):([\w.-]+):jar(?::([\w.-]+))?$")


@dataclass(frozen=True)
class TestRun:
    """Surefire's settings for one module."""

    __test__ = False

    jvm_arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    includes: tuple[str, ...] = DEFAULT_INCLUDES
    excludes: tuple[str, ...] = DEFAULT_EXCLUDES
    argument_line: str = ""
    """`argLine` with its placeholders filled in."""
    properties: tuple[str, ...] = ()
    """Names of system properties that Surefire sets when the JVM has started."""
    unresolved: tuple[str, ...] = ()
    """Names of placeholders that are set by nothing known and vanished."""
    settings: RunSettings = USUAL_SETTINGS
    knows_properties_file: bool = False
    """Whether what `systemPropertiesFile` names is among the properties."""


def read_test_run(
    project: Project, given: Mapping[str, str] | None = None, from_file: Mapping[str, str] | None = None
) -> TestRun:
    """The configuration of Surefire's `default-test`.

    Args:
        project: the module.
        given: properties that the repository passes to Maven; Surefire passes them on to tests.
        from_file: those of the file that `systemPropertiesFile` names; None where they are not known.
    """
    configuration = surefire_configuration(project)
    properties = {**project.properties, **(given or {})}
    resolver = _Late(properties, project, agents=_agent_properties(project))
    written = configuration.text_at("argLine") or properties.get("argLine", "")
    line = resolver.fill(written, _BY_MAVEN_OR_SUREFIRE)
    assertions = "-ea" if setting(configuration, properties, "enableAssertions") != "false" else "-da"
    arguments = [assertions, *words_of(line), f"-Dbasedir={project.folder}"]
    late = _system_properties(configuration, from_file or {})
    for name, value in late.items():
        arguments.append(f"-D{name}={resolver.fill(value)}")
    arguments += [f"-D{name}={value}" for name, value in (given or {}).items()]
    environment = {item.name: resolver.fill(item.text) for item in configuration.below("environmentVariables")}
    return TestRun(
        tuple(arguments),
        environment,
        _patterns(configuration, "includes", "include") or _default_includes(project),
        _patterns(configuration, "excludes", "exclude") or DEFAULT_EXCLUDES,
        line,
        (*late, *(given or {})),
        tuple(dict.fromkeys(resolver.unresolved)),
        settings=_run_settings(project, configuration, properties),
        knows_properties_file=from_file is not None and bool(configuration.text_at("systemPropertiesFile")),
    )


def _run_settings(project: Project, configuration: Element, properties: Mapping[str, str]) -> RunSettings:
    included = _tags(setting(configuration, properties, "groups"))
    excluded = _tags(setting(configuration, properties, "excludedGroups"))
    version = version_key(surefire_version(project))
    is_older = version < categories.FIRST_WITH_INHERITED
    return RunSettings(
        included_tags=included,
        excluded_tags=excluded,
        older_categories=is_older and bool(included or excluded),
        older_start=version < FIRST_WITH_ONE_SESSION,
        configuration_parameters=configuration_parameters(configuration.find("properties")) or (),
        jvm_per_class=_has_jvm_per_class(project, configuration, properties),
        working_directory=_working_directory(project, configuration),
    )


def setting(configuration: Element, properties: Mapping[str, str], name: str) -> str:
    """The text of a parameter of Surefire, by its configuration or else by its property; '' when neither sets it."""
    return configuration.text_at(name) or properties.get(PROPERTY_OF[name], "")


def module_path_rules(project: Project, given: Mapping[str, str]) -> ModulePathRules | None:
    """How Surefire would run the tests if the module is a named one; None: on the class path.

    Args:
        given: properties that the repository passes to Maven.
    """
    version = version_key(surefire_version(project))
    used = setting(surefire_configuration(project), {**project.properties, **given}, "useModulePath")
    if used == "false" or version < FIRST_WITH_MODULE_PATH:
        return None
    return ModulePathRules(
        opens=version >= FIRST_WITH_OPEN_PACKAGES,
        with_providers=version >= FIRST_WITH_OPEN_PACKAGES,
        all_modules=version >= FIRST_WITH_ALL_MODULES,
    )


def _has_jvm_per_class(project: Project, configuration: Element, properties: Mapping[str, str]) -> bool:
    """The older parameter wins, as long as Surefire knows it."""
    older = setting(configuration, properties, "forkMode")
    if older in FORK_MODES_PER_CLASS and version_key(surefire_version(project)) < FIRST_WITHOUT_FORK_MODE:
        return True
    return setting(configuration, properties, "reuseForks") == "false"


def _working_directory(project: Project, configuration: Element) -> str:
    """Relative to the module; '' for its own folder, and for one elsewhere, which needs Surefire."""
    written = configuration.text_at("workingDirectory")
    return relative_folder(written, project.folder) or ""


def unread_reports(project: Project) -> str:
    """The parameter for which reports lie elsewhere than in a folder of the usual name in the module, or nowhere; ''
    where there is none."""
    if project.properties.get("disableXmlReport") == "true":
        return "disableXmlReport"
    plugin = surefire_plugin(project)
    runs = [plugin.configuration, *(one.configuration for one in plugin.executions)] if plugin else []
    for run in filter(None, runs):
        folder = run.text_at("reportsDirectory")
        inside = relative_folder(folder, project.folder) if folder else REPORTS
        if inside is None or PurePosixPath(inside).name != REPORTS:
            return "reportsDirectory"
        if run.text_at("disableXmlReport") == "true":
            return "disableXmlReport"
    return ""


def relative_folder(path: str, folder: str) -> str | None:
    """A path relative to the folder of a module, below which it lies ('' for the folder itself); None for others and
    for names that Surefire fills in."""
    steps = PurePosixPath(path if path.startswith(("/", "{")) else f"{folder}/{path}")
    if "$" in path or ".." in steps.parts or not steps.is_relative_to(folder):
        return None
    found = steps.relative_to(folder).as_posix()
    return "" if found == "." else found


def _tags(text: str) -> tuple[str, ...]:
    """The tags or categories of a list; none where it is no such list, which needs Surefire, or a property that
    nothing sets."""
    text = text.strip()
    is_list = text and (are_tags(text) or categories.are_categories(text))
    return tuple(part.strip() for part in text.split(",")) if is_list else ()


def _default_includes(project: Project) -> tuple[str, ...]:
    """Those of the version of surefire that the build runs."""
    version = re.match(r"2\.(\d+)", surefire_version(project))
    return OLD_INCLUDES if version is not None and int(version.group(1)) < FIRST_WITH_TESTS else DEFAULT_INCLUDES


def _agent_properties(project: Project) -> frozenset[str]:
    """Names of properties that a coverage agent would set, which is switched off and leaves them empty."""
    agent = project.plugin("jacoco-maven-plugin")
    if agent is None:
        return frozenset()
    configurations = (agent.configuration, *(one.configuration for one in agent.executions))
    named = {item.text for one in configurations if one for item in one.everywhere("propertyName")}
    return frozenset({"argLine", *named})


def words_of(line: str) -> list[str]:
    """The words of a line of arguments."""
    try:
        return shlex.split(line)
    except ValueError:  # a lone quote: surefire passes it on as it is
        return line.split()


@dataclass(frozen=True)
class _Late:
    """Placeholders that Maven fills in while it runs: known ones are filled, the rest (coverage agents) vanish."""

    properties: Mapping[str, str]
    project: Project
    agents: frozenset[str]
    unresolved: list[str] = field(default_factory=list)

    def fill(self, text: str, placeholders: re.Pattern[str] = _BY_MAVEN) -> str:
        for _ in range(10):
            filled = placeholders.sub(self._value, text)
            if filled == text:
                break
            text = filled
        return text

    def _value(self, placeholder: re.Match[str]) -> str:
        name, folder = placeholder.group(1), self.project.folder
        known = {
            "surefire.forkNumber": "1",
            "surefire.threadNumber": "1",
            "basedir": folder,
            "project.basedir": folder,
            "project.build.directory": f"{folder}/target",
            "settings.localRepository": REPOSITORY,
        }
        if name in known and placeholder.group().startswith("$"):  # Surefire knows only properties
            return known[name]
        artifact = _ARTIFACT_PROPERTY.match(name)
        if artifact:
            part = f"/{artifact.group(1).replace('.', '/')}/{artifact.group(2)}/"
            found = next((jar for jar in self.project.class_path if part in jar), None)
        else:
            found = self.properties.get(name)
        if found is None and name not in self.agents:
            self.unresolved.append(name)
        return found or ""


def surefire_plugin(project: Project) -> BuildPlugin | None:
    """Surefire among the plugins of a module."""
    return project.plugin(PLUGIN)


def surefire_version(project: Project) -> str:
    """Its version; '' when none is known."""
    plugin = surefire_plugin(project)
    return (plugin.version if plugin else None) or ""


def surefire_configuration(project: Project) -> Element:
    """The configuration of `default-test`, in which Maven has merged that of the plugin, or else of the plugin."""
    plugin = surefire_plugin(project)
    runs = [one.configuration for one in plugin.executions if one.id == "default-test"] if plugin else []
    found = next((one for one in runs if one is not None), plugin.configuration if plugin else None)
    return found or Element(name="configuration")


def _system_properties(configuration: Element, from_file: Mapping[str, str]) -> dict[str, str]:
    old = [one for one in configuration.below("systemProperties") if one.name == "property"]
    found = {name: one.text_at("value") for one in old if (name := one.text_at("name"))}
    return {**found, **from_file} | {one.name: one.text for one in configuration.below("systemPropertyVariables")}


def _patterns(configuration: Element, group: str, one: str) -> tuple[str, ...]:
    written = [item.text for item in configuration.below(group) if item.name == one]
    return tuple(part.strip() for text in written for part in text.split(",") if part.strip())
