"""A small built tree with hostile tests, and what is watched while they run."""

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from testevo.builds.engine import BuiltTree

MARK = "TESTEVO_CONTROLS"


@dataclass
class Place:
    """A folder with a tree, and beside it what a hostile test must not reach."""

    folder: Path
    tree: BuiltTree
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)

    @property
    def outside(self) -> Path:
        """The one folder outside that the sabotage is allowed to try."""
        return self.folder / "outside"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def state(self) -> dict[str, str]:
        """Digest of every file of the place; of the work folder, which is the harness's, only what is left in it."""
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        kept = [
            path
            for path in files
            if not path.is_relative_to(self.outside)
            and not (path.is_relative_to(self.work) and "classes-" in str(path.relative_to(self.work)))
        ]
        return {str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}

    def processes(self) -> list[int]:
        """Processes anywhere on the machine that a test of this place has started and that still live."""
        found = []
        for process in psutil.process_iter():
            try:
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process.pid)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return found


MakePlace = Callable[..., Place]
