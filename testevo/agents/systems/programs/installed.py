"""Installed agent programs: where each lies below one folder, and which version it is."""

import importlib.metadata
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from testevo.agents.systems.locks import STAMP
from testevo.runtime.errors import MachineError, UserError


@dataclass(frozen=True)
class NodeProgram:
    """A program of npm, installed by `npm ci` into a folder of its own."""

    folder: Path
    package: str
    script: str
    """The file that Node runs, or a native program, below the package."""
    native: bool = False

    @property
    def version(self) -> str:
        """Version of the installed package.

        Raises:
            UserError: it is not installed.
        """
        return str(json.loads((self._package / "package.json").read_bytes())["version"])

    def start(self) -> tuple[str, ...]:
        """Program and first arguments of a command line, all absolute.

        Raises:
            UserError: it is not installed.
            MachineError: Node is missing.
        """
        script = next(iter(self._package.parent.glob(f"{self._package.name}/{self.script}")), None)
        if script is None:
            _missing(self.folder)
        return (str(script.resolve()),) if self.native else (str(_node()), str(script.resolve()))

    def readable(self) -> tuple[Path, ...]:
        """What a sandbox must show."""
        return (self.folder.resolve(),) if self.native else (self.folder.resolve(), _node().parents[1])

    @property
    def _package(self) -> Path:
        package = self.folder / "node_modules" / self.package
        if not package.is_dir():
            _missing(self.folder)
        return package


@dataclass(frozen=True)
class PythonProgram:
    """A program of PyPI in a virtual environment of its own."""

    folder: Path
    package: str
    script: str
    """Name of the program in the environment's `bin`."""

    @property
    def version(self) -> str:
        """Version of the installed package.

        Raises:
            UserError: it is not installed.
        """
        for found in importlib.metadata.distributions(name=self.package, path=[str(self.site_packages)]):
            return found.version
        _missing(self.folder)

    @property
    def site_packages(self) -> Path:
        """The folder of installed packages.

        Raises:
            UserError: it is not installed.
        """
        for found in self.folder.glob("lib/python*/site-packages"):
            return found
        _missing(self.folder)

    def start(self) -> tuple[str, ...]:
        """Program and first arguments of a command line, all absolute.

        Raises:
            UserError: it is not installed.
        """
        script = self.folder.absolute() / "bin" / self.script
        if not script.is_file():
            _missing(self.folder)
        return str(script.with_name("python")), str(script)

    def readable(self) -> tuple[Path, ...]:
        """What a sandbox must show: the environment and the Python it was made from."""
        return self.folder.resolve(), (self.folder / "bin" / "python").resolve().parents[1]


def _node() -> Path:
    node = shutil.which("node")
    if node is None:
        raise MachineError("Node.js is not installed; this agent program needs version 20 or later. Install it.")
    return Path(node).resolve()


def _missing(folder: Path) -> NoReturn:
    raise UserError(
        f"The agent program {folder.name} is not in {folder}. Install it, as `testevo solve` does: "
        f"snakemake --cores 1 --configfile FILE {folder / STAMP}"
    )
