"""The workflow and `testevo mine` search GitHub first, and go on with what was found."""

import os
from pathlib import Path

from snapshots import Snapshot, command_line, jobs_of

from testevo.records.base import read_records
from testevo.records.search import FoundRepository
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
