"""The workflow and `testevo mine` search GitHub first, and go on with what was found."""

import os
import sys
from pathlib import Path

import pytest
import yaml
from snapshots import PROJECT, Snapshot, command_line, jobs_of, one_message, warm_cache

from testevo.config.snapshot.layout import Layout
from testevo.records.base import read_records
from testevo.records.repository import Repository, RepositoryRejection
from testevo.records.snapshots.search import FoundRepository
from testevo.records.tasks import Task
from tests.github_server.repositories import made
from tests.github_server.server import GithubServer, serving

TOKEN = "token-of-a-test"


def test_the_stage_search_comes_first_and_each_repository_that_passed_is_then_cloned(tmp_path: Path) -> None:
    with serving(GithubServer(made(40, 1))) as server:
        snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"github": {"api": server.address}})
        searched = snapshot.run(snapshot.workflow("search"), env=os.environ | {"TESTEVO_GITHUB_TOKENS": TOKEN})
    assert searched.returncode == 0, searched.stderr
    planned = snapshot.run(snapshot.workflow("--dry-run"))
    jobs = jobs_of(planned.stdout + planned.stderr)
    found = read_records(snapshot.layout.found, FoundRepository)
    assert len(found) == 40
    assert jobs.count("clone") == sum(one.rejection is None for one in found) > 10
    assert "search" not in jobs


def test_the_command_mine_searches_and_says_where_nothing_is_left(tmp_path: Path) -> None:
    repositories = made(2, 1)
    for one in repositories:
        one.licence = None
    with serving(GithubServer(repositories)) as server:
        snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"github": {"api": server.address}})
        mined = snapshot.run(command_line("mine", "--configuration", "snapshot.yaml"))
    assert mined.returncode == 2, mined.stderr
    assert "a search whose repositories are all rejected" in mined.stderr
    assert snapshot.layout.github_lock.is_file()


def test_the_command_search_checks_what_a_file_names_and_again_once_its_lock_is_deleted(tmp_path: Path) -> None:
    first, second = made(2, 1)
    first.licence, second.licence, second.has_pom, second.empty = None, "MIT", True, False
    (tmp_path / "list.csv").write_text(f"repo\n{first.full_name}\n{second.full_name}\no/missing\n")
    with serving(GithubServer([first, second])) as server:
        snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"github": {"api": server.address}})
        command = command_line("search", "--configuration", "snapshot.yaml", "--from", "list.csv")
        searched = snapshot.run(command)
        asked = len(server.served)
        snapshot.layout.github_lock.unlink()
        again = snapshot.run([*command, "--json"])
    assert searched.returncode == 0, searched.stderr
    rows = {line.split()[0]: line for line in searched.stdout.splitlines() if "/" in line.split("  ")[0]}
    assert "no_licence" in rows[first.full_name] and "candidate" in rows[second.full_name]
    assert "gone" in rows["o/missing"]
    assert "1 of 3 repositories are candidates. Mine them: testevo mine --configuration" in searched.stdout
    given = searched.stdout.rstrip().rpartition(" ")[2]
    assert yaml.safe_load((tmp_path / given).read_text())["sources"]["github"]["names"] == str(tmp_path / "list.csv")
    assert len(again.stdout.splitlines()) == 3, again.stderr
    assert snapshot.layout.github_lock.is_file()
    assert len(server.served) == asked  # by the answers that were kept


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--from", "missing.csv"), 3, "missing.csv cannot be read"),
        (("--from", "snapshot.yaml"), 3, "snapshot.yaml, line 1: "),
        (("--configuration", "snapshot.yaml"), 2, "snapshot.yaml has no `sources.github`"),
    ],
)
def test_the_command_search_refuses_what_it_cannot_use_before_it_asks(
    tmp_path: Path, arguments: tuple[str, ...], status: int, message: str
) -> None:
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": ["greetings"]})
    assert message in one_message(snapshot.run(command_line("search", *arguments)), status)
    assert not (tmp_path / "results").exists()


@pytest.mark.maven
def test_a_local_github_is_searched_cloned_over_http_and_mined(tmp_path: Path, shared_cache: Path) -> None:
    """`make live` with one small history."""
    folder, cache = tmp_path / "live", warm_cache(shared_cache, tmp_path / "cache")
    command = [sys.executable, "-m", "tests.github_server", "--worlds", "savings", "--no-releases"]
    live = Snapshot(PROJECT).run([*command, "--folder", str(folder), "--cache", str(cache)])
    assert live.returncode == 0, live.stdout + live.stderr
    assert "worlds/savings 501 MIT candidate found as first-name/thing" in " ".join(live.stdout.split())
    layout = Layout(folder / "snapshot")
    rejected = {one.name: one.rejection for one in read_records(layout.repositories, Repository)}
    assert rejected == {"worlds/savings": None, "leaver/thing": None}
    (cloned,) = read_records(layout.of_repository("worlds+savings").repository, Repository)
    (left,) = read_records(layout.of_repository("leaver+thing").repository, Repository)
    assert (
        cloned.clone_url is None and cloned.clone_url_reason == "the origin of the local clone is not a public address"
    )
    assert left.rejection is RepositoryRejection.CLONE_FAILED and "does not exist" in (left.detail or "")
    assert len(read_records(layout.of_repository("worlds+savings").tasks, Task)) == 2
