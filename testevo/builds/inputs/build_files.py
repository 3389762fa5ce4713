"""The files of a checkout that decide how Maven builds it: a build model is kept by their contents.

POMs of any name and place, `.mvn`, and every file that a POM or an option in `.mvn` names: activation and properties
files, filters, descriptors, arguments of plugins. A name is the last part of a path as it is written, so that it need
not be known from which folder a plugin reads it; a placeholder in it stands for any text. Left out is what only plugins
name that are switched off in every build.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from lxml import etree

from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.project.pom import MavenProject
from testevo.builds.project.pom_file import local_name, parse_pom, text_of
from testevo.runtime.files.files import file_digest

_ALWAYS = ("pom.xml", "module-info.java")
_NOT_ENTERED = (".git", "target", "node_modules")
_BETWEEN_PATHS = re.compile(r"[\s,;:|=@]+")
_PLACEHOLDER = re.compile(r"\$\{[^{}]*\}")
_SOURCES = (".java", ".class")
_ACTIVATING = ("exists", "missing")


@dataclass(frozen=True)
class BuildFiles:
    """What the POMs of a project read, and what they name."""

    poms: frozenset[str]
    """Repository-relative paths."""
    names: frozenset[str]
    """Of files, without folders."""
    patterns: tuple[str, ...]
    """Names with `*` for a placeholder."""
    folders: frozenset[str]
    """Names of folders that a profile may ask for."""

    def holds(self, path: str) -> bool:
        """Whether a file at this repository-relative path decides the build by its content."""
        name = path.rsplit("/", 1)[-1]
        if path in self.poms or name in _ALWAYS or path.startswith(".mvn/"):
            return True
        named = name in self.names or any(fnmatchcase(name, pattern) for pattern in self.patterns)
        return named and not name.endswith(_SOURCES)

    def found(self, folder: Path) -> Iterator[tuple[str, str]]:
        """Path and digest of each in a checkout, sorted by path; of folders their presence."""
        found: dict[str, str] = {}
        for place, folders, files in os.walk(folder):
            at = Path(place).relative_to(folder)
            folders[:] = [name for name in folders if name not in _NOT_ENTERED]
            found |= {f"{(at / name).as_posix()}/": "" for name in folders if name in self.folders}
            for path in ((at / name).as_posix() for name in files):
                if self.holds(path) and (folder / path).is_file():
                    found[path] = file_digest(folder / path)
        return iter(sorted(found.items()))


def build_files(folder: Path, project: MavenProject, skips: PluginSkips) -> BuildFiles:
    """The files that decide how the checkout in `folder` is built.

    Raises:
        UnreadableBuildFileError: a POM of `project` cannot be read any more.
    """
    off = {skip.plugin for skip in skips.properties} & skips.harmless
    poms = [parse_pom(folder, path).project for path in project.pom_files]
    texts = [text for pom in poms for text in _texts(pom, off)]
    texts += [file.read_text("utf-8", "replace") for file in sorted((folder / ".mvn").glob("*.config"))]
    names = {name for text in texts for name in _names(text)}
    activating = {
        (one.text or "").strip().rstrip("/") for pom in poms for kind in _ACTIVATING for one in pom.iter(f"{{*}}{kind}")
    }
    return BuildFiles(
        frozenset(project.pom_files),
        frozenset(name for name in names if "*" not in name),
        tuple(sorted(name for name in names if "*" in name)),
        frozenset(name for text in activating for name in _names(text)),
    )


def _texts(element: etree._Element, off: set[str]) -> Iterator[str]:
    """All texts and attributes, in document order."""
    if not isinstance(element.tag, str):
        return
    if local_name(element) == "plugin" and text_of(element, "artifactId") in off:
        return
    yield element.text or ""
    yield from map(str, element.attrib.values())
    for child in element:
        yield from _texts(child, off)
        yield child.tail or ""


def _names(text: str) -> Iterator[str]:
    """The names of files that a text may hold. One that is all placeholder has its text elsewhere."""
    for word in _BETWEEN_PATHS.split(_PLACEHOLDER.sub("\0", text)):
        name = re.split(r"[/\\]", word)[-1]
        if name.strip("\0.") and "*" not in name and "?" not in name:
            yield name.replace("[", "[[]").replace("\0", "*") if "\0" in name else name
