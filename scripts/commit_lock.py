"""commit_lock: how many commits of each repository are to be built, and how much work that is estimated to be.

The jobs of a cluster are cut by it.
"""

from pathlib import Path

from testevo.analysis.planning.cost_model import CostModel, read_model
from testevo.config.machine.shards import Estimate, write_commit_lock
from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.history.bundle import java_megabytes
from testevo.records.base import read_records
from testevo.records.repository import Commit
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser
from testevo.sources.candidates import candidates


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--commit-lock", type=Path, required=True, help="is written")
    options = parser.parse_args()
    config = read_resolved(options.config)
    layout, model = Layout.of(config), read_model()
    slugs = sorted(one.slug for one in candidates(config))
    write_commit_lock(options.commit_lock, {slug: estimate(layout, slug, model) for slug in slugs})


def estimate(layout: Layout, slug: str, model: CostModel) -> Estimate:
    files = layout.of_repository(slug)
    built = [commit for commit in read_records(files.commits, Commit) if commit.rejection is None]
    if not built:
        return Estimate(0, 0.0)
    seconds = model.sharded_seconds(len(built), java_megabytes(files.bundle, built[0].revision))
    return Estimate(len(built), round(seconds, 1))


if __name__ == "__main__":
    run_main(main)
