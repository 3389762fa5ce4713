"""Whether this machine has a network at all, and what needs none."""

import ipaddress
import socket
from urllib.parse import urlsplit

_PLACES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that are reserved for documentation."""


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


def _has_route(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((address, 9))  # of a datagram socket: only looks for a route
    except OSError:
        return False
    return True
