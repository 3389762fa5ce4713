"""Does a sandbox run programs here? Shown by a harmless one, which runs in it as test JVMs do."""

import tempfile
from pathlib import Path

from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandboxes import Images, sandbox_named
from testevo.sandboxes.watching import ProcessLimits

_SECONDS = 60.0
_MEMORY_MB = 64
_OUTPUT = 2000
_SCRIPT = 'echo said >"$1" && echo written >"$2/file"'
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}


def fault_of_sandbox(name: str, images: Images | None = None) -> str:
    """Run a shell in a sandbox that speaks on the channel and writes to its folder; why that fails, '' where it works.

    Args:
        images: the engine and the images of containers; None: those of the default configuration.
    """
    with tempfile.TemporaryDirectory(prefix="testevo-trial-") as outer:
        own = Path(outer).resolve() / "own"
        own.mkdir()
        try:
            watched = sandbox_named(name, images).run(
                lambda channel: ["/bin/sh", "-c", _SCRIPT, "sh", channel, str(own)],
                Confinement(own, (), (own,), _MEMORY_MB),
                _ENVIRONMENT,
                ProcessLimits(_SECONDS, _OUTPUT),
            )
        except MachineError as error:
            return str(error)
        wrote = (own / "file").is_file()
    if watched.status == 0 and watched.channel == b"said\n" and wrote:
        return ""
    said = " ".join(watched.stderr.decode("utf-8", "replace").split()).rstrip(".") or "it said nothing"
    how = f"no end within {_SECONDS:g} s" if watched.timed_out else f"exit status {watched.status}"
    if watched.status == 0:
        how = "it ended well, but what it wrote was not there"
    return f"A shell in the sandbox `{name}` failed ({how}): {said}. See docs/sandboxes.md for what it needs."
