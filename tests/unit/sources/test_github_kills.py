"""The process of a search, killed at random moments and started again: `--kills 20` for the long form."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from testevo.config.model import Config, GithubSearch, Sources
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import Layout
from testevo.runtime.files.project import PROJECT
from testevo.sources.github.api.answers import Request
from testevo.sources.github.lock import lock_of
from tests.github_server.quotas import Clock
from tests.github_server.repositories import made
from tests.github_server.server import GithubServer, serving

TOKEN = "token-of-a-test"


class Hasty(Clock):
    """A clock that runs ahead, so that a process which waits in real time reaches no limit."""

    def now(self) -> float:
        self.sleep(1.0)
        return super().now()


def configured(folder: Path, server: GithubServer) -> Config:
    config = Config(results=str(folder), sources=Sources(github=GithubSearch(api=server.address)))
    write_resolved(config, folder / "config.json")
    return config


def started(folder: Path) -> "subprocess.Popen[bytes]":
    """The search as the workflow starts it."""
    command = [sys.executable, str(PROJECT / "scripts" / "search.py"), "--config", str(folder / "config.json")]
    command += ["--repositories", str(folder / "repositories.jsonl"), "--found", str(folder / "found.jsonl")]
    environment = os.environ | {"TESTEVO_GITHUB_TOKENS": TOKEN, "NO_PROXY": "127.0.0.1"}
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def is_kept(config: Config, asked: str) -> bool:
    """Whether the answer to something that the server was asked is kept."""
    _, target, body = asked.split(" ", 2)
    parts = urlsplit(target)
    request = Request(parts.path, tuple(sorted(parse_qsl(parts.query))), body or None)
    return (Layout.of(config).github_answers / f"{request.key}.json.gz").is_file()


def test_a_search_killed_at_random_moments_asks_for_nothing_that_it_has_kept(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kills = request.config.getoption("--kills")
    repositories = made(400 * kills, 9, busy=500)
    with serving(GithubServer(repositories, clock=Hasty())) as server:
        whole = configured(tmp_path / "whole", server)
        assert started(tmp_path / "whole").wait() == 0
        requests = len(server.served)
    draw = random.Random(kills)
    known: list[tuple[int, set[str]]] = []
    with serving(GithubServer(repositories, clock=Hasty())) as server:
        config = configured(tmp_path / "killed", server)
        for _ in range(kills):
            until = len(server.served) + draw.randrange(1, requests // kills)
            process = started(tmp_path / "killed")
            while len(server.served) < until:
                assert process.poll() is None
                time.sleep(0.001)
            time.sleep(0.02 * draw.random())
            process.kill()
            assert process.wait() != 0
            asked = [target for target, _ in server.served]
            known.append((len(asked), {one for one in asked if is_kept(config, one)}))
        assert started(tmp_path / "killed").wait() == 0
    asked = [target for target, _ in server.served]
    assert [known_then & set(asked[then:]) for then, known_then in known] == [set()] * kills
    assert len(known[-1][1]) >= kills // 2
    assert len(asked) <= requests + kills
    assert lock_of(config).read_text().replace(server.address, "") == lock_of(whole).read_text()
