"""`Gateway`: the server between one run of an agent and the address of its model."""

import secrets
import shutil
import socketserver
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from testevo.agents.gateway.exchange import Exchange
from testevo.agents.gateway.forwarding import Upstream
from testevo.agents.gateway.ledger import Ledger
from testevo.agents.gateway.prices import PriceTable
from testevo.agents.gateway.protocols import error_body
from testevo.agents.gateway.rate import RateLimit
from testevo.agents.gateway.waits import Waits
from testevo.records.agents.usage import Budget, ModelUsage

_LARGEST_REQUEST = 256 * 1024 * 1024


class Gateway:
    """Forwards the calls of one run, holds the key, meters and ends the run's budget; a context manager.

    It listens on a loopback port and on a Unix socket. Whoever calls must show `token` as its API key: on a machine
    of many users, others reach the port too. Calls are forwarded one at a time, so that together they exceed a
    budget by no more than the last of them.
    """

    def __init__(
        self,
        *,
        upstream: str,
        models: Collection[str],
        key: str | None,
        budget: Budget,
        prices: PriceTable,
        log: Path,
        rate: RateLimit | None = None,
        wait_seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Args:
        upstream: address of the model, such as `https://api.anthropic.com`.
        models: names of the models that the run may ask; others are refused.
        key: the real key; None where the address wants none.
        log: file of `ModelCall` records, a line for each call; emptied on entry.
        rate: waited for before each call.
        wait_seconds: most that the run waits in all, for the rate and where the provider says so; the rest is failures.
        clock: seconds of wall time.
        """
        self.token = f"testevo-{secrets.token_hex(16)}"
        self._upstream, self._models = Upstream(upstream, key), models
        self._budget, self._prices, self._log, self._rate, self._clock = budget, prices, log, rate, clock
        self._waits = Waits(wait_seconds, clock)

    def __enter__(self) -> Self:
        self._ledger = Ledger(self._budget, self._log, self._clock, self._waits.waited)
        exchange = Exchange(
            self._upstream,
            self._ledger,
            self._prices,
            self._rate,
            self._clock,
            self._budget.cost_usd is not None,
            self._models,
            self._waits,
        )
        handler = type("Handler", (_Handler,), {"exchange": exchange, "token": self.token})
        self._folder = Path(tempfile.mkdtemp(prefix="testevo-gateway-"))  # short: paths of sockets are limited
        self.socket = self._folder / "socket"
        port = _PortServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{port.server_port}"
        self._servers: tuple[socketserver.BaseServer, ...] = (port, _SocketServer(str(self.socket), handler))
        for server in self._servers:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._waits.end()
        for server in self._servers:
            server.shutdown()
            server.server_close()
        self._ledger.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def usage(self) -> ModelUsage:
        """What the run has used so far."""
        return self._ledger.usage()

    def waited(self) -> float:
        """Seconds until now that were waits, no time of the run."""
        return self._waits.waited()


class _Quiet(socketserver.ThreadingMixIn):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: Any, client_address: Any) -> None: ...


class _PortServer(_Quiet, HTTPServer): ...


class _SocketServer(_Quiet, socketserver.UnixStreamServer): ...


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    exchange: Exchange
    token: str

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_GET(self) -> None:
        self._refuse(404, "the gateway answers only calls of models")

    def do_HEAD(self) -> None:
        self.send_response_only(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > _LARGEST_REQUEST:
            self._refuse(411, "the gateway needs a content-length")
            return
        body = self.rfile.read(int(length))
        if not self._shows_token():
            self._refuse(401, "the API key is not that of this run")
            return
        self.exchange.answer(self.path, dict(self.headers.items()), body, self)

    def send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._head(status, {**headers, "content-length": str(len(body))})
        self.wfile.write(body)
        self.wfile.flush()

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        self._head(status, {**headers, "transfer-encoding": "chunked"})

    def piece(self, content: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(content), content))
        self.wfile.flush()

    def end(self, *, cut: bool) -> None:
        """End it; a cut answer has no last piece."""
        self.close_connection = cut
        if not cut:
            self.wfile.write(b"0\r\n\r\n")
            self.wfile.flush()

    def _refuse(self, status: int, message: str) -> None:
        self.close_connection = True
        self.send(status, {"content-type": "application/json"}, error_body(None, status, f"testevo: {message}"))

    def _shows_token(self) -> bool:
        query = parse_qs(urlsplit(self.path).query)
        shown = [self.headers.get(name, "") for name in ("x-api-key", "x-goog-api-key", "authorization")]
        return any(one.removeprefix("Bearer ") == self.token for one in (*shown, *query.get("key", ())))

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()
