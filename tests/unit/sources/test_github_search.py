"""The search of GitHub against the local server: complete, exactly once, within the limits, resumed, and locked."""

import gzip
import json
import random
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
import requests
from pydantic import SecretStr

from testevo.config.model import Config, GithubSearch, Sources
from testevo.records.snapshots.search import FoundRepository, SearchRejection
from testevo.runtime.errors import UsageError, UserError
from testevo.sources.candidates import candidates
from testevo.sources.github.api.answers import Answers
from testevo.sources.github.api.client import Client, NoAnswerError
from testevo.sources.github.api.tokens import read_tokens
from testevo.sources.github.discovery import expected_requests
from testevo.sources.github.lock import lock_of
from testevo.sources.github.run import MakeClient, search
from tests.github_server.faults import Fault, Faults
from tests.github_server.repositories import Repository, State, made
from tests.github_server.server import GithubServer, serving

TOKEN = "token-of-a-test"
KILLS = 20
SLACK = 2.5
"""Most requests with drift and faults, by those that a search of the same size takes without; 2.2 in eight seeds."""


class KilledError(BaseException):
    """The process ends here."""


class Mortal(requests.Session):
    """A session that ends the process in place of a request."""

    def __init__(self, lives: int) -> None:
        super().__init__()
        self.trust_env = False
        self.lives = lives

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        if self.lives == 0:
            raise KilledError
        self.lives -= 1
        return super().request(*arguments, **options)


def configured(folder: Path, **criteria: Any) -> Config:
    return Config(results=str(folder), sources=Sources(github=GithubSearch(**criteria)))


def client_for(
    server: GithubServer, tokens: tuple[str, ...] = (TOKEN,), lives: int = -1, reports: list[str] | None = None
) -> MakeClient:
    """What makes a client of the server, by the server's clock."""

    def make(answers: Answers, github: GithubSearch) -> Client:
        return Client(
            answers,
            [SecretStr(token) for token in tokens],
            server.address,
            budget=github.requests,
            session=Mortal(lives),
            clock=server.clock,
            seconds=0.5 if Fault.SLOW in server.faults.rates else 60,  # no other answer is to be given up
            report=(reports if reports is not None else []).append,
        )

    return make


def forbidden(answers: Answers, github: GithubSearch) -> Client:
    raise AssertionError("nothing may be asked")


def noise(first: int) -> list[Repository]:
    """Repositories that no search may show: too few stars, a fork, another language."""
    few, fork, kotlin = made(3, 1)
    few.stars, fork.fork, kotlin.language = 499, True, "Kotlin"
    for number, one in enumerate((few, fork, kotlin)):
        one.id, one.full_name = first + number, f"noise/{number}"
    return [few, fork, kotlin]


def one(name: str, number: int = 1, **fields: Any) -> Repository:
    """A repository that passes every check, but for the fields given."""
    repository = made(1, 3)[0]
    plain = {"licence": "MIT", "archived": False, "has_pom": True, "empty": False, "stars": 900, "id": number}
    for key, value in (plain | {"full_name": f"o/{name}"} | fields).items():
        setattr(repository, key, value)
    return repository


def outcomes(found: list[FoundRepository]) -> dict[str, str | None]:
    return {each.name: each.rejection and each.rejection.value for each in found}


def test_3000_repositories_are_found_once_each_with_drift_and_faults_within_the_limits(tmp_path: Path) -> None:
    repositories = [*made(3000, 1, busy=1200), *noise(50_000)]
    server = GithubServer(repositories, faults=Faults.many(1), drift_floor=500)
    with serving(server):
        found = search(configured(tmp_path), client_for(server)).repositories
    assert sorted(each.id or 0 for each in found) == sorted(each.id for each in repositories[:3000])
    assert (server.quotas.exceeded, server.quotas.impatient) == (0, 0)
    assert len(server.struck) - server.struck.count(Fault.NONE) > 15
    assert len(server.served) <= SLACK * expected_requests(3000)


@pytest.mark.parametrize("fault", [each for each in Fault if each is not Fault.NONE], ids=lambda each: each.value)
def test_each_fault_is_overcome(tmp_path: Path, fault: Fault) -> None:
    """It strikes the first request, and every third or so of the others."""
    with serving(GithubServer([one("a"), one("b", 2)], faults=Faults({fault: 0.4}, seed=7))) as server:
        found = search(configured(tmp_path), client_for(server)).repositories
    assert outcomes(found) == {"o/a": None, "o/b": None}
    assert server.struck[0] is fault
    assert (server.quotas.exceeded, server.quotas.impatient) == (0, 0)


def test_a_search_killed_at_20_points_asks_nothing_twice_and_finds_the_same(tmp_path: Path) -> None:
    repositories = made(1050, 5, busy=800)
    draw = random.Random(5)
    killed = 0
    with serving(GithubServer(repositories)) as server:
        config = configured(tmp_path / "killed")
        for _ in range(KILLS):
            with pytest.raises(KilledError):
                search(config, client_for(server, lives=draw.randrange(3)))
            killed += 1
        search(config, client_for(server))
    asked = [target for target, _ in server.served]
    assert killed == KILLS
    assert len(asked) == len(set(asked))
    with serving(GithubServer(repositories)) as other:
        search(configured(tmp_path / "whole"), client_for(other))
    assert lock_of(config).read_bytes() == lock_of(configured(tmp_path / "whole")).read_bytes()


def test_a_second_run_is_identical_and_asks_nothing_with_the_lock_or_with_the_answers(tmp_path: Path) -> None:
    config = configured(tmp_path)
    with serving(GithubServer(made(150, 2), drift_floor=500)) as server:
        first = search(config, client_for(server))
    locked = lock_of(config).read_bytes()
    assert search(config, forbidden) == first
    assert search(configured(tmp_path / "elsewhere", lock=str(lock_of(config))), forbidden) == first
    lock_of(config).unlink()
    assert search(config, client_for(server, lives=0)) == first
    assert lock_of(config).read_bytes() == locked
    assert first.summary.first_day == first.summary.last_day == "2026-05-28"


def test_a_lock_file_of_other_criteria_is_refused_and_so_are_candidates_before_the_search(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="target `search`"):
        candidates(configured(tmp_path))
    with serving(GithubServer([one("a"), one("b", 2, has_pom=False)])) as server:
        search(configured(tmp_path), client_for(server))
    assert [each.name for each in candidates(configured(tmp_path))] == ["o/a"]
    with pytest.raises(UsageError, match="other values of forks, stars"):
        candidates(configured(tmp_path, stars=100, forks=3))


CHECKED = (
    ({}, {}, None),
    ({"archived": True}, {}, None),
    ({"archived": True}, {"archived": False, "names": True}, "archived"),
    ({"stars": 499}, {"names": True}, "few_stars"),
    ({"forks": 3}, {"forks": 4, "names": True}, "few_forks"),
    ({"size": 10}, {"size_kb": 9, "names": True}, "too_large"),
    ({"size": 10}, {"size_kb": 10}, None),
    ({"fork": True}, {"names": True}, "fork"),
    ({"language": "Kotlin"}, {"names": True}, "not_java"),
    ({}, {"pushed_since": "2026-05-20", "names": True}, "not_pushed"),
    ({}, {"created_until": "2008-02-01", "names": True}, "too_young"),
    ({"licence": None}, {}, "no_licence"),
    ({"licence": "NOASSERTION"}, {}, "unknown_licence"),
    ({"licence": "GPL-3.0"}, {}, None),
    ({"licence": "GPL-3.0"}, {"licences": "permissive"}, "other_licence"),
    ({"licence": "MIT"}, {"licences": ("Apache-2.0",)}, "other_licence"),
    ({"empty": True}, {}, "empty"),
    ({"has_pom": False}, {}, "no_build_file"),
    ({"languages": {"Java": 1, "Kotlin": 3}}, {"java_share": 0.3}, "little_java"),
    ({"languages": {"Java": 1, "Kotlin": 3}}, {"java_share": 0.25}, None),
    ({"state": State.DELETED}, {}, "gone"),
    ({"state": State.BLOCKED}, {}, "blocked"),
)


@pytest.mark.parametrize(("fields", "criteria", "reason"), CHECKED)
def test_each_check_has_a_named_reason_and_its_bound_passes(
    tmp_path: Path, fields: dict[str, Any], criteria: dict[str, Any], reason: str | None
) -> None:
    """Some reasons the query itself leaves out, so that only a repository that was named can have them."""
    criteria = dict(criteria)
    if criteria.pop("names", False):
        (tmp_path / "names.csv").write_text("o/a\n")
        criteria["names"] = str(tmp_path / "names.csv")
    with serving(GithubServer([one("a", **fields)])) as server:
        found = search(configured(tmp_path, **criteria), client_for(server)).repositories
    assert outcomes(found) == {"o/a": reason}


@pytest.mark.parametrize("tokens", [(TOKEN,), ()], ids=["graphql", "rest"])
def test_what_has_moved_is_recorded_by_its_new_name_with_head_and_share(
    tmp_path: Path, tokens: tuple[str, ...]
) -> None:
    with serving(GithubServer([one("new", listed_as="o/old")])) as server:
        (found,) = search(configured(tmp_path), client_for(server, tokens)).repositories
    assert (found.name, found.found_as, found.rejection) == ("o/new", "o/old", None)
    assert (found.clone_url, found.head) == ("https://github.com/o/new.git", server.repositories[0].head)
    assert 0 < (found.java_share or 0) <= 1


def test_a_part_of_a_description_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    with serving(GithubServer([one("a"), one("b", 2)], faults=Faults({Fault.PARTIAL: 1.0}))) as server:
        found = search(configured(tmp_path), client_for(server)).repositories
    assert outcomes(found) == {"o/a": None, "o/b": None}
    assert all(each.head and each.java_share for each in found)


def test_named_repositories_pass_the_same_checks_and_each_name_gives_one_record(tmp_path: Path) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text("repo,stars\no/a,1\nhttps://github.com/o/b.git,2\nO/A,3\no/missing,4\n")
    with serving(GithubServer([one("a"), one("b", 2, stars=3)])) as server:
        config = configured(tmp_path, names=str(listed))
        found = search(config, client_for(server)).repositories
    assert outcomes(found) == {"o/a": None, "o/b": "few_stars", "o/missing": "gone"}
    elsewhere = tmp_path / "elsewhere.csv"
    elsewhere.write_bytes(listed.read_bytes())
    assert search(configured(tmp_path, names=str(elsewhere)), forbidden).repositories == found
    with pytest.raises(UsageError, match="other values of names in"):
        search(configured(tmp_path), forbidden)
    listed.write_text("o/a\n")
    with pytest.raises(UsageError, match="content of the file"):
        search(config, forbidden)
    listed.write_text("no repository\n")
    lock_of(config).unlink()
    with pytest.raises(UserError, match="is neither owner/name"):
        search(config, client_for(server))


def test_tokens_are_in_no_file_no_report_and_no_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tokens = ("first-secret", "second-secret", "expired-secret")
    reports: list[str] = []
    with serving(GithubServer(made(300, 4), faults=Faults.many(4), tokens=tokens[:2])) as server:
        search(configured(tmp_path), client_for(server, tokens, reports=reports))
        with pytest.raises(UserError, match="none of the tokens") as refused:
            search(configured(tmp_path / "b"), client_for(server, tokens[2:], reports=reports))
    written = [
        gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        for file in tmp_path.rglob("*")
        if file.is_file()
    ]
    said = b"\n".join(
        [*written, *(line.encode() for line in reports), "".join(format_exception(refused.value)).encode()]
    )
    assert len(written) > 5
    assert any("token 3 (401)" in line for line in reports)
    assert b"secret" not in said + "".join(capfd.readouterr()).encode()


def test_tokens_come_from_the_environment_and_go_nowhere_unprotected(tmp_path: Path) -> None:
    several = read_tokens({"TESTEVO_GITHUB_TOKENS": "a, b a", "GITHUB_TOKEN": "c"})
    assert [token.get_secret_value() for token in several] == ["a", "b"]
    assert "a" not in str(several[0])
    assert read_tokens({}) == ()
    with pytest.raises(UsageError, match="https only"):
        Client(Answers(tmp_path), several, "http://api.example.org", budget=1)
    with pytest.raises(UsageError, match="not an address"):
        Client(Answers(tmp_path), (), "api.example.org", budget=1)


def test_several_tokens_wait_less_for_the_limit_of_searches(tmp_path: Path) -> None:
    slept = []
    for tokens in (("a",), ("a", "b")):
        with serving(GithubServer([one("a")], tokens=tokens)) as server:
            client = client_for(server, tokens)(Answers(tmp_path / "+".join(tokens)), GithubSearch())
            for stars in range(70):
                client.get("/search/repositories", {"q": f"stars:>={stars}"})
        assert (server.quotas.exceeded, server.quotas.impatient) == (0, 0)
        slept.append(server.clock.slept)
    assert 120 <= slept[0] < 130
    assert 60 <= slept[1] < 70


def test_a_known_answer_is_asked_about_by_its_etag_and_costs_nothing(tmp_path: Path) -> None:
    with serving(GithubServer([one("a")])) as server:
        client = client_for(server)(Answers(tmp_path), GithubSearch())
        first = client.get("/repos/o/a")
        again = client.get("/repos/o/a", time=1)
        assert client.get("/repos/o/a", time=1) == again
    assert first.body == again.body
    assert [status for _, status in server.served] == [200, 304]
    assert server.quotas.headers(TOKEN, "core")["x-ratelimit-used"] == "1"


def test_a_search_larger_than_its_budget_is_refused_before_and_stopped_within(tmp_path: Path) -> None:
    with serving(GithubServer(made(300, 7))) as server:
        with pytest.raises(UserError, match="allows 3"):
            search(configured(tmp_path / "a", requests=3), client_for(server))
        assert len(server.served) == 3
        server.faults = Faults({Fault.BAD_GATEWAY: 1.0})
        with pytest.raises(UserError, match="used up its 2 requests"):
            search(configured(tmp_path / "b", requests=2), client_for(server))


def test_a_server_that_always_fails_is_the_machines_fault_and_leaves_no_lock(tmp_path: Path) -> None:
    faults = Faults({Fault.CUT: 1.0})
    with serving(GithubServer([one("a")], faults=faults)) as server, pytest.raises(NoAnswerError, match="6 times"):
        search(configured(tmp_path), client_for(server))
    assert not lock_of(configured(tmp_path)).exists()


def test_a_damaged_answer_is_named_and_not_believed(tmp_path: Path) -> None:
    config = configured(tmp_path)
    with serving(GithubServer([one("a")])) as server:
        search(config, client_for(server))
        lock_of(config).unlink()
        kept = sorted(tmp_path.rglob("*.json.gz"))
        assert json.loads(gzip.decompress(kept[0].read_bytes())).keys() == {"request", "answer"}
        kept[0].write_bytes(kept[0].read_bytes()[:-9])
        with pytest.raises(UserError, match=f"{kept[0].name} is damaged"):
            search(config, client_for(server))


def test_every_reason_is_tested() -> None:
    """But for one that the public API cannot show to those without access."""
    assert {reason for *_, reason in CHECKED if reason} == {each.value for each in SearchRejection} - {"not_public"}
