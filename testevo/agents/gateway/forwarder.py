"""Run a command that reaches the gateway at a loopback port, inside a sandbox that has no network.

`python3 forwarder.py SOCKET PORT COMMAND [ARGUMENT ...]` forwards connections to 127.0.0.1:PORT to the Unix socket
SOCKET while the command runs, and ends with its status. Needs nothing but Python's standard library.
"""

import contextlib
import socket
import subprocess
import sys
import threading

_PIECE = 65536


def main() -> int:
    """Forward until the command ends."""
    path, port, *command = sys.argv[1:]
    listener = socket.create_server(("127.0.0.1", int(port)))
    threading.Thread(target=_accept, args=(listener, path), daemon=True).start()
    status = subprocess.call(command)
    return 128 - status if status < 0 else status


def _accept(listener: socket.socket, path: str) -> None:
    while True:
        client, _ = listener.accept()
        gateway = socket.socket(socket.AF_UNIX)
        try:
            gateway.connect(path)
        except OSError:
            client.close()
            continue
        for source, target in ((client, gateway), (gateway, client)):
            threading.Thread(target=_copy, args=(source, target), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(_PIECE):
            target.sendall(piece)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    sys.exit(main())
