"""Releases: the layout rebuilt from jars, dates, notes, and one real download."""

import zipfile
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from testevo.config.model import Config, ListedReleases, Sources
from testevo.history.git import GitRepository
from testevo.records.repository import RepositoryRejection
from testevo.runtime.errors import MachineError
from testevo.sources.candidates import candidates
from testevo.sources.fetch import fetch
from testevo.sources.release_download import MavenPlace, Release, download_releases
from testevo.sources.releases import release_commits, release_tree

JANUARY, MARCH = (2024, 1, 2, 3, 4, 6), (2024, 3, 2, 3, 4, 6)
MANIFEST = {"META-INF/MANIFEST.MF": b"m", "META-INF/maven/g/a/pom.xml": b"p", "META-INF/LICENSE.txt": b"l"}


def release(folder: Path, version: str, newest=JANUARY, main=None, test=None) -> Release:
    folder = folder / version
    folder.mkdir()
    (folder / "pom.xml").write_text(f"<project><version>{version}</version></project>")
    for jar, files in (
        ("sources.jar", main or {"g/A.java": b"A"}),
        ("test-sources.jar", test or {"g/ATest.java": b"T"}),
    ):
        with zipfile.ZipFile(folder / jar, "w") as archive:
            for number, (path, content) in enumerate((MANIFEST | files).items()):
                archive.writestr(zipfile.ZipInfo(path, newest if number == 1 else (2001, 1, 1, 0, 0, 0)), content)
    return Release(version, folder)


def seconds(*moment: int) -> int:
    return int(datetime(*moment, tzinfo=UTC).timestamp())


def test_the_maven_layout_is_rebuilt_from_both_jars(tmp_path):
    main = {"g/A.java": b"A", "g/a.properties": b"p", "META-INF/services/g.S": b"s"}
    test = {"g/ATest.java": b"T", "g/data.csv": b"1,2"}
    tree = release_tree(release(tmp_path, "1", main=main, test=test).folder)
    assert {path: content for path, content in tree.items() if path != "pom.xml"} == {
        "src/main/java/g/A.java": b"A",
        "src/main/resources/g/a.properties": b"p",
        "src/main/resources/META-INF/services/g.S": b"s",
        "src/test/java/g/ATest.java": b"T",
        "src/test/resources/g/data.csv": b"1,2",
    }
    assert b"<version>1</version>" in tree["pom.xml"]


def test_sources_that_jmh_made_are_left_out(tmp_path):
    made = (
        "g/generated/B_jmhType.java",
        "g/generated/B_run_jmhTest.java",
        "g/jmh_generated/B_jmhType_B1.java",
        "jmh_generated/C_jmhTest.java",
    )
    kept = ("g/BTest.java", "g/generated/Own.java", "g/A_jmhTest.java")
    test = dict.fromkeys((*made, *kept), b"T")
    tree = release_tree(release(tmp_path, "1", test=test).folder)
    assert {path for path in tree if path.startswith("src/test")} == {f"src/test/java/{path}" for path in kept}


def test_a_release_is_one_commit_dated_by_the_newest_file_of_its_sources_jar(tmp_path):
    commits = list(release_commits((release(tmp_path, "1"), release(tmp_path, "2", MARCH))))
    assert [(c.name, c.parents, c.committer_time) for c in commits] == [
        ("1", (), seconds(*JANUARY)),
        ("2", ("1",), seconds(*MARCH)),
    ]
    assert all(c.author_time == c.committer_time for c in commits)


def test_a_release_no_younger_than_the_one_before_is_dated_a_second_after_it(tmp_path):
    commits = list(release_commits((release(tmp_path, "1", MARCH), release(tmp_path, "2", JANUARY))))
    assert [c.committer_time for c in commits] == [seconds(*MARCH), seconds(*MARCH) + 1]


FAKE_MAVEN = """#!/bin/sh
# Copies what lies beside it, and says of the rest what Maven says.
for arg in "$@"; do case "$arg" in --offline) offline=1;; esac; done
here=$(dirname "$0")
for module in release-*; do
  version=$(sed -n 's:.*<artifactId>a</artifactId><version>\\([^<]*\\)</version>.*:\\1:p' $module/pom.xml)
  mkdir -p $module/files
  [ -d $here/$version ] && cp $here/$version/* $module/files/
  for name in sources test-sources; do
    [ -f $module/files/$name.jar ] || echo "[ERROR] $(cat $here/complaint) g:a:jar:$name:$version in central"
  done
done
exit 1
"""


@pytest.fixture
def maven(tmp_path, monkeypatch) -> Path:
    """A folder of published releases, served by a stand-in for Maven."""
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / "mvn").write_text(FAKE_MAVEN)
    (folder / "mvn").chmod(0o755)
    (folder / "complaint").write_text("Could not find artifact")
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def configured(*versions: str) -> Config:
    return Config(sources=Sources(releases=(ListedReleases(coordinates="g:a", versions=versions),)))


def test_a_release_that_lacks_a_jar_is_left_out_with_a_note(maven, tmp_path):
    for version, moment in (("1.1", JANUARY), ("1.2", MARCH)):
        release(maven, version, moment)
    (release(maven, "1.0").folder / "test-sources.jar").unlink()
    config = configured("1.0", "1.1", "1.2")
    place = MavenPlace(tmp_path / "repository")
    repository, folder = fetch(candidates(config)[0], config, tmp_path / "made", place)
    assert (repository.name, repository.rejection) == ("g/a", None)
    assert repository.detail == "left out: 1.0 (publishes no test-sources.jar)"
    assert [tag.name for tag in GitRepository(folder).tags()] == ["1.2", "1.1"]
    assert not (tmp_path / "made.downloads").exists()


def test_fewer_than_two_releases_are_rejected(maven, tmp_path):
    release(maven, "1.1")
    config = configured("1.0", "1.1")
    place = MavenPlace(tmp_path / "repository")
    repository, _ = fetch(candidates(config)[0], config, tmp_path / "made", place)
    assert repository.rejection is RepositoryRejection.RELEASES_UNAVAILABLE
    assert repository.detail == "1 of 2 releases of g:a can be used; left out: 1.0 (publishes no sources.jar)"


def test_a_failing_network_is_the_machine_s_fault_and_rejects_nothing(maven, tmp_path):
    release(maven, "1.1")
    (maven / "complaint").write_text("Could not transfer artifact")
    with pytest.raises(MachineError, match=r"g:a:1\.0.*build\.offline"):
        download_releases("g:a", ("1.0", "1.1"), tmp_path / "made", MavenPlace(tmp_path / "repository"))


def test_downloads_into_one_local_repository_take_turns(maven, tmp_path):
    """Two Mavens that download into it can break each other's files."""
    for version in ("1.1", "1.2"):
        release(maven, version)
    watch = 'mkdir "$(dirname "$0")/busy" || touch "$(dirname "$0")/two-at-once"; sleep 0.1\n'
    script = FAKE_MAVEN.replace("#!/bin/sh\n", f"#!/bin/sh\n{watch}").replace("exit 1", 'rmdir "$here/busy"; exit 1')
    (maven / "mvn").write_text(script)
    place = MavenPlace(tmp_path / "repository")
    with ThreadPoolExecutor(4) as threads:
        done = [
            threads.submit(download_releases, "g:a", ("1.1", "1.2"), tmp_path / f"{number}", place)
            for number in range(4)
        ]
        assert all(len(one.result().releases) == 2 for one in done)
    assert not (maven / "two-at-once").exists()


def test_without_network_an_earlier_refusal_is_remembered_and_an_unknown_artifact_is_not_rejected(maven, tmp_path):
    release(maven, "1.1")
    (maven / "complaint").write_text("Cannot access central in offline mode and the artifact")
    place = MavenPlace(tmp_path / "repository", offline=True)
    with pytest.raises(MachineError):
        download_releases("g:a", ("1.0", "1.1"), tmp_path / "made", place)
    note = tmp_path / "repository" / "g" / "a" / "1.0" / "a-1.0-sources.jar.lastUpdated"
    note.parent.mkdir(parents=True)
    note.write_text("#NOTE\nhttps\\://example/.lastUpdated=1\nhttps\\://example/.error=\n")
    assert download_releases("g:a", ("1.0", "1.1"), tmp_path / "made", place).lacking == (("1.0", "sources.jar"),)


@pytest.mark.maven
def test_real_releases_are_downloaded_once_and_found_again_without_network(tmp_path):
    """commons-cli 1.2 publishes no test sources."""
    coordinates, versions = "commons-cli:commons-cli", ("1.2", "1.5.0", "1.6.0")
    config = Config(sources=Sources(releases=(ListedReleases(coordinates=coordinates, versions=versions),)))
    made = []
    for offline in (False, True):
        place = MavenPlace(tmp_path / "repository", offline=offline)
        repository, folder = fetch(candidates(config)[0], config, tmp_path / f"made-{offline}", place)
        git = GitRepository(folder)
        made.append((repository.line(), [(tag.name, tag.revision) for tag in git.tags()]))
        assert "src/test/resources/org/apache/commons/cli/existing-readable.file" in git.paths("1.6.0")
    assert made[0] == made[1]
    assert [name for name, _ in made[0][1]] == ["1.6.0", "1.5.0"]
    assert "1.2 (publishes no test-sources.jar)" in made[0][0]
