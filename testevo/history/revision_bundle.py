"""A bundle of single revisions: their files and nothing of the history between them.

It is what a dataset ships for grading. The commits keep their ids, so that everybody can compare them with the public
repository. Their parents are named as prerequisites, as in any bundle that continues another one; a clone that lacks
them is made shallow there.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from testevo.history.git import GitRepository
from testevo.sources.git_clone import init_bare, run_git

SIGNATURE = b"# v2 git bundle\n"
# Nothing is taken over from existing packs, which depend on how and when a repository was cloned.
PACK_ALIKE = (
    "pack-objects",
    "--stdout",
    "--quiet",
    "--threads=1",
    "--no-reuse-delta",
    "--no-reuse-object",
    "--delta-base-offset",
    "--window=10",
    "--depth=50",
    "--compression=9",
)


def bundle_of_revisions(git: GitRepository, revisions: Iterable[str]) -> bytes:
    """The bytes of a bundle with the trees of some revisions; equal for equal revisions, wherever they are read from.

    Args:
        revisions: full commit ids; without any, the bundle is empty.

    Raises:
        GitError: a revision is missing.
    """
    wanted = sorted(set(revisions))
    if not wanted:
        return b""
    parents = {parent for revision in wanted for parent in _parents(git, revision)}
    listed = "".join(f"{revision}\n" for revision in wanted).encode()
    objects = run_git(["rev-list", "--no-walk=unsorted", "--objects", "--stdin"], repository=git.folder, stdin=listed)[
        1
    ]
    header = [f"-{parent}\n" for parent in sorted(parents - set(wanted))]
    header += [f"{revision} refs/revisions/{revision}\n" for revision in wanted]
    return SIGNATURE + "".join(header).encode() + b"\n" + _pack(git, objects)


def _pack(git: GitRepository, objects: bytes) -> bytes:
    """Packed through a repository without references: git writes tagged objects first."""
    with tempfile.TemporaryDirectory() as folder:
        neutral = Path(folder) / "neutral.git"
        init_bare(neutral, objects=git.folder / "objects")
        return run_git(PACK_ALIKE, repository=neutral, stdin=objects)[1]


def holds_single_revisions(bundle: Path) -> bool:
    """Whether a bundle names prerequisites, so that git itself would unpack it into their history only."""
    with bundle.open("rb") as stream:
        return stream.readline() == SIGNATURE and stream.readline().startswith(b"-")


def unpack_revisions(bundle: Path, clone: Path) -> None:
    """Unpack what `bundle_of_revisions` made into `clone`, an empty bare repository.

    Raises:
        GitError: the bundle is damaged.
    """
    header, _, pack = bundle.read_bytes().partition(b"\n\n")
    lines = header.splitlines()[1:]
    missing = {line[1:].decode("ascii", "replace") for line in lines if line.startswith(b"-")}
    references = [line.decode("ascii", "replace").split(" ", 1) for line in lines if not line.startswith(b"-")]
    run_git(["index-pack", "--stdin"], repository=clone, stdin=pack)
    git = GitRepository(clone)
    shallow = [revision for revision, *_ in references if missing & set(_parents(git, revision))]
    (clone / "shallow").write_text("".join(f"{revision}\n" for revision in shallow), encoding="ascii")
    named = "".join(f"create {' '.join(name)} {revision}\n" for revision, *name in references)
    run_git(["update-ref", "--stdin"], repository=clone, stdin=named.encode())


def _parents(git: GitRepository, revision: str) -> list[str]:
    """As the commit itself names them, whether they are there or not."""
    commit = run_git(["cat-file", "commit", revision], repository=git.folder)[1]
    header = commit.partition(b"\n\n")[0].splitlines()
    return [line.split()[1].decode() for line in header if line.startswith(b"parent ")]
