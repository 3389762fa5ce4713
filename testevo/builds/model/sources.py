"""The files of a checkout as a build sees them: on disk, with some replaced, chosen by Ant patterns."""

import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from testevo.builds.model.model import ResourceFolder
from testevo.runtime.files.files import content_key, file_digest


@cache
def ant_pattern(pattern: str) -> re.Pattern[str]:
    """An Ant pattern (`**/*Test.java`) as a regular expression over a relative path with `/`."""
    pattern = pattern.replace("\\", "/").lstrip("/")
    if pattern.endswith("/"):
        pattern += "**"
    *folders, last = pattern.split("/")
    out = "".join("(?:[^/]+/)*" if name == "**" else f"{_name_pattern(name)}/" for name in folders)
    if last != "**":
        out += _name_pattern(last)
    else:
        out = f"{out.removesuffix('/')}(?:/.*)?" if out.endswith("/") else f"{out}.*"
    return re.compile(out + r"\Z", re.DOTALL)


def _name_pattern(name: str) -> str:
    """A part of an Ant pattern between two `/`, in which `**` is no more than `*`."""
    return "".join({"*": "[^/]*", "?": "[^/]"}.get(char, re.escape(char)) for char in re.sub(r"\*+", "*", name))


def _reaches(pattern: str, folder: str) -> bool:
    """Whether an Ant pattern may choose files in a folder, or in one below it."""
    first, *others = pattern.replace("\\", "/").lstrip("/").split("/")
    return (bool(others) or first == "**") and ant_pattern(first).match(folder) is not None


def selected(path: str, includes: Sequence[str], excludes: Sequence[str]) -> bool:
    """Whether `path` matches some include (or there is none) and no exclude."""
    if includes and not any(ant_pattern(pattern).match(path) for pattern in includes):
        return False
    return not any(ant_pattern(pattern).match(path) for pattern in excludes)


class SourceView:
    """A checkout with some files replaced; replaced ones are written below `overlay` so that javac can read them."""

    def __init__(self, folder: Path, replaced: Mapping[str, bytes | None] | None = None, overlay: Path | None = None):
        self.folder = folder
        self.replaced = dict(replaced or {})
        self.overlay = overlay
        for path, content in self.replaced.items():
            if content is not None:
                if overlay is None:
                    raise ValueError("replaced files need an overlay folder")
                (overlay / path).parent.mkdir(parents=True, exist_ok=True)
                (overlay / path).write_bytes(content)

    def file(self, path: str) -> Path:
        """Where the repository-relative `path` can be read."""
        return self.overlay / path if self.overlay is not None and path in self.replaced else self.folder / path

    def has(self, path: str) -> bool:
        """Whether there is a file at `path`."""
        return self.replaced[path] is not None if path in self.replaced else (self.folder / path).is_file()

    def is_executable(self, path: str) -> bool:
        """Whether the revision says that a file can be executed, also where other content replaces it."""
        file = self.folder / path
        return file.is_file() and bool(file.stat().st_mode & stat.S_IXUSR)

    def show_beside_replaced(self, paths: Sequence[str]) -> None:
        """Put unchanged files beside the replaced ones too, for a compiler that looks around a source."""
        for path in paths:
            if self.overlay is not None and self.replaced and path not in self.replaced:
                (self.overlay / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.folder / path, self.overlay / path)

    def files(self, root: str) -> Iterator[str]:
        """Repository-relative paths of all files below `root`, sorted."""
        base = self.folder / root
        found = set()
        for place, folders, names in os.walk(base):
            folders.sort()
            for name in names:
                file = Path(place, name)
                if file.is_file():
                    found.add(file.relative_to(self.folder).as_posix())
        prefix = f"{root}/" if root else ""
        for path, content in self.replaced.items():
            if path.startswith(prefix):
                (found.discard if content is None else found.add)(path)
        return iter(sorted(found))

    def linked_folder(self, root: str, includes: Sequence[str] = ()) -> str | None:
        """A link to a folder below `root` where Maven looks for what matches some include, and `files` does not."""
        base = self.folder / root
        for place, folders, _ in os.walk(base):
            folders.sort()
            for link in (path for name in folders if (path := Path(place, name)).is_symlink()):
                if not includes or any(_reaches(pattern, link.relative_to(base).parts[0]) for pattern in includes):
                    return link.relative_to(self.folder).as_posix()
        return None

    def java_files(self, roots: Sequence[str], includes: Sequence[str], excludes: Sequence[str]) -> list[str]:
        """Java sources below `roots`, chosen by patterns relative to their root."""
        found: dict[str, None] = {}
        for root in roots:
            for path in self.files(root):
                if path.endswith(".java") and selected(path[len(root) + 1 if root else 0 :], includes, excludes):
                    found[path] = None
        return list(found)

    def resources(self, folder: ResourceFolder, default_excludes: Sequence[str]) -> dict[str, str]:
        """Path in the output folder -> repository-relative path, for one resource folder.

        Args:
            default_excludes: patterns that are left out besides those of the folder.
        """
        found = {}
        start = len(folder.folder) + 1 if folder.folder else 0
        target = folder.target.strip("/")
        for path in self.files(folder.folder):
            inner = path[start:]
            if selected(inner, folder.includes, (*folder.excludes, *default_excludes)):
                found[f"{target}/{inner}" if target else inner] = path
        return found

    def digest(self, path: str) -> str:
        """SHA-256 of a file."""
        return file_digest(self.file(path))

    def key(self, paths: Sequence[str]) -> str:
        """Content key over paths and bytes."""
        return content_key(*(part for path in paths for part in (path, self.digest(path))))

    def relative(self, path: str) -> str:
        """The repository-relative form of an absolute path that javac names."""
        for base in (self.overlay, self.folder):
            if base is not None and Path(path).is_relative_to(base):
                return Path(path).relative_to(base).as_posix()
        return Path(path).name
