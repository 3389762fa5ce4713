"""What the results of one system on one repository were made from: a note beside them, whoever started the job.

Snakemake looks at times of files and at its own notes in the folder that it was started in. Neither tells of
predictions with other content and an older time, of another folder, or of a newer testevo.
"""

from pathlib import Path

from testevo.config.model import Config
from testevo.config.resolved import stage_key
from testevo.packaging.dataset.dataset_folder import CHECKSUMS
from testevo.runtime.files.files import content_key, file_digest, write_atomically


def key_of_inputs(config: Config, stage: str, dataset: Path, predictions: Path | None = None, code: str = "") -> str:
    """A key of all that results are made from.

    Args:
        stage: `evaluate` or `solve`.
        dataset: its folder.
        predictions: file of the system; None where it has none.
        code: digest of the code that makes them, where other code makes others.
    """
    given = file_digest(predictions) if predictions else ""
    return content_key(stage_key(config, stage), file_digest(dataset / CHECKSUMS), given, code)


def is_made_from(note: Path, key: str) -> bool:
    """Whether the results of a note were made from the inputs of that key; not where there is no note."""
    return note.is_file() and note.read_text("utf-8", "replace") == key


def note_inputs(note: Path, key: str) -> None:
    """Write the note; only when the results are there, and the note of earlier ones has been removed before them.

    Raises:
        MachineError: the file cannot be written.
    """
    write_atomically(note, key.encode())
