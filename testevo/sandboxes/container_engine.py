"""A container engine on this machine, Docker's or Podman's, by way of its socket."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import docker
import psutil
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.types import LogConfig, Ulimit
from docker.types import Mount as EngineMount
from requests.exceptions import RequestException

from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Mount

SECONDS = 120
"""How long the engine may take for one answer."""
SECONDS_TO_REMOVE = 30
LABEL = "testevo.harness"


class ContainerEngine:
    """Requests to a container engine. Each process has a connection of its own.

    Args:
        address: such as `unix:///run/podman/podman.sock`; None: what DOCKER_HOST says, else Docker's own socket.
    """

    def __init__(self, address: str | None) -> None:
        self.address = address
        self._clients: dict[int, docker.DockerClient] = {}

    @property
    def _client(self) -> docker.DockerClient:
        client = self._clients.get(os.getpid())
        if client is None:
            with self._answers("cannot be reached"):
                client = (
                    docker.DockerClient(base_url=self.address, timeout=SECONDS)
                    if self.address
                    else (docker.from_env(timeout=SECONDS))
                )
            self._clients = {os.getpid(): client}
        return client

    def image(self, name: str) -> str:
        """The id of an image that the engine has; none is ever fetched.

        Raises:
            MachineError: it has none of that name.
        """
        with self._answers("cannot tell its images"):
            try:
                return str(self._client.images.get(name).id)
            except ImageNotFound:
                raise MachineError(
                    f"The container engine has no image `{name}`. Make one as docs/sandboxes.md says, or name another "
                    "in `execution.container_image`."
                ) from None

    @cached_property
    def user(self) -> str:
        """As whom programs run: as this user, so that files belong to whom they should."""
        with self._answers("cannot tell how it runs"):
            options = self._client.info().get("SecurityOptions") or ()
        # Where the engine has no rights of its own, its root is this user.
        return "0:0" if any("rootless" in option for option in options) else f"{os.getuid()}:{os.getgid()}"

    def start(
        self,
        image: str,
        command: Sequence[str],
        *,
        mounts: Sequence[Mount],
        memory_bytes: int,
        processes: int,
        ulimits: Mapping[str, int],
        scratch_bytes: int | None,
    ) -> str:
        """A new container without network, with nothing writable but its mounts and folders in memory; its id.

        Raises:
            MachineError: the engine refuses.
        """
        size = "" if scratch_bytes is None else f",size={scratch_bytes}"
        with self._answers("cannot start a container"):
            host = self._client.api.create_host_config(
                network_mode="none",
                read_only=True,
                cap_drop=["ALL"],
                security_opt=["no-new-privileges"],
                ipc_mode="private",
                pids_limit=processes,
                mem_limit=memory_bytes,
                memswap_limit=memory_bytes,
                ulimits=[Ulimit(name=name, soft=limit, hard=limit) for name, limit in ulimits.items()],
                tmpfs={"/tmp": f"mode=1777,exec{size}"},
                log_config=LogConfig(type="none"),
                mounts=[
                    EngineMount(str(mount.place), str(mount.source), type="bind", read_only=not mount.writable)
                    for mount in mounts
                ],
            )
            made = self._client.api.create_container(
                image,
                list(command),
                user=self.user,
                working_dir="/",
                hostname="localhost",
                host_config=host,
                labels={LABEL: _this_process()},
                stop_signal="SIGKILL",
            )
            try:
                self._client.api.start(made["Id"])
            except BaseException:
                self.remove(made["Id"])
                raise
        return str(made["Id"])

    def is_running(self, container: str) -> bool:
        """Whether its first program has not ended."""
        with self._answers("does not answer"):
            try:
                return bool(self._client.api.inspect_container(container)["State"]["Running"])
            except NotFound:
                return False

    def remove(self, container: str) -> None:
        """End everything in it, and delete it.

        Podman refuses for a moment when a container is about to end by itself.
        """
        until = time.monotonic() + SECONDS_TO_REMOVE
        with self._answers(f"cannot remove the container {container[:12]}"):
            while True:
                try:
                    self._client.api.remove_container(container, v=True, force=True)
                except NotFound:
                    return
                except APIError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)
                else:
                    return

    def sweep(self) -> None:
        """Remove what processes of this machine have left that were killed before they could."""
        with self._answers("cannot list its containers"):
            found = self._client.api.containers(all=True, filters={"label": LABEL})
        for container in found:
            if not _lives(container["Labels"][LABEL]):
                self.remove(container["Id"])

    @contextmanager
    def _answers(self, trouble: str) -> Iterator[None]:
        try:
            yield
        except (DockerException, RequestException) as error:
            refused = isinstance(error, APIError)
            said = error.explanation if isinstance(error, APIError) and error.explanation else error
            advice = (
                "See docs/sandboxes.md for what it must be able to do"
                if refused
                else ("Start it, or say where it is (`execution.container_engine` or DOCKER_HOST)")
            )
            place = self.address or os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"
            raise MachineError(
                f"The container engine at {place} {trouble}: {said}. {advice}, or set `execution.sandbox: bubblewrap`."
            ) from error


def _this_process() -> str:
    return f"{_name_space()} {os.getpid()} {psutil.Process().create_time():.2f}"


def _lives(owner: str) -> bool:
    """Whether a process still works; of processes that cannot be seen from here, yes."""
    name_space, number, created = owner.rsplit(" ", 2)
    if name_space != _name_space():
        return True
    try:
        return abs(psutil.Process(int(number)).create_time() - float(created)) < 1
    except psutil.NoSuchProcess:
        return False


def _name_space() -> str:
    """Where a number names one process, and until when."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
