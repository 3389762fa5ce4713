"""The source `list`: clone addresses, local git folders (bare or with a work tree) and bundle files."""

import re
import shutil
import time
from pathlib import Path

from testevo.config.model import Config, ListedRepository
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.runtime.errors import MachineError, UsageError
from testevo.runtime.network import has_network, is_on_this_machine
from testevo.sources.clone_rejection import NoHistoryError
from testevo.sources.git_clone import GitError, run_git

MIRROR = "mirror:"
"""Stands in records for the configured folder of mirrors, which differs from machine to machine."""

REMOTE = re.compile(r"[a-z][a-z+]*://|[\w.-]+@[\w.-]+:")
ATTEMPTS = 3
ASKED_FOR_USER = "could not read Username"
SILENCE = 300
"""Seconds without any data after which a clone over HTTP is given up; forges send a sign of life every few seconds."""
BUNDLE_HEADS = (b"# v2 git bundle\n", b"# v3 git bundle\n")


def candidates(config: Config) -> list[Repository]:
    """One repository per entry of `sources.repositories`.

    Raises:
        UsageError: an entry has no address and there is no mirror.
    """
    return [_candidate(listed, config) for listed in config.sources.repositories]


def fetch(repository: Repository, config: Config, folder: Path) -> Path:
    """The local git folder or bundle of a listed repository; an address is cloned into `folder` first.

    Raises:
        NoHistoryError: nothing is there, what is there is not a git repository, or cloning failed.
    """
    address = repository.address
    if REMOTE.match(address):
        return _clone(address, folder)
    place = _mirrored(repository.name, config) if address.startswith(MIRROR) else Path(address).expanduser()
    if place.is_dir():
        return _repository(place, repository)
    if place.is_file():
        return _bundle(place, repository)
    raise NoHistoryError(RepositoryRejection.CLONE_FAILED, f"there is no folder or file for {address}")


def _candidate(listed: ListedRepository, config: Config) -> Repository:
    if listed.address is None and config.sources.mirror is None:
        raise UsageError(f"{listed.name} has no address. Add `address` to it, or set `sources.mirror`.")
    return Repository(
        name=listed.name,
        source=SourceKind.LIST,
        address=listed.address or f"{MIRROR}{listed.name}",
        web_url=_web_url(listed),
        start=listed.start,
    )


def _web_url(listed: ListedRepository) -> str | None:
    """The page of a repository: its address when that is one; a mirrored one is taken to be GitHub's of that name."""
    if listed.address is None:
        return f"https://github.com/{listed.name}"
    return listed.address.removesuffix(".git") if listed.address.startswith("https://") else None


def _mirrored(name: str, config: Config) -> Path:
    template = config.sources.mirror
    if template is None:
        raise UsageError(f"{name} was found in a mirror, but `sources.mirror` is not set. Set it.")
    owner, _, repository = name.partition("/")
    try:
        return Path(template.format(owner=owner, name=repository)).expanduser()
    except (KeyError, IndexError, ValueError) as error:
        raise UsageError(
            f"`sources.mirror` is {template!r}, which cannot be filled in ({error}). Use only {{owner}} and {{name}}."
        ) from error


def _repository(place: Path, repository: Repository) -> Path:
    try:
        # The ceiling keeps a plain folder inside some other work tree from being taken for that repository.
        run_git(
            ["-C", str(place), "rev-parse", "--git-dir"],
            environment={"GIT_CEILING_DIRECTORIES": str(place.resolve().parent)},
        )
    except GitError as error:
        raise NoHistoryError(
            RepositoryRejection.CLONE_FAILED, f"the folder of {repository.address} is not a git repository"
        ) from error
    return place


def _bundle(place: Path, repository: Repository) -> Path:
    with place.open("rb") as stream:
        if stream.readline(20) not in BUNDLE_HEADS:
            raise NoHistoryError(RepositoryRejection.CLONE_FAILED, f"the file {repository.address} is not a git bundle")
    return place


def _clone(address: str, folder: Path) -> Path:
    """Clone branches and tags; tried again, because networks fail more often than repositories vanish."""
    patience = {"GIT_HTTP_LOW_SPEED_LIMIT": "1", "GIT_HTTP_LOW_SPEED_TIME": str(SILENCE)}
    for attempt in range(1, ATTEMPTS + 1):
        shutil.rmtree(folder, ignore_errors=True)  # what a killed git left would make the next one refuse
        try:
            run_git(["clone", "--quiet", "--bare", "--template=", "--", address, str(folder)], environment=patience)
            break
        except GitError as error:
            if not is_on_this_machine(address) and not has_network():
                raise MachineError(
                    f"{address} cannot be cloned: this machine has no network. Connect it, or give a local clone or "
                    f"bundle, then run again."
                ) from error
            if attempt == ATTEMPTS:
                hidden = ASKED_FOR_USER in error.reason  # forges ask so for what does not exist
                reason = "it does not exist, or it is not public" if hidden else error.reason
                reason = reason.replace(str(folder), "the clone")
                raise NoHistoryError(
                    RepositoryRejection.CLONE_FAILED, f"{address} cannot be cloned: {reason}"
                ) from error
            time.sleep(attempt)
    return folder
