"""search: name the candidate repositories of the configured sources.

Reads the configuration, writes one `Repository` record per candidate, and one `FoundRepository` record per repository
that GitHub has shown. A search of GitHub is done once: its lock file answers from then on.
"""

from pathlib import Path

from testevo.config.resolved import read_resolved
from testevo.records.base import write_records
from testevo.runtime.processes.handler import run_main
from testevo.runtime.processes.job import snapshot_parser
from testevo.sources.candidates import candidates
from testevo.sources.github.run import search


def main() -> None:
    parser = snapshot_parser(__doc__)
    parser.add_argument("--repositories", type=Path, required=True, help="is written")
    parser.add_argument("--found", type=Path, required=True, help="is written")
    options = parser.parse_args()
    config = read_resolved(options.config)

    searched = search(config).repositories if config.sources.github is not None else []
    write_records(options.found, searched)
    write_records(options.repositories, candidates(config))


if __name__ == "__main__":
    run_main(main)
