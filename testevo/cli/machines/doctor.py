"""`testevo doctor`: which tools are here, in which version, and how to get the missing ones."""

import json
import os
import re
import shutil
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from testevo.builds.machine_failures import SMALL_HEAP, start
from testevo.builds.project.jdks import broken_jdks, find_jdks
from testevo.cli import output
from testevo.runtime.errors import ExitStatus
from testevo.runtime.files.jars import JARS


@dataclass(frozen=True)
class Tool:
    """A program the workflow stands on."""

    name: str
    needed: bool
    purpose: str
    install: str


@dataclass(frozen=True)
class Finding:
    """A tool as it was found."""

    name: str
    version: str | None
    needed: bool
    purpose: str
    advice: str
    fault: str = ""
    """The failure when it was started, if any."""


TOOLS = (
    Tool("git", True, "clone and read histories", "apt-get install git"),
    Tool("mvn", True, "resolve dependencies, reference builds", "apt-get install maven"),
    Tool("bwrap", False, "sandbox for untrusted code", "apt-get install bubblewrap"),
    Tool("docker", False, "sandbox of containers (or podman)", "docs/sandboxes.md"),
    Tool("podman", False, "sandbox of containers (or docker), images", "apt-get install podman runc"),
    Tool("apptainer", False, "sandbox for clusters, snakemake --sdm", "module load apptainer, docs/environments.md"),
    Tool("snakemake", False, "run the workflow by hand", "make setup, then .venv/bin"),
)
OLD_MAVEN = "3.9 runs JUnit 5 also where a POM names no version of Surefire"
BUILT_JARS = ("worker", "launcher", "probe", "refactoring")


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False) -> int:
    """Start each tool and name its version; for one that is missing or does not start say what to do."""
    findings = [examine(tool) for tool in TOOLS] + jdk_findings() + jar_findings()
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        show(findings)
    missing = [finding for finding in findings if finding.needed and finding.version is None]
    return ExitStatus.MACHINE if missing else ExitStatus.OK


def examine(tool: Tool) -> Finding:
    beside_python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    program = shutil.which(tool.name, path=beside_python)
    if program is None:
        return Finding(tool.name, None, tool.needed, tool.purpose, tool.install)
    found = started_finding(tool.name, (program, "--version"), tool.needed, tool.purpose)
    is_old_maven = tool.name == "mvn" and (found.version or "").startswith("3.8.")
    return replace(found, advice=OLD_MAVEN) if is_old_maven else found


def jdk_findings() -> list[Finding]:
    """Every JDK, its javac started too; broken ones are needed only where there is no other."""
    purpose = "compile and run projects"
    jdks = find_jdks(())
    findings = [] if jdks else [Finding("jdk", None, True, purpose, "apt-get install openjdk-17-jdk-headless")]
    for jdk in jdks:
        findings.append(Finding(f"jdk {jdk.feature}", jdk.version, True, purpose, ""))
        javac = (str(jdk.home / "bin" / "javac"), *(f"-J{option}" for option in SMALL_HEAP), "-version")
        findings.append(started_finding(f"javac {jdk.feature}", javac, True, purpose))
    for broken in broken_jdks(()):
        name = f"jdk {broken.jdk.feature}" if broken.jdk else "jdk"
        findings.append(Finding(name, None, not jdks, purpose, broken.fault, broken.fault))
    return findings


def started_finding(name: str, command: tuple[str, ...], needed: bool, purpose: str) -> Finding:
    """A program that is here, by what it says when it is started."""
    started = start(command)
    if started.fault:
        return Finding(name, None, needed, purpose, started.fault, started.fault)
    found = re.search(r"\d+(\.\d+)+", started.said) or re.search(r"\b\d+$", started.said)
    return Finding(name, found.group() if found else "unknown", needed, purpose, "")


def jar_findings() -> list[Finding]:
    purpose, built = (
        "the project's own Java side",
        {f"{name}.jar": (JARS / f"{name}.jar").is_file() for name in BUILT_JARS},
    )
    return [
        Finding(name, "built" if here else None, True, purpose, "" if here else "make setup")
        for name, here in built.items()
    ]


def show(findings: list[Finding]) -> None:
    rows = []
    for finding in findings:
        absent = "MISSING" if finding.needed else "not here (optional)"
        state = finding.version or ("DOES NOT START" if finding.fault else absent)
        rows.append((finding.name, state, finding.purpose, finding.advice))
    output.show(output.columns(("tool", "version", "used to", "next step"), rows))
