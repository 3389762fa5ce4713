"""Errors a user can fix, and the exit statuses of every command (shared with the Java side)."""

import errno
from enum import IntEnum


class ExitStatus(IntEnum):
    """Exit statuses of all commands and stage scripts (docs/commands.md); those of `ExitStatus.java` are among them."""

    OK = 0
    BUG = 1
    USAGE = 2
    INPUT = 3
    MACHINE = 4
    NOT_PUBLISHABLE = 5
    PARTIAL = 6
    """Some repositories failed; everything else is there."""
    NOT_FOUND = 7
    """No task, system, commit or repository has that name."""
    NO_SUCCESS = 8
    """It ran, and the answer is no: a graded test is not a success, engines disagree."""
    INTERRUPTED = 130


class UserError(Exception):
    """Something the user can fix; shown as one message, never as a traceback.

    The message names the thing, the reason and the next step. Everything that is not a `UserError` is a bug and
    shows its traceback.
    """

    status = ExitStatus.INPUT


class UsageError(UserError):
    """A command line or a configuration that asks for something impossible."""

    status = ExitStatus.USAGE


class NotFoundError(UserError):
    """A name that nothing has: a task id, a system, a commit."""

    status = ExitStatus.NOT_FOUND


class NotPublishableError(UserError):
    """Results that contradict themselves, or whose control submissions miss their expected grades."""

    status = ExitStatus.NOT_PUBLISHABLE


class MachineError(UserError):
    """The machine, not the input, is at fault: disk full, a tool missing, a folder that cannot be written."""

    status = ExitStatus.MACHINE


_FREE_SPACE = "Free space or give another output folder"
MACHINE_REASONS = {
    errno.ENOSPC: _FREE_SPACE,
    errno.EDQUOT: _FREE_SPACE,
    errno.EROFS: "Give a folder that can be written",
    errno.EACCES: "Give a folder that can be read and written",
    errno.EPERM: "Give a folder that can be read and written",
    errno.EMFILE: "Raise the limit of open files",
    errno.ENOMEM: "Free memory or use fewer cores",
    errno.EIO: "Check the disk",
    errno.EFBIG: "Raise the limit of the size of files",
    errno.ENOTDIR: "Give a folder whose name, and all names above it, are those of folders",
    errno.EISDIR: "Give a file, not a folder",
    errno.ENAMETOOLONG: "Give a shorter name",
    errno.ELOOP: "Give a name that is no circle of links",
}
"""Failures of the system that are not bugs of testevo, each with its next step."""


def next_step(error: OSError) -> str:
    """What the user does about a failure of the system, without its full stop."""
    return MACHINE_REASONS.get(error.errno or 0, _FREE_SPACE)
