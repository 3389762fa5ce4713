"""The first process inside name spaces of their own: prepares them, gives up its power, starts the program, waits.

A program, not a module to import: `testevo.sandboxes.name_spaces` starts it by its path with `python -I -S`, so that it
costs the start of an interpreter and no more. The kernel ends everything inside when it ends, and no signal from inside
ends it.

    name_space_init.py (loopback | -) USER GROUP COMMAND...

It exits with the status of the command, 128 and the number of the signal where that ended it.
"""

import _socket
import ctypes
import fcntl
import os
import signal
import struct
import sys

_SET_PARENT_DEATH_SIGNAL, _DROP_BOUNDING_CAPABILITY, _SET_NO_NEW_PRIVILEGES = 1, 24, 38
_CAPABILITIES = 64
_NEW_USER_NAME_SPACE = 0x10000000
_GET_FLAGS, _SET_FLAGS, _INTERFACE_UP = 0x8913, 0x8914, 0x1


def bring_loopback_up() -> None:
    """A new network name space has a loopback interface that is down, and nothing else."""
    asked = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)  # `socket` alone would double the time this takes
    name, flags = struct.unpack("16sh", fcntl.ioctl(asked.fileno(), _GET_FLAGS, struct.pack("16sh", b"lo", 0)))
    fcntl.ioctl(asked.fileno(), _SET_FLAGS, struct.pack("16sh", name, flags | _INTERFACE_UP))
    asked.close()


def number_processes_apart() -> None:
    """Begin to number processes somewhere else than other name spaces do, where the kernel can.

    A JVM that attaches to itself, as Mockito does for inline mocks, waits at `/tmp/.java_pid<number>`, and `/tmp` is
    shared: of two runs with equal numbers one would attach to the other.
    """
    try:
        limit = os.open("/proc/sys/kernel/pid_max", os.O_RDONLY)
        last = os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY)
        number = 1000 + int.from_bytes(os.urandom(4), "big") % (int(os.read(limit, 20)) // 2)
        os.write(last, str(number).encode())
    except OSError:
        return
    os.close(limit)
    os.close(last)


def give_up_power(user: int, group: int) -> None:
    """Lose every capability for good, and be called by the ids that the user has outside.

    Root keeps its number, and nothing but what files grant to their owner.
    """
    system = ctypes.CDLL(None, use_errno=True)
    for capability in range(_CAPABILITIES):
        system.prctl(_DROP_BOUNDING_CAPABILITY, capability, 0, 0, 0)
    system.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if user != os.getuid():  # inside, the user appears as root; one name space further, as itself
        if system.unshare(_NEW_USER_NAME_SPACE) != 0:
            raise OSError(ctypes.get_errno(), "no further user name space")
        for name, inside in (("gid_map", group), ("uid_map", user)):
            mapping = os.open(f"/proc/self/{name}", os.O_WRONLY)
            os.write(mapping, f"{inside} 0 1".encode())
            os.close(mapping)
    system.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def run(command: list[str]) -> int:
    """Run a command to its end, collecting every orphan meanwhile; its exit status."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    started = os.fork()
    if started == 0:
        for number in (signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
            os._exit(127)
    while True:
        ended, status = os.wait()
        if ended == started:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


def main(arguments: list[str]) -> int:
    loopback, user, group, *command = arguments
    if loopback == "loopback":
        bring_loopback_up()
    number_processes_apart()
    give_up_power(int(user), int(group))
    return run(command)


if __name__ == "__main__":
    os._exit(main(sys.argv[1:]))
