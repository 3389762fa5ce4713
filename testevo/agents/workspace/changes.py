"""The changes of a run to its workspace: a patch of the target file, and a list of everything else.

Nothing in a workspace is believed afterwards: git is not run there, links are not followed, and of the target file no
more is read than a test file may have.
"""

import hashlib
import os
import stat
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.agents.workspace.commands import OWN
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.agents.runs import OutsideEdit
from testevo.runtime.files.plain_files import read_plain
from testevo.runtime.files.walk import walk
from testevo.sources.git_clone import run_git

Listing = Mapping[str, str]
"""SHA-256 of each file by path below a folder, of a link the digest of where it leads."""
MOST_BYTES = 4 * 2**20
"""How much is read of a target file: what is longer is refused by the same check as every prediction."""
_MOST_OUTSIDE = 1000


@dataclass(frozen=True)
class Changes:
    """The work of a run."""

    patch: str | None
    """A unified diff of the target file, as docs/predictions.md reads other bytes than UTF-8; None for no change."""
    outside: tuple[OutsideEdit, ...]


def changes_of(repository: Path, start: Listing, target: TargetFile, builds: Sequence[str]) -> Changes:
    """What a run has changed in a workspace since `start`.

    Args:
        builds: folders that builds write to, which do not count.
    """
    after = listing_of(repository, builds)
    outside = [
        OutsideEdit(path=path, change="created" if path not in start else "deleted" if path not in after else "changed")
        for path in sorted({*start, *after})
        if path != target.path and start.get(path) != after.get(path) and not _is_below(path, builds)
    ]
    return Changes(patch_of(target, final_content(repository, target.path)), tuple(outside[:_MOST_OUTSIDE]))


def listing_of(folder: Path, builds: Sequence[str]) -> dict[str, str]:
    """All files and links below a folder but git's own, ours, and those of builds; none behind a link."""
    found: dict[str, str] = {}
    if folder.is_symlink():  # a run can put a link in the place of its repository
        return found
    for place, entries in walk(folder):
        prefix = f"{place}/" if place else ""
        entries[:] = [entry for entry in entries if not _is_left_out(f"{prefix}{entry.name}", entry, builds)]
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                found[f"{prefix}{entry.name}"] = _digest(Path(entry))
    return found


def final_content(repository: Path, path: str) -> bytes | None:
    """The target file after a run; None when there is no plain file at its place, reached through plain folders."""
    return read_plain(repository.parent, f"{repository.name}/{path}", MOST_BYTES)


def patch_of(target: TargetFile, final: bytes | None) -> str | None:
    """The unified diff that makes the start state of the target file what it is at the end."""
    if final == target.start:
        return None
    with tempfile.TemporaryDirectory(prefix="testevo-diff-") as name:
        folder = Path(name)
        words = [_side(folder, side, target.path, content) for side, content in (("a", target.start), ("b", final))]
        options = ["--no-index", "--text", "--no-color", "--no-ext-diff", "--src-prefix=", "--dst-prefix="]
        command = ["-C", str(folder), "-c", "core.quotePath=false", "diff", *options, "--", *words]
        said = _text(run_git(command, also_fine=(1,))[1], target.encoding)
    return said.replace(f"diff --git b/{target.path} b/", f"diff --git a/{target.path} b/", 1)


def _text(diff: bytes, encoding: str) -> str:
    try:
        return diff.decode(encoding)
    except UnicodeDecodeError:
        return diff.decode("iso-8859-1")


def _side(folder: Path, side: str, path: str, content: bytes | None) -> str:
    if content is None:
        return os.devnull
    file = folder / side / path
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    return f"{side}/{path}"


def _is_left_out(path: str, entry: os.DirEntry[str], builds: Sequence[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and (path in (".git", OWN) or _is_below(f"{path}/", builds))


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)


def _digest(path: Path) -> str:
    try:
        if path.is_symlink():
            return hashlib.sha256(b"link " + os.fsencode(path.readlink())).hexdigest()
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return f"unreadable: {error.strerror}"
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return "no plain file"
        mode = b"x" if os.fstat(descriptor).st_mode & 0o100 else b"-"
        return hashlib.sha256(mode + hashlib.file_digest(file, "sha256").digest()).hexdigest()
