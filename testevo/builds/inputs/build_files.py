"""The files of a checkout that decide how Maven builds it: a build model is kept by their contents.

POMs of any name and place, `.mvn`, and every file that a POM or an option in `.mvn` names: activation and properties
files, filters, descriptors, arguments of plugins. A name is the last part of a path as it is written, so that it need
not be known from which folder a plugin reads it; a placeholder in it stands for any text. Folders in which builds leave
files are not searched for names: what a POM names there counts where the path that it says leads to it. Of what a
profile asks for counts whether it is there. Left out is what only plugins name that are switched off in every build.
"""

import os
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from lxml import etree

from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.project.pom import MavenProject
from testevo.builds.project.pom_file import local_name, parse_pom, text_of
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.plain_files import is_file, is_folder

_ALWAYS = ("pom.xml", "module-info.java")
_NOT_ENTERED = (".git", "target", "node_modules")
_BETWEEN_PATHS = re.compile(r"[\s,;:|=@]+")
_PLACEHOLDER = re.compile(r"\$\{[^{}]*\}")
_SOURCES = (".java", ".class")
_ACTIVATING = ("exists", "missing")


@dataclass(frozen=True)
class Names:
    """Names of files or folders, without the folders above."""

    whole: frozenset[str]
    patterns: tuple[str, ...]
    """Names with `*` for a placeholder."""

    def __contains__(self, name: str) -> bool:
        return name in self.whole or any(fnmatchcase(name, pattern) for pattern in self.patterns)


@dataclass(frozen=True)
class BuildFiles:
    """What the POMs of a project read, and what they name."""

    poms: frozenset[str]
    """Repository-relative paths."""
    names: Names
    """Of files whose content counts."""
    asked: Names
    """Of files and folders whose presence a profile may ask for."""
    paths: frozenset[str]
    """Repository-relative paths that may be meant, in folders that are not searched for names."""

    def holds(self, path: str) -> bool:
        """Whether a file at this repository-relative path decides the build by its content."""
        if path in self.poms or path in self.paths:
            return True
        *folders, name = path.split("/")
        if not set(folders).isdisjoint(_NOT_ENTERED):
            return False
        if name in _ALWAYS or path.startswith(".mvn/"):
            return True
        return name in self.names and not name.endswith(_SOURCES)

    def decided_by(self, folder: Path, replaced: Mapping[str, bytes | None]) -> bool:
        """Whether a checkout is built otherwise once some of its files are replaced, added or, by None, removed."""
        return any(self.holds(path) or self._is_asked_for(folder, path, new) for path, new in replaced.items())

    def found(self, folder: Path) -> Iterator[tuple[str, str]]:
        """Path and digest of each in a checkout, sorted by path; nothing for the digest where only presence counts."""
        found: dict[str, str] = {}
        for place, folders, files in os.walk(folder):
            at = Path(place).relative_to(folder)
            folders[:] = [name for name in folders if name not in _NOT_ENTERED]
            found |= {f"{(at / name).as_posix()}/": "" for name in folders if name in self.asked}
            found |= {(at / name).as_posix(): "" for name in files if name in self.asked}
            for path in ((at / name).as_posix() for name in files):
                if self.holds(path) and (folder / path).is_file():
                    found[path] = file_digest(folder / path)
        for path in (self.poms | self.paths) - found.keys():
            if is_file(folder / path):
                found[path] = file_digest(folder / path)
            elif is_folder(folder / path):
                found[f"{path}/"] = ""
        return iter(sorted(found.items()))

    def _is_asked_for(self, folder: Path, path: str, content: bytes | None) -> bool:
        """Whether a profile may see that a file, or a folder that it makes, comes or goes."""
        *above, name = PurePosixPath(path).parts
        if name in self.asked and is_file(folder / path) == (content is None):
            return True
        made = (PurePosixPath(*above[: number + 1]) for number, step in enumerate(above) if step in self.asked)
        return content is not None and not all(is_folder(folder / one) for one in made)


def build_files(folder: Path, project: MavenProject, skips: PluginSkips) -> BuildFiles:
    """The files that decide how the checkout in `folder` is built.

    Raises:
        UnreadableBuildFileError: a POM of `project` cannot be read any more.
    """
    off = {skip.plugin for skip in skips.properties} & skips.harmless
    poms = [parse_pom(folder, path).project for path in project.pom_files]
    texts = [text for pom in poms for text in _texts(pom, off)]
    texts += [file.read_text("utf-8", "replace") for file in sorted((folder / ".mvn").glob("*.config"))]
    asking = [one.text or "" for pom in poms for kind in _ACTIVATING for one in pom.iter(f"{{*}}{kind}")]
    from_folders = {PurePosixPath(path).parent for path in project.pom_files}
    from_folders |= {PurePosixPath(module.path) for module in project.modules}
    return BuildFiles(
        frozenset(project.pom_files),
        _named(texts),
        _named(text.strip().rstrip("/") for text in asking),
        frozenset(path for text in texts for path in _unsearched(text, from_folders)),
    )


def _named(texts: Iterable[str]) -> Names:
    names = {name for text in texts for name in _names(text)}
    return Names(
        frozenset(name for name in names if "*" not in name), tuple(sorted(name for name in names if "*" in name))
    )


def _unsearched(text: str, from_folders: Collection[PurePosixPath]) -> Iterator[str]:
    """The paths that a text may hold and that lead into folders that are not searched.

    A placeholder in front stands for the folder from which a plugin reads; it may be that of any module.
    """
    for word in _words(text):
        steps = [step for step in re.split(r"[/\\]", word) if step != "."]
        steps = steps[1:] if steps[:1] == ["\0"] else steps
        rest = "/".join(steps)
        if steps and steps[0] and "\0" not in rest and "*" not in rest and not set(steps).isdisjoint(_NOT_ENTERED):
            paths = {posixpath.normpath(f"{at}/{rest}") for at in from_folders}
            yield from (path for path in paths if path.split("/")[0] not in ("..", ".git"))


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
    for word in _words(text):
        name = re.split(r"[/\\]", word)[-1]
        if name.strip("\0.") and "*" not in name and "?" not in name:
            yield name.replace("[", "[[]").replace("\0", "*") if "\0" in name else name


def _words(text: str) -> list[str]:
    """What may be a path, with a zero for each placeholder."""
    return _BETWEEN_PATHS.split(_PLACEHOLDER.sub("\0", text))
