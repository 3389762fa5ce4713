"""The sandbox `docker`: a fresh container of Docker or Podman for every run (docs/sandboxes.md).

Nothing goes through the engine but the start and the end. Streams, key and channel are named pipes in a folder that can
only be read inside: engines hand no descriptors on, and would copy and keep all output.
"""

import contextlib
import os
import select
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.runtime.stopwatch import timed
from testevo.sandboxes.container_engine import ContainerEngine
from testevo.sandboxes.mounts import Confinement, Mount, jdk_files, mounts_of, with_readable
from testevo.sandboxes.sandbox import MAX_OPEN_FILES, MAX_PROCESSES, Command, data_bytes, exactly, file_bytes
from testevo.sandboxes.watching import ProcessLimits, Watched, watch

_MEMORY_BESIDE_HEAP = 2**30
_ACCOUNTS = ("/etc/passwd", "/etc/group")
_KILLED = 128 + 9
_SECONDS_TO_BEGIN = 2.0
_FIRST = r"""
pipes=$1; cd "$2" || exit; shift 2
exec 2>/dev/null 9>"$pipes/status"
echo begun >&9
(
  input="$pipes/in"; [ -p "$input" ] || input=/dev/null
  (exec "$@" <"$input" >"$pipes/out" 2>"$pipes/err" 9>&-)
  echo $? >"$pipes/hold"
) 9>&- &
read -r status <"$pipes/hold" || status=137
echo "ended $status" >&9
"""
"""The first program of the container: nobody inside can end it, and everything inside ends with it. It waits for the
status of the command, or for the end of the harness, which holds the other end of the pipe as long as it lives."""


class ContainerSandbox:
    """Containers of one image.

    Args:
        image: has `/bin/sh`, `/usr/bin/env` and the libraries that a JDK needs; the JDK itself is mounted.
        address: of the engine, see `ContainerEngine`.

    Raises:
        MachineError: the engine does not answer, or has no such image.
    """

    name = "docker"
    hides_working_folder = True
    inputs_are_read_only = True
    isolates_files = True
    has_own_network = True

    def __init__(self, image: str, address: str | None = None) -> None:
        self._engine = ContainerEngine(address)
        self._image = self._engine.image(image)
        self._engine.sweep()

    @property
    def identity(self) -> str:
        return f"{self.name} {self._image}"

    @timed("test JVMs")
    def run(
        self,
        command: Command,
        confinement: Confinement,
        environment: Mapping[str, str],
        limits: ProcessLimits,
        key: bytes | None = None,
    ) -> Watched:
        with tempfile.TemporaryDirectory(dir=confinement.writable[0].parent, prefix="pipes-") as name:
            pipes = _Pipes(Path(name).resolve(), with_input=key is not None)
            inside = [*exactly(environment), *command(str(pipes.folder / "channel"))]
            seen = with_readable(confinement, pipes.folder)
            try:
                container = self._start(pipes.folder, seen, inside)
            except BaseException:
                pipes.close()
                raise
            return watch(_Container(self._engine, container, pipes), pipes.channel, limits, key, confinement.quota)

    def _start(self, pipes: Path, seen: Confinement, command: list[str]) -> str:
        accounts = [Mount(Path(file), Path(file)) for file in _ACCOUNTS]
        return self._engine.start(
            self._image,
            ["/bin/sh", "-c", _FIRST, "sh", str(pipes), str(seen.working_folder), *command],
            mounts=[*accounts, *jdk_files(), *mounts_of(seen)],
            memory_bytes=2 * seen.memory_mb * 2**20 + _MEMORY_BESIDE_HEAP,
            processes=MAX_PROCESSES,
            ulimits={
                "nofile": MAX_OPEN_FILES,
                "nproc": MAX_PROCESSES,
                "core": 0,
                "fsize": file_bytes(seen),
                "data": data_bytes(seen),
            },
            scratch_bytes=None if seen.disk_mb is None else seen.disk_mb * 2**20,
        )


class _Pipes:
    """The named pipes of one run, and our ends of them."""

    def __init__(self, folder: Path, *, with_input: bool) -> None:
        self.folder = folder
        folder.chmod(0o755)
        for name in ("out", "err", "channel", "status", "hold", *(["in"] if with_input else [])):
            os.mkfifo(folder / name, 0o600)
        self.out, self.err, self.channel, self.status = (
            os.open(folder / name, os.O_RDONLY | os.O_NONBLOCK) for name in ("out", "err", "channel", "status")
        )
        # Opened for both, a pipe waits for nobody. Its last writer is this process, or none when that has ended.
        self.hold = os.open(folder / "hold", os.O_RDWR)
        self.input = os.open(folder / "in", os.O_RDWR) if with_input else None

    def close_input(self) -> None:
        if self.input is not None:
            os.close(self.input)
            self.input = None

    def close(self) -> None:
        """All of them; a run closes its streams itself."""
        self.close_input()
        for descriptor in (self.out, self.err, self.channel, self.status, self.hold):
            os.close(descriptor)


class _Container:
    """A running container (`testevo.sandboxes.watching.Child`)."""

    def __init__(self, engine: ContainerEngine, container: str, pipes: _Pipes) -> None:
        self._engine, self._container, self._pipes = engine, container, pipes
        self.stdout, self.stderr = pipes.out, pipes.err
        self._said = b""
        self._ended = False
        self._asked = time.monotonic()

    def poll(self) -> bool:
        return self.wait(0)

    def wait(self, seconds: float) -> bool:
        now = time.monotonic()
        until = now + max(0.0, seconds)
        while not self._ended and select.select([self._pipes.status], [], [], max(0.0, until - now))[0]:
            said = os.read(self._pipes.status, 2**12)
            self._said = (self._said + said)[: 2**12]
            self._ended = not said
            now = time.monotonic()
            if now >= until:  # whatever comes: a test may find this pipe, too, and flood it
                break
        if not self._said and not self._ended and now - self._asked > _SECONDS_TO_BEGIN:
            self._asked = now
            self._must_have_begun()
        return self._ended

    def give(self, key: bytes) -> None:
        if self._pipes.input is not None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._pipes.input, key)
            self._pipes.close_input()

    def end(self) -> int:
        self._pipes.close_input()
        try:
            self._engine.remove(self._container)
        finally:
            os.close(self._pipes.hold)
            os.close(self._pipes.status)
        words = self._said.split()
        status = int(words[2]) if len(words) == 3 and words[2].isdigit() else _KILLED
        return -9 if status == _KILLED else status

    def _must_have_begun(self) -> None:
        if not self._engine.is_running(self._container):
            raise MachineError(
                "The first program of a container ended before it began: its image has no working /bin/sh, or may not "
                "use the files it is given. See docs/sandboxes.md for what an image needs."
            )
