"""Histories with missing objects, such as clones without their largest files: mined as far as their files go.

A bundle of git's ordinary form cannot lack an object, so the bundle of such a history is one of git's filtered ones
(`@filter`). Commits that need a missing object are left out of the walk; nothing is ever fetched over the network.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from testevo.history.git import GitRepository
from testevo.sources.git_clone import GitError, init_bare, run_git

# Which filter made the gaps is not known; this one lets git expect any file to be missing.
_HEADER = b"# v3 git bundle\n@object-format=sha1\n@filter=blob:none\n"
_PROMISOR = "*.promisor"


def missing_objects(folder: Path, names: Sequence[str]) -> frozenset[str]:
    """Ids of the objects that the histories of some references or revisions need and the repository lacks.

    Raises:
        GitError: a commit is missing, or the repository cannot be read.
    """
    out = run_git(["rev-list", "--objects", "--missing=print", *names], repository=folder)[1]
    return frozenset(line[1:].decode("ascii").split()[0] for line in out.splitlines() if line.startswith(b"?"))


def mirror_with_gaps(origin: Path, clone: Path) -> GitRepository | None:
    """A bare repository that shares the objects of the git folder `origin`; None when these lack nothing.

    Raises:
        GitError: a commit is missing, or `origin` cannot be read.
    """
    home = _git_folder(origin)
    if not missing_objects(home, ["--all"]):
        return None
    shutil.rmtree(clone, ignore_errors=True)
    objects = run_git(["rev-parse", "--git-path", "objects"], repository=home)[1].decode().strip()
    init_bare(clone, objects=(home / objects).resolve())
    if (home / "shallow").is_file():
        shutil.copy(home / "shallow", clone / "shallow")
    columns = "create %(refname) %(objectname)"
    named = run_git(["for-each-ref", f"--format={columns}", "refs/heads", "refs/tags"], repository=home)[1]
    run_git(["update-ref", "--stdin"], repository=clone, stdin=named)
    if branch := GitRepository(home).default_branch():
        run_git(["symbolic-ref", "HEAD", f"refs/heads/{branch}"], repository=clone)
    return GitRepository(clone)


def has_gaps(git: GitRepository) -> bool:
    """Whether a repository was made by `mirror_with_gaps` or `unpack_partial`."""
    objects = git.folder / "objects"
    return (objects / "info" / "alternates").is_file() or any((objects / "pack").glob(_PROMISOR))


def pack_partial(git: GitRepository, reference: str, bundle: Path) -> None:
    """Write the history of a reference, without what is missing, as a bundle with a filter.

    Raises:
        GitError: git cannot pack it.
    """
    revision = run_git(["rev-parse", "--verify", reference], repository=git.folder)[1].strip()
    listed = run_git(["rev-list", "--objects", "--missing=print", reference], repository=git.folder)[1]
    there = b"".join(b"%s\n" % line for line in listed.splitlines() if not line.startswith(b"?"))
    prefix = bundle.with_name(f"{bundle.name}-objects")
    made = run_git(
        ["pack-objects", "--quiet", "--delta-base-offset", str(prefix.absolute())], repository=git.folder, stdin=there
    )
    pack = prefix.with_name(f"{prefix.name}-{made[1].decode().strip()}.pack")
    with bundle.open("wb") as stream, pack.open("rb") as content:
        stream.write(_HEADER + revision + b" " + os.fsencode(reference) + b"\n\n")
        shutil.copyfileobj(content, stream)


def is_partial(bundle: Path) -> bool:
    """Whether a file is a bundle that `pack_partial` has written."""
    with bundle.open("rb") as stream:
        return stream.read(len(_HEADER)) == _HEADER


def unpack_partial(bundle: Path, clone: Path) -> None:
    """Unpack what `pack_partial` has written into `clone`, an empty bare repository.

    Raises:
        GitError: the bundle is damaged.
    """
    named = run_git(["bundle", "unbundle", str(bundle.absolute())], repository=clone)[1]
    pairs = (line.split(b" ", 1) for line in named.splitlines())
    run_git(
        ["update-ref", "--stdin"],
        repository=clone,
        stdin=b"".join(b"create %s %s\n" % (name, revision) for revision, name in pairs),
    )


def revisions_with_gaps(git: GitRepository, start: str, revisions: Iterable[str]) -> frozenset[str]:
    """Those of some revisions of the history of `start` that need a missing object.

    Raises:
        GitError: a commit is missing.
    """
    missing = missing_objects(git.folder, [start]) if has_gaps(git) else frozenset()
    return frozenset(revision for revision in revisions if _needs(git, revision, missing)) if missing else frozenset()


def _needs(git: GitRepository, revision: str, missing: frozenset[str]) -> bool:
    try:
        return not missing.isdisjoint(git.paths(revision).values())
    except GitError:  # a folder is missing
        return True


def _git_folder(place: Path) -> Path:
    found = run_git(["-C", str(place.absolute()), "rev-parse", "--absolute-git-dir"])[1]
    return Path(os.fsdecode(found.strip()))
