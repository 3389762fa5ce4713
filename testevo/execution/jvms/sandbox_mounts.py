"""Sandbox mounts of a module: the real files where a sandbox makes them read-only, else copies."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.builds.engine import BuiltModule
from testevo.execution.copies.working_copies import Replaced, WorkingCopies, classes_in, copied_classes
from testevo.execution.jvms.private_classes import PrivateClasses
from testevo.execution.runner import Limits
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox import Sandbox


@dataclass(frozen=True)
class ModuleView:
    """A module as one program sees it."""

    module: BuiltModule
    """With the paths that hold where the program runs."""
    real: BuiltModule
    working_copy: Path
    on_disk: Mapping[Path, Path]
    """Where this machine has what the program sees at another place."""

    def confinement(self, readable: Sequence[Path], private: Path, limits: Limits) -> Confinement:
        """The paths that the program may see and change.

        Args:
            readable: beside the module's own files.
            private: the folder of the run.
        """
        in_copy = classes_in(self.real, self.working_copy)
        own = (
            self.real.folder,
            *(path for path in self.real.class_path if path not in in_copy),
            *self.real.engine_jars,
        )
        return Confinement(
            working_folder=self.module.start_folder,
            readable=tuple(path.absolute() for path in (*readable, *own)),
            writable=(private,),
            memory_mb=limits.memory_mb,
            working_copy=self.working_copy,
            copied_folder=self.real.folder,
            copied_classes=copied_classes(self.real),
            disk_mb=limits.disk_mb,
        )


class ModuleViews:
    """Makes the copies that programs in a sandbox need.

    Args:
        work: folder outside all trees for the copies; they go with this object.
    """

    def __init__(self, sandbox: Sandbox, work: Path) -> None:
        self._hides_working_folder = sandbox.hides_working_folder
        self._folders = WorkingCopies(work)
        self._classes = None if sandbox.inputs_are_read_only else PrivateClasses(work)

    @contextmanager
    def view(self, module: BuiltModule, replaced: Replaced | None = None) -> Iterator[ModuleView]:
        """A view for one run, with the `BuiltTree.replaced` files. What the run changes in copies is put right after
        it."""
        copy = self._folders.show(module, replaced)
        in_copy = classes_in(module, copy)
        shown = module if self._classes is None else self._classes.show(module, apart=in_copy)
        if not self._hides_working_folder:
            shown = _moved(shown, copy)
        places = {path: shown.folder / output for path, output in in_copy.items()}
        shown = shown.at(lambda path: places.get(path, path))
        on_disk = {places[path]: copy / output for path, output in in_copy.items()}
        try:
            yield ModuleView(shown, module, copy, on_disk)
        finally:
            self._folders.discard_if_changed()
        if self._classes is not None:
            self._classes.discard_if_changed()

    def folder(self, folder: Path) -> Path:
        """Where a class folder or a file of another module is seen."""
        return folder if self._classes is None else self._classes.copy_of(folder)

    def file_beside(self, file: Path, watched: Sequence[Path]) -> Path:
        """Where a file of ours is seen; `watched` are the jars that must stay as they are beside it."""
        if self._classes is not None:
            self._classes.watch(watched)
        return self.folder(file)


def _moved(module: BuiltModule, folder: Path) -> BuiltModule:
    """The module in another folder, which its arguments and variables name instead of its own."""
    own = re.compile(re.escape(str(module.folder)) + r"(?![\w.-])")

    def moved(text: str) -> str:
        return own.sub(lambda _: str(folder), text)

    arguments = tuple(moved(word) for word in module.jvm_arguments)
    variables = {name: moved(value) for name, value in module.environment.items()}
    return replace(module, folder=folder, jvm_arguments=arguments, environment=variables)
