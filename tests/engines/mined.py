"""Mine a history twice through the ordinary workflow: by the direct engine, and by Maven and Surefire."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from agreement import Agreement, compare

from testevo.config.layout import Layout, RepositoryFiles
from testevo.config.load import load_config
from testevo.ground.jars import PROJECT
from testevo.sources.candidates import candidates

SHARED = ("search", "clone", "commit_pair", "instrument")
"""Stages whose outputs the second snapshot takes over, so that both engines run the very same candidates."""
OWN_RULES = ("build_check", "triple_execute")
"""What the reference does itself: everything that compiles revisions for a verdict, or runs a test for one."""


def both_engines(given: Mapping[str, Any], results: Path, target: str) -> Agreement:
    """Run both engines up to a target and compare every record.

    Args:
        given: a configuration with one repository, without engine and results folder.
        target: `builds` (builds and suites) or `labels` (every run of every candidate too).
    """
    direct = run("direct", given, results, target)
    reference = reference_files(given, results)
    for stage in SHARED:
        if (direct.root / stage).is_dir():
            shutil.copytree(direct.root / stage, reference.root / stage)
    run("maven", given, results, target, OWN_RULES)
    return compare(direct, reference, shared=("method changes",))


def whole_workflow(given: Mapping[str, Any], results: Path) -> Agreement:
    """As `both_engines`, but the reference compares revisions and makes call maps itself too."""
    direct = run("direct", given, results, "labels")
    return compare(direct, run("maven", given, results, "labels"))


def run(
    engine: str, given: Mapping[str, Any], results: Path, target: str, rules: Sequence[str] = ()
) -> RepositoryFiles:
    """Run the workflow with one engine; `rules` names the only ones that may run."""
    configuration = configured(engine, given, results)
    results.mkdir(parents=True, exist_ok=True)
    file = results / f"{engine}.yaml"
    file.write_text(yaml.safe_dump(configuration))
    only = ["--allowed-rules", *rules, target] if rules else []
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(PROJECT / "Snakefile"), "--cores", "1"]
    command += ["--directory", str(results), "--nocolor", "--configfile", str(file), *only, "--", target]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    files = files_of(configuration)
    assert finished.returncode == 0, f"{finished.stderr[-3000:]}\n{said_by_stages(files.root)}"
    return files


def configured(engine: str, given: Mapping[str, Any], results: Path) -> dict[str, Any]:
    build = {"cache": str(PROJECT / "results" / "cache"), **given.get("build", {}), "engine": engine}
    return {**given, "snapshot": engine, "results": str(results), "build": build}


def reference_files(given: Mapping[str, Any], results: Path) -> RepositoryFiles:
    return files_of(configured("maven", given, results))


def files_of(configuration: Mapping[str, Any]) -> RepositoryFiles:
    config = load_config(dict(configuration))
    only = candidates(config)
    assert len(only) == 1, "engines are compared one repository at a time"
    return Layout.of(config).of_repository(only[0].slug)


def said_by_stages(root: Path) -> str:
    """The logs of stages that had something to say."""
    logs = [log for log in sorted((root / "logs").rglob("*.log")) if log.stat().st_size]
    return "\n".join(f"{log.parent.name}: {log.read_text('utf-8', 'replace')[-2000:]}" for log in logs)
