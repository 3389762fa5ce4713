"""`lombok.config`: files beside sources, and those that they import, from which Lombok reads how to change classes."""

import re
from pathlib import PurePosixPath

from testevo.builds.model.model import BuildModel
from testevo.builds.model.sources import SourceView

NAME = "lombok.config"
_IMPORT = re.compile(r"^[ \t]*import[ \t]+(\S.*)$", re.MULTILINE)


class UnknownImportError(Exception):
    """A file imports something that does not lie in the checkout; the message names both."""


def may_run_lombok(model: BuildModel) -> bool:
    """Whether a class path or an option of some compilation names Lombok."""
    sides = (side for module in model.modules for side in (module.production, module.test))
    compilations = (one for side in sides for one in side.compilations)
    return any("lombok" in text for one in compilations for text in (*one.options, *one.class_path, *one.module_path))


def lombok_files(view: SourceView) -> list[str]:
    """Repository-relative paths of all such files, sorted.

    Raises:
        UnknownImportError: one imports a file elsewhere, or out of an archive.
    """
    found: dict[str, None] = {}
    open_files = [path for path in view.files("") if path.rsplit("/", 1)[-1] == NAME]
    while open_files:
        path = open_files.pop()
        if path not in found:
            found[path] = None
            text = view.file(path).read_bytes().decode("utf-8", "replace")
            open_files += [_imported(view, path, name.strip()) for name in _IMPORT.findall(text)]
    return sorted(found)


def _imported(view: SourceView, path: str, name: str) -> str:
    parts: list[str] = []
    for part in (*PurePosixPath(path).parent.parts, *PurePosixPath(name).parts):
        if part == ".." and parts:
            parts.pop()
        else:
            parts.append(part)
    target = "/".join(parts)
    is_plain = not name.startswith(("/", "~")) and not any(mark in name for mark in "<>!") and ".." not in parts
    if not is_plain or not view.has(target) or name.endswith((".jar", ".zip")):
        raise UnknownImportError(f"{path} imports {name}, which is no file of the project")
    return target
