"""One POM as text: its elements, its parents on disk, its properties, and `${...}` in its values.

Nothing here asks Maven or the network. What a POM inherits from a parent in a registry is unknown to this module; the
build model, read from Maven itself, knows it.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import name2codepoint
from pathlib import Path

from lxml import etree

from testevo.records.verdicts import BuildOutcome
from testevo.runtime.errors import UserError

_PLACEHOLDER = re.compile(r"\$\{([^${}]+)\}")
_LONGEST_CHAIN = 32
_LONGEST_VALUE = 10_000
"""Characters of a value; properties that refer to each other twice can grow without bound."""


class UnreadableBuildFileError(UserError):
    """A POM that Maven could not read either: the outcome and the whole sentence (TEB-M02)."""

    outcome = BuildOutcome.UNREADABLE_BUILD_FILE


def local_name(element: etree._Element) -> str:
    """Tag without its namespace; POMs are written with and without one."""
    return etree.QName(element).localname


def children(element: etree._Element | None, name: str) -> Iterator[etree._Element]:
    """Child elements called `name`; comments and other namespaces' prefixes do not matter."""
    for child in element if element is not None else ():
        if isinstance(child.tag, str) and local_name(child) == name:
            yield child


def find(element: etree._Element | None, *path: str) -> etree._Element | None:
    """First element reached by following `path`, or None."""
    for name in path:
        element = next(children(element, name), None)
    return element


def text_of(element: etree._Element | None, *path: str) -> str | None:
    """Stripped text of the element at `path`; None when it is missing or empty."""
    found = find(element, *path)
    return (found.text or "").strip() or None if found is not None else None


@dataclass(frozen=True)
class PomFile:
    """A parsed POM and its parents on disk, nearest first."""

    path: str
    """Relative to the repository, as in messages."""
    file: Path
    project: etree._Element
    parent: "PomFile | None" = None
    remote_parent: str | None = None
    """`groupId:artifactId:version` of a parent that is not in the repository."""
    given: dict[str, str] = field(default_factory=dict)
    """Properties from outside the POM, which win over its own (`.mvn/maven.config`)."""

    def chain(self) -> Iterator["PomFile"]:
        """This POM, its parent, and so on."""
        pom: PomFile | None = self
        while pom is not None:
            yield pom
            pom = pom.parent

    def sections(self) -> Iterator[etree._Element]:
        """Profiles that are active by default, then the project element: the order in which settings win."""
        for profile in children(find(self.project, "profiles"), "profile"):
            if text_of(profile, "activation", "activeByDefault") == "true":
                yield profile
        yield self.project

    def raw_property(self, name: str) -> str | None:
        """A property's text before `${...}` is replaced; children win over parents."""
        if name in self.given:
            return self.given[name]
        for pom in self.chain():
            for section in pom.sections():
                found = text_of(section, "properties", name)
                if found is not None:
                    return found
        return None

    def coordinate(self, name: str) -> str | None:
        """`groupId`, `artifactId` or `version` of this project; the first and last are inherited."""
        own = text_of(self.project, name)
        if own is None and name != "artifactId":
            own = text_of(self.project, "parent", name)
        return own

    def resolve(self, value: str | None) -> str | None:
        """Replace `${...}` as far as it is known; None when something stays unknown, or the value grows too long."""
        if value is None:
            return None
        for _ in range(20):
            names = dict.fromkeys(_PLACEHOLDER.findall(value))
            if not names:
                return value.strip()
            for name in names:
                known, written = self._named(name), f"${{{name}}}"
                if known is None or len(value) + value.count(written) * len(known) > _LONGEST_VALUE:
                    return None
                value = value.replace(written, known)
        return None

    def _named(self, name: str) -> str | None:
        plain = re.sub(r"^(project|pom)\.", "", name)
        if plain in ("version", "groupId", "artifactId"):
            return self.coordinate(plain)
        if plain.startswith("parent."):
            return text_of(self.project, "parent", plain.removeprefix("parent."))
        return self.raw_property(name)

    def property(self, name: str) -> str | None:
        """A property with `${...}` replaced."""
        return self.resolve(self.raw_property(name))


def parse_pom(root: Path, path: str) -> PomFile:
    """Read the POM at the repository-relative `path` and its parents that lie in the repository.

    Raises:
        UnreadableBuildFileError: a file is not a well-formed POM, or parents form a cycle.
    """
    return _parse(root.resolve(), path, (), given_properties(root))


def _parse(root: Path, path: str, seen: tuple[str, ...], given: dict[str, str]) -> PomFile:
    if path in seen or len(seen) > _LONGEST_CHAIN:
        circle = " -> ".join((*seen, path))
        raise UnreadableBuildFileError(f"{seen[0]} is its own parent ({circle}). Fix the <parent> elements.")
    file = root / path
    project = _project_element(file, path)
    parent = find(project, "parent")
    if parent is None:
        return PomFile(path, file, project, given=given)
    wanted = tuple(text_of(parent, name) for name in ("groupId", "artifactId", "version"))
    beside = _parent_on_disk(root, file, parent)
    if beside is not None:
        above = _parse(root, beside, (*seen, path), given)
        if _is_that_parent(above, wanted):
            return PomFile(path, file, project, above, given=given)
    return PomFile(path, file, project, remote_parent=":".join(part or "?" for part in wanted), given=given)


def _is_that_parent(pom: PomFile, wanted: tuple[str | None, ...]) -> bool:
    """Maven takes the file at relativePath only when its coordinates are the wanted ones."""
    group, artifact, _ = wanted
    return pom.coordinate("artifactId") == artifact and pom.resolve(pom.coordinate("groupId")) in (group, None)


def _parent_on_disk(root: Path, file: Path, parent: etree._Element) -> str | None:
    element = find(parent, "relativePath")
    written = "../pom.xml" if element is None else (element.text or "").strip().replace("\\", "/")
    if not written:
        return None
    found = pom_named(file.parent, written)
    return found.relative_to(root).as_posix() if found and found.is_relative_to(root) else None


def pom_named(folder: Path, written: str) -> Path | None:
    """The POM that a path means, or that lies in the folder it means.

    Args:
        folder: the path is relative to it.
        written: as in a POM, of any length.

    Returns:
        None where there is none, as where the path goes in circles of links or is longer than any disk takes.
    """
    try:
        place = (folder / written).resolve()
        found = place / "pom.xml" if place.is_dir() else place
        return found if found.is_file() else None
    except (OSError, RuntimeError):
        return None


_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([^"']{1,40})["']""")
_ENTITY = re.compile(rb"<!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*)|&(\w+);", re.DOTALL)
_OF_XML = (b"amp", b"lt", b"gt", b"quot", b"apos")
_UTF_8 = (b"utf-8", b"utf8")


def _as_maven_reads(content: bytes) -> bytes:
    """A POM as its bytes are to Maven's reader, which knows the entities of HTML, and replaces what is no UTF-8 where a
    POM declares that or nothing."""
    declared = _DECLARED.match(content.removeprefix(codecs.BOM_UTF8))
    if b"\0" not in content and (declared is None or declared.group(1).lower() in _UTF_8):
        content = content.decode("utf-8", "replace").encode()
    return _ENTITY.sub(_as_number, content)


def _as_number(found: re.Match[bytes]) -> bytes:
    name = found.group(1)
    number = name2codepoint.get(name.decode("ascii")) if name and name not in _OF_XML else None
    return found.group() if number is None else b"&#%d;" % number


def _project_element(file: Path, path: str) -> etree._Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        project = etree.fromstring(_as_maven_reads(file.read_bytes()), parser)
    except OSError as error:
        raise UnreadableBuildFileError(f"{path} cannot be read: {error.strerror}.") from error
    except etree.XMLSyntaxError as error:
        reason = (error.msg or "no XML").split(", line ")[0]
        raise UnreadableBuildFileError(f"{path}:{error.lineno or 1} is not well-formed XML: {reason}.") from error
    if local_name(project) != "project":
        where = f"{path}:{project.sourceline or 1}"
        raise UnreadableBuildFileError(f"{where} starts with <{local_name(project)}>, not <project>.")
    for entity in project.iter(etree.Entity):
        where = f"{path}:{entity.sourceline or 1}"
        raise UnreadableBuildFileError(f"{where} refers to the entity {entity.text}, which Maven does not resolve.")
    return project


_OPTION = re.compile(
    r"-([BCNUVXceoq]|am|amd|fae|ff|llr|nsu|ntp)|--(batch-mode|strict-checksums|non-recursive|update-snapshots|show-version"
    r"|debug|also-make|also-make-dependents|lax-checksums|errors|fail-at-end|fail-fast|legacy-local-repository"
    r"|no-snapshot-updates|no-transfer-progress|offline|quiet)"
)
_OPTION_WITH_VALUE = re.compile(
    r"(-(?:gs|gt|pl|[DPTst])|--(?:define|activate-profiles|threads|global-settings|global-toolchains|projects|settings"
    r"|toolchains|color))=?(.*)"
)


def given_properties(root: Path) -> dict[str, str]:
    """`-Dname=value` options that the repository itself passes to Maven in `.mvn/maven.config`.

    Raises:
        UnreadableBuildFileError: it passes something with which Maven's output or its end may not say how a build went.
    """
    config = root / ".mvn" / "maven.config"
    found = {}
    words = iter(config.read_text("utf-8", "replace").split() if config.is_file() else ())
    for word in words:
        with_value = _OPTION_WITH_VALUE.fullmatch(word)
        if with_value:
            option, value = with_value.group(1), with_value.group(2) or next(words, "")
            if option in ("-D", "--define"):
                name, equals, value = value.partition("=")
                found[name] = value if equals else "true"
        elif not _OPTION.fullmatch(word):
            raise UnreadableBuildFileError(f".mvn/maven.config passes {word} to Maven, which is not supported here.")
    return found
