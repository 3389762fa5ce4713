"""search: name the candidate repositories of the configured sources.

Reads the configuration, writes one `Repository` record per candidate.
"""

import argparse
from pathlib import Path

from testevo.config.resolved import read_resolved
from testevo.records.base import write_records
from testevo.runtime.processes.handler import run_main
from testevo.sources.candidates import candidates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    parser.add_argument("--repositories", type=Path, required=True, help="is written")
    options = parser.parse_args()

    write_records(options.repositories, candidates(read_resolved(options.config)))


if __name__ == "__main__":
    run_main(main)
