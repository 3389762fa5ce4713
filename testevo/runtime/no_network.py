"""How a program leaves the network."""

import os
import socket
import subprocess
import sys

from testevo.runtime.errors import MachineError

_LOOPBACK = "lo"
_WITHOUT_NETWORK = ("unshare", "--net", "--map-root-user")


def leave_network() -> None:
    """Begin this program again in a network name space without any interface but loopback, unless it is in one.

    Raises:
        MachineError: this user may make none.
    """
    others = _other_interfaces()
    if not others:
        return
    if fault := _fault_of_name_spaces():
        raise MachineError(
            f"This job must run without a network, and here is {', '.join(others)}; `{' '.join(_WITHOUT_NETWORK)}` "
            f"makes no name space ({fault}). Run `snakemake online` on a machine whose users may make network name "
            f"spaces."
        )
    os.execvp(_WITHOUT_NETWORK[0], [*_WITHOUT_NETWORK, sys.executable, *sys.argv])


def _other_interfaces() -> list[str]:
    return sorted({name for _, name in socket.if_nameindex()} - {_LOOPBACK})


def _fault_of_name_spaces() -> str:
    """Why `unshare` leads nowhere; empty when a program that it starts sees no interface but loopback."""
    listing = "import socket; print(*(name for _, name in socket.if_nameindex()))"
    try:
        tried = subprocess.run(
            [*_WITHOUT_NETWORK, sys.executable, "-c", listing], capture_output=True, text=True, check=False
        )
    except OSError as error:
        return str(error)
    if tried.returncode != 0:
        return tried.stderr.strip() or f"exit status {tried.returncode}"
    seen = sorted(set(tried.stdout.split()) - {_LOOPBACK})
    return f"{', '.join(seen)} is seen in it" if seen else ""
