"""Read from the effective POM how Maven would run a module's tests: JVM arguments, includes."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from testevo.builds.model.model import CHECKOUT, REPOSITORY
from testevo.builds.project.pom_file import children, find, local_name, text_of

DEFAULT_INCLUDES = ("**/Test*.java", "**/*Test.java", "**/*Tests.java", "**/*TestCase.java")
"""Of surefire since 2.20. Older ones lack `*Tests`; which version runs is often Maven's choice, not the project's."""

DEFAULT_EXCLUDES = ("**/*$*",)

_DECLARATION = re.compile(rb"<\?xml\s[^>]*\?>\s*")
_IMPOSSIBLE = re.compile(rb"<(\w[^\s<>/]*[^\w.:\-\s<>/][^\s<>/]*)>[^<]*</\1>")
"""A property whose name is not a name of an element."""
_LATE = re.compile(r"[@$]\{([^{}]+)\}")
_ARTIFACT_PROPERTY = re.compile(r"^([\w.-]+):([\w.-]+):jar(?::([\w.-]+))?$")


@dataclass(frozen=True)
class TestRun:
    """What surefire would do in one module."""

    __test__ = False

    jvm_arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    working_folder: str | None = None
    includes: tuple[str, ...] = DEFAULT_INCLUDES
    excludes: tuple[str, ...] = DEFAULT_EXCLUDES


def effective_projects(document: bytes) -> dict[tuple[str, str], etree._Element]:
    """(groupId, artifactId) -> project element of the output of `help:effective-pom`, single or `<projects>`.

    The plugin writes no clean XML: it repeats the declaration behind its own comments (the text is UTF-8 anyway), and
    takes property names for elements that cannot be any (`javaTarget.qualifier?` of build-helper).
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, huge_tree=True)
    top = etree.fromstring(_IMPOSSIBLE.sub(b"", _DECLARATION.sub(b"", document)), parser)
    projects = [top] if local_name(top) == "project" else list(children(top, "project"))
    return {(text_of(project, "groupId") or "", text_of(project, "artifactId") or ""): project for project in projects}


def read_test_run(project: etree._Element, module: str, class_path: Sequence[str]) -> TestRun:
    """The configuration of surefire's `default-test` in an effective POM.

    Args:
        project: its element, with machine paths hidden behind places.
        module: folder of the module, relative to the repository.
        class_path: test class path of the module, to resolve `-javaagent:${group:artifact:jar}`.
    """
    configuration = _surefire(project)
    properties = {local_name(item): (item.text or "").strip() for item in _elements(find(project, "properties"))}
    resolver = _Late(properties, module, class_path)
    written = text_of(configuration, "argLine") or properties.get("argLine", "")
    arguments = [] if text_of(configuration, "enableAssertions") == "false" else ["-ea"]
    arguments += _words(resolver.fill(written))
    arguments.append(f"-Dbasedir={_folder(module)}")
    for name, value in _system_properties(configuration).items():
        arguments.append(f"-D{name}={resolver.fill(value)}")
    environment = {
        local_name(item): resolver.fill((item.text or "").strip())
        for item in _elements(find(configuration, "environmentVariables"))
    }
    return TestRun(
        tuple(arguments),
        environment,
        text_of(configuration, "workingDirectory"),
        _patterns(configuration, "includes", "include") or DEFAULT_INCLUDES,
        _patterns(configuration, "excludes", "exclude") or DEFAULT_EXCLUDES,
    )


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
            return next((jar for jar in self.class_path if part in jar), "")
        return self.properties.get(name, "")


def _surefire(project: etree._Element) -> etree._Element | None:
    for plugin in children(find(project, "build", "plugins"), "plugin"):
        if text_of(plugin, "artifactId") == "maven-surefire-plugin":
            for execution in children(find(plugin, "executions"), "execution"):
                if text_of(execution, "id") == "default-test" and find(execution, "configuration") is not None:
                    return find(execution, "configuration")
            return find(plugin, "configuration")
    return None


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
