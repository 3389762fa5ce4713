"""Read from the effective POM how Maven would run a module's tests: JVM arguments, includes."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from testevo.builds.model.model import CHECKOUT, REPOSITORY
from testevo.builds.project.pom_file import children, find, local_name, text_of

DEFAULT_INCLUDES = ("**/Test*.java", "**/*Test.java", "**/*Tests.java", "**/*TestCase.java")
"""Of surefire since 2.20."""

FIRST_WITH_TESTS = 20
"""Minor version of surefire 2 whose default patterns have `*Tests`."""
OLD_INCLUDES = tuple(pattern for pattern in DEFAULT_INCLUDES if pattern != "**/*Tests.java")
"""Of older ones. Which version runs is often Maven's choice, not the project's."""

DEFAULT_EXCLUDES = ("**/*$*",)

_DECLARATION = re.compile(rb"<\?xml\s[^>]*\?>\s*")
_IMPOSSIBLE = re.compile(rb"<(\w[^\s<>/]*[^\w.:\-\s<>/][^\s<>/]*)>[^<]*</\1>")
"""A property whose name is not a name of an element."""
_LATE = re.compile(r"[@$]\{([^{}]+)\}")
_ARTIFACT_PROPERTY = re.compile(r"^([\w.-]+):([\w.-]+):jar(?::([\w.-]+))?$")


@dataclass(frozen=True)
class TestRun:
    """Surefire's settings for one module."""

    __test__ = False

    jvm_arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    includes: tuple[str, ...] = DEFAULT_INCLUDES
    excludes: tuple[str, ...] = DEFAULT_EXCLUDES
    unresolved: tuple[str, ...] = ()
    """Names of placeholders that are set by nothing known and vanished."""


def effective_projects(document: bytes) -> dict[tuple[str, str], etree._Element]:
    """(groupId, artifactId) -> project element of the output of `help:effective-pom`, single or `<projects>`.

    The plugin writes no clean XML: it repeats the declaration behind its own comments (the text is UTF-8 anyway), and
    takes property names for elements that cannot be any (`javaTarget.qualifier?` of build-helper).
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, huge_tree=True)
    top = etree.fromstring(_IMPOSSIBLE.sub(b"", _DECLARATION.sub(b"", document)), parser)
    projects = [top] if local_name(top) == "project" else list(children(top, "project"))
    return {(text_of(project, "groupId") or "", text_of(project, "artifactId") or ""): project for project in projects}


def read_test_run(
    project: etree._Element, module: str, class_path: Sequence[str], given: Mapping[str, str] | None = None
) -> TestRun:
    """The configuration of surefire's `default-test` in an effective POM.

    Args:
        project: its element, with machine paths hidden behind places.
        module: folder of the module, relative to the repository.
        class_path: test class path of the module, to resolve `-javaagent:${group:artifact:jar}`.
        given: properties that the repository passes to Maven; Surefire passes them on to tests.
    """
    configuration = surefire_configuration(project)
    properties = {**properties_of(project), **(given or {})}
    resolver = _Late(properties, module, class_path, agents=_agent_properties(project))
    written = text_of(configuration, "argLine") or properties.get("argLine", "")
    arguments = ["-ea", *_words(resolver.fill(written)), f"-Dbasedir={_folder(module)}"]
    for name, value in _system_properties(configuration).items():
        arguments.append(f"-D{name}={resolver.fill(value)}")
    arguments += [f"-D{name}={value}" for name, value in (given or {}).items()]
    environment = {
        local_name(item): resolver.fill((item.text or "").strip())
        for item in _elements(find(configuration, "environmentVariables"))
    }
    return TestRun(
        tuple(arguments),
        environment,
        _patterns(configuration, "includes", "include") or _default_includes(project),
        _patterns(configuration, "excludes", "exclude") or DEFAULT_EXCLUDES,
        tuple(dict.fromkeys(resolver.unresolved)),
    )


def _default_includes(project: etree._Element) -> tuple[str, ...]:
    """Those of the version of surefire that the build runs."""
    version = re.match(r"2\.(\d+)", text_of(surefire_plugin(project), "version") or "")
    return OLD_INCLUDES if version is not None and int(version.group(1)) < FIRST_WITH_TESTS else DEFAULT_INCLUDES


def properties_of(project: etree._Element) -> dict[str, str]:
    """The properties of an effective POM."""
    return {local_name(item): (item.text or "").strip() for item in _elements(find(project, "properties"))}


def _agent_properties(project: etree._Element) -> frozenset[str]:
    """Names of properties that a coverage agent would set, which is switched off and leaves them empty."""
    agents = [
        plugin
        for plugin in children(find(project, "build", "plugins"), "plugin")
        if text_of(plugin, "artifactId") == "jacoco-maven-plugin"
    ]
    named = {(item.text or "").strip() for agent in agents for item in agent.iter("{*}propertyName")}
    return frozenset({"argLine", *named} if agents else ())


def _folder(module: str) -> str:
    return f"{CHECKOUT}/{module}".rstrip("/")


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a lone quote: surefire passes it on as it is
        return line.split()


@dataclass(frozen=True)
class _Late:
    """Placeholders that Maven fills in while it runs: known ones are filled, the rest (coverage agents) vanish."""

    properties: Mapping[str, str]
    module: str
    class_path: Sequence[str]
    agents: frozenset[str]
    unresolved: list[str] = field(default_factory=list)

    def fill(self, text: str) -> str:
        for _ in range(10):
            filled = _LATE.sub(lambda match: self._value(match.group(1)), text)
            if filled == text:
                break
            text = filled
        return text

    def _value(self, name: str) -> str:
        folder = _folder(self.module)
        known = {
            "surefire.forkNumber": "1",
            "surefire.threadNumber": "1",
            "basedir": folder,
            "project.basedir": folder,
            "project.build.directory": f"{folder}/target",
            "settings.localRepository": REPOSITORY,
        }
        if name in known:
            return known[name]
        artifact = _ARTIFACT_PROPERTY.match(name)
        if artifact:
            part = f"/{artifact.group(1).replace('.', '/')}/{artifact.group(2)}/"
            found = next((jar for jar in self.class_path if part in jar), None)
        else:
            found = self.properties.get(name)
        if found is None and name not in self.agents:
            self.unresolved.append(name)
        return found or ""


def surefire_plugin(project: etree._Element) -> etree._Element | None:
    """The element of surefire among the plugins of an effective POM."""
    plugins = children(find(project, "build", "plugins"), "plugin")
    return next((plugin for plugin in plugins if text_of(plugin, "artifactId") == "maven-surefire-plugin"), None)


def surefire_configuration(project: etree._Element) -> etree._Element | None:
    """The configuration of `default-test`, in which Maven has merged that of the plugin, or else of the plugin."""
    plugin = surefire_plugin(project)
    for execution in children(find(plugin, "executions"), "execution"):
        if text_of(execution, "id") == "default-test" and find(execution, "configuration") is not None:
            return find(execution, "configuration")
    return find(plugin, "configuration")


def _system_properties(configuration: etree._Element | None) -> dict[str, str]:
    found = {}
    for item in children(find(configuration, "systemProperties"), "property"):
        name = text_of(item, "name")
        if name:
            found[name] = text_of(item, "value") or ""
    for item in _elements(find(configuration, "systemPropertyVariables")):
        found[local_name(item)] = (item.text or "").strip()
    return found


def _patterns(configuration: etree._Element | None, group: str, one: str) -> tuple[str, ...]:
    items = children(find(configuration, group), one)
    written = [(item.text or "").strip() for item in items]
    return tuple(part.strip() for text in written for part in text.split(",") if part.strip())


def _elements(element: etree._Element | None) -> list[etree._Element]:
    return [] if element is None else [item for item in element if isinstance(item.tag, str)]
