"""The one place where errors of users become a message and an exit status."""

import io
import os
import select
import shutil
import signal
import sys
from collections.abc import Callable
from types import FrameType

from testevo.runtime.errors import MACHINE_REASONS, ExitStatus, UserError, next_step


def run_main(main: Callable[[], int | None]) -> None:
    """Run a command or stage and leave the process with its status.

    A `UserError` becomes one message on stderr, and so does a full or read-only disk. A run that is interrupted or
    asked to end (SIGTERM) cleans up and says how to go on; one whose output nobody reads any more ends well. Everything
    else is a bug and shows its traceback (exit status 1).
    """
    signal.signal(signal.SIGTERM, _interrupt)
    if sys.stdout is None:  # closed, as by `>&-`
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if isinstance(sys.stdout, io.TextIOWrapper):  # names and messages have characters that a locale may lack
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        status = main()
        sys.stdout.flush()  # a failure at Python's own end would have no message
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        status = error.status
    except KeyboardInterrupt:
        print("interrupted; run the same command again to resume.", file=sys.stderr)
        status = ExitStatus.INTERRUPTED
    except BrokenPipeError:
        if not _nobody_reads_output():
            raise
        status = ExitStatus.OK
    except OSError as error:
        said = _fault_of_the_machine(error)
        if said is None:
            raise
        print(f"error: {said}. {next_step(error)}, then run again.", file=sys.stderr)
        status = ExitStatus.MACHINE
    _let_go_of_output()
    sys.exit(int(status or ExitStatus.OK))


def _fault_of_the_machine(error: OSError) -> str | None:
    """What failed, in words; None for a bug."""
    if isinstance(error, shutil.Error) and isinstance(error.args[0], list):  # of all files of a folder
        return f"A folder cannot be copied: {error.args[0][0][-1]}"
    if error.errno not in MACHINE_REASONS:
        return None
    return f"{error.filename or 'a file or the output'}: {error.strerror}"


def _let_go_of_output() -> None:
    """Write what was printed, or give it up: Python would fail on it at its end, with a status of its own."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _nobody_reads_output() -> bool:
    """Whether the reader of stdout has gone, as `head` does; else the pipe was another one."""
    output = select.poll()
    output.register(sys.stdout, 0)
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in output.poll(0))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
