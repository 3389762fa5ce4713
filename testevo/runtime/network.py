"""Whether this machine has a network at all."""

import socket

_PLACES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses that are reserved for documentation."""


def has_network() -> bool:
    """Whether the kernel knows a way to any other machine; nothing is sent."""
    return any(_has_route(family, address) for family, address in _PLACES)


def _has_route(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((address, 9))  # of a datagram socket: only looks for a route
    except OSError:
        return False
    return True
