"""search: name the candidate repositories of the configured sources.

Reads the configuration, writes one `Repository` record per candidate.
"""

import argparse
from pathlib import Path

from testevo.config.layout import Layout
from testevo.config.resolved import read_resolved
from testevo.records.base import write_records
from testevo.runtime.processes.handler import run_main
from testevo.sources.candidates import candidates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True)
    options = parser.parse_args()

    config = read_resolved(options.config)
    write_records(Layout.of(config).repositories, candidates(config))


if __name__ == "__main__":
    run_main(main)
