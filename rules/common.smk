# Configuration and paths shared by all stages. Without --configfile the embedded default is mined.
import sys
from pathlib import Path

from testevo.config.layout import Layout
from testevo.config.load import load_config, read_yaml
from testevo.config.resolved import stage_key, write_resolved
from testevo.sources.candidates import candidates

PROJECT = Path(workflow.basedir)
CONFIG = load_config(config or read_yaml(PROJECT / "config/snapshots/demo.yaml"))
LAYOUT = Layout.of(CONFIG)
FILES = LAYOUT.of_repository("{slug}")
SLUGS = sorted(repository.slug for repository in candidates(CONFIG))
write_resolved(CONFIG, LAYOUT.config)


wildcard_constraints:
    slug=r"[^/]+\+[^/]+",


def stage_call(stage):
    """The command line of a stage's script; its files follow from the snapshot's layout."""
    return f"'{sys.executable}' '{PROJECT}/scripts/{stage}.py' --config '{LAYOUT.config}'"


def repository_call(stage):
    """The same for a stage that works on one repository."""
    return stage_call(stage) + " --repository {wildcards.slug:q} 2> {log:q}"
