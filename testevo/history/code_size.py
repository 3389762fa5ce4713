"""Measure the size of the Java code of a revision: the cost of its builds and suites grows with it."""

import tempfile
from pathlib import Path

from testevo.history.bundle import open_bundle


def java_megabytes(bundle: Path, revision: str) -> float:
    """The size of all Java files of a revision, in megabytes.

    Raises:
        UserError: the bundle is missing or damaged.
    """
    with tempfile.TemporaryDirectory() as folder:
        git = open_bundle(bundle, Path(folder))
        blobs = git.java_blobs(revision).values()
        sizes = {blob: len(content) for blob, content in git.read_blobs(list(blobs)).items()}
    return sum(sizes[blob] for blob in blobs) / 1e6
