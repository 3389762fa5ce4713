"""The one place where errors of users become a message and an exit status."""

import os
import sys
from collections.abc import Callable

from testevo.ground.errors import ExitStatus, UserError


def run_main(main: Callable[[], int | None]) -> None:
    """Run a command or stage and leave the process with its status.

    A `UserError` becomes one message on stderr. An interrupted run says how to go on. Everything else is a bug and
    shows its traceback (exit status 1).
    """
    try:
        status = main()
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        status = error.status
    except KeyboardInterrupt:
        print("interrupted; run the same command again to resume.", file=sys.stderr)
        status = 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = ExitStatus.OK
    sys.exit(int(status or ExitStatus.OK))
