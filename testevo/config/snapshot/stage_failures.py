"""Write the outputs of a stage that failed for one repository: a record, and outputs without content.

The later stages of the repository find the record, pass it on and write outputs without content in turn, so that the
snapshot goes on without this repository and nothing else.
"""

import json
import re
import sys
import tempfile
import traceback
from collections.abc import Iterable
from pathlib import Path

from testevo.config.snapshot.layout import RepositoryFiles, scratch_of
from testevo.records.base import read_records, write_records
from testevo.records.failures import StageFailure
from testevo.runtime.errors import UserError
from testevo.runtime.files.deterministic_zip import write_zip
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.project import PROJECT
from testevo.runtime.processes.child_failures import UnitError

RULES = (
    "clone",
    "warm_up",
    "prove_offline",
    "build_check",
    "commit_pair",
    "instrument",
    "triple_execute",
    "refactoring_filter",
    "package_repository",
    "measure_gold",
)
"""The rules whose jobs work on one repository and leave a file of their failure, in order."""
LAST = "measure_gold"
"""The rule whose failure file holds the failures of all others."""

LOG_LINES = 12
LONGEST_REASON = 300
_FRAME = re.compile(r'^  File "(?P<file>[^"]+)"', re.MULTILINE)
_POOL = "testevo/runtime/processes/pool.py"
_PATH = re.compile(r"(?<![\w.>~:/-])/(?:[^\s/:;,'\"()<>]+/)+(?=[^\s/:;,'\"()<>]+)")
_VOLATILE = (
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0x..."),
    (re.compile(r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b"), "(time)"),
    (re.compile(r"\b\d+\.\d+(?= ?(?:s|ms|seconds)\b)"), "..."),
    (re.compile(r"\b(pid|process)([ =:]+)\d+\b", re.IGNORECASE), r"\1\2..."),
)


def failure_before(before: Path | None, shards: Iterable[Path] = ()) -> StageFailure | None:
    """The failure that a job has to pass on: of an earlier stage, else of a shard of this one; None when all went well.

    Args:
        before: the failure file of the stage before; None for the first one.
        shards: the notes of the parts of the rule's own work that were done before.
    """
    found = read_records(before, StageFailure) if before is not None else []
    found += [one for shard in shards if (one := failure_of_shard(shard))]
    return found[0] if found else None


def write_failure(outputs: Iterable[Path], place: Path, failure: StageFailure) -> None:
    """Write the outputs of a job of a whole repository without content, and at `place` why they have none."""
    for path in outputs:
        if path.suffix == ".zip":
            write_zip(path, {})
        else:
            write_atomically(path, b"")
    write_records(place, [failure])


def write_shard(path: Path, done: int, failure: StageFailure | None = None) -> None:
    """Note the end of a shard: how many units it did, and why not all of them."""
    noted = {"done": done} if failure is None else {"done": done, "failure": failure.model_dump(mode="json")}
    write_atomically(path, f"{json.dumps(noted, separators=(',', ':'))}\n".encode())


def failure_of_shard(path: Path) -> StageFailure | None:
    """Why a shard failed; None when it did not.

    Raises:
        UserError: the file cannot be read.
    """
    try:
        failure = parsed_json(path.read_bytes()).get("failure")
        return None if failure is None else StageFailure.model_validate(failure)
    except (OSError, ValueError, AttributeError) as error:
        raise UserError(f"{path} is not the note of a shard ({error}). Delete it and run again.") from error


def recorded(error: Exception, files: RepositoryFiles, rule: str, repository: str) -> StageFailure:
    """The record of an error: equal errors give equal records on any machine and with any number of processes."""
    kind, message, trace = type(error).__name__, str(error), "".join(traceback.format_exception(error))
    if isinstance(error, UserError):
        trace = f"error: {error}"
    elif isinstance(error, UnitError):
        kind, message, trace = error.failure.kind, error.failure.message, error.failure.trace
    elif isinstance(error.__cause__, UnitError):
        trace = error.__cause__.failure.trace
    lines = [line for line in without_places(_inside_unit(trace), files).splitlines() if line.strip(" ^~")]
    reason = " ".join(without_places(message, files).split())[:LONGEST_REASON]
    return StageFailure(
        repository=repository,
        stage=rule,
        error=kind,
        reason=reason or kind,
        shard=files.shard,
        log=tuple(lines[-LOG_LINES:]),
    )


def without_places(text: str, files: RepositoryFiles) -> str:
    """A text without folders of this machine, times of day, durations, addresses and process numbers."""
    text = text.replace(f"{PROJECT}/", "")
    for place in (scratch_of(files.root), files.root, Path(sys.base_prefix), Path(tempfile.gettempdir())):
        text = re.sub(rf"(?<![\w./-]){re.escape(str(place))}/", "/folder/", text)
    text = _PATH.sub(".../", text)
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return text


def _inside_unit(trace: str) -> str:
    """A traceback from the unit of work on: what lies outside depends on the number of processes."""
    frames = list(_FRAME.finditer(trace))
    outer = [number for number, frame in enumerate(frames) if frame["file"].endswith(_POOL)]
    return trace[frames[outer[-1] + 1].start() :] if outer and outer[-1] + 1 < len(frames) else trace


def failures_of(all_files: Iterable[RepositoryFiles]) -> list[StageFailure]:
    """The failures of repositories whose stages all have ended, however they ended; those of others are left out."""
    paths = [files.failure(LAST) for files in all_files]
    return [one for path in paths if path.is_file() for one in read_records(path, StageFailure)]


def failed_files(files: RepositoryFiles) -> list[Path]:
    """The outputs of the jobs of a repository that failed themselves: what `--retry` makes again."""
    shards = [path for rule in RULES for path in files.finished_shards(rule) if failure_of_shard(path) is not None]
    return shards + [files.failure(one.stage) for one in own_failures(files)]


def own_failures(files: RepositoryFiles) -> list[StageFailure]:
    """The failures of a repository, each as the stage recorded it that failed."""
    paths = {rule: files.failure(rule) for rule in RULES}
    return [
        one
        for rule, path in paths.items()
        if path.is_file()
        for one in read_records(path, StageFailure)
        if one.stage == rule
    ]
