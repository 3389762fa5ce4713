"""Faults of the machine: how each shows in a program or an exception, and what the user does about it.

Read by whoever judges a failure: of a program (`testevo.builds.machine_failures`), of Python (`is_machine_fault`), and
of an outcome on record, which may have to be found again (`possible_fault` in `testevo.records.verdicts`).
"""

import errno
import re
import subprocess
from dataclasses import dataclass

from testevo.runtime.errors import ExitStatus, MachineError, UserError

_MOST_CHARACTERS = 300
"""Of what a program said, in a message."""


@dataclass(frozen=True)
class MachineFault:
    """Something that a machine lacks."""

    remedy: str
    """The next step for the user: the beginning of a sentence."""
    signs: re.Pattern[str] | None = None
    """Messages of programs that meet it."""
    statuses: tuple[int, ...] = ()
    """Exit statuses of programs that it ended."""

    def sign(self, said: str) -> str | None:
        """The first line of a program's output with a sign, without Maven's level, shortened."""
        if self.signs is None:
            return None
        line = next((line for line in said.splitlines() if self.signs.search(line)), None)
        return line.removeprefix("[ERROR]").strip(" .")[:_MOST_CHARACTERS] if line else None

    def error(self, found: str, more: str = "") -> MachineError:
        """The error that tells the user of it: what was found (a sentence without its full stop), and what to do."""
        return MachineError(f"{found}. {self.remedy}, then run again; finished work is kept.{more}")


MEMORY = MachineFault(
    "Free memory, or set machine.processes to a smaller number",
    re.compile(
        r"There is insufficient memory for the Java Runtime Environment|Cannot allocate memory|[Cc]annot fork|"
        r"unable to create (?:new )?native thread|Native memory allocation \(\w+\) failed|Out of swap space"
    ),
    (-9, 128 + 9),
)
"""The kernel kills with SIGKILL; a shell passes that on as 137."""
HEAP = MachineFault(
    MEMORY.remedy, re.compile(r"Could not reserve enough space|Could not allocate metaspace"), MEMORY.statuses
)
"""Less memory than a JVM was asked for: by us, or by the project itself, whose fault it then is."""
DISK = MachineFault("Free space", re.compile("No space left on device"))
NETWORK = MachineFault(
    "Check the network and build.mirror",
    re.compile(
        r"Unknown host|UnknownHostException|name resolution|Name or service not known|No address associated|"
        r"Connection refused|Network is unreachable|No route to host|timed out|Connection reset|PKIX path|"
        r"handshake|protocol_version|Remote host (?:closed|terminated)|\b407\b|Proxy Authentication"
    ),
)
PROGRAM = MachineFault("Fix the installation (`testevo doctor` starts every program)")
"""A program, such as a JDK of the version that is needed, is missing or does not start."""
TIME = MachineFault("Raise the time limit")
"""A machine that is slower, or busier, than its limits allow for."""

OF_THE_INPUT = (ExitStatus.INPUT, ExitStatus.NOT_FOUND, ExitStatus.NO_SUCCESS)
"""Statuses of user errors that another input may not have."""
INPUT_ERRORS = frozenset(
    {
        errno.ENOENT,
        errno.EEXIST,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.ENOTEMPTY,
        errno.ENAMETOOLONG,
        errno.ELOOP,
        errno.EINVAL,
        errno.EILSEQ,
    }
)
"""Numbers of system errors that the names and files of an input can cause."""


def is_machine_fault(error: BaseException) -> bool:
    """Whether the machine, the installation or the configuration is at fault, and another input would fail too.

    Missing programs, full disks, lost permissions, memory, killed programs, modules that cannot be imported. Errors of
    users are the input's only when they say so by their status.
    """
    if isinstance(error, UserError):
        return error.status not in OF_THE_INPUT
    if isinstance(error, subprocess.CalledProcessError):
        return error.returncode < 0
    if isinstance(error, OSError):
        return error.errno not in INPUT_ERRORS or _is_missing_program(error)
    return isinstance(error, MemoryError | ImportError) or not isinstance(error, Exception)


def _is_missing_program(error: OSError) -> bool:
    """A program that is looked for along PATH goes by its name alone."""
    return isinstance(error, FileNotFoundError) and "/" not in str(error.filename or "/")


def machine_error(error: BaseException) -> MachineError:
    """The message to the user for a fault that carries none, such as `MemoryError`."""
    said = " ".join(str(error).split())
    fault = MEMORY if isinstance(error, MemoryError | subprocess.CalledProcessError) else PROGRAM
    return fault.error(f"{type(error).__name__}{f' ({said})' if said else ''} is not a fault of the input")
