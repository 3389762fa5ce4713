"""Histories made by this project (worlds, releases): a bare git folder written with fixed identity, dates and order.

Equal input gives equal commit ids and equal files, on any machine: nothing of the clock, the user or the machine's git
settings goes in.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testevo.sources.git_clone import init_bare, run_git

BRANCH = "main"
IDENTITY = "testevo <history@testevo.invalid>"


@dataclass(frozen=True)
class MadeFile:
    """Bytes and git mode (`100644`, `100755`, `120000` for a link, whose content is its target)."""

    content: bytes
    mode: str = "100644"


@dataclass(frozen=True)
class MadeCommit:
    """A commit to make. `parents` name earlier commits of the list; `tree` is whole, by repository-relative path."""

    name: str
    message: str
    author_time: int
    committer_time: int
    parents: tuple[str, ...]
    tree: Mapping[str, MadeFile]


@dataclass(frozen=True)
class MadeHistory:
    """A bare git folder and the revision of each commit by its name."""

    folder: Path
    revisions: Mapping[str, str]


@dataclass
class _Stream:
    """A `git fast-import` stream: every blob once, commits by mark."""

    chunks: list[bytes] = field(default_factory=list)
    marks: dict[bytes, int] = field(default_factory=dict)
    next_mark: int = 1

    def mark(self) -> int:
        self.next_mark += 1
        return self.next_mark - 1

    def line(self, text: str) -> None:
        self.chunks.append(text.encode("utf-8", "surrogateescape") + b"\n")

    def data(self, content: bytes) -> None:
        self.line(f"data {len(content)}")
        self.chunks += (content, b"\n")

    def blob(self, content: bytes) -> int:
        key = hashlib.sha256(content).digest()
        if key not in self.marks:
            self.marks[key] = self.mark()
            self.line("blob")
            self.line(f"mark :{self.marks[key]}")
            self.data(content)
        return self.marks[key]


def make_history(folder: Path, commits: Sequence[MadeCommit], tags: Mapping[str, str]) -> MadeHistory:
    """Write `commits` (parents before children; the last one is the head of `main`) and `tags` (tag → commit name).

    `folder` is replaced as a whole. No commits give an empty repository.

    Raises:
        GitError: a path or a tag name that git refuses.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    made = work / "made.git"
    init_bare(made, BRANCH)
    revisions: dict[str, str] = {}
    if commits:
        stream, marks = _stream(commits, tags)
        exported = work / "marks"
        run_git(["fast-import", "--quiet", f"--export-marks={exported}"], repository=made, stdin=stream)
        by_mark = dict(line.split(" ") for line in exported.read_text().splitlines())
        revisions = {name: by_mark[f":{mark}"] for name, mark in marks.items()}
    shutil.rmtree(folder, ignore_errors=True)
    made.replace(folder)
    shutil.rmtree(work)
    return MadeHistory(folder, revisions)


def _stream(commits: Sequence[MadeCommit], tags: Mapping[str, str]) -> tuple[bytes, dict[str, int]]:
    stream = _Stream()
    marks: dict[str, int] = {}
    for commit in commits:
        blobs = {path: stream.blob(file.content) for path, file in sorted(commit.tree.items())}
        if not commit.parents:
            stream.line(f"reset refs/heads/{BRANCH}")  # forget the tip, so that the next commit is a root
        marks[commit.name] = stream.mark()
        stream.line(f"commit refs/heads/{BRANCH}")
        stream.line(f"mark :{marks[commit.name]}")
        stream.line(f"author {IDENTITY} {commit.author_time} +0000")
        stream.line(f"committer {IDENTITY} {commit.committer_time} +0000")
        stream.data(commit.message.encode())
        for number, parent in enumerate(commit.parents):
            stream.line(f"{'merge' if number else 'from'} :{marks[parent]}")
        stream.line("deleteall")
        for path, blob in blobs.items():
            stream.line(f"M {commit.tree[path].mode} :{blob} {_quoted(path)}")
        stream.line("")
    for reference, name in [(f"refs/heads/{BRANCH}", commits[-1].name)] + [
        (f"refs/tags/{tag}", name) for tag, name in sorted(tags.items())
    ]:
        stream.line(f"reset {reference}")
        stream.line(f"from :{marks[name]}")
        stream.line("")
    return b"".join(stream.chunks), marks


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
