"""A dataset against the checksums that it is expected to have: the sample of the artifact (docs/artifact.md).

The list of expectations has the form of `sha256sum`. `snapshot.json` is not part of it: it tells the settings and the
version of the run, which may differ while every record is the same.
"""

from collections.abc import Mapping
from pathlib import Path

from testevo.packaging.dataset.dataset_folder import CHECKSUMS, DESCRIPTION, verify_dataset
from testevo.runtime.files.checksums import read_checksums

NOT_COMPARED = frozenset({DESCRIPTION})


def compared(dataset: Path) -> dict[str, str]:
    """SHA-256 by name of the files of a dataset that expectations speak of.

    Raises:
        UserError: no dataset, or one that does not fit its own checksums.
    """
    verify_dataset(dataset)
    return {name: digest for name, digest in read_checksums(dataset / CHECKSUMS).items() if name not in NOT_COMPARED}


def differences(found: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    """One line for each file that is missing, is not expected, or has other bytes; in the order of names."""
    said = []
    for name in sorted(found.keys() | expected.keys()):
        if name not in found:
            said.append(f"missing: {name}")
        elif name not in expected:
            said.append(f"not expected: {name}")
        elif found[name] != expected[name]:
            said.append(f"differs: {name}")
    return said
