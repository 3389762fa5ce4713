"""Files that Maven made during the model run and that the direct engine copies instead of making them itself.

Filtered resources stand in only where the unfiltered file is the same; anything else falls back to Maven (`unsolved`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.model.model import SavedFile, SideModel
from testevo.builds.model.resources.plugin_files import OF_THE_COMPILER
from testevo.builds.model.sources import SourceView
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.whole_files import copy_once

_PLACEHOLDERS = (b"${", b"@")


def save_outputs(
    folder: Path, output: Path, side: SideModel, saved: Path, *, compiled: bool
) -> tuple[tuple[SavedFile, ...], tuple[SavedFile, ...]]:
    """Keep filtered resources and files of other plugins from Maven's output folder.

    Args:
        folder: the checkout in which Maven ran.
        output: its output folder of this side.
        side: compilations and resource folders.
        saved: where contents go, named by digest.
        compiled: whether the side was really compiled; otherwise there are no extra files.
    """
    view = SourceView(folder)
    found = resource_files(view, side)
    plain, filtered = found.plain, found.filtered
    made: list[SavedFile] = []
    for path, source in sorted(filtered.items()):
        file = output / path
        if file.is_file():
            made.append(SavedFile(path=path, digest=_keep(file, saved), source_digest=view.digest(source)))
    extra: list[SavedFile] = []
    if compiled and output.is_dir():
        for file in sorted(output.rglob("*")):
            path = file.relative_to(output).as_posix()
            if file.is_file() and _is_extra(path) and path not in plain and path not in filtered:
                extra.append(SavedFile(path=path, digest=_keep(file, saved)))
    return tuple(made), tuple(extra)


def names_folder(output: Path, side: SideModel, folder: Path) -> str | None:
    """The first file of a side which Maven has made and in which the folder of the build stands.

    It would name that folder in every other revision and on every other machine, and no test can be run in both.

    Args:
        output: Maven's output folder of the side.
        folder: the checkout in which Maven ran.
    """
    names = {str(folder).encode(), str(folder.resolve()).encode()}
    for file in (one for one in (*side.filtered, *side.extra) if one.path not in OF_THE_COMPILER):
        content = (output / file.path).read_bytes()
        if any(name in content for name in names):
            return file.path
    return None


def _is_extra(path: str) -> bool:
    """Classes are compiled."""
    return not path.endswith((".class", ".java"))


def _keep(file: Path, saved: Path) -> str:
    digest = file_digest(file)
    target = saved / digest
    copy_once(file, target)
    return digest


def _may_change(content: bytes) -> bool:
    """Whether filtering may change a file: it replaces placeholders, and bytes that its encoding cannot read."""
    return not content.isascii() or any(mark in content for mark in _PLACEHOLDERS)


@dataclass(frozen=True)
class ResourceFiles:
    """Output path -> source path, for resources that are copied and for those that are filtered."""

    plain: dict[str, str]
    filtered: dict[str, str]
    twice: str | None
    """An output path that entries write from several files, or both with and without filtering. Which of them Maven
    leaves there depends on its version, and on when the files were last changed."""
    late: frozenset[str]
    """Output paths of those that are copied only when the classes are compiled."""


def resource_files(view: SourceView, side: SideModel) -> ResourceFiles:
    """The resources of one side, as its folders have them."""
    claims: dict[str, tuple[str, bool]] = {}
    early: set[str] = set()
    twice = None
    for folder in side.resources:
        found = view.resources(folder, side.default_excludes)
        early.update(() if folder.after_compiling else found)
        for path, source in found.items():
            claim = (source, folder.filtered)
            if claims.setdefault(path, claim) != claim:
                twice = twice or path
    plain = {path: source for path, (source, is_filtered) in claims.items() if not is_filtered}
    filtered = {path: source for path, (source, _) in claims.items() if path not in plain}
    return ResourceFiles(plain, filtered, twice, frozenset(claims.keys() - early))


@dataclass(frozen=True)
class PlacedFiles:
    """All files that lie beside the classes."""

    files: dict[str, Path]
    """Output path -> file to copy."""
    executable: frozenset[str] = frozenset()
    """Output paths of those that can be executed."""
    late: frozenset[str] = frozenset()
    """Output paths of those that come there only when the classes are compiled."""
    unsolved: str | None = None
    """Why Maven is needed, if it is."""


def place_resources(view: SourceView, side: SideModel, saved: Path) -> PlacedFiles:
    """The files beside the classes of one side, or why only Maven knows them."""
    for folder in side.resources:
        if link := view.linked_folder(folder.folder, folder.includes):
            return PlacedFiles({}, unsolved=f"the resources hold {link}, a link to a folder")
    found = resource_files(view, side)
    if found.twice:
        return PlacedFiles({}, unsolved=f"several entries of the resources plugin write {found.twice}")
    plain, filtered = found.plain, found.filtered
    files = {item.path: saved / item.digest for item in side.extra}
    files |= {path: view.file(source) for path, source in plain.items()}
    known: Mapping[tuple[str, str | None], str]
    known = {(item.path, item.source_digest): item.digest for item in side.filtered}
    for path, source in filtered.items():
        digest = known.get((path, view.digest(source)))
        if digest is not None:
            files[path] = saved / digest
        elif _may_change(view.file(source).read_bytes()):
            return PlacedFiles({}, unsolved=f"the filtered resource {source} differs from the one Maven filtered")
        else:
            files[path] = view.file(source)
    copied = (plain | filtered).items() if side.keeps_modes else ()
    return PlacedFiles(files, frozenset(path for path, source in copied if view.is_executable(source)), found.late)
