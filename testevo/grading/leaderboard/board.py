"""The leaderboard: entries made of grades that were repeated here, and entries imported from a released file.

A board is a folder with a folder for each system: `submission.yaml`, `graded.jsonl` and `graded.json`, which only
`testevo submit grade` writes. Its file has the shape of the released leaderboard, with further keys for each entry.
"""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

import testevo
from testevo.config.model_cutoffs import last_day_of
from testevo.grading.leaderboard.folder import METADATA, SubmissionFolder, known_cutoff, read_metadata
from testevo.grading.leaderboard.rows import board_rows
from testevo.packaging.dataset.dataset_folder import CHECKSUMS, DatasetFolder
from testevo.packaging.exports.released_export import TRACK_KEYS
from testevo.records.base import read_records, write_records
from testevo.records.evaluation.grading import GradedTask
from testevo.records.evaluation.submissions import BoardEntry, BoardRow, Regraded, Submission
from testevo.records.tasks import Track
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import file_digest, url_safe_name, write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.refused_input import reason

GRADES, REGRADED = "graded.jsonl", "graded.json"
Board = Mapping[Track, Sequence[BoardEntry]]


def keep(board: Path, submission: SubmissionFolder, graded: Sequence[GradedTask], dataset: DatasetFolder) -> Path:
    """Write the grades of a submission into the board; those of an earlier one of the system are replaced.

    Returns:
        Its folder.

    Raises:
        UserError: the harness failed on a task, so that the grades are not the system's alone, or another system has
            the folder.
    """
    board_rows(graded)
    system = submission.metadata.system
    folder = board / url_safe_name(system)
    if (folder / METADATA).is_file():
        owner = read_metadata(folder).system
        if owner != system:
            raise UserError(f"{folder} holds the grades of {owner}, not of {system}. Rename the system.")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REGRADED).unlink(missing_ok=True)
    shutil.copyfile(submission.folder / METADATA, folder / METADATA)
    write_records(folder / GRADES, graded)
    made_from = Regraded(
        predictions=file_digest(submission.file),
        dataset=str(dataset.description["config"].get("snapshot", dataset.folder.name)),
        dataset_checksums=file_digest(dataset.folder / CHECKSUMS),
        grades=file_digest(folder / GRADES),
        version=testevo.__version__,
    )
    write_atomically(folder / REGRADED, f"{made_from.line()}\n".encode())
    return folder


def graded_entries(board: Path) -> dict[Track, list[BoardEntry]]:
    """The entries of a board, by system.

    Raises:
        UserError: a folder has no grades, or others than `testevo submit grade` wrote, or two are of datasets that
            differ and have one name.
    """
    found: dict[Track, list[BoardEntry]] = {track: [] for track in Track}
    graded_on: dict[str, tuple[str, Path]] = {}
    for folder in sorted(path.parent for path in board.glob(f"*/{METADATA}")):
        submission = read_metadata(folder)
        made_from = regraded(folder)
        checksums, other = graded_on.setdefault(made_from.dataset, (made_from.dataset_checksums, folder))
        if checksums != made_from.dataset_checksums:
            raise UserError(
                f"{folder} and {other} were graded on datasets {made_from.dataset} that differ, so their tasks "
                "may, too. Grade both on the same one with `testevo submit grade`."
            )
        for track, rows in board_rows(read_records(folder / GRADES, GradedTask)).items():
            found[track].append(_entry(submission, made_from, rows))
    return found


def _entry(submission: Submission, made_from: Regraded, rows: tuple[BoardRow, ...]) -> BoardEntry:
    return BoardEntry(
        agent=submission.agent,
        model=" + ".join(model.name for model in submission.models),
        organization=submission.organization,
        submission_date=submission.submitted,
        paper_url=submission.links.paper,
        tasks=rows,
        origin="graded",
        system=submission.system,
        cutoff=latest_cutoff(submission),
        dataset=made_from.dataset,
        cost_usd=submission.cost.usd,
        links=submission.links,
    )


def regraded(folder: Path) -> Regraded:
    """What the grades of a folder were made from.

    Raises:
        UserError: it has none, or others.
    """
    again = "Grade it with `testevo submit grade`."
    if not (folder / REGRADED).is_file():
        raise UserError(f"{folder} is not graded here: {REGRADED} is missing. {again}")
    found = read_records(folder / REGRADED, Regraded)
    if len(found) != 1:
        raise UserError(f"{folder} is not graded here: {REGRADED} holds {len(found)} records, not one. {again}")
    made_from = found[0]
    if not (folder / GRADES).is_file() or file_digest(folder / GRADES) != made_from.grades:
        raise UserError(f"{folder / GRADES} is not what was graded. {again}")
    return made_from


def latest_cutoff(submission: Submission) -> str | None:
    """The latest cutoff of a system's models; None where one has none."""
    cutoffs = []
    for model in submission.models:
        known = known_cutoff(model.name)
        if known is None and model.cutoff is None:
            return None
        cutoffs.append(known.cutoff if known else str(model.cutoff))
    return max(cutoffs, key=last_day_of)


def imported_entries(file: Path) -> dict[Track, list[BoardEntry]]:
    """The entries of a leaderboard file, marked as imported, with the cutoff of a model that is known.

    Raises:
        UserError: it cannot be read, or an entry has another shape.
    """
    found = read_board(file)
    return {
        track: [
            entry.model_copy(update={"origin": "imported", "cutoff": known.cutoff if known else None})
            for entry in found[track]
            for known in [known_cutoff(entry.model)]
        ]
        for track in Track
    }


def read_board(file: Path) -> dict[Track, list[BoardEntry]]:
    """The entries of a leaderboard file, ours or the released one, by track in its order.

    Raises:
        UserError: it cannot be read, or an entry has another shape.
    """
    try:
        tracks = parsed_json(file.read_bytes())["tracks"]
        return {track: [BoardEntry.model_validate(one) for one in tracks[key]] for track, key in TRACK_KEYS.items()}
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}. Give a leaderboard file.") from error
    except ValidationError as error:
        raise UserError(f"{file} has an entry of another shape ({reason(error)}). Fetch it again.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is not a leaderboard file ({reason(error)}). Give one with `tracks`.") from error


def board_file(boards: Iterable[Board], definitions: Mapping[str, str]) -> bytes:
    """The leaderboard file of the entries of several boards, in their order; equal inputs give equal bytes.

    Args:
        definitions: what each rate of a row means.
    """
    given = list(boards)
    tracks = {
        key: [plain(entry, track) for board in given for entry in board.get(track, ())]
        for track, key in TRACK_KEYS.items()
    }
    document = {"metric_definitions": dict(definitions), "tracks": tracks}
    return (json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def plain(entry: BoardEntry, track: Track) -> dict[str, object]:
    """An entry as JSON; rows of updates have no `disc`."""
    document = entry.model_dump(mode="json", by_alias=True)
    if track is not Track.GENERATION:
        for row in document["tasks"]:
            del row["disc"]
    return document
