"""commit_lock: how many commits of each repository are to be built, which the jobs of a cluster are cut by."""

import argparse
from pathlib import Path

from testevo.config.layout import Layout
from testevo.config.resolved import read_resolved
from testevo.config.shards import write_commit_lock
from testevo.ground.handler import run_main
from testevo.records.base import read_records
from testevo.records.repository import Commit
from testevo.sources.candidates import candidates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved configuration of the snapshot")
    config = read_resolved(parser.parse_args().config)
    layout = Layout.of(config)
    slugs = sorted(one.slug for one in candidates(config))
    write_commit_lock(layout.commit_lock, {slug: commits_to_build(layout, slug) for slug in slugs})


def commits_to_build(layout: Layout, slug: str) -> int:
    commits = read_records(layout.of_repository(slug).commits, Commit)
    return sum(commit.rejection is None for commit in commits)


if __name__ == "__main__":
    run_main(main)
