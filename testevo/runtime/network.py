"""Whether this machine has a network at all, what needs none, and how a process leaves it."""

import ipaddress
import os
import socket
import subprocess
import sys
from urllib.parse import urlsplit

import psutil

from testevo.runtime.errors import MachineError

_PLACES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that are reserved for documentation."""
_LOOPBACK = "lo"
_WITHOUT_NETWORK = ("unshare", "--net", "--map-root-user")


def has_network() -> bool:
    """Whether the kernel knows a way to any other machine; nothing is sent."""
    return any(_has_route(family, address) for family, address in _PLACES)


def is_on_this_machine(address: str) -> bool:
    """Whether an address (URL) is a file or a server of this machine, which no network is needed for."""
    try:
        parts = urlsplit(address)
        here = parts.scheme == "file" or parts.hostname == "localhost"
        return here or ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


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
            f"The proof must run without a network, and here is {', '.join(others)}; `{' '.join(_WITHOUT_NETWORK)}` "
            f"makes no name space ({fault}). Run `snakemake online` on a machine whose users may make network name "
            f"spaces."
        )
    os.execvp(_WITHOUT_NETWORK[0], [*_WITHOUT_NETWORK, sys.executable, *sys.argv])


def _other_interfaces() -> list[str]:
    return sorted(set(psutil.net_if_addrs()) - {_LOOPBACK})


def _fault_of_name_spaces() -> str:
    """Why `unshare` leads nowhere; empty when a program that it starts sees no interface but loopback."""
    listing = "import psutil; print(*psutil.net_if_addrs())"
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


def _has_route(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((address, 9))  # of a datagram socket: only looks for a route
    except OSError:
        return False
    return True
