"""A fault of the machine never becomes the fault of a repository."""

import errno
import os
import subprocess

import pytest

from testevo.runtime.errors import ExitStatus, MachineError, NotFoundError, UsageError, UserError
from testevo.runtime.machine_faults import is_machine_fault, machine_error
from testevo.runtime.processes.child_failures import UnitError, failure_of

MACHINE = [
    MachineError("No JDK."),
    UsageError("No such option."),
    OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a/file"),
    OSError(errno.EACCES, os.strerror(errno.EACCES), "a/file"),
    OSError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED)),
    BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)),
    FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "git"),
    subprocess.CalledProcessError(-9, ["git"]),
    MemoryError(),
    ModuleNotFoundError("No module named 'x'"),
    KeyboardInterrupt(),
]
REPOSITORY = [
    UserError("It is damaged."),
    NotFoundError("There is no such commit."),
    FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "src/Main.java"),
    OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), "a" * 300),
    subprocess.CalledProcessError(128, ["git"]),
    KeyError("x"),
    RecursionError("maximum recursion depth exceeded"),
]


@pytest.mark.parametrize("error", MACHINE, ids=repr)
def test_a_fault_of_the_machine_is_one(error: BaseException) -> None:
    assert is_machine_fault(error)


@pytest.mark.parametrize("error", REPOSITORY, ids=lambda error: repr(error)[:40])
def test_what_an_input_can_cause_is_none(error: Exception) -> None:
    assert not is_machine_fault(error)


def test_memory_that_runs_out_in_a_process_of_a_stage_is_told_as_such() -> None:
    with pytest.raises(UserError, match="MemoryError is not a fault of the input") as caught:
        failure_of(MemoryError()).reraise()
    assert caught.value.status is ExitStatus.MACHINE
    assert "Free memory" in str(machine_error(MemoryError()))


def test_a_bug_in_a_process_of_a_stage_keeps_its_type() -> None:
    with pytest.raises(UnitError) as caught:
        failure_of(KeyError("x")).reraise()
    assert (caught.value.failure.kind, caught.value.failure.message) == ("KeyError", "'x'")
