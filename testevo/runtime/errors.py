"""Errors a user can fix, and the exit statuses of every command (shared with the Java side)."""

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
