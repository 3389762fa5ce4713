"""`testevo doctor`: which tools are here, in which version, and how to get the missing ones."""

import json
import os
import re
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from testevo.build.jdks import find_jdks
from testevo.ground.errors import ExitStatus
from testevo.ground.jars import JARS
from testevo.ground.processes import run_command


@dataclass(frozen=True)
class Tool:
    """A program the workflow stands on."""

    name: str
    command: tuple[str, ...]
    needed: bool
    purpose: str
    install: str


@dataclass(frozen=True)
class Finding:
    """What was found of a tool."""

    name: str
    version: str | None
    needed: bool
    purpose: str
    advice: str


TOOLS = (
    Tool("git", ("git", "--version"), True, "clone and read histories", "apt-get install git"),
    Tool("mvn", ("mvn", "--version"), True, "resolve dependencies, reference builds", "apt-get install maven"),
    Tool("bwrap", ("bwrap", "--version"), False, "sandbox for strangers' code", "apt-get install bubblewrap"),
    Tool("docker", ("docker", "--version"), False, "sandbox of containers (or podman)", "docs/sandboxes.md"),
    Tool("podman", ("podman", "--version"), False, "sandbox of containers (or docker)", "apt-get install podman runc"),
    Tool("apptainer", ("apptainer", "--version"), False, "sandbox for clusters", "module load apptainer"),
    Tool("podman", ("podman", "--version"), False, "build images, run all in one", "apt-get install podman runc"),
    Tool("apptainer", ("apptainer", "--version"), False, "snakemake --sdm apptainer", "docs/environments.md"),
    Tool("snakemake", ("snakemake", "--version"), False, "run the workflow by hand", "make setup, then .venv/bin"),
)
BUILT_JARS = ("worker", "launcher", "probe", "refactoring")


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False) -> int:
    """Name each tool with its version; for a missing one say how to install it."""
    findings = [examine(tool) for tool in TOOLS] + jdk_findings() + jar_findings()
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        show(findings)
    missing = [finding for finding in findings if finding.needed and finding.version is None]
    return ExitStatus.MACHINE if missing else ExitStatus.OK


def examine(tool: Tool) -> Finding:
    beside_python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    program = shutil.which(tool.command[0], path=beside_python)
    if program is None:
        return Finding(tool.name, None, tool.needed, tool.purpose, tool.install)
    finished = run_command((program, *tool.command[1:]), seconds=60)
    found = re.search(r"\d+(\.\d+)+", finished.stdout.decode("utf-8", "replace"))
    return Finding(tool.name, found.group() if found else "unknown", tool.needed, tool.purpose, "")


def jdk_findings() -> list[Finding]:
    jdks = find_jdks(())
    if not jdks:
        return [Finding("jdk", None, True, "compile and run projects", "apt-get install openjdk-17-jdk-headless")]
    return [Finding(f"jdk {jdk.feature}", jdk.version, True, "compile and run projects", "") for jdk in jdks]


def jar_findings() -> list[Finding]:
    return [
        Finding(
            f"{name}.jar",
            "built" if (JARS / f"{name}.jar").is_file() else None,
            True,
            "the project's own Java side",
            "" if (JARS / f"{name}.jar").is_file() else "make setup",
        )
        for name in BUILT_JARS
    ]


def show(findings: list[Finding]) -> None:
    table = Table("tool", "version", "used to", "next step", box=None, pad_edge=False)
    for finding in findings:
        state = finding.version or ("MISSING" if finding.needed else "not here (optional)")
        table.add_row(finding.name, state, finding.purpose, finding.advice)
    Console(width=max(110, Console().width)).print(table)
