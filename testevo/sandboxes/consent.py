"""Whether code may run here, and in which sandbox: untrusted code needs one that isolates files, or the user's yes.

The yes is a sandbox that is named: `--sandbox none`, or `execution.sandbox: none` in a configuration that the user
gives. What a dataset says of sandboxes is never a yes. Trusted code is that of this project and of releases that it
knows by their checksums (`testevo.sources.trusted`); it runs everywhere.
"""

import os
from collections.abc import Sequence

from testevo.config.model import Config
from testevo.records.repository import Repository
from testevo.runtime.errors import MachineError
from testevo.sandboxes.name_spaces import name_spaces_work
from testevo.sandboxes.sandbox import warn_once
from testevo.sandboxes.sandboxes import Images, best_isolating, missing_of
from testevo.sources.candidates import candidates
from testevo.sources.trusted import is_trusted

_YES = ("none", "unshare")
"""Sandboxes that leave files in reach; they are never chosen for untrusted code, only named by the user."""
_NAMED = 3


def granted(config: Config, code: str, *, trusted: bool) -> Config:
    """The configuration with the sandbox that some code may run in, instead of `auto`.

    Args:
        code: whose code it is, for messages.
        trusted: whether it runs everywhere: in the best sandbox, else `unshare`, else none with a note.

    Raises:
        MachineError: it may not run here; the message says what is missing and how to say yes.
    """
    name = _chosen(config, code, trusted=trusted)
    return config.model_copy(update={"execution": config.execution.model_copy(update={"sandbox": name})})


def require_consent(config: Config, code: str) -> None:
    """Refuse early what the jobs would refuse.

    Raises:
        MachineError: as `granted`.
    """
    granted(config, code, trusted=False)


def require_consent_to_mine(config: Config, known: Sequence[Repository] | None = None) -> None:
    """The same for the histories of a configuration; those that are trusted need none.

    Raises:
        MachineError: as `granted`.
        UserError: the configuration names no history, or a bad one.
    """
    named = known or candidates(config)
    untrusted = [one.name for one in named if not is_trusted(one, config)]
    if untrusted:
        more = len(untrusted) - _NAMED
        some = ", ".join(untrusted[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        require_consent(config, f"the code of {some}")
    elif named:
        granted(config, "the code of this snapshot", trusted=True)  # a job's note would stay in its log


def _chosen(config: Config, code: str, *, trusted: bool) -> str:
    asked = config.execution.sandbox
    if trusted:
        return _of_trusted(config, code) if asked == "auto" else asked
    if asked not in _YES and config.build.engine == "maven":
        raise _refused_engine(code)
    if asked == "auto":
        best = best_isolating(Images.of(config.execution))
        if best is None:
            raise _refused(code, config)
        return best
    if asked == "none" and os.geteuid() == 0 and not name_spaces_work(network=False):
        raise MachineError(
            f"{_upper(code)} is untrusted, and root may not run it without any sandbox: one `kill -9 -1` in a test "
            "would end every process of this machine, and `unshare` makes no name space of processes here. Run the "
            "same command as another user, or install bubblewrap (`apt-get install bubblewrap`)."
        )
    return asked


def _of_trusted(config: Config, code: str) -> str:
    best = best_isolating(Images.of(config.execution))
    if best is not None:
        return best
    if name_spaces_work():
        return "unshare"
    warn_once(
        f"note: no sandbox works here ({missing_of(Images.of(config.execution))}, and `unshare` makes no name "
        f"spaces). {_upper(code)} is trusted and runs with the rights of your user."
    )
    return "none"


def _refused(code: str, config: Config) -> MachineError:
    return MachineError(
        f"{_upper(code)} is untrusted, and nothing here keeps it from your files: "
        f"{missing_of(Images.of(config.execution))}. Nothing of it was run.\n"
        "Install bubblewrap (`apt-get install bubblewrap`, `dnf install bubblewrap`), or name Podman as "
        "docs/sandboxes.md says.\n"
        "Or say yes: `--sandbox none` (`execution.sandbox: none`) runs its tests with the rights of your user, so that "
        "they can read and change your files and use the network; `--sandbox unshare` does so without network.\n"
        "With any sandbox Maven builds it, its plugins included, with the rights of your user and the network."
    )


def _refused_engine(code: str) -> MachineError:
    return MachineError(
        f"{_upper(code)} is untrusted, and the engine `maven` runs tests by Surefire, outside any sandbox. Nothing of "
        "it was run. Take the engine `direct`, or say yes: `--sandbox none` (`execution.sandbox: none`) lets its tests "
        "and build read and change your files and use the network."
    )


def _upper(code: str) -> str:
    return code[:1].upper() + code[1:]
