"""`clone_url`: the public address of a history's origin, or the reason why there is none."""

import subprocess
from pathlib import Path

import pytest

from testevo.config.model import Config, ListedRepository, Sources
from testevo.records.repository import Repository, SourceKind
from testevo.sources.candidates import candidates
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.fetch import fetch
from testevo.sources.origin import public_url, with_clone_url


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://github.com/o/r", "https://github.com/o/r.git"),
        ("https://github.com/o/r.git/", "https://github.com/o/r.git"),
        ("https://user:secret@github.com/o/r.git?token=x#y", "https://github.com/o/r.git"),
        ("git@github.com:o/r.git", "https://github.com/o/r.git"),
        ("github.com:o/r", "https://github.com/o/r.git"),
        ("ssh://git@gitlab.com:2222/group/sub/r.git", "https://gitlab.com/group/sub/r.git"),
        ("git://example.org/r", "https://example.org/r"),
        ("http://example.org:8080/r.git", "http://example.org:8080/r.git"),
        ("https://example.org:8443/r", "https://example.org:8443/r"),
        ("/some/folder", None),
        ("../r", None),
        ("C:/some/folder", None),
        ("file:///some/folder", None),
        ("https://localhost/o/r.git", None),
        ("https://127.0.0.1/o/r.git", None),
        ("ssh://build-host/r.git", None),
        ("https://git.company.internal/o/r.git", None),
        ("git@10.0.0.3:o/r.git", None),
        ("https://example.org", None),
        ("https://[broken/o/r", None),
    ],
)
def test_an_address_is_public_without_credentials_or_none(address: str, expected: str | None) -> None:
    assert public_url(address) == expected


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A git folder with one commit."""
    tree = {"pom.xml": MadeFile(b"<project/>")}
    return make_history(tmp_path / "clone.git", [MadeCommit("a", "a", 1000, 1000, (), tree)], {}).folder


def brought(place: Path, tmp_path: Path) -> Repository:
    entry = ListedRepository(name="owner/name", address=str(place))
    config = Config(sources=Sources(repositories=(entry,)))
    return fetch(candidates(config)[0], config, tmp_path / "made")[0]


def test_a_local_clone_goes_by_its_origin(clone: Path, tmp_path: Path) -> None:
    subprocess.run(
        ["git", "--git-dir", clone, "remote", "add", "origin", "https://me:token@github.com/owner/name"], check=True
    )
    repository = brought(clone, tmp_path)
    assert (repository.clone_url, repository.clone_url_reason) == ("https://github.com/owner/name.git", None)
    assert "token" not in repository.line()


def test_a_local_clone_of_another_local_clone_has_a_reason_instead(clone: Path, tmp_path: Path) -> None:
    assert brought(clone, tmp_path).clone_url_reason == "the local clone has no remote called origin"
    subprocess.run(["git", "--git-dir", clone, "remote", "add", "origin", tmp_path / "elsewhere"], check=True)
    repository = brought(clone, tmp_path)
    assert repository.clone_url is None
    assert repository.clone_url_reason == "the origin of the local clone is not a public address"


def test_a_bundle_does_not_say_where_it_comes_from(clone: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "x.bundle"
    subprocess.run(["git", "--git-dir", clone, "bundle", "create", "-q", bundle, "main"], check=True)
    repository = brought(bundle, tmp_path)
    assert repository.clone_url is None and "bundle" in str(repository.clone_url_reason)


@pytest.mark.parametrize(
    ("source", "address", "reason"),
    [(SourceKind.WORLDS, "savings", "embedded"), (SourceKind.RELEASES, "g:a", "published releases of g:a")],
)
def test_made_histories_can_be_cloned_nowhere(source: SourceKind, address: str, reason: str, tmp_path: Path) -> None:
    repository = with_clone_url(Repository(name="o/r", source=source, address=address), tmp_path)
    assert repository.clone_url is None and reason in str(repository.clone_url_reason)


def test_a_mirror_without_origin_is_a_clone_of_its_page(clone: Path) -> None:
    found = Repository(name="o/r", source=SourceKind.LIST, address="mirror:o/r", web_url="https://github.com/o/r")
    assert with_clone_url(found, clone).clone_url == "https://github.com/o/r.git"
