"""Histories whose code is trusted: the embedded ones, and releases that this project knows by their checksums."""

from collections.abc import Mapping
from functools import cache

from testevo.config.model import Config
from testevo.records.repository import Repository, SourceKind
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.json_and_yaml import parsed_yaml
from testevo.runtime.files.project import PROJECT
from testevo.sources.release_download import Release

KNOWN_RELEASES = PROJECT / "config" / "trusted-releases.yaml"
_WORLDS = PROJECT / "worlds"

Digests = Mapping[str, Mapping[str, str]]
"""By version the SHA-256 of each downloaded file, by its name."""


def is_trusted(repository: Repository, config: Config) -> bool:
    """Whether a history that the configuration names is trusted.

    Embedded histories are those in this project's own folder. Releases are trusted when every configured version is
    known; `check_releases` holds what is downloaded against their checksums.
    """
    if repository.source is SourceKind.WORLDS:
        own = _WORLDS / repository.address
        return (own / "world.yaml").is_file() and (
            config.sources.worlds_place / repository.address
        ).resolve() == own.resolve()
    if repository.source is SourceKind.RELEASES:
        known = known_releases().get(repository.address, {})
        listed = [one for one in config.sources.releases if one.coordinates == repository.address]
        return bool(listed) and all(set(one.versions) <= set(known) for one in listed)
    return False


def check_releases(coordinates: str, releases: tuple[Release, ...]) -> None:
    """Hold downloaded releases against the checksums of those that are trusted; others pass.

    Raises:
        UserError: a file of a trusted release is another one.
    """
    known = known_releases().get(coordinates, {})
    for release in releases:
        for name, digest in known.get(release.version, {}).items():
            if file_digest(release.folder / name) != digest:
                raise UserError(
                    f"{name} of {coordinates}:{release.version} is not the file that {KNOWN_RELEASES.name} knows: it "
                    "is damaged, or the Maven repository serves another one. Delete the release from the local Maven "
                    "repository and check `build.mirror`."
                )


@cache
def known_releases() -> Mapping[str, Digests]:
    """Trusted releases by coordinates."""
    content: Mapping[str, Digests] = parsed_yaml(KNOWN_RELEASES.read_bytes())
    return content
