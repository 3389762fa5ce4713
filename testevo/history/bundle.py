"""Bundles: the one file per repository that the stage `clone` hands on, and its unpacking in a work folder.

A bundle holds the history of the start and nothing else, under the name of the start, so that whoever gets only the
bundle chooses the same start again.
"""

import shutil
import tempfile
from pathlib import Path

from testevo.config.rules import WalkRules
from testevo.history.git import GitRepository
from testevo.history.partial import has_gaps, is_partial, mirror_with_gaps, pack_partial, unpack_partial
from testevo.history.revision_bundle import holds_single_revisions, unpack_revisions
from testevo.history.walk import Start, before_cutoff, choose_start, ordered
from testevo.records.repository import Repository, RepositoryRejection
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.whole_files import place_folder_once
from testevo.sources.clone_rejection import NoHistoryError
from testevo.sources.git_clone import GitError, init_bare, run_git

START_BRANCH = "refs/heads/testevo-start"
"""Names a start that is a bare commit id, which a bundle cannot hold without a name."""


def clone_history(
    repository: Repository, origin: Path, bundle: Path, rules: WalkRules, pin: Start | None = None
) -> Repository:
    """Clone `origin` (a git folder or bundle), choose the start, write `bundle` (TEB-M02, M06).

    The answer names start and version. A candidate without a usable history comes back with its rejection and a
    sentence, and no bundle is written. `pin` is the start of a locked snapshot: its name, and the commit then.

    Raises:
        UsageError: the cutoff is not a day of the calendar.
        MachineError: git is missing.
    """
    bundle.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=bundle.parent, prefix=f".{bundle.name}."))
    try:
        git = _mirror(origin, scratch / "mirror.git", repository.address)
        start = _start(git, repository, rules) if pin is None else _pinned(git, repository, pin)
        _require_history(git, start, rules)
        _pack(git, start, scratch / "bundle")
        (scratch / "bundle").replace(bundle)
    except NoHistoryError as why:
        return repository.model_copy(update={"rejection": why.rejection, "detail": why.detail})
    finally:
        shutil.rmtree(scratch)
    return repository.model_copy(update={"start": start.name, "version": start.name})


def open_bundle(bundle: Path, folder: Path) -> GitRepository:
    """The bare repository of a bundle, unpacked below `folder`; one that is already there is used as it is.

    The clone is named by the bundle's content and appears whole or not at all, so several processes may ask at once.

    Raises:
        UserError: the bundle is missing or damaged.
    """
    if not bundle.is_file():
        raise UserError(f"{bundle} does not exist. Run the stage `clone` first.")
    clone = folder / f"{bundle.stem}-{file_digest(bundle)[:16]}.git"
    if clone.is_dir():
        return GitRepository(clone)
    folder.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=folder, prefix=".unpacking-"))
    try:
        _unpack(bundle, scratch / "clone.git")
        place_folder_once(scratch / "clone.git", clone)
    except GitError as error:
        raise UserError(
            f"{bundle} cannot be unpacked ({error.reason}). Delete that of a snapshot and run the stage `clone` "
            "again; get a dataset again as a whole."
        ) from error
    finally:
        shutil.rmtree(scratch)
    return GitRepository(clone)


def _unpack(bundle: Path, clone: Path) -> None:
    init_bare(clone)
    if holds_single_revisions(bundle):
        unpack_revisions(bundle, clone)
        return
    if is_partial(bundle):
        unpack_partial(bundle, clone)
        return
    run_git(["fetch", "--quiet", "--no-write-fetch-head", str(bundle.absolute()), "refs/*:refs/*"], repository=clone)
    if not _references(clone):
        raise GitError("fetch", "it holds no history")


def _mirror(place: Path, clone: Path, address: str) -> GitRepository:
    """A bare clone with branches and tags only: forges add references to every pull request, which no walk needs."""
    source = place.absolute()
    try:
        git = _cloned(source, clone)
        _take_only_branch(place, clone)
    except GitError as error:
        reason = error.reason.replace(str(source), address).replace(str(clone), "the clone")
        raise NoHistoryError(RepositoryRejection.CLONE_FAILED, f"{address} cannot be read: {reason}") from error
    if not _references(clone) and not git.has("HEAD"):
        raise NoHistoryError(RepositoryRejection.EMPTY, f"{address} has no commit")
    if git.has_long_ids():
        raise NoHistoryError(
            RepositoryRejection.CLONE_FAILED, f"{address} names its objects by SHA-256, and only SHA-1 is read here"
        )
    if git.is_shallow():
        raise NoHistoryError(
            RepositoryRejection.SHALLOW, f"{address} is shallow: fetch the rest with `git fetch --unshallow`"
        )
    return git


def _cloned(source: Path, clone: Path) -> GitRepository:
    """A copy of all of it, or, where objects are missing, one that shares those that are there.

    Raises:
        GitError: a commit is missing, or git cannot read it.
    """
    if source.is_file() and is_partial(source):
        init_bare(clone)
        unpack_partial(source, clone)
        return GitRepository(clone)
    # A folder of another owner is refused by the serving end too, which sees no setting of ours but this one.
    serve = "git -c safe.directory=* upload-pack"
    words = ("clone", "--quiet", "--bare", "--no-local", "--template=", f"--upload-pack={serve}")
    try:
        run_git([*words, str(source), str(clone)])
    except GitError:
        git = mirror_with_gaps(source, clone) if source.is_dir() else None
        if git is None:
            raise
        return git
    return GitRepository(clone)


def _take_only_branch(origin: Path, clone: Path) -> None:
    """A bundle need not say which branch is the default one; when it holds only one, that is it."""
    branches = _references(clone, "refs/heads")
    if origin.is_file() and len(branches) == 1:
        run_git(["symbolic-ref", "HEAD", branches[0]], repository=clone)


def _references(clone: Path, below: str = "refs") -> list[str]:
    return (
        run_git(["for-each-ref", "--format=%(refname)", below], repository=clone)[1].decode("utf-8", "replace").split()
    )


def _start(git: GitRepository, repository: Repository, rules: WalkRules) -> Start:
    start = choose_start(git, repository.start, rules)
    if start is None:
        lacks = f"no tag, branch or commit {repository.start}" if repository.start else "no tag and no default branch"
        raise NoHistoryError(RepositoryRejection.START_MISSING, f"{repository.name} has {lacks}")
    return start


def _pinned(git: GitRepository, repository: Repository, pin: Start) -> Start:
    if not git.has(pin.revision):
        lacks = f"{pin.revision[:7]}, where the walk of this snapshot starts: its history was rewritten"
        raise NoHistoryError(RepositoryRejection.START_MISSING, f"{repository.name} has no commit {lacks}")
    run_git(["update-ref", pin.reference or START_BRANCH, pin.revision], repository=git.folder)
    return pin


def _require_history(git: GitRepository, start: Start, rules: WalkRules) -> None:
    first = next(before_cutoff(ordered(git, start.revision, rules), rules), None)
    if first is None:
        raise NoHistoryError(
            RepositoryRejection.NO_COMMIT_BEFORE_CUTOFF, f"no commit of {start.name} is older than {rules.cutoff}"
        )
    paths = git.paths(first.revision)
    if "pom.xml" not in paths:
        poms = sorted((path for path in paths if path.endswith("/pom.xml")), key=lambda path: (path.count("/"), path))
        below = f"; projects in a folder are not mined, as that of {poms[0]}" if poms else ""
        detail = f"no pom.xml at top level at {first.revision[:7]}, where the walk from {start.name} starts{below}"
        raise NoHistoryError(RepositoryRejection.NO_BUILD_FILE, detail)


def _pack(git: GitRepository, start: Start, bundle: Path) -> None:
    reference = start.reference or START_BRANCH
    if start.reference is None:
        run_git(["update-ref", reference, start.revision], repository=git.folder)
    if has_gaps(git):
        pack_partial(git, reference, bundle)
        return
    run_git(["bundle", "create", "--quiet", str(bundle.absolute()), reference], repository=git.folder)


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
