"""Repositories that left a snapshot because a stage failed: what is said of them, and the exit status."""

from collections.abc import Iterator, Sequence

from testevo.config.snapshot.layout import RepositoryFiles
from testevo.config.snapshot.stage_failures import failures_of
from testevo.records.failures import StageFailure
from testevo.runtime.errors import ExitStatus


def failure_lines(all_files: Sequence[RepositoryFiles]) -> list[str]:
    """For each repository that left: its stage, the reason, the log, and what to do next; empty when none did."""
    lines = [line for files in all_files for failure in failures_of([files]) for line in lines_of(files, failure)]
    if not lines:
        return []
    return [
        "A stage failed for these repositories, and the dataset is without them:",
        *lines,
        "Run `testevo mine` again with --retry to try them again. If that fails too, report it with the log.",
    ]


def print_failures(all_files: Sequence[RepositoryFiles]) -> ExitStatus:
    """Print those lines; the exit status of a command that made a dataset of the others."""
    lines = failure_lines(all_files)
    print("\n".join(lines), end="\n" if lines else "")
    return ExitStatus.PARTIAL if lines else ExitStatus.OK


def lines_of(files: RepositoryFiles, failure: StageFailure) -> Iterator[str]:
    """A failed job, the reason, and the place of its log."""
    part = f" (shard {failure.shard})" if failure.shard else ""
    log = files.of_shard(failure.shard).log(failure.stage)
    yield f"  {failure.repository}: {failure.stage}{part} failed with {failure.error}: {failure.reason}"
    yield f"    log: {log}"
