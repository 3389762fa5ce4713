"""The command line of a job: whatever its script does, it ends with the workflow that started it."""

import argparse
from pathlib import Path

from testevo.runtime.processes.processes import end_with_parent


def job_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of any job, without options; from here on the job is killed when its workflow ends."""
    end_with_parent()
    return argparse.ArgumentParser(description=description, allow_abbrev=False)


def snapshot_parser(description: str | None) -> argparse.ArgumentParser:
    """The command line of a job on a whole snapshot, or on a part of it that further options name."""
    parser = job_parser(description)
    parser.add_argument("--config", type=Path, required=True, help="resolved configuration of the snapshot")
    return parser
