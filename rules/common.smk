# Paths and configuration shared by all stages. Without --configfile the embedded default is mined.
import sys
from pathlib import Path

from testevo.config.load import load_config, read_yaml
from testevo.config.resolved import stage_key, write_resolved
from testevo.sources.candidates import candidates

PROJECT = Path(workflow.basedir)
CONFIG = load_config(config or read_yaml(PROJECT / "config/snapshots/demo.yaml"))
SNAPSHOT = f"{CONFIG.results}/{CONFIG.snapshot}"
RESOLVED = write_resolved(CONFIG, Path(SNAPSHOT) / "config.json")
SLUGS = sorted(repository.slug for repository in candidates(CONFIG))
PYTHON = sys.executable


wildcard_constraints:
    slug=r"[\w.-]+\+[\w.-]+",


def stage_call(stage):
    """The part of the command line that all stages of one repository share."""
    return f"{PYTHON} {PROJECT}/scripts/{stage}.py --config {RESOLVED} --repository {{wildcards.slug}}"
