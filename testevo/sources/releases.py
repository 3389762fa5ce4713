"""Releases: the sources of consecutive releases of Maven coordinates, one commit and one tag each.

Real code for a machine that reaches only a Maven repository. The Maven layout is rebuilt from the jars, because tests
open their resources by path.
"""

import re
import shutil
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from testevo.config.model import Config, ListedReleases
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.runtime.errors import UserError
from testevo.sources.clone_rejection import NoHistoryError
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.licences import Licence, licence_files, licence_of
from testevo.sources.release_download import (
    POM,
    SOURCES,
    TEST_SOURCES,
    Download,
    MavenPlace,
    Release,
    download_releases,
)
from testevo.sources.trusted import check_releases

# What archivers and signers add; the services and other files that code reads at run time stay.
LEFT_OUT = re.compile(
    r"META-INF/(MANIFEST\.MF|INDEX\.LIST|DEPENDENCIES|(LICENSE|NOTICE)(\.\w+)?|[^/]+\.(SF|RSA|DSA|EC)|maven/.*)"
)

# What the annotation processor of JMH makes of benchmarks, published beside them; a build would make it again.
JMH_MADE = re.compile(r"(.*/)?(jmh_generated/.*|generated/[^/]*_jmh[^/]*\.java)")


def candidates(config: Config) -> list[Repository]:
    """One repository `groupId/artifactId` per configured coordinates."""
    return [
        Repository(name=listed.coordinates.replace(":", "/"), source=SourceKind.RELEASES, address=listed.coordinates)
        for listed in config.sources.releases
    ]


def fetch(
    repository: Repository, config: Config, folder: Path, maven: MavenPlace
) -> tuple[Path, dict[str, str | None]]:
    """Make the git folder of a release history; with it fields of its record: a note on releases left out, the licence.

    Raises:
        NoHistoryError: fewer than two releases publish all that is needed.
        MachineError: the artifacts could not be downloaded.
        UserError: a release that is trusted is not the one that this project knows.
    """
    listed = _listed(repository, config)
    downloads = folder.parent / f"{folder.name}.downloads"
    shutil.rmtree(downloads, ignore_errors=True)  # a killed run may have left other versions there
    download = download_releases(listed.coordinates, listed.versions, downloads, maven)
    check_releases(listed.coordinates, download.releases)
    note = _note(download)
    if len(download.releases) < 2:
        raise NoHistoryError(
            RepositoryRejection.RELEASES_UNAVAILABLE,
            f"{len(download.releases)} of {len(listed.versions)} releases of {listed.coordinates} can be used; {note}",
        )
    make_history(folder, list(release_commits(download.releases)), {r.version: r.version for r in download.releases})
    licence = release_licence(download.releases[-1].folder)
    shutil.rmtree(downloads)
    return folder, {"detail": note, "licence": licence.spdx, "licence_origin": licence.origin}


def release_commits(releases: tuple[Release, ...]) -> Iterator[MadeCommit]:
    """One commit per release, oldest first, dated by the newest file of its sources jar.

    A release that is no younger than the one before (archives with one fixed time) is dated a second after it, so
    that the newest tag is the last release.
    """
    parents: tuple[str, ...] = ()
    time = 0
    known: dict[bytes, bytes] = {}  # most files stay the same between releases: keep one copy in memory
    for release in releases:
        tree = {
            path: MadeFile(known.setdefault(content, content)) for path, content in release_tree(release.folder).items()
        }
        time = max(time + 1, newest_time(release.folder / SOURCES))
        yield MadeCommit(release.version, f"Release {release.version}\n", time, time, parents, tree)
        parents = (release.version,)


def release_licence(folder: Path) -> Licence:
    """The licence of a release: of the licence file in its sources jar, or of its POM."""
    with _open(folder / SOURCES) as archive:
        names = licence_files([name for name in archive.namelist() if re.fullmatch(r"(META-INF/)?[^/]+", name)])
        files = {name: archive.read(name) for name in names}
    return licence_of(files, (folder / POM).read_bytes())


def release_tree(folder: Path) -> dict[str, bytes]:
    """The Maven layout of a release by path: Java files and resources of both jars, and the POM as `pom.xml`."""
    tree = {"pom.xml": (folder / POM).read_bytes()}
    for jar, root in ((SOURCES, "src/main"), (TEST_SOURCES, "src/test")):
        for path, content in _files(folder / jar):
            tree[f"{root}/{'java' if path.endswith('.java') else 'resources'}/{path}"] = content
    return tree


def newest_time(jar: Path) -> int:
    """The newest file time in a jar, in seconds since 1970; archive times carry no zone and are read as UTC."""
    with _open(jar) as archive:
        times = [entry.date_time for entry in archive.infolist() if not entry.is_dir()]
    return max(int(datetime(*time, tzinfo=UTC).timestamp()) for time in times)


def _files(jar: Path) -> Iterator[tuple[str, bytes]]:
    with _open(jar) as archive:
        for entry in archive.infolist():
            path = PurePosixPath(entry.filename)
            if entry.is_dir() or LEFT_OUT.fullmatch(entry.filename) or JMH_MADE.fullmatch(entry.filename):
                continue
            if path.is_absolute() or {"..", ".git"} & set(path.parts):
                raise UserError(f"{jar.name} holds {entry.filename}, which leaves its folder. Leave that release out.")
            yield str(path), archive.read(entry)


def _open(jar: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(jar)
    except zipfile.BadZipFile as error:
        raise UserError(
            f"{jar.name} is not an archive ({error}). Delete its release from the local repository."
        ) from error


def _listed(repository: Repository, config: Config) -> ListedReleases:
    for listed in config.sources.releases:
        if listed.coordinates == repository.address:
            return listed
    raise UserError(f"`sources.releases` does not list {repository.address}. Run the stage `search` again.")


def _note(download: Download) -> str | None:
    if not download.lacking:
        return None
    return "left out: " + ", ".join(f"{version} (publishes no {artifact})" for version, artifact in download.lacking)
