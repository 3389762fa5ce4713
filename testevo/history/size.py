"""How much Java there is in a revision: what its builds and suites cost grows with it."""

from testevo.history.git import GitRepository


def java_megabytes(git: GitRepository, revision: str) -> float:
    """The size of all Java files of a revision, in megabytes.

    Raises:
        UserError: a file is missing.
    """
    blobs = git.java_blobs(revision).values()
    sizes = {blob: len(content) for blob, content in git.read_blobs(list(blobs)).items()}
    return sum(sizes[blob] for blob in blobs) / 1e6
