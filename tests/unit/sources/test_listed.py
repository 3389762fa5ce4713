"""The source `list` and the door to all sources: what can be named, and how each failure is recorded (TEB-M06)."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from testevo.config.model import Config, ListedReleases, ListedRepository, Sources
from testevo.history.bundle import clone_history
from testevo.records.repository import RepositoryRejection
from testevo.runtime.errors import MachineError, UsageError
from testevo.sources import listed
from testevo.sources.candidates import candidates
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.fetch import fetch
from testevo.sources.git_clone import GitError


@pytest.fixture
def origin(tmp_path):
    """A bare git folder with one commit on main."""
    tree = {"pom.xml": MadeFile(b"<project/>")}
    return make_history(tmp_path / "origin.git", [MadeCommit("a", "a", 1000, 1000, (), tree)], {}).folder


def configured(address=None, mirror=None, name="owner/name", start=None):
    entry = ListedRepository(name=name, address=address and str(address), start=start)
    return Config(sources=Sources(repositories=(entry,), mirror=mirror and str(mirror)))


def brought(config, tmp_path):
    return fetch(candidates(config)[0], config, tmp_path / "made")


def test_a_bare_folder_a_work_tree_and_a_bundle_are_taken_as_they_are(origin, tmp_path):
    subprocess.run(["git", "clone", "--quiet", origin, tmp_path / "tree"], check=True)
    bundle = tmp_path / "x.bundle"
    subprocess.run(["git", "--git-dir", origin, "bundle", "create", "-q", bundle, "main"], check=True)
    for address in (origin, tmp_path / "tree", bundle):
        config = configured(address)
        repository, place = brought(config, tmp_path)
        assert (repository.rejection, place) == (None, address)
        cloned = clone_history(repository, place, tmp_path / "out.bundle", config.rules.walk)
        assert (cloned.rejection, cloned.start) == (None, "main")


def test_a_mirror_template_finds_local_clones_and_its_folder_stays_out_of_the_record(origin, tmp_path):
    (tmp_path / "mirror").mkdir()
    origin.rename(tmp_path / "mirror" / "owner+name")
    config = configured(mirror=tmp_path / "mirror" / "{owner}+{name}")
    repository, place = brought(config, tmp_path)
    assert place == tmp_path / "mirror" / "owner+name"
    assert str(tmp_path) not in repository.line()
    assert repository.web_url == "https://github.com/owner/name"


def test_an_address_is_cloned_also_where_a_killed_run_left_something(origin, tmp_path):
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "left").touch()
    repository, place = brought(configured(f"file://{origin}"), tmp_path)
    assert (repository.rejection, place) == (None, tmp_path / "made")
    assert (place / "HEAD").is_file()


def test_a_clone_that_was_killed_is_tried_again_in_an_empty_folder(origin, tmp_path, monkeypatch):
    """As one past its time limit: what it left would make git refuse, and hide the first reason."""
    monkeypatch.setattr(listed, "time", SimpleNamespace(sleep=lambda seconds: None))
    first, git = listed.run_git, []

    def killed_once(arguments, **options):
        git.append(arguments)
        if len(git) == 1:
            (Path(arguments[-1]) / "objects").mkdir(parents=True)
            raise GitError("clone", "it took too long")
        return first(arguments, **options)

    monkeypatch.setattr(listed, "run_git", killed_once)
    config = configured(f"file://{origin}")
    repository, _ = brought(config, tmp_path)
    assert (repository.rejection, len(git)) == (None, 2)


def test_an_address_that_cannot_be_cloned_is_rejected_after_some_attempts(tmp_path, monkeypatch):
    waits = []
    monkeypatch.setattr(listed, "time", SimpleNamespace(sleep=waits.append))
    repository, _ = brought(configured(f"file://{tmp_path}/nothing"), tmp_path)
    assert repository.rejection is RepositoryRejection.CLONE_FAILED
    assert "cannot be cloned" in (repository.detail or "")
    assert waits == [1, 2]


def test_without_any_network_no_repository_is_blamed(tmp_path, monkeypatch):
    """An address elsewhere is then the machine's fault; the first attempt says so."""
    monkeypatch.setattr(listed, "has_network", lambda: False)
    with pytest.raises(MachineError, match=r"https://0\.0\.0\.0:9/x cannot be cloned: this machine has no network"):
        brought(configured("https://0.0.0.0:9/x"), tmp_path)


@pytest.mark.parametrize("kind", ["nothing", "folder", "file"])
def test_what_is_no_repository_is_rejected_with_a_sentence(tmp_path, kind):
    address = tmp_path / "address"
    if kind == "folder":
        address.mkdir()
    if kind == "file":
        address.write_text("no bundle")
    repository, _ = brought(configured(address), tmp_path)
    assert repository.rejection is RepositoryRejection.CLONE_FAILED
    sentences = {"nothing": "no folder or file", "folder": "is not a git repository", "file": "is not a git bundle"}
    assert sentences[kind] in (repository.detail or "")


def test_a_plain_folder_inside_a_work_tree_is_not_taken_for_that_repository(tmp_path):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "plain").mkdir()
    repository, _ = brought(configured(tmp_path / "plain"), tmp_path)
    assert repository.rejection is RepositoryRejection.CLONE_FAILED


def test_a_repository_without_address_and_mirror_is_refused():
    with pytest.raises(UsageError, match=r"owner/name has no address"):
        candidates(configured())


def test_a_mirror_template_with_other_places_to_fill_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"\{owner\} and \{name\}"):
        brought(configured(mirror="{folder}/{name}"), tmp_path)


def test_one_name_may_be_used_only_once(tmp_path):
    entry = ListedRepository(name="g/a", address="x")
    releases = ListedReleases(coordinates="g:a", versions=("1", "2"))
    with pytest.raises(UsageError, match=r"g\+a more than once"):
        candidates(Config(sources=Sources(repositories=(entry,), releases=(releases,))))


def test_a_configuration_without_any_source_names_the_next_step():
    with pytest.raises(UsageError, match=r"sources\.worlds"):
        candidates(Config())
