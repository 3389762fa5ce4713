"""The HTTP server: routes, headers, paging, and the faults that strike a request."""

import hashlib
import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.github_server import graphql
from tests.github_server.faults import Fault, Faults
from tests.github_server.git_http import git_backend
from tests.github_server.queries import BadQueryError, matching
from tests.github_server.quotas import Clock, Quotas
from tests.github_server.repositories import Repository, State, drifting
from tests.github_server.representation import content, licence, rest

MOST_RESULTS = 1000
RETRY_AFTER = 30
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


@dataclass
class Reply:
    """A reply before it is sent."""

    status: int
    body: Any
    """Bytes as they are, else JSON."""
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class GithubServer:
    """What the server knows and does; `served` lists what it was asked and how it answered."""

    repositories: list[Repository]
    clock: Clock = field(default_factory=Clock)
    faults: Faults = field(default_factory=Faults.none)
    tokens: tuple[str, ...] = ("token-of-a-test",)
    drift_floor: int | None = None
    """Repositories drift while pages are read when this is set; those with so many stars keep at least so many."""
    histories: Path | None = None
    """Folder of bare repositories, `<owner>/<name>.git`, that are served to git; else GitHub is said to have them."""
    served: list[tuple[str, int]] = field(default_factory=list)
    struck: list[Fault] = field(default_factory=list)
    address: str = ""

    def __post_init__(self) -> None:
        self.quotas = Quotas(self.clock)
        self._by_node_id = {one.node_id: one for one in self.repositories}
        self._draw = random.Random(self.faults.seed)
        self._drift = random.Random(self.faults.seed + 1)

    @property
    def site(self) -> str:
        return self.address if self.histories else "https://github.com"

    def reply(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[Reply, Fault]:
        """The reply to a request, and what goes wrong with it."""
        parts = urlsplit(target)
        if self.histories is not None and ".git/" in parts.path:
            fault = self.faults.drawn(self._draw)
            return self._faulty(fault) or self._git(method, target, headers, body), fault
        token = headers.get("authorization", "").removeprefix("Bearer ")
        resource = "graphql" if method == "POST" else "search" if parts.path.startswith("/search/") else "core"
        if token and token not in self.tokens:
            return Reply(401, {"message": "Bad credentials"}), Fault.NONE
        allowed = self.quotas.take(token, resource)
        limits = self.quotas.headers(token, resource)
        if not allowed:
            return Reply(403, {"message": "API rate limit exceeded"}, limits), Fault.NONE
        fault = self.faults.drawn(self._draw)
        reply = self._faulty(fault) or self._route(parts.path, dict(parse_qsl(parts.query)), body, fault)
        etag = f'"{hashlib.sha256(json.dumps(reply.body, sort_keys=True).encode()).hexdigest()[:32]}"'
        if method == "GET" and reply.status == 200:
            reply.headers["etag"] = etag
            if headers.get("if-none-match") == etag:
                self.quotas.give_back(token, resource)
                reply = Reply(304, None, {"etag": etag})
        reply.headers = limits | reply.headers
        return reply, fault

    def _faulty(self, fault: Fault) -> Reply | None:
        """The reply of a fault that is one."""
        match fault:
            case Fault.INTERNAL:
                return Reply(500, None)
            case Fault.BAD_GATEWAY:
                return Reply(502, {"message": "Server Error"})
            case Fault.SECONDARY:
                self.quotas.paused_until = self.clock.now() + RETRY_AFTER
                return Reply(403, {"message": SECONDARY}, {"retry-after": str(RETRY_AFTER)})
            case Fault.ABUSE:
                self.quotas.paused_until = self.clock.now() + 60
                return Reply(429, {"message": SECONDARY})
        return None

    def _route(self, path: str, parameters: dict[str, str], body: bytes, fault: Fault) -> Reply:
        if path == "/search/repositories":
            return self._search(parameters, incomplete=fault is Fault.INCOMPLETE)
        if path == "/graphql":
            return self._graphql(json.loads(body), fault)
        if path == "/rate_limit":
            return Reply(200, {"resources": {}})
        return self._repository(path.strip("/").split("/"), parameters)

    def _search(self, parameters: dict[str, str], *, incomplete: bool) -> Reply:
        page, size = int(parameters.get("page", 1)), int(parameters.get("per_page", 30))
        if page * size > MOST_RESULTS:
            return Reply(422, {"message": "Only the first 1000 search results are available"})
        try:
            found = matching(parameters["q"], self.repositories)
        except BadQueryError as error:
            return Reply(422, {"message": str(error)})
        found.sort(key=lambda one: (one.stars, one.id), reverse=parameters.get("order", "desc") == "desc")
        counted = len(found) // 2 if incomplete else len(found)
        shown = found[(page - 1) * size : min(page * size, counted)]
        items = [rest(one, self.address, self.site, listed=True) for one in shown]
        if self.drift_floor is not None:
            list(drifting(self.repositories, self._drift, self.drift_floor))
        links = self._links(parameters, page, -(-min(counted, MOST_RESULTS) // size))
        return Reply(200, {"total_count": counted, "incomplete_results": incomplete, "items": items}, links)

    def _links(self, parameters: dict[str, str], page: int, last: int) -> dict[str, str]:
        """The header `Link`, as of GitHub's paging."""
        places = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = ("prev", "first") if page >= last else ("next", "last") if page == 1 else tuple(places)
        address = f"{self.address}/search/repositories"
        links = [f'<{address}?{urlencode(parameters | {"page": places[rel]})}>; rel="{rel}"' for rel in wanted]
        return {"link": ", ".join(links)} if last > 1 else {}

    def _graphql(self, question: dict[str, Any], fault: Fault) -> Reply:
        if fault is Fault.NO_DATA:
            return Reply(200, {"errors": [{"message": "Something went wrong while executing your query."}]})
        try:
            answer = graphql.answer(question["query"], question["variables"], self._by_node_id)
            return Reply(200, graphql.without_a_part(answer) if fault is Fault.PARTIAL else answer)
        except graphql.BadGraphqlError as error:
            return Reply(200, {"errors": [{"message": str(error)}]})

    def _repository(self, parts: list[str], parameters: dict[str, str]) -> Reply:
        """`/repos/{owner}/{repo}/...` and the place that renamed repositories are redirected to."""
        if parts[0] == "repositories":
            one = next((it for it in self.repositories if str(it.id) == parts[1]), None)
            below = parts[2:]
        else:
            below = parts[3:]
            one, former = self._named("/".join(parts[1:3]))
            if one is None and former is not None:
                place = "/".join([f"{self.address}/repositories/{former.id}", *below])
                query = f"?{urlencode(parameters)}" if parameters else ""
                return Reply(301, {"message": "Moved Permanently", "url": place}, {"location": place + query})
        if one is None or one.state is State.DELETED:
            return Reply(404, {"message": "Not Found"})
        if one.state is State.BLOCKED:
            reason = {"reason": "dmca", "created_at": "2026-01-01T00:00:00Z"}
            return Reply(451, {"message": "Repository access blocked", "block": reason})
        return self._below(one, below)

    def _git(self, method: str, target: str, headers: dict[str, str], body: bytes) -> Reply:
        """`/{owner}/{repo}.git/...`: as GitHub answers git where a repository has moved, is blocked or is not there."""
        name, _, service = target.removeprefix("/").partition(".git/")
        one, former = self._named(name)
        if one is None and former is not None:
            return Reply(301, b"", {"location": f"{self.address}/{former.full_name}.git/{service}"})
        if one is not None and one.state is State.BLOCKED:
            return Reply(451, b"Repository unavailable due to DMCA takedown.\n", {"content-type": "text/plain"})
        if one is None or one.state is State.DELETED or self.histories is None:
            # To those who are not signed in GitHub does not tell what is missing from what is private.
            return Reply(401, b"Repository not found.\n", {"www-authenticate": 'Basic realm="GitHub"'})
        return Reply(*git_backend(self.histories, method, target, headers, body))

    def _named(self, name: str) -> tuple[Repository | None, Repository | None]:
        """The repository of a name, and one that had it before."""
        one = next((it for it in self.repositories if it.full_name.lower() == name.lower()), None)
        former = next((it for it in self.repositories if (it.listed_as or "").lower() == name.lower()), None)
        return one, former

    def _below(self, one: Repository, below: list[str]) -> Reply:
        found = content(one, "/".join(below[1:])) if below[:1] == ["contents"] else None
        reply = Reply(404, {"message": "Not Found"})
        match below:
            case []:
                reply = Reply(200, rest(one, self.address, self.site))
            case ["languages"]:
                reply = Reply(200, {} if one.empty else one.languages)
            case ["license"] if one.licence is not None:
                reply = Reply(200, {"type": "file", "name": "LICENSE", "license": licence(one)})
            case ["commits"] if one.empty:
                reply = Reply(409, {"message": "Git Repository is empty."})
            case ["commits"]:
                reply = Reply(200, [{"sha": one.head}])
            case ["contents", *_] if found is not None:
                reply = Reply(200, found)
        return reply


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    github: GithubServer
    lock: threading.Lock

    def do_GET(self) -> None:
        self._answer("GET", b"")

    def do_POST(self) -> None:
        self._answer("POST", self.rfile.read(int(self.headers["content-length"])))

    def log_message(self, format: str, *args: Any) -> None: ...

    def _answer(self, method: str, body: bytes) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.lock:
            reply, fault = self.github.reply(method, self.path, headers, body)
            self.github.struck.append(fault)
            whole = fault not in (Fault.CUT, Fault.SLOW)
            self.github.served.append(
                (f"{method} {self.path} {body.decode(errors='replace')}", reply.status if whole else 0)
            )
            now = self.github.clock.now()
        if fault is Fault.SLOW:
            self.connection.recv(1)  # until the client has had enough
            self.close_connection = True
            return
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        content = b"" if reply.body is None else content
        self.send_response_only(reply.status)
        for name, value in {**reply.headers, "date": formatdate(now, usegmt=True)}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        if fault is Fault.CUT:
            content = content[: len(content) // 2]
            self.close_connection = True
        self.wfile.write(content)


@contextmanager
def serving(github: GithubServer) -> Iterator[GithubServer]:
    """Serve on a free port of this machine; `github.address` says where."""
    handler = type("Handler", (_Handler,), {"github": github, "lock": threading.Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    github.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
