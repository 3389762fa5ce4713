"""Installed agent programs: where each lies below one folder, and which version it is."""

import importlib.metadata
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from testevo.agents.systems.locks import STAMP
from testevo.runtime.errors import MachineError, UserError
from testevo.runtime.files.json_and_yaml import parsed_json


@dataclass(frozen=True)
class InstalledProgram:
    """An agent program in the folder of its name below the folder of all programs."""

    programs: Path
    name: ClassVar[str]
    package: ClassVar[str]
    """Its name in the registry."""
    script: ClassVar[str]

    @property
    def folder(self) -> Path:
        return self.programs / self.name

    def missing(self) -> UserError:
        """The error to raise where it is not installed."""
        return UserError(
            f"The agent program {self.name} is not in {self.folder}. Install it, as `testevo solve` does: "
            f"snakemake --cores 1 --configfile FILE {self.folder / STAMP}"
        )


class NodeProgram(InstalledProgram):
    """A program of npm, installed by `npm ci`; `script` is a pattern of its file below the package."""

    native: ClassVar[bool] = False
    """Whether the file runs by itself; else Node runs it."""

    @property
    def version(self) -> str:
        """Version of the installed package.

        Raises:
            UserError: it is not installed.
        """
        return str(parsed_json((self._package / "package.json").read_bytes())["version"])

    def start(self) -> tuple[str, ...]:
        """Program and first arguments of a command line, all absolute.

        Raises:
            UserError: it is not installed.
            MachineError: Node is missing.
        """
        script = next(iter(self._package.parent.glob(f"{self._package.name}/{self.script}")), None)
        if script is None:
            raise self.missing()
        return (str(script.resolve()),) if self.native else (str(_node()), str(script.resolve()))

    def readable(self) -> tuple[Path, ...]:
        return (self.folder.resolve(),) if self.native else (self.folder.resolve(), _node().parents[1])

    @property
    def _package(self) -> Path:
        package = self.folder / "node_modules" / self.package
        if not package.is_dir():
            raise self.missing()
        return package


class PythonProgram(InstalledProgram):
    """A program of PyPI in a virtual environment of its own; `script` is its name in the environment's `bin`."""

    @property
    def version(self) -> str:
        """Version of the installed package.

        Raises:
            UserError: it is not installed.
        """
        for found in importlib.metadata.distributions(name=self.package, path=[str(self.site_packages)]):
            return found.version
        raise self.missing()

    @property
    def site_packages(self) -> Path:
        """The folder of installed packages.

        Raises:
            UserError: it is not installed.
        """
        for found in self.folder.glob("lib/python*/site-packages"):
            return found
        raise self.missing()

    def start(self) -> tuple[str, ...]:
        """Program and first arguments of a command line, all absolute.

        Raises:
            UserError: it is not installed.
        """
        script = self.folder.absolute() / "bin" / self.script
        if not script.is_file():
            raise self.missing()
        return str(script.with_name("python")), str(script)

    def readable(self) -> tuple[Path, ...]:
        """What a sandbox must show: the environment and the Python it was made from."""
        return self.folder.resolve(), (self.folder / "bin" / "python").resolve().parents[1]


def _node() -> Path:
    node = shutil.which("node")
    if node is None:
        raise MachineError("Node.js is not installed; this agent program needs version 20 or later. Install it.")
    return Path(node).resolve()
