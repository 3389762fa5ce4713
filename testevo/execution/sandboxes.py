"""The sandbox that a configuration asks for."""

import shutil
from dataclasses import dataclass

from testevo.config.model import Execution
from testevo.execution import sandbox
from testevo.execution.sandbox import Bubblewrap, NoSandbox, Sandbox
from testevo.execution.sandbox_apptainer import Apptainer
from testevo.ground.errors import UsageError

NAMES = ("auto", "bubblewrap", "docker", "apptainer", "none")


@dataclass(frozen=True)
class Images:
    """What containers are made of, and by whom."""

    container: str = "testevo-sandbox"
    engine: str | None = None
    """Address of the engine's socket; None: what the variable DOCKER_HOST says, else that of Docker."""
    apptainer: str | None = None
    """A file in Apptainer's format or a folder with a system."""


def sandbox_of(execution: Execution) -> Sandbox:
    """The sandbox of the configuration section `execution`.

    Raises:
        MachineError: it is not installed, or has no image.
    """
    images = Images(execution.container_image, execution.container_engine, execution.apptainer_image)
    return sandbox_named(execution.sandbox, images)


def sandbox_named(name: str, images: Images | None = None) -> Sandbox:
    """The sandbox of that name; `auto` is bubblewrap where it works, else none.

    Raises:
        UsageError: there is no sandbox of that name.
        MachineError: it is not installed, or has no image.
    """
    images = images or Images()
    if name == "auto":
        name = "bubblewrap" if sandbox.bubblewrap_works() else "none"
    if name == "none":
        return NoSandbox()
    if name == "bubblewrap":
        return Bubblewrap()
    if name == "docker":
        # A quarter of a second, and memory, for those who ask for it alone.
        from testevo.execution.sandbox_container import ContainerSandbox

        return ContainerSandbox(images.container, images.engine)
    if name == "apptainer":
        return Apptainer(images.apptainer, shutil.which("apptainer") or shutil.which("singularity"))
    raise UsageError(f"`{name}` is no sandbox. Set `execution.sandbox` to one of {', '.join(NAMES)}.")
