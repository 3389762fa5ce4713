"""The HTTP server of the scripted model."""

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.model_server.replies import Asked, Event, Reply, asked, document, events
from tests.model_server.script import Fault, Say, Script
from tests.model_server.tools import answer_to

KEY = "key-of-the-scripted-model"
_IDLE = Script((Say("ok"),), input_tokens=10, cached_tokens=0, output_tokens=1)
"""For what no script is asked for, such as a title of the conversation."""


@dataclass
class ModelServer:
    """Plays a model. A request belongs to the first script whose name it contains."""

    scripts: Mapping[str, Script | Sequence[Script]]
    """By name; several are those of its conversations in their order."""
    folder: str = ""
    """The agent's workspace, for tools that want absolute paths."""
    address: str = ""
    served: list[tuple[str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    """Path, headers and content of every request."""
    _requests: Counter[str] = field(default_factory=Counter)
    _conversations: Counter[str] = field(default_factory=Counter)

    def reply(self, request: Asked) -> tuple[Reply, Fault | None]:
        """The answer to a request, and what is wrong with it."""
        turns = {name: turn for name in self.scripts if (turn := request.turn(name)) is not None}
        name, turn = next(iter(turns.items()), ("", 0))
        self._conversations[name] += turn == 0
        script = self._script(name)
        fault = script.fault(self._requests[name])
        self._requests[name] += 1
        text, call = answer_to(script.step(turn, with_tools=bool(request.tools)), request.tools, self.folder)
        return Reply(text, call, None if fault is Fault.NO_USAGE else script, len(self.served)), fault

    def _script(self, name: str) -> Script:
        """Of the conversation that began last."""
        given = self.scripts.get(name, _IDLE)
        if isinstance(given, Script):
            return given
        return given[min(self._conversations[name], len(given)) - 1]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    model: ModelServer
    lock: threading.Lock

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        shown = [headers.get(name, "") for name in ("x-api-key", "x-goog-api-key", "authorization")]
        request = asked(self.path, content)
        with self.lock:
            self.model.served.append((self.path, headers, content))
            reply, fault = self.model.reply(request) if request else (None, None)
        if KEY not in [one.removeprefix("Bearer ") for one in shown]:
            self._send(401, {"error": {"type": "authentication_error", "message": f"bad key {shown}"}})
        elif request is None or reply is None:
            self._send(404, {"error": {"type": "not_found_error", "message": self.path}})
        elif fault in (Fault.TOO_MANY, Fault.INTERNAL):
            status = 429 if fault is Fault.TOO_MANY else 500
            self._send(status, {"error": {"type": "api_error", "message": f"no answer for {KEY}"}})
        elif fault is Fault.SILENT:
            self.connection.recv(1)
            self.close_connection = True
        elif fault is Fault.GARBAGE:
            self._write(200, "text/html", b"<html>The model is out for lunch.</html>")
        elif request.streamed:
            self._stream(events(request.protocol, reply), cut=fault is Fault.CUT)
        else:
            text = json.dumps(document(request.protocol, reply)).encode()
            self._write(200, "application/json", text, cut=fault is Fault.CUT)

    def _send(self, status: int, content: dict[str, Any]) -> None:
        self._write(status, "application/json", json.dumps(content).encode())

    def _write(self, status: int, kind: str, text: bytes, *, cut: bool = False) -> None:
        self.send_response_only(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        if status == 429:
            self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(text[: len(text) // 2] if cut else text)
        self.close_connection = cut

    def _stream(self, sent: list[Event], *, cut: bool) -> None:
        self.send_response_only(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for name, data in sent[: len(sent) // 2] if cut else sent:
            head = f"event: {name}\n" if name else ""
            text = f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\n\n".encode()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(text), text))
            self.wfile.flush()
        if not cut:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = cut


@contextmanager
def serving(model: ModelServer) -> Iterator[ModelServer]:
    """Serve on a free port of this machine; `model.address` says where."""
    handler = type("Handler", (_Handler,), {"model": model, "lock": threading.Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    model.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
