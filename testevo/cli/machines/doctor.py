"""`testevo doctor`: which tools and sandboxes work here, in which version, and how to get the others."""

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from testevo.builds.engines.engine_choice import refused_folders
from testevo.builds.machine_failures import SMALL_HEAP, start
from testevo.builds.project.jdks import broken_jdks, find_jdks, folders_without_jdk
from testevo.cli import output
from testevo.cli.machines.sandbox_trial import fault_of_sandbox
from testevo.cli.mining.workflow import refused_cache
from testevo.config.load import load_config, read_yaml
from testevo.config.model import Config, Execution
from testevo.execution.refactoring_detector import DETECTOR_NEEDS_JDK
from testevo.runtime.errors import ExitStatus
from testevo.runtime.files.jars import JARS
from testevo.sandboxes.sandboxes import Images


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


@dataclass(frozen=True)
class SandboxChoice:
    """A sandbox that is tried where one of its programs is here, or where it is named in another way."""

    name: str
    programs: tuple[str, ...]
    purpose: str


SANDBOXES = (
    SandboxChoice("bubblewrap", ("bwrap",), "run tests of others"),
    SandboxChoice("docker", ("docker", "podman"), "run tests of others in containers"),
    SandboxChoice("apptainer", ("apptainer", "singularity"), "run tests of others on clusters"),
    SandboxChoice("unshare", ("unshare",), "run trusted tests without bubblewrap"),
)
TOOLS = (
    Tool("git", True, "clone and read histories", "apt-get install git"),
    Tool("mvn", True, "resolve dependencies, reference builds", "apt-get install maven"),
    Tool("bwrap", False, "sandbox for untrusted code", "apt-get install bubblewrap"),
    Tool("docker", False, "sandbox of containers (or podman)", "docs/sandboxes.md"),
    Tool("podman", False, "sandbox of containers (or docker), images", "apt-get install podman runc"),
    Tool("apptainer", False, "sandbox for clusters, snakemake --sdm", "module load apptainer, docs/environments.md"),
    Tool("snakemake", False, "run the workflow by hand", "make setup, then .venv/bin"),
)
ENGINES = ("docker", "podman")
MAP_USERS = "Install `uidmap` (apt-get install uidmap), which an engine without root's rights needs."
ADD_USERS = "Let root give you some: `usermod --add-subuids 100000-165535 --add-subgids 100000-165535 USER`."
ENGINE_REMEDIES = {
    "newuidmap": MAP_USERS,
    "newgidmap": MAP_USERS,
    "no subuid ranges": ADD_USERS,
    "no subgid ranges": ADD_USERS,
}
"""The next step by what an engine says that lacks something, where it need not be started."""
START_ENGINE = "Start the engine, or do without it: docs/sandboxes.md tells what is needed."
WORKS = "works"
FAILED = "DOES NOT WORK"
OLDEST_MAVEN = [3, 8]
"""As `envs/check_machine.sh` has it."""
OLD_MAVEN = "3.9 runs JUnit 5 also where a POM names no version of Surefire"
BUILT_JARS = ("worker", "launcher", "probe", "refactoring")


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    configuration: Annotated[
        Path | None, typer.Option(help="Try the sandbox, engine, images and JDKs that this file names.")
    ] = None,
) -> int:
    """Show the version of each tool and which sandboxes work, and what to do about those that are missing or fail."""
    config = Config() if configuration is None else load_config(read_yaml(configuration), origin=str(configuration))
    findings = [examine(tool) for tool in TOOLS] + sandbox_findings(config.execution)
    findings += jdk_findings(config.build.java_homes) + repository_findings(config) + jar_findings()
    findings += folder_findings(config)
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=1))
    else:
        show(findings)
    missing = [finding for finding in findings if finding.needed and finding.version is None]
    return ExitStatus.MACHINE if missing else ExitStatus.OK


def examine(tool: Tool) -> Finding:
    """A tool by its version; an engine of containers is here only if it answers."""
    beside_python = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    program = shutil.which(tool.name, path=beside_python)
    if program is None:
        return Finding(tool.name, None, tool.needed, tool.purpose, tool.install)
    found = started_finding(tool.name, (program, "--version"), tool.needed, tool.purpose)
    if tool.name in ENGINES and not found.fault and (fault := start((program, "info")).fault):
        said = fault.replace("does not start", "failed", 1)
        remedy = next((what for sign, what in ENGINE_REMEDIES.items() if sign in said), START_ENGINE)
        return replace(found, version=None, advice=f"{said} {remedy}", fault=said)
    return judged_maven(found) if tool.name == "mvn" else found


def judged_maven(found: Finding) -> Finding:
    """Maven as it was found, with what to do about an old one."""
    numbers = [int(part) for part in re.findall(r"\d+", found.version or "")[:2]]
    if numbers and numbers < OLDEST_MAVEN:
        fault = f"Maven {found.version} is too old. Install Maven 3.8 or newer (apt-get install maven)."
        return replace(found, version=None, advice=fault, fault=fault)
    return replace(found, advice=OLD_MAVEN) if numbers == OLDEST_MAVEN else found


def sandbox_findings(execution: Execution) -> list[Finding]:
    """Every sandbox, tried by a shell in it; one without its program only says what is missing.

    Only one that the configuration names is needed: with `auto`, histories that are trusted run without any.
    """
    images = Images.of(execution)
    named = {"docker": images.engine or os.environ.get("DOCKER_HOST"), "apptainer": images.apptainer}
    findings = []
    for choice in SANDBOXES:
        found = sandbox_finding(choice, images, bool(named.get(choice.name)))
        findings.append(replace(found, needed=choice.name == execution.sandbox))
    return findings


def sandbox_finding(choice: SandboxChoice, images: Images, is_named: bool) -> Finding:
    name = f"sandbox {choice.name}"
    if not is_named and not any(shutil.which(program) for program in choice.programs):
        lacking = f"needs {' or '.join(choice.programs)}: docs/sandboxes.md"
        return Finding(name, None, False, choice.purpose, lacking)
    fault = fault_of_sandbox(choice.name, images)
    return Finding(name, None if fault else WORKS, False, choice.purpose, fault, fault)


def repository_findings(config: Config) -> list[Finding]:
    """The JDKs that the configuration sets for single repositories and that are not here."""
    asked: dict[int, list[str]] = {}
    sources = config.sources
    listed = [(one.name, one.overrides) for one in sources.repositories]
    listed += [(one.coordinates, one.overrides) for one in sources.releases]
    for name, overrides in listed:
        if overrides.jdk is not None:
            asked.setdefault(overrides.jdk, []).append(name)
    here = {jdk.feature for jdk in find_jdks(usable_folders(config.build.java_homes))}
    advice = "Install it, name its folder in build.java_homes, or change overrides.jdk."
    return [
        Finding(f"jdk {feature}", None, True, f"build {', '.join(names)}", advice)
        for feature, names in sorted(asked.items())
        if feature not in here
    ]


def usable_folders(java_homes: Sequence[str]) -> list[str]:
    return [home for home in java_homes if not folders_without_jdk((home,))]


def jdk_findings(java_homes: Sequence[str]) -> list[Finding]:
    """Every JDK, its javac started too; broken ones are needed only where there is no other, named folders always."""
    purpose = "compile and run projects"
    usable = usable_folders(java_homes)
    jdks = find_jdks(usable)
    findings = []
    if not any(jdk.feature >= DETECTOR_NEEDS_JDK for jdk in jdks):
        name, use = (f"jdk {DETECTOR_NEEDS_JDK} or newer", "find refactorings") if jdks else ("jdk", purpose)
        findings.append(Finding(name, None, True, use, f"apt-get install openjdk-{DETECTOR_NEEDS_JDK}-jdk-headless"))
    for jdk in jdks:
        findings.append(Finding(f"jdk {jdk.feature}", jdk.version, True, purpose, ""))
        javac = (str(jdk.home / "bin" / "javac"), *(f"-J{option}" for option in SMALL_HEAP), "-version")
        findings.append(started_finding(f"javac {jdk.feature}", javac, True, purpose))
    for broken in broken_jdks(usable):
        name = f"jdk {broken.jdk.feature}" if broken.jdk else "jdk"
        findings.append(Finding(name, None, not jdks, purpose, broken.fault, broken.fault))
    findings += [Finding("jdk", None, True, purpose, one.fault) for one in folders_without_jdk(java_homes)]
    return findings


def started_finding(name: str, command: tuple[str, ...], needed: bool, purpose: str) -> Finding:
    """A program that is here, by what it says when it is started."""
    started = start(command)
    if started.fault:
        return Finding(name, None, needed, purpose, started.fault, started.fault)
    found = re.search(r"\d+(\.\d+)+", started.said) or re.search(r"\b\d+$", started.said)
    return Finding(name, found.group() if found else "unknown", needed, purpose, "")


def jar_findings() -> list[Finding]:
    purpose = "the project's own Java side"
    built = {f"{name}.jar": (JARS / f"{name}.jar").is_file() for name in BUILT_JARS}
    return [
        Finding(name, "built" if here else None, True, purpose, "" if here else "make setup")
        for name, here in built.items()
    ]


def folder_findings(config: Config) -> list[Finding]:
    """The folders in which Java and Snakemake would work, where they cannot."""
    findings = [
        Finding(f"folder {name}", None, True, "build and test projects", str(error), str(error))
        for name, error in refused_folders(config).items()
    ]
    if refused := refused_cache():
        findings.append(Finding("XDG_CACHE_HOME", None, True, "run the workflow", str(refused), str(refused)))
    return findings


def show(findings: list[Finding]) -> None:
    rows = []
    for finding in findings:
        absent = "MISSING" if finding.needed else "not here (optional)"
        state = finding.version or (FAILED if finding.fault else absent)
        rows.append((finding.name, state, finding.purpose, finding.advice))
    output.show(output.columns(("tool", "version", "used to", "next step"), rows))
