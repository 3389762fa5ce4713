"""Tell a fault of the machine from a failure that the input causes. In doubt it is the machine's."""

import errno
import subprocess

from testevo.runtime.errors import ExitStatus, MachineError, UserError

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
    """What to tell the user of a fault that carries no message for one, such as `MemoryError`."""
    said = " ".join(str(error).split())
    return MachineError(
        f"{type(error).__name__}{f' ({said})' if said else ''} is not a fault of the input. Free memory or repair the "
        f"installation, then run again; finished work is kept."
    )
