"""Long-lived helper programs that answer one JSON request a line with one JSON answer a line.

They run in a process group of their own. A request that passes its time limit costs the program its life; the next
request starts a new one. The protocol is described in `docs/jvm.md`.
"""

import errno
import json
import os
import selectors
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

from testevo.builds.inputs.jvm_config import SERIAL
from testevo.runtime.errors import MachineError
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.processes.processes import end_with_parent, kill_group
from testevo.runtime.stopwatch import timed

_STANDARD_ERROR_BYTES = 8192
_CHUNK = 1 << 16

_READS_OPTIONS_BEHIND_OUR_BACK = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH")

FIRST_TIER = "-XX:TieredStopAtLevel=1"
"""For what lives too short for the second tier of the JIT, which takes as much processor time as the work itself until
it pays (docs/performance.md)."""


class ServiceError(Exception):
    """A request without an answer. The message is one sentence for a record: no paths, no durations but the limit."""


class ServiceTimeoutError(ServiceError):
    """The request passed its time limit; the program was killed."""


class ServiceDiedError(ServiceError):
    """The program ended during the request, for example for lack of memory."""


class RequestRefusedError(ServiceError):
    """The program answered that it cannot do what was asked; the message is its own."""


def java_service_command(java_home: Path, memory_mb: int, arguments: Sequence[str]) -> list[str]:
    """The command line of a long-lived JVM with a bounded heap that leaves no files behind.

    Raises:
        MachineError: there is no JVM in `java_home`.
    """
    java = java_home / "bin" / "java"
    if not java.is_file():
        raise MachineError(f"{java_home} has no bin/java. Install a JDK there, or configure another JDK folder.")
    return [
        str(java),
        f"-Xmx{memory_mb}m",
        "-XX:+ExitOnOutOfMemoryError",
        SERIAL,
        "-XX:-UsePerfData",
        "-XX:+DisplayVMOutputToStderr",
        f"-XX:ErrorFile={os.devnull}",
        "-Dfile.encoding=UTF-8",
        "-Duser.language=en",
        "-Djava.awt.headless=true",
        *arguments,
    ]


class LineService:
    """A program started at the first request and again after each death.

    `name` is what messages call it, `seconds` the time limit of a request that states none. Safe to share between
    threads; requests are answered one after the other. `environment` is the whole one of the program (else ours,
    without options for JVMs), `folder` where it runs (else where temporary files go).
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        name: str,
        seconds: float,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self._command = list(command)
        self._environment = environment
        self._folder = folder
        self._name = name
        self._seconds = seconds
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._last_id = 0

    def ask(self, request: Mapping[str, object], seconds: float | None = None) -> dict[str, Any]:
        """The answer to `request`, whose `id` is set here.

        Raises:
            ServiceTimeoutError, ServiceDiedError, RequestRefusedError: see there; the service can be asked again.
            MachineError: the program is not installed, or cannot be started.
        """
        limit = self._seconds if seconds is None else seconds
        with self._lock, timed(self._name):
            self._last_id += 1
            line = json.dumps({"id": self._last_id, **request}, ensure_ascii=True) + "\n"
            answer = self._exchange(line.encode(), limit)
        if answer.get("id") != self._last_id:
            self.close()
            raise ServiceDiedError(f"the {self._name} answered another request than the one it was asked")
        if not answer.get("ok"):
            raise RequestRefusedError(str(answer.get("error")))
        return answer

    def close(self) -> None:
        """End the program; it starts again when asked again."""
        with self._lock:
            self._end()

    def _exchange(self, line: bytes, seconds: float) -> dict[str, Any]:
        if self._child is None or not self._child.alive():
            self._end()
            environment = _inherited() if self._environment is None else self._environment
            self._child = _Child(self._command, environment, self._folder or Path(tempfile.gettempdir()))
        answer: bytes | None = None
        try:
            answer = self._child.exchange(line, time.monotonic() + seconds)
        except TimeoutError as error:
            raise ServiceTimeoutError(f"the {self._name} gave no answer within {seconds:g} s") from error
        except EOFError as error:
            raise ServiceDiedError(f"the {self._name} ended without an answer ({error})") from error
        finally:
            if answer is None:
                self._end()
        parsed: dict[str, Any] = parsed_json(answer)
        return parsed

    def _end(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None


class _Child:
    """One life of the program: its process and the bytes under way."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                env=dict(environment),
                start_new_session=True,
                preexec_fn=partial(end_with_parent, os.getpid()),  # noqa: PLW1509 - asked from the main thread
            )
        except FileNotFoundError as error:
            raise MachineError(f"{command[0]} is not installed; run `testevo doctor` to see how to get it.") from error
        except OSError as error:
            if error.errno == errno.E2BIG:
                raise
            raise MachineError(
                f"{command[0]} cannot be started: {error.strerror}. `testevo doctor` starts every program."
            ) from error
        # Also at interpreter exit: a hanging request must not outlive us.
        self._finalizer = weakref.finalize(self, _kill, self._process)
        self._standard_error = b""
        for stream in self._streams():
            os.set_blocking(stream.fileno(), False)

    def alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        self._finalizer()

    def exchange(self, line: bytes, deadline: float) -> bytes:
        """Write `line`, read a line.

        Raises:
            TimeoutError: the deadline (monotonic) passed.
            EOFError: the program ended; its status and last words are the message.
        """
        standard_input, standard_output, standard_error = self._streams()
        rest, received = memoryview(line), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(standard_input, selectors.EVENT_WRITE)
            selector.register(standard_output, selectors.EVENT_READ)
            selector.register(standard_error, selectors.EVENT_READ)
            while not self._is_answer(received):
                for key, _ in self._ready(selector, deadline):
                    if key.fileobj is standard_input:
                        rest = rest[self._write(rest) :]
                        if not rest:
                            selector.unregister(standard_input)
                    elif key.fileobj is standard_output:
                        received += self._read(standard_output)
                    else:
                        self._read_words(selector)
        return bytes(received)

    def _is_answer(self, received: bytearray) -> bool:
        """Whether a whole answer has come; lines before it are words of the JVM itself and are taken out."""
        while received and not received.startswith(b"{") and (end := received.find(b"\n")) >= 0:
            self._keep_last_words(bytes(received[: end + 1]))
            del received[: end + 1]
        return received.startswith(b"{") and received.endswith(b"\n")

    @staticmethod
    def _ready(selector: selectors.BaseSelector, deadline: float) -> list[tuple[selectors.SelectorKey, int]]:
        left = deadline - time.monotonic()
        events = selector.select(left) if left > 0 else []
        if not events:
            raise TimeoutError
        return events

    def _write(self, rest: memoryview) -> int:
        try:
            return os.write(self._streams()[0].fileno(), rest[:_CHUNK])
        except BlockingIOError:
            return 0
        except BrokenPipeError as error:
            raise EOFError(self._obituary()) from error

    def _read(self, stream: IO[bytes]) -> bytes:
        data = os.read(stream.fileno(), _CHUNK)
        if not data:
            raise EOFError(self._obituary())
        return data

    def _read_words(self, selector: selectors.BaseSelector) -> None:
        stream = self._streams()[2]
        data = os.read(stream.fileno(), _CHUNK)
        if not data:
            selector.unregister(stream)
        self._keep_last_words(data)

    def _keep_last_words(self, data: bytes) -> None:
        self._standard_error = (self._standard_error + data)[-_STANDARD_ERROR_BYTES:]

    def _obituary(self) -> str:
        """How the program ended, and the last line it wrote."""
        try:
            status = f"status {self._process.wait(timeout=5)}"
        except subprocess.TimeoutExpired:
            status = "it closed its output"
        try:
            while data := os.read(self._streams()[2].fileno(), _CHUNK):
                self._keep_last_words(data)
        except BlockingIOError:
            pass  # A child of the program holds the stream open; what has come is all there is.
        lines = self._standard_error.decode("utf-8", "replace").splitlines()
        return ": ".join([status, *[line.strip() for line in lines if line.strip()][-1:]])

    def _streams(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        return process.stdin, process.stdout, process.stderr


def _inherited() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _READS_OPTIONS_BEHIND_OUR_BACK}


def _kill(process: "subprocess.Popen[bytes]") -> None:
    kill_group(process.pid)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
