"""The sandbox that a configuration asks for."""

import os
import shutil
from dataclasses import dataclass
from typing import Literal

from testevo.config.model import Execution
from testevo.runtime.errors import MachineError, UsageError
from testevo.sandboxes import name_spaces, sandbox
from testevo.sandboxes.name_spaces import NameSpaces
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, Sandbox
from testevo.sandboxes.sandbox_apptainer import Apptainer

SandboxName = Literal["bubblewrap", "docker", "apptainer", "unshare", "none"]
NAMES = ("auto", "bubblewrap", "docker", "apptainer", "unshare", "none")


@dataclass(frozen=True)
class Images:
    """The engine and the image of containers."""

    container: str = "testevo-sandbox"
    engine: str | None = None
    """Address of the engine's socket; None: what the variable DOCKER_HOST says, else that of Docker."""
    apptainer: str | None = None
    """A file in Apptainer's format or a folder with a system."""

    @classmethod
    def of(cls, execution: Execution) -> "Images":
        return cls(execution.container_image, execution.container_engine, execution.apptainer_image)


def sandbox_of(execution: Execution) -> Sandbox:
    """The sandbox of the configuration section `execution`.

    Raises:
        MachineError: it is not installed, or has no image.
    """
    return sandbox_named(execution.sandbox, Images.of(execution))


def sandbox_named(name: str, images: Images | None = None) -> Sandbox:
    """The sandbox of that name; `auto` is the best one that isolates files, too.

    `none` has processes of its own where `unshare` works. Who may run what is decided before
    (`testevo.sandboxes.consent`).

    Raises:
        UsageError: there is no sandbox of that name.
        MachineError: it is not installed, or has no image; for `auto`: none that isolates files works here.
    """
    images = images or Images()
    if name == "auto":
        best = best_isolating(images)
        if best is None:
            raise MachineError(f"No sandbox works here: {missing_of(images)}. See docs/sandboxes.md.")
        name = best
    if name == "none":
        return NameSpaces(network=False) if name_spaces.name_spaces_work(network=False) else NoSandbox()
    if name == "unshare":
        return NameSpaces()
    if name == "bubblewrap":
        return Bubblewrap()
    if name == "docker":
        # A quarter of a second, and memory, for those who ask for it alone.
        from testevo.sandboxes.sandbox_container import ContainerSandbox

        return ContainerSandbox(images.container, images.engine)
    if name == "apptainer":
        return Apptainer(images.apptainer, shutil.which("apptainer") or shutil.which("singularity"))
    raise UsageError(f"`{name}` is not a sandbox. Set `execution.sandbox` to one of {', '.join(NAMES)}.")


def best_isolating(images: Images) -> SandboxName | None:
    """The first of bubblewrap, containers and Apptainer that works here; the latter two only where they are named.

    They are named by the engine's address (`execution.container_engine`, DOCKER_HOST) and by Apptainer's image.
    """
    if sandbox.bubblewrap_works():
        return "bubblewrap"
    named: dict[SandboxName, object] = {
        "docker": images.engine or os.environ.get("DOCKER_HOST"),
        "apptainer": images.apptainer,
    }
    return next((name for name, is_named in named.items() if is_named and _is_there(name, images)), None)


def missing_of(images: Images) -> str:
    """Why no sandbox that isolates files works here, in words."""
    bubblewrap = (
        "bubblewrap (`bwrap`) is not installed"
        if shutil.which("bwrap") is None
        else "bubblewrap (`bwrap`) may not make name spaces"
    )
    if not (images.engine or os.environ.get("DOCKER_HOST") or images.apptainer):
        return f"{bubblewrap}, and no container engine such as Podman is named"
    return f"{bubblewrap}, and the container engine or image that is named does not answer"


def _is_there(name: SandboxName, images: Images) -> bool:
    try:
        sandbox_named(name, images)
    except MachineError:
        return False
    return True
