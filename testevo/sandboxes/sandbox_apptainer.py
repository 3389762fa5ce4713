"""The sandbox `apptainer`: for clusters that have no bubblewrap and no container engine.

Only its command line is tested (docs/sandboxes.md); the probe at a job's start shows on the machine itself whether it
holds.
"""

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import file_digest
from testevo.sandboxes.mounts import Confinement, Mount, jdk_files, mounts_of, with_readable
from testevo.sandboxes.processes import run_watched
from testevo.sandboxes.sandbox import Command, CommandSandbox, exactly, process_limits
from testevo.sandboxes.watching import ProcessLimits, Watched


class Apptainer(CommandSandbox):
    """A fresh container per run: no network, no home, nothing of this machine but what is named.

    The channel is a named pipe in a folder that can only be read inside: whether Apptainer hands descriptors on depends
    on its version.

    Args:
        image: a `.sif` file or a folder with a system that has `/usr/bin/env`; the JDK is mounted into it.
        program: the command `apptainer` (or `singularity`, its old name).

    Raises:
        MachineError: one of them is missing.
    """

    name = "apptainer"
    hides_working_folder = True
    inputs_are_read_only = True

    def __init__(self, image: str | None, program: str | None) -> None:
        if program is None:
            raise MachineError(
                "Apptainer is not installed. On a cluster say `module load apptainer`, or set `execution.sandbox: "
                "bubblewrap`."
            )
        if image is None or not Path(image).exists():
            raise MachineError(
                f"The image of the sandbox `apptainer` is missing: {image or 'none is named'}. Make one as "
                "docs/sandboxes.md says and name it in `execution.apptainer_image`."
            )
        self._program, self._image = program, Path(image).absolute()

    @property
    def identity(self) -> str:
        state = file_digest(self._image) if self._image.is_file() else str(self._image)
        return f"{self.name} {state}"

    def command(self, command: Sequence[str], confinement: Confinement) -> list[str]:
        """With the limits outside, where the program that sets them is sure to be."""
        argv = [
            *process_limits(confinement),
            self._program,
            "exec",
            "--containall",
            "--cleanenv",
            "--no-home",
            "--net",
            "--network",
            "none",
            "--no-privs",
            "--hostname",
            "localhost",
        ]
        for mount in [*jdk_files(), *mounts_of(confinement)]:
            argv += ["--mount", _mount(mount)]
        return [*argv, "--pwd", str(confinement.working_folder), str(self._image), *command]

    def run(
        self,
        command: Command,
        confinement: Confinement,
        environment: Mapping[str, str],
        limits: ProcessLimits,
        key: bytes | None = None,
    ) -> Watched:
        with tempfile.TemporaryDirectory(dir=confinement.writable[0].parent, prefix="channel-") as name:
            pipe = Path(name).resolve() / "channel"
            os.mkfifo(pipe)
            seen = with_readable(confinement, pipe.parent)
            return run_watched(
                self.command([*exactly(environment), *command(str(pipe))], seen),
                (os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), None),
                folder=pipe.parent,
                environment={"PATH": os.environ.get("PATH", os.defpath)},
                limits=limits,
                key=key,
                quota=confinement.quota,
            )


def _mount(mount: Mount) -> str:
    """In the form that allows for colons and commas in names."""
    words = ["type=bind", f"source={mount.source}", f"destination={mount.place}", *([] if mount.writable else ["ro"])]
    return ",".join(f'"{word}"' if "," in word or '"' in word else word for word in words)
