"""The documented form of GitHub's answers (`shapes.json`): the client reads it, and the local server keeps to it.

The file was written after the documentation of GitHub; nobody has recorded a real answer in it.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import requests
from pydantic import SecretStr

from testevo.config.model import Config, GithubSearch, Sources
from testevo.records.snapshots.search import FoundRepository, SearchRejection
from testevo.runtime.errors import UserError
from testevo.sources.github.api.answers import Answers
from testevo.sources.github.api.client import Client
from testevo.sources.github.run import search
from tests.github_server.quotas import Clock
from tests.github_server.repositories import State, made
from tests.github_server.server import GithubServer, serving

SHAPES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "github_server" / "shapes.json").read_bytes()
)
TOKEN = "token-of-a-test"
REPOSITORY = "/repos/owner/thing"


class Recorded(requests.Session):
    """Answers in the order given, whatever is asked."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = list(names)

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        shape = SHAPES[self.names.pop(0)]
        response = requests.Response()
        response.status_code = shape["status"]
        response.headers.update(shape["headers"])
        response._content = json.dumps(shape["body"]).encode()
        return response


def searched(folder: Path, *names: str, **criteria: Any) -> FoundRepository:
    """The one repository that a search finds which is answered so."""
    session, clock = Recorded(*names), Clock()

    def make(answers: Answers, github: GithubSearch) -> Client:
        token = SecretStr(TOKEN)
        return Client(answers, [token], github.api, budget=50, session=session, clock=clock, report=lambda said: None)

    config = Config(results=str(folder), sources=Sources(github=GithubSearch(**criteria)))
    (found,) = search(config, make).repositories
    assert session.names == []
    return found


def test_a_search_reads_the_documented_answers(tmp_path: Path) -> None:
    found = searched(tmp_path, "search", "graphql")
    assert found == FoundRepository(
        id=4711,
        name="owner/thing",
        web_url="https://github.com/owner/thing",
        clone_url="https://github.com/owner/thing.git",
        stars=1523,
        forks=310,
        archived=False,
        size_kb=5240,
        licence="Apache-2.0",
        created="2012-01-01T00:31:50Z",
        pushed="2025-01-01T00:37:02Z",
        default_branch="main",
        head="0123456789abcdef0123456789abcdef01234567",
        java_share=0.9,
    )


@pytest.mark.parametrize("limit", ["primary_limit", "secondary_limit"])
def test_documented_limits_are_waited_for(tmp_path: Path, limit: str) -> None:
    assert searched(tmp_path, limit, "search", "graphql").rejection is None


@pytest.mark.parametrize(
    ("answer", "reason", "said"),
    [
        ("not_found", SearchRejection.GONE, "status 404: Not Found"),
        ("blocked", SearchRejection.BLOCKED, "status 451: Repository access blocked (dmca)"),
    ],
)
def test_a_repository_that_is_there_no_more_is_recorded_with_githubs_words(
    tmp_path: Path, answer: str, reason: SearchRejection, said: str
) -> None:
    found = searched(tmp_path, "search", "graphql_missing", answer)
    assert (found.name, found.rejection, found.detail) == ("owner/thing", reason, said)


def test_a_name_that_another_repository_has_taken_is_gone(tmp_path: Path) -> None:
    """Asked for by REST, which knows names alone."""
    old, new = made(2, 1)
    old.full_name, old.listed_as, new.full_name, new.language = "o/elsewhere", "o/thing", "o/thing", "Kotlin"
    old.licence = "MIT"

    def make(answers: Answers, github: GithubSearch) -> Client:
        return Client(answers, [], server.address, budget=50, clock=server.clock, report=lambda said: None)

    with serving(GithubServer([old, new])) as server:
        config = Config(results=str(tmp_path), sources=Sources(github=GithubSearch()))
        (found,) = search(config, make).repositories
    assert (found.name, found.rejection) == ("o/thing", SearchRejection.GONE)
    assert found.detail == "o/thing is another one now"


@pytest.mark.parametrize("answer", ["bad_credentials", "invalid"])
def test_a_refused_token_and_a_refused_question_are_errors_that_say_so(tmp_path: Path, answer: str) -> None:
    said = "accepts none of the tokens" if answer == "bad_credentials" else "status 422 .Validation Failed"
    with pytest.raises(UserError, match=said):
        searched(tmp_path, answer)


def test_a_place_that_never_ends_and_one_on_another_host_are_refused(tmp_path: Path) -> None:
    client = Client(Answers(tmp_path / "a"), [], "https://api.github.com", budget=9, session=Recorded(*["moved"] * 9))
    with pytest.raises(UserError, match="has moved 5 times"):
        client.get(REPOSITORY)
    client = Client(Answers(tmp_path / "b"), [], "https://ghe.example/api", budget=9, session=Recorded("moved"))
    with pytest.raises(UserError, match=r"has moved to api\.github\.com"):
        client.get(REPOSITORY)


def test_the_local_server_answers_in_the_documented_form() -> None:
    """Each of its fields is a documented one of the same type; it may lack some."""
    (thing,) = made(1, 1)
    thing.full_name, thing.listed_as, thing.licence, thing.has_pom, thing.empty = "o/a", "o/old", "MIT", True, False
    server = GithubServer([thing], tokens=(TOKEN,), address="https://api.github.com")
    question = json.dumps({"query": "query($ids: [ID!]!) { nodes(ids: $ids) { id } }", "variables": {"ids": ["?"]}})
    asked = {
        "search": ("GET", "/search/repositories?q=stars:>=1", b""),
        "graphql_missing": ("POST", "/graphql", question.encode()),
        "not_found": ("GET", "/repos/o/nothing", b""),
        "moved": ("GET", "/repos/o/old", b""),
        "commits": ("GET", "/repos/o/a/commits", b""),
        "content": ("GET", "/repos/o/a/contents/pom.xml", b""),
        "languages": ("GET", "/repos/o/a/languages", b""),
    }
    signed = {"authorization": f"Bearer {TOKEN}"}
    for name, (method, target, body) in asked.items():
        assert_alike(name, server.reply(method, target, signed, body)[0])
    thing.state = State.BLOCKED
    assert_alike("blocked", server.reply("GET", "/repos/o/a", signed, b"")[0])
    thing.state, thing.empty = State.THERE, True
    assert_alike("no_commit", server.reply("GET", "/repos/o/a/commits", signed, b"")[0])
    assert_alike("bad_credentials", server.reply("GET", "/repos/o/a", {"authorization": "Bearer no"}, b"")[0])
    assert_alike("invalid", server.reply("GET", f"/search/repositories?q={'x' * 300}", signed, b"")[0])


def assert_alike(name: str, reply: Any) -> None:
    assert reply.status == SHAPES[name]["status"], name
    assert name == "languages" or strange(reply.body, SHAPES[name]["body"]) == [], name


def strange(value: Any, documented: Any, path: str = "") -> list[str]:
    """The fields of a value that are not documented, or of another type; what may be null is of any type."""
    if value is None or documented is None:
        return []
    if type(value) is not type(documented):
        return [f"{path}: {type(value).__name__}"]
    if isinstance(value, dict):
        named = [f"{path}.{key}" for key in value if key not in documented]
        return named + [one for key in value.keys() & documented for one in strange(value[key], documented[key], key)]
    if isinstance(value, list) and documented:
        compared = [[strange(item, one, f"{path}[]") for one in documented] for item in value]
        return [problem for problems in compared for problem in min(problems, key=len)]
    return []
