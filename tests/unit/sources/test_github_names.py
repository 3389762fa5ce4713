"""Files that name repositories: tables, dumps of GH Archive, compressed or not, and what is none of these."""

import gzip
import json
from pathlib import Path

import pytest

from testevo.runtime.errors import UserError
from testevo.sources.github.names import read_names

PUSH = {
    "id": "1",
    "type": "PushEvent",
    "actor": {"id": 7, "login": "someone", "url": "https://api.github.com/users/someone"},
    "repo": {"id": 9, "name": "o/a", "url": "https://api.github.com/repos/o/a"},
    "payload": {"ref": "refs/heads/main"},
    "public": True,
    "created_at": "2025-01-01T15:00:00Z",
}
OF_2014 = {
    "type": "PushEvent",
    "actor": "someone",
    "url": "https://github.com/o/b/compare/1...2",
    "repository": {"id": 8, "name": "b", "owner": "o", "url": "https://github.com/o/b", "language": "Java"},
}
READ = {
    "a name a line": (b"o/a\no/b\n", ["o/a", "o/b"]),
    "each once, whatever its case": (b"o/a\nO/A\no/b\no/a\n", ["o/a", "o/b"]),
    "comments and empty lines": (b"# released\n\no/a\r\n", ["o/a"]),
    "a heading anywhere": (b"stars,Full_Name\n3,o/a\n", ["o/a"]),
    "addresses": (b"url\nhttps://github.com/o/a.git\ngit@github.com:o/b.git\n", ["o/a", "o/b"]),
    "byte order mark": ("\N{ZERO WIDTH NO-BREAK SPACE}repo\no/a\n".encode(), ["o/a"]),
    "events": (b"\n".join(json.dumps(one).encode() for one in (PUSH, PUSH, OF_2014)) + b"\n", ["o/a", "o/b"]),
    "what another search has found": (b'{"name": "o/a", "stars": 3}\n', ["o/a"]),
}
REFUSED = {
    "no name": (b"o/a\nnothing\n", r"line 2: 'nothing' is neither owner/name"),
    "a short row": (b"stars,repo\n1\n", r"line 2: '' is neither owner/name"),
    "nothing": (b"", "names no repository"),
    "only a heading": (b"repo\n", "names no repository"),
    "an event cut off": (json.dumps(PUSH).encode() + b'\n{"type": "Pu', "line 2 is not JSON"),
    "an event of nothing": (b'{"type": "PushEvent"}\n', "line 1: '' is neither owner/name"),
    "not UTF-8": (b"o/a\n\xff\xfe\n", "cannot be read as CSV or as JSON lines"),
    "no gzip": (b"\x1f\x8bnothing", "cannot be read as CSV or as JSON lines"),
}


@pytest.mark.parametrize(("content", "names"), READ.values(), ids=READ)
@pytest.mark.parametrize("compressed", [False, True], ids=["plain", "gzip"])
def test_names_are_read(tmp_path: Path, content: bytes, names: list[str], compressed: bool) -> None:
    file = tmp_path / "names"
    file.write_bytes(gzip.compress(content) if compressed else content)
    assert read_names(file) == names


@pytest.mark.parametrize(("content", "message"), REFUSED.values(), ids=REFUSED)
def test_what_names_no_repository_is_refused_by_file_and_line(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "names").write_bytes(content)
    with pytest.raises(UserError, match=message) as refused:
        read_names(tmp_path / "names")
    assert str(tmp_path / "names") in str(refused.value)


def test_a_dump_that_was_cut_and_a_file_that_is_not_there_are_refused(tmp_path: Path) -> None:
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"o/a\n" * 1000)[:-6])
    for name in ("cut.gz", "nowhere.csv"):
        with pytest.raises(UserError, match="cannot be read as CSV or as JSON lines"):
            read_names(tmp_path / name)
