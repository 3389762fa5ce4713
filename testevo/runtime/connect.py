"""Connect to an address, by itself or through a proxy; exit status 0, or why not on stdout.

A program of its own, so that a name server that never answers can be given up on.
"""

import socket
import sys

SECONDS = 5.0


def connect(host: str, port: int, beyond: str | None = None) -> None:
    """Connect, and ask a proxy for a tunnel to the `host:port` beyond it where one is given.

    Raises:
        OSError: it cannot be done.
    """
    with socket.create_connection((host, port), timeout=SECONDS) as connected:
        if beyond is None:
            return
        connected.sendall(f"CONNECT {beyond} HTTP/1.1\r\nHost: {beyond}\r\n\r\n".encode())
        answer = connected.makefile("rb").readline().decode("latin-1").split(maxsplit=1)
        if len(answer) < 2 or not answer[1].startswith("2"):
            raise OSError(f"the proxy {host}:{port} refuses: {' '.join(answer[1:]).strip() or 'no answer'}")


if __name__ == "__main__":
    try:
        connect(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
    except OSError as error:
        print(error.strerror or error)
        sys.exit(1)
