"""An exception of a worker process, in a form that its parent process can raise again."""

import signal
import traceback
from dataclasses import dataclass
from typing import NoReturn

from testevo.runtime.errors import ExitStatus, MachineError, UserError
from testevo.runtime.machine_faults import MEMORY, is_machine_fault, machine_error


class UnitError(RuntimeError):
    """A bug in a unit of work; the message is the traceback of the process that did it."""

    def __init__(self, failure: "Failure") -> None:
        super().__init__(f"in a process of this stage:\n{failure.trace}")
        self.failure = failure


@dataclass(frozen=True)
class Failure:
    """An exception in words: not every one survives being pickled."""

    trace: str
    kind: str = ""
    """The type of the exception, when it is neither of the two below."""
    message: str = ""
    user: tuple[str, ExitStatus] | None = None
    """Message and status of a `UserError`."""
    system: tuple[int, str, str | None] | None = None
    """Number, message and file of an `OSError`, which may be a full disk."""

    def reraise(self) -> NoReturn:
        """Raise the exception in this process.

        Raises:
            UserError, OSError: as in the other process.
            UnitError: anything else.
        """
        if self.user is not None:
            error = UserError(self.user[0])
            error.status = self.user[1]
            raise error
        cause = UnitError(self)
        if self.system is not None:
            raise OSError(*self.system) from cause
        raise cause


def failure_of(error: Exception) -> Failure:
    """The exception, ready to be sent to the parent process."""
    trace = "".join(traceback.format_exception(error))
    if isinstance(error, UserError):
        return Failure(trace, user=(str(error), error.status))
    if isinstance(error, OSError) and error.errno is not None:
        file = None if error.filename is None else str(error.filename)
        return Failure(trace, system=(error.errno, str(error.strerror), file))
    if is_machine_fault(error):
        told = machine_error(error)
        return Failure(trace, user=(str(told), told.status))
    return Failure(trace, kind=type(error).__name__, message=str(error))


def died(status: int | None, what: str) -> MachineError:
    """Describe a process that ended without a message, by its exit status as `multiprocessing` gives it."""
    how = f"by {signal.Signals(-status).name}" if status is not None and status < 0 else f"with status {status}"
    return MEMORY.error(f"A process ended {how} in the middle of its work ({what}); most often memory ran out")
