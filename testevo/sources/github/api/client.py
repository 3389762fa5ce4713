"""Ask GitHub: one question at a time, within its limits and a budget, and nothing that is known already."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import requests
from pydantic import SecretStr

import testevo
from testevo.runtime.errors import MachineError, UserError
from testevo.sources.github.api.answers import Answer, Answers, Request
from testevo.sources.github.api.limits import Clock, Limits, SystemClock
from testevo.sources.github.api.tokens import Bearer, require_safe

ATTEMPTS = 6
"""How often a question is asked that GitHub fails to answer (5xx, a cut or slow connection)."""
LONGEST_PAUSE = 60.0
"""Between such attempts, in seconds; the first is one second, each further twice as long."""
MOVED = (301, 302, 307, 308)
MOST_MOVES = 5
SETTLED = (200, *MOVED, 403, 404, 409, 410, 451)
"""Statuses that answer a question; 403 once it is clear that no limit was reached."""
SECONDS = 60.0
"""Time limit of connecting, and of each wait for data."""
SHOWN_WAIT = 5.0
HEADERS = {
    "Accept": "application/vnd.github+json",
    "X-GitHub-Api-Version": "2022-11-28",
    "User-Agent": f"testevo/{testevo.__version__}",
}


class NoAnswerError(MachineError):
    """GitHub could not be reached or failed `ATTEMPTS` times."""


@dataclass(frozen=True)
class Reply:
    """An answer as it came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: Any


def to_stderr(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


class Client:
    """GitHub's API, asked once for each question; `sent` counts the requests of this process."""

    def __init__(
        self,
        answers: Answers,
        tokens: Sequence[SecretStr],
        api: str,
        *,
        budget: int,
        session: requests.Session | None = None,
        clock: Clock | None = None,
        seconds: float = SECONDS,
        report: Callable[[str], None] = to_stderr,
    ) -> None:
        """Prepare to ask.

        Args:
            budget: requests that may be sent, those of earlier runs whose answers are kept included.
            seconds: time limit of connecting, and of each wait for data.

        Raises:
            UsageError: tokens would be sent where others can read them.
        """
        require_safe(api, tuple(tokens))
        self.answers = answers
        self.report = report
        self.sent = 0
        self._api = api.rstrip("/")
        self._left = budget - len(answers)
        self.budget = budget
        self._session = session or requests.Session()
        self._clock = clock or SystemClock()
        self._seconds = seconds
        self._limits = Limits(tokens, self._clock)
        self._asked: set[str] = set()

    @property
    def days(self) -> tuple[str, str]:
        """The UTC days of the first and the last answer, whether they were kept before or not."""
        return min(self._asked)[:10], max(self._asked)[:10]

    @property
    def signed(self) -> bool:
        """Whether requests carry a token; GraphQL needs one."""
        return self._limits.signed

    def get(self, path: str, parameters: Mapping[str, str] | None = None, *, time: int = 0) -> Answer:
        """The answer to a REST question; where a repository has moved, that of its new place.

        Args:
            path: below the API's address, beginning with `/`.
            time: how often the same was asked before because its answer changed; a kept answer is asked about by its
                ETag, which costs nothing while it holds.

        Raises:
            NoAnswerError: GitHub does not answer.
            UserError: it refuses the question or all tokens, or the budget is used up.
        """
        request = Request(path, tuple(sorted((parameters or {}).items())), time=time)
        for _ in range(MOST_MOVES):
            answer = self._answer(request)
            if answer.status not in MOVED or answer.location is None:
                return answer
            request = self._moved(request, answer.location)
        raise UserError(f"{path} of GitHub has moved {MOST_MOVES} times in a row. Check `sources.github.api`.")

    def graphql(self, query: str, variables: Mapping[str, Any]) -> Any:
        """The answer to a GraphQL question: `data`, and `errors` that say which of its nulls are failures.

        Raises:
            NoAnswerError: as `get`; also when the question takes GitHub too long.
            UserError: as `get`.
        """
        body = json.dumps({"query": query, "variables": variables}, sort_keys=True)
        return self._answer(Request("/graphql", body=body)).body

    def _answer(self, request: Request) -> Answer:
        """The kept answer, else GitHub's."""
        answer = self.answers.get(request) or self._ask(request)
        self._asked.add(answer.asked)
        return answer

    def _ask(self, request: Request) -> Answer:
        earlier = self.answers.earlier(request)
        reason = ""
        failures = 0
        while failures < ATTEMPTS:
            at, token = self._wait_for_token(request.resource)
            try:
                reply = self._send(request, token, earlier)
            except requests.RequestException as error:
                reason = type(error).__name__
                self._limits.note_lost(at, request.resource)
            else:
                if self._limits.note(at, request.resource, reply.status, reply.headers, reply.body):
                    continue
                if reply.status == 401 and token is not None:
                    self.report(f"GitHub refuses token {at + 1} (401); it is used no more.")
                    self._limits.refuse(at)
                    continue
                if not _has_failed(request, reply):
                    return self._settled(request, reply, earlier)
                reason = f"status {reply.status}"
            failures += 1
            self._clock.sleep(min(LONGEST_PAUSE, 2.0 ** (failures - 1)))
        raise NoAnswerError(
            f"{self._api}{request.path} gave no answer {ATTEMPTS} times ({reason}). Check the network and "
            "githubstatus.com, then search again: what was answered is kept."
        )

    def _wait_for_token(self, resource: str) -> tuple[int, SecretStr | None]:
        at, token, seconds = self._limits.next_token(resource)
        if seconds > SHOWN_WAIT:
            self.report(f"waiting {seconds:.0f} s for GitHub's limit of requests ({resource})")
        if seconds > 0:
            self._clock.sleep(seconds)
        return at, token

    def _send(self, request: Request, token: SecretStr | None, earlier: Answer | None) -> Reply:
        """Send a request and read all of its reply.

        Raises:
            UserError: the budget is used up.
            requests.RequestException: no connection, no end, or no JSON.
        """
        if self._left <= 0:
            raise UserError(
                f"The search has used up its {self.budget} requests. Raise `sources.github.requests` and search "
                "again: what was answered is kept."
            )
        self._left -= 1
        self.sent += 1
        known = {"If-None-Match": earlier.etag} if earlier is not None and earlier.etag else {}
        response = self._session.request(
            "GET" if request.body is None else "POST",
            self._api + request.path,
            params=dict(request.parameters),
            data=request.body,
            headers=HEADERS | known,
            auth=Bearer(token),
            timeout=self._seconds,
            allow_redirects=False,
        )
        has_body = response.status_code not in (304, *MOVED)
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Reply(response.status_code, headers, response.json() if has_body else None)

    def _settled(self, request: Request, reply: Reply, earlier: Answer | None) -> Answer:
        """Keep the answer that a reply gives.

        Raises:
            UserError: GitHub refuses the question.
        """
        asked = _time_of(reply, self._clock)
        if reply.status == 304 and earlier is not None:
            answer = replace(earlier, asked=asked)
        elif reply.status in SETTLED:
            headers = reply.headers
            answer = Answer(reply.status, reply.body, asked, headers.get("etag"), headers.get("location"))
        else:
            said = reply.body.get("message", "") if isinstance(reply.body, dict) else ""
            raise UserError(
                f"GitHub refuses {request.path} with status {reply.status} ({said}). Check `sources.github` and the "
                "token."
            )
        self.answers.keep(request, answer)
        return answer

    def _moved(self, request: Request, location: str) -> Request:
        """The same question at the place that GitHub names.

        Raises:
            UserError: that is another host, which is asked for nothing and gets no token.
        """
        here, there = urlsplit(self._api), urlsplit(location)
        if (there.scheme, there.netloc) != (here.scheme, here.netloc) or not there.path.startswith(here.path):
            raise UserError(f"{request.path} of GitHub has moved to {there.netloc}. Check `sources.github.api`.")
        return Request(there.path.removeprefix(here.path), tuple(parse_qsl(there.query)), time=request.time)


def _has_failed(request: Request, reply: Reply) -> bool:
    """Whether asking again may help: the server failed, or gave no data where the question was a GraphQL one."""
    if reply.status >= 500 or reply.status == 408:
        return True
    no_data = not isinstance(reply.body, dict) or not isinstance(reply.body.get("data"), dict)
    return reply.status == 200 and request.body is not None and no_data


def _time_of(reply: Reply, clock: Clock) -> str:
    if "date" in reply.headers:
        return parsedate_to_datetime(reply.headers["date"]).astimezone(UTC).isoformat()
    return datetime.fromtimestamp(clock.now(), UTC).isoformat(timespec="seconds")
