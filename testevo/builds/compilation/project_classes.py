"""The compiled classes of a module's class path, and the classes that each one names (`references` of the worker).

Digests leave debug data out.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from testevo.builds.compilation.worker import Worker
from testevo.builds.engine import BuiltModule
from testevo.runtime.files.files import canonical_json, content_key
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.whole_files import write_if_changed


@dataclass(frozen=True)
class ProjectClass:
    """A class of the project, not of a library."""

    digest: str
    references: tuple[str, ...]
    """Binary names of project classes that occur anywhere in its constant pool."""
    reads_code: bool = False
    """It may read sources or class files by their path, or look for classes: any change of code can matter to it."""


@dataclass(frozen=True)
class ProjectClasses:
    """All class folders of a class path; of two classes of one name the first counts."""

    classes: Mapping[str, ProjectClass]
    """By binary name."""
    resources: str
    """Digest of all other files in the folders."""

    def reached_from(self, names: Iterable[str]) -> frozenset[str]:
        """`names` with their member classes, and all classes that they name, and those that these name, and so on."""
        reached: set[str] = set()
        waiting = [found for name in names for found in self.with_members(name)]
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += [found for found in self.classes[name].references if found not in reached]
        return frozenset(reached)

    def with_members(self, name: str) -> list[str]:
        """The class of that name and what is declared in it."""
        return [found for found in self.classes if found == name or found.startswith(f"{name}$")]


class ProjectClassReader:
    """Reads the class folders of built modules through a worker of the JDK that compiled them, each content once.

    Args:
        folder: answers are kept there, by content of the class folders.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, module: BuiltModule, worker: Callable[[], Worker]) -> ProjectClasses:
        """The project classes on the class path of a module; `worker` is called when they are not known.

        Raises:
            ServiceError: the worker gave no answer.
        """
        entries = zip(module.class_path, module.class_path_keys, strict=True)
        folders = {path: key for path, key in entries if path.is_dir()}
        key = content_key("references 3", *folders.values())
        file = self._folder / key[:2] / f"{key}.json"
        answer = _kept(file)
        if answer is None:
            answer = worker().references(folders)
            write_if_changed(file, f"{canonical_json(answer)}\n".encode())
        return project_classes(answer)


def project_classes(answer: Mapping[str, Any]) -> ProjectClasses:
    """Read an answer of the worker."""
    return ProjectClasses(
        {
            found["name"]: ProjectClass(found["digest"], tuple(found["references"]), found["readsCode"])
            for found in answer["classes"]
        },
        answer["resources"],
    )


def _kept(file: Path) -> Mapping[str, Any] | None:
    """An earlier answer; None where there is none, or none that can be read."""
    try:
        answer: Mapping[str, Any] = parsed_json(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    return answer
