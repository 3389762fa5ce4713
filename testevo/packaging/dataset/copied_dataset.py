"""A dataset copied to a folder of the user's choice, in place of an older copy."""

import shutil
import tempfile
from pathlib import Path

from testevo.packaging.dataset.dataset_folder import CHECKSUMS, DESCRIPTION
from testevo.runtime.errors import MachineError, UsageError, next_step
from testevo.runtime.files.checksums import begun_checksums, checksums_at_the_end
from testevo.runtime.files.files import write_atomically


def require_place_for_copy(dataset: Path, output: Path) -> None:
    """Refuse, before anything is mined, a place where no copy of a dataset may be.

    Raises:
        UsageError: it is a file, a folder that holds something else, or lies within the dataset.
        MachineError: nothing can be written there.
    """
    if output.resolve().is_relative_to(dataset.resolve()):
        raise UsageError(f"--output {output} lies in the dataset itself, {dataset}. Name another folder.")
    nearest = next(place for place in (output, *output.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise UsageError(f"--output {output}: {nearest} is not a folder. Name a new one.")
    copies = (output / DESCRIPTION, begun_checksums(output / CHECKSUMS))
    if nearest == output and any(output.iterdir()) and not any(map(Path.is_file, copies)):
        raise UsageError(f"--output {output} is not empty and holds no dataset. Name a new folder.")
    try:
        with tempfile.TemporaryDirectory(dir=nearest, prefix=".testevo-"):
            pass
    except OSError as error:
        said = f"--output {output}: {nearest} cannot be written ({error.strerror})"
        raise MachineError(f"{said}. {next_step(error)}.") from error


def copy_dataset(dataset: Path, output: Path) -> None:
    """Copy a dataset, its checksums at the end; of an older one there, the files go that its checksums name.

    Files of others stay.
    """
    with checksums_at_the_end(output / CHECKSUMS, (dataset / CHECKSUMS).read_bytes()):
        write_atomically(output / DESCRIPTION, (dataset / DESCRIPTION).read_bytes())  # readers know what it will be
        shutil.copytree(dataset, output, dirs_exist_ok=True, ignore=shutil.ignore_patterns(CHECKSUMS))
