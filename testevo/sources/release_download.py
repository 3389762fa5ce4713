"""Download the artifacts of consecutive releases by one Maven invocation, since each costs seconds.

The invocation is a generated reactor with one module per release and `--fail-at-end`, so that a release which lacks a
jar fails alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.whole_files import locked
from testevo.runtime.processes.processes import Finished, run_command

DEPENDENCY_PLUGIN = "3.8.1"
SOURCES, TEST_SOURCES, POM = "sources.jar", "test-sources.jar", "pom.xml"
ARTIFACTS = {SOURCES: ("jar", "sources"), TEST_SOURCES: ("jar", "test-sources"), POM: ("pom", "")}


@dataclass(frozen=True)
class MavenPlace:
    """Where Maven keeps artifacts and what settings it reads; `settings` None for its own."""

    local_repository: Path
    settings: Path | None = None
    offline: bool = False
    seconds: float = 1800


@dataclass(frozen=True)
class Release:
    """A downloaded release: its version and the folder with `sources.jar`, `test-sources.jar` and `pom.xml`."""

    version: str
    folder: Path


@dataclass(frozen=True)
class Download:
    """Complete releases in the order asked for; and versions that lack an artifact, each with the first it lacks."""

    releases: tuple[Release, ...]
    lacking: tuple[tuple[str, str], ...]


def download_releases(coordinates: str, versions: Sequence[str], folder: Path, maven: MavenPlace) -> Download:
    """Copy the artifacts of `coordinates` (`groupId:artifactId`) into folders below `folder`.

    Raises:
        MachineError: Maven is missing, timed out, or failed for another reason than an artifact nobody published.
    """
    group, artifact = coordinates.split(":")
    write_atomically(folder / "pom.xml", _reactor(len(versions)).encode())
    for number, version in enumerate(versions):
        write_atomically(folder / _module(number) / "pom.xml", _release(number, group, artifact, version).encode())
    # Two Mavens that download into one local repository can break each other's files.
    with locked(maven.local_repository.with_name(f"{maven.local_repository.name}.lock"), shared=maven.offline):
        finished = run_command(_command(maven), folder=folder, seconds=maven.seconds)
    releases, lacking = [], []
    for number, version in enumerate(versions):
        files = folder / _module(number) / "files"
        missing = [name for name in ARTIFACTS if not (files / name).is_file()]
        if not missing:
            releases.append(Release(version, files))
            continue
        unpublished = [
            name
            for name in missing
            if _was_refused(finished, _identity(group, artifact, version, name))
            or (maven.offline and _is_noted(maven.local_repository, group, artifact, version, name))
        ]
        if not unpublished:
            raise MachineError(
                f"Maven did not bring the sources of {coordinates}:{version}. Check the network, `build.mirror` and "
                f"`build.offline`, then run again. Maven's last words:\n{finished.tail()}"
            )
        lacking.append((version, unpublished[0]))
    return Download(tuple(releases), tuple(lacking))


def _command(maven: MavenPlace) -> list[str]:
    command = ["mvn", "-B", "--fail-at-end", "-Dstyle.color=never"]
    command += [f"-Dmaven.repo.local={maven.local_repository.absolute()}"]
    command += ["--settings", str(maven.settings.absolute())] if maven.settings else []
    return [*command, *(["--offline"] if maven.offline else []), "validate"]


def _identity(group: str, artifact: str, version: str, name: str) -> str:
    kind, classifier = ARTIFACTS[name]
    return ":".join(filter(None, [group, artifact, kind, classifier, version]))


def _was_refused(finished: Finished, identity: str) -> bool:
    """Whether Maven says that the repository has no such artifact, as it found just now or within the last day."""
    exact = rf"(?<![\w.-]){re.escape(identity)}(?![\w.-])"
    return re.search(rf"Could not find artifact {exact}|{exact} was not found in", finished.text) is not None


def _is_noted(local_repository: Path, group: str, artifact: str, version: str, name: str) -> bool:
    """Whether an earlier run with network noted in the local repository that there is no such artifact.

    Without the network Maven says of every absent artifact only that it was never downloaded; but its note has an
    empty error where the answer was "not found", and a message where the network failed.
    """
    kind, classifier = ARTIFACTS[name]
    file = "-".join(filter(None, [artifact, version, classifier])) + f".{kind}.lastUpdated"
    note = local_repository.joinpath(*group.split("."), artifact, version, file)
    return note.is_file() and re.search(rb"\.error=\s*$", note.read_bytes(), re.MULTILINE) is not None


def _module(number: int) -> str:
    return f"release-{number}"


_HEAD = (
    '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    "<groupId>testevo</groupId><version>1</version><packaging>pom</packaging>"
)


def _reactor(count: int) -> str:
    modules = "".join(f"<module>{_module(number)}</module>" for number in range(count))
    return f"{_HEAD}<artifactId>releases</artifactId><modules>{modules}</modules></project>\n"


def _release(number: int, group: str, artifact: str, version: str) -> str:
    coordinates = "".join(
        f"<{tag}>{escape(value)}</{tag}>"
        for tag, value in (("groupId", group), ("artifactId", artifact), ("version", version))
    )
    items = "".join(
        f"<artifactItem>{coordinates}<type>{kind}</type>"
        + (f"<classifier>{classifier}</classifier>" if classifier else "")
        + f"<destFileName>{name}</destFileName></artifactItem>"
        for name, (kind, classifier) in ARTIFACTS.items()
    )
    return (
        f"{_HEAD}<artifactId>{_module(number)}</artifactId><build><plugins><plugin>"
        f"<groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId>"
        f"<version>{DEPENDENCY_PLUGIN}</version>"
        f"<executions><execution><id>copy</id><phase>validate</phase><goals><goal>copy</goal></goals></execution></executions>"
        f"<configuration><outputDirectory>${{project.basedir}}/files</outputDirectory>"
        f"<artifactItems>{items}</artifactItems></configuration></plugin></plugins></build></project>\n"
    )
