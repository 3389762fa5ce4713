"""Podman's service on a socket, as the sandbox `docker` uses it, with storage, settings and image of its own.

Nothing below /etc is touched, nothing is downloaded: the image is made of a few programs of this machine.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from testevo.sandboxes.sandboxes import Images

IMAGE = "testevo-sandbox"
PROGRAMS = ("sh", "env", "cat", "ls", "sleep", "setsid", "touch", "grep", "wc", "tr", "id")
LIBRARIES = (
    "libc.so.6",
    "libm.so.6",
    "libz.so.1",
    "libstdc++.so.6",
    "libgcc_s.so.1",
    "libdl.so.2",
    "libpthread.so.0",
    "librt.so.1",
    "libnss_files.so.2",
)
CONTAINERS = """[containers]
cgroupns="host"
[engine]
cgroup_manager="cgroupfs"
events_logger="none"
runtime="runc"
"""
STORAGE = '[storage]\ndriver="vfs"\ngraphroot="{0}/store"\nrunroot="{0}/run"\n'


@dataclass(frozen=True)
class Podman:
    """A running service."""

    folder: Path

    @property
    def address(self) -> str:
        return f"unix://{self.folder}/socket"

    @property
    def images(self) -> Images:
        return Images(IMAGE, self.address)

    @property
    def environment(self) -> dict[str, str]:
        settings = {
            f"CONTAINERS_{name}": str(self.folder / file)
            for name, file in (("CONF", "containers.conf"), ("STORAGE_CONF", "storage.conf"))
        }
        return dict(os.environ) | settings | {"DOCKER_HOST": self.address}

    def run(self, *words: str) -> str:
        """Output of a command of Podman's own."""
        done = subprocess.run(["podman", *words], env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def containers(self) -> list[str]:
        """Ids of all containers, ended ones among them."""
        return self.run("ps", "--all", "--quiet").split()


def missing() -> str:
    """Why Podman cannot be used on this machine; '' when it can."""
    lacking = [program for program in ("podman", "runc", "setsid") if shutil.which(program) is None]
    if lacking:
        return f"not installed: {', '.join(lacking)}"
    return "" if os.geteuid() == 0 else "Podman without root is not tried here"


@contextmanager
def started(image: Path | None = None) -> Iterator[Podman]:
    """The service, until the end of the block.

    Args:
        image: a folder with a system to be used instead of the small one made here.
    """
    with tempfile.TemporaryDirectory(prefix="testevo-podman-", ignore_cleanup_errors=True) as name:
        podman = Podman(Path(name))
        (podman.folder / "containers.conf").write_text(CONTAINERS)
        (podman.folder / "storage.conf").write_text(STORAGE.format(podman.folder))
        if image is None:
            image = podman.folder / "system"
            make_system(image)
        with subprocess.Popen(["tar", "--one-file-system", "-C", str(image), "-c", "."], stdout=subprocess.PIPE) as tar:
            subprocess.run(
                ["podman", "import", "-", IMAGE],
                stdin=tar.stdout,
                env=podman.environment,
                check=True,
                capture_output=True,
            )
        service = _service(podman)
        try:
            yield podman
        finally:
            for container in podman.containers():
                podman.run("rm", "--force", container)
            with contextlib.suppress(ProcessLookupError):
                os.kill(service, signal.SIGTERM)
            _unmount(podman.folder)


def make_system(folder: Path) -> None:
    """What the first program of a container and a JDK need, and what tests start, with the libraries of all."""
    for name in ("bin", "dev", "etc", "proc", "sys", "tmp", "usr/bin"):
        (folder / name).mkdir(parents=True)
    found: set[str] = set()
    for program in PROGRAMS:
        place = shutil.which(program)
        assert place is not None, program
        shutil.copy(place, folder / "usr/bin" / program)
        (folder / "bin" / program).symlink_to(f"/usr/bin/{program}")
        linked = subprocess.run(["ldd", place], capture_output=True, text=True, check=False).stdout
        found |= set(re.findall(r"/\S+\.so\S*", linked))
    known = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for library in LIBRARIES:
        found |= set(re.findall(rf"^\s*{re.escape(library)} .*x86-64.* => (/\S+)$", known, re.MULTILINE)[:1])
    for library in found:
        copied = folder / library.lstrip("/")
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, copied)


def _service(podman: Podman) -> int:
    """Start it as no child of this process: what it starts must not be taken for what a test left behind."""
    script = 'setsid podman system service --time=0 "$1" >"$2" 2>&1 & echo $!'
    done = subprocess.run(
        ["sh", "-c", script, "sh", podman.address, str(podman.folder / "log")],
        env=podman.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    for _ in range(500):
        if (podman.folder / "socket").exists():
            return int(done.stdout)
        time.sleep(0.02)
    raise AssertionError((podman.folder / "log").read_text())


def _unmount(folder: Path) -> None:
    mounts = Path("/proc/self/mounts").read_text().splitlines()
    for place in sorted((line.split()[1] for line in mounts), key=len, reverse=True):
        if place.startswith(f"{folder}/"):
            subprocess.run(["umount", "--lazy", place], check=False)
