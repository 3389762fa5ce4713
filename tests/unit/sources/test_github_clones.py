"""What becomes of a repository between the search and its clone over HTTP: each end is a record with its reason."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from testevo.config.model import Config, ListedRepository, Sources
from testevo.records.repository import Repository, RepositoryRejection
from testevo.sources import listed
from testevo.sources.candidates import candidates
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.fetch import fetch
from testevo.sources.git_clone import run_git
from tests.github_server.faults import Fault, Faults
from tests.github_server.repositories import State, made
from tests.github_server.server import GithubServer, serving


class Once(Faults):
    """The first request goes wrong, the others do not."""

    def drawn(self, draw: object) -> Fault:
        return self.rates.popitem()[0] if self.rates else Fault.NONE


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GithubServer]:
    """It has one history, `o/new`, which was `o/old` before; nobody waits between attempts."""
    monkeypatch.setattr(listed, "time", SimpleNamespace(sleep=lambda seconds: None))
    monkeypatch.setattr(listed, "SILENCE", 1)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / "served" / "o").mkdir(parents=True)
    commit = MadeCommit("a", "a", 1000, 1000, (), {"pom.xml": MadeFile(b"<project/>")})
    make_history(tmp_path / "served" / "o" / "new.git", [commit], {})
    (repository,) = made(1, 1)
    repository.full_name, repository.listed_as = "o/new", "o/old"
    with serving(GithubServer([repository], histories=tmp_path / "served")) as server:
        yield server


def cloned(server: GithubServer, name: str, folder: Path) -> tuple[Repository, Path]:
    entry = ListedRepository(name=name, address=f"{server.address}/{name}.git")
    config = Config(sources=Sources(repositories=(entry,)))
    return fetch(candidates(config)[0], config, folder / "clone")


@pytest.mark.parametrize("name", ["o/new", "o/old"])
@pytest.mark.parametrize("fault", [None, Fault.BAD_GATEWAY, Fault.SECONDARY, Fault.CUT, Fault.SLOW])
def test_a_history_is_cloned_also_after_a_renaming_and_a_passing_fault(
    server: GithubServer, tmp_path: Path, name: str, fault: Fault | None
) -> None:
    server.faults = Once({fault: 1.0} if fault else {})
    repository, place = cloned(server, name, tmp_path)
    assert repository.rejection is None, repository.detail
    assert run_git(["rev-list", "--all"], repository=place)[1].count(b"\n") == 1


@pytest.mark.parametrize(
    ("state", "fault", "said"),
    [
        (State.DELETED, Fault.NONE, "it does not exist, or it is not public"),
        (State.BLOCKED, Fault.NONE, "451"),
        (State.THERE, Fault.BAD_GATEWAY, "502"),
        (State.THERE, Fault.CUT, ""),
        (State.THERE, Fault.SLOW, "too slow"),
    ],
)
def test_what_cannot_be_cloned_is_recorded_with_what_git_was_told(
    server: GithubServer, tmp_path: Path, state: State, fault: Fault, said: str
) -> None:
    server.repositories[0].state = state
    server.faults = Faults({fault: 1.0})
    repository, _ = cloned(server, "o/new", tmp_path)
    assert repository.rejection is RepositoryRejection.CLONE_FAILED
    assert f"{server.address}/o/new.git cannot be cloned: " in (repository.detail or "")
    assert said in (repository.detail or "")
    assert len(server.served) >= listed.ATTEMPTS
