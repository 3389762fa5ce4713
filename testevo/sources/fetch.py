"""A git folder or bundle for each candidate: the one door from a source to a history."""

from pathlib import Path

from testevo.config.model import Config
from testevo.records.repository import Repository, SourceKind
from testevo.sources import listed, releases
from testevo.sources.clone_rejection import NoHistoryError
from testevo.sources.embedded import worlds
from testevo.sources.origin import with_clone_url
from testevo.sources.release_download import MavenPlace


def fetch(
    repository: Repository, config: Config, folder: Path, maven: MavenPlace | None = None
) -> tuple[Repository, Path]:
    """The place to clone a candidate from; worlds, releases and clones of addresses are made at `folder`.

    A candidate that has no history comes back with its rejection and a sentence (TEB-M06). `maven` says where releases
    are downloaded to; by default a folder below the configured cache, with Maven's own settings.

    Raises:
        UserError: the source is badly described.
        MachineError: a download or a tool failed.
    """
    found: dict[str, str | None] = {"detail": None}
    try:
        match repository.source:
            case SourceKind.WORLDS:
                place = worlds.fetch(repository, config, folder)
            case SourceKind.LIST | SourceKind.GITHUB:
                place = listed.fetch(repository, config, folder)
            case SourceKind.RELEASES:
                place, found = releases.fetch(repository, config, folder, maven or _default_maven(config))
    except NoHistoryError as why:
        return repository.model_copy(update={"rejection": why.rejection, "detail": why.detail}), folder
    return with_clone_url(repository.model_copy(update=found), place), place


def _default_maven(config: Config) -> MavenPlace:
    return MavenPlace(Path(config.build.cache) / "releases", offline=config.build.offline)
