"""Bare repositories over HTTP by `git http-backend`, the CGI program that comes with git."""

from email import message_from_bytes
from pathlib import Path
from urllib.parse import urlsplit

from testevo.sources.git_clone import run_git


def git_backend(
    root: Path, method: str, target: str, headers: dict[str, str], body: bytes
) -> tuple[int, bytes, dict[str, str]]:
    """Status, body and headers of the answer to a request of git below `root`.

    Args:
        headers: of the request, by name in lower case.
    """
    parts = urlsplit(target)
    said = {
        "GIT_PROJECT_ROOT": str(root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": parts.path,
        "QUERY_STRING": parts.query,
        "REQUEST_METHOD": method,
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": str(len(body)),
        "HTTP_CONTENT_ENCODING": headers.get("content-encoding", ""),
        "GIT_PROTOCOL": headers.get("git-protocol", ""),
    }
    _, answer = run_git(["http-backend"], stdin=body, environment=said, also_fine=(1,))
    head, _, content = answer.partition(b"\r\n\r\n")
    told = {name.lower(): value for name, value in message_from_bytes(head).items()}
    return int(told.pop("status", "200 OK").split()[0]), content, told
