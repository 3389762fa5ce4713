"""The licence of a history: of the files at the start of its walk."""

from testevo.history.git import GitRepository
from testevo.records.repository import Repository, SourceKind
from testevo.sources.licences import Licence, licence_files, licence_of


def with_licence(repository: Repository, git: GitRepository) -> Repository:
    """The record with its licence, or with what was found instead; one that its source has told stays."""
    if repository.licence_origin is not None:
        return repository
    found = _found(repository, git)
    return repository.model_copy(update={"licence": found.spdx, "licence_origin": found.origin})


def _found(repository: Repository, git: GitRepository) -> Licence:
    if repository.source is SourceKind.WORLDS:
        return Licence(None, "an embedded history; the licence is that of the project it is embedded in")
    revision = git.resolve(repository.start or "")
    if revision is None:
        return Licence(None, "the history has no start")
    names = licence_files([path for path in git.paths(revision) if "/" not in path])
    return licence_of(git.read_many(revision, names), git.read(revision, "pom.xml"))
