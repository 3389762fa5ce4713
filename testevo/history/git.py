"""A bare git repository as the stages read it: names, trees, blobs, changes, ancestry and the log.

pydriller walks the log; whole trees and blobs come from plain git, for which pydriller has no way. Paths are decoded
with `surrogateescape`, so that any path git can store survives a round trip; blob bytes stay bytes.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from testevo.history.export import LINK, TreeEntry, write_tree
from testevo.history.objects import ObjectReader
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import stays_inside
from testevo.runtime.stopwatch import timed
from testevo.sources.git_clone import GitError, git_environment, run_git

JAVA = ".java"
FILES = ("100644", "100755", "100664")
KEPT_TREES = 64
_NO_NAME = re.compile(r"[~^:?*\[\\\x00-\x20\x7f]|@\{|\.\.")
"""What no reference holds and git reads as a way to another commit, such as `main~1`."""
_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


@dataclass(frozen=True)
class LoggedCommit:
    """A commit as the log tells it; times in seconds since 1970, UTC."""

    revision: str
    parents: tuple[str, ...]
    author_time: int
    committer_time: int


@dataclass(frozen=True)
class Tag:
    """A tag on a commit. `time` is the tagger's, or the committer's of the commit when the tag is a plain name."""

    name: str
    revision: str
    time: int


@dataclass(frozen=True)
class PathChange:
    """A path that differs between two trees; a rename is a removal and an addition."""

    kind: Literal["added", "modified", "removed"]
    path: str


class GitRepository:
    """A bare repository on disk. Every method raises `GitError` when git cannot read it.

    Paths that lead out of a tree or into `.git` are in none of the answers: whoever reads them may write there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._objects = ObjectReader(self.folder)
        self._tree = lru_cache(KEPT_TREES)(self._read_tree)
        self._changed_paths = lru_cache(KEPT_TREES)(self._read_changed_paths)

    def _git(self, *arguments: str, stdin: bytes = b"", also_fine: Sequence[int] = ()) -> tuple[int, bytes]:
        return run_git(arguments, repository=self.folder, stdin=stdin, also_fine=also_fine)

    def resolve(self, name: str) -> str | None:
        """The revision of a tag, else a branch, else a (shortened) commit id; None when there is none."""
        if _NO_NAME.search(name):
            return None
        for reference in (f"refs/tags/{name}", f"refs/heads/{name}"):
            if revision := self._commit(reference):
                return revision
        return self._commit(name) if re.fullmatch(r"[0-9a-f]{7,64}", name) else None

    def has(self, reference: str) -> bool:
        """Whether there is a reference of that full name (`refs/tags/v1`)."""
        return self._commit(reference) is not None

    def _commit(self, name: str) -> str | None:
        status, out = self._git(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", also_fine=(1, 128)
        )
        return out.decode().strip() if status == 0 else None

    def tree_id(self, revision: str) -> str:
        """The id of the tree of a revision: equal for revisions with the same files."""
        found = self._objects.read(f"{revision}^{{tree}}")
        if found is None:
            raise GitError("cat-file", f"{revision} is not a revision")
        return found[0]

    def default_branch(self) -> str | None:
        """The branch HEAD names, None when HEAD is detached."""
        status, out = self._git("symbolic-ref", "--quiet", "HEAD", also_fine=(1,))
        return out.decode().strip().removeprefix("refs/heads/") if status == 0 else None

    def tags(self) -> list[Tag]:
        """All tags that lead to a commit, newest first; equal times by name, the last name first."""
        columns = "%(refname)%00%(creatordate:unix)"
        tags = []
        for line in self._git("for-each-ref", f"--format={columns}", "refs/tags")[1].splitlines():
            reference, time = line.decode("utf-8", "surrogateescape").split("\0")
            if revision := self._commit(reference):
                tags.append(Tag(reference.removeprefix("refs/tags/"), revision, int(time or 0)))
        return sorted(tags, key=lambda tag: (tag.time, tag.name), reverse=True)

    def is_shallow(self) -> bool:
        return self._git("rev-parse", "--is-shallow-repository")[1].strip() == b"true"

    def has_long_ids(self) -> bool:
        """Whether objects are named by SHA-256 instead of SHA-1, which the programs that read the log do not know."""
        return self._git("rev-parse", "--show-object-format")[1].strip() == b"sha256"

    def is_ancestor(self, ancestor: str, revision: str) -> bool:
        """Whether `ancestor` is reached from `revision` through parents; a commit is its own ancestor."""
        return self._git("merge-base", "--is-ancestor", ancestor, revision, also_fine=(1,))[0] == 0

    def log(self, start: str, *, first_parent: bool) -> Iterator[LoggedCommit]:
        """Commits from `start` in the order of plain `git log`, or of `git log --first-parent`, newest first."""
        # Imported late: GitPython looks for the git program when it is imported.
        from pydriller import Git

        traversal = Git(str(self.folder))
        traversal.repo.git.update_environment(**git_environment(self.folder))
        try:
            # The commits below pydriller's own, which fail at a date beyond the year 9999.
            for commit in traversal.repo.iter_commits(start, first_parent=first_parent):
                yield LoggedCommit(
                    commit.hexsha,
                    tuple(parent.hexsha for parent in commit.parents),
                    commit.authored_date,
                    commit.committed_date,
                )
        finally:
            traversal.clear()

    def paths(self, revision: str) -> dict[str, str]:
        """Path → blob id of all files and links of a revision; submodules are left out."""
        return {entry.path: entry.blob for entry in self._files_and_links(revision)}

    def modes_and_blobs(self, revision: str) -> dict[str, str]:
        """Path → mode and blob id of what `paths` names: all that tests can tell of a file in a checkout."""
        return {entry.path: f"{entry.mode} {entry.blob}" for entry in self._files_and_links(revision)}

    def java_blobs(self, revision: str) -> dict[str, str]:
        """Path → blob id of the regular files that end with `.java`, sorted by path."""
        java = [e for e in self._tree(revision) if e.path.endswith(JAVA) and e.mode in FILES]
        return {entry.path: entry.blob for entry in sorted(java, key=lambda entry: entry.path)}

    def read(self, revision: str, path: str) -> bytes | None:
        """The bytes of a file, None when the revision has none at that path."""
        return self.read_many(revision, [path]).get(path)

    def read_many(self, revision: str, paths: Sequence[str]) -> dict[str, bytes]:
        """The bytes of several files by path; absent paths are left out."""
        wanted = set(paths)
        entries = [entry for entry in self._files_and_links(revision) if entry.path in wanted]
        return {entry.path: content for entry, content in self._contents(entries)}

    def read_blobs(self, blobs: Sequence[str]) -> dict[str, bytes]:
        """The bytes of blobs by id, for callers that know the ids from `paths` or `java_blobs`."""
        entries = [TreeEntry(path=blob, mode=FILES[0], blob=blob) for blob in dict.fromkeys(blobs)]
        return {entry.blob: content for entry, content in self._contents(entries)}

    @timed("checking out")
    def export(self, revision: str, folder: Path, wanted: Callable[[str], bool] = lambda path: True) -> None:
        """Write the tree of a revision below `folder` (created, must be empty), every file with the bytes of its blob.

        `wanted` chooses among paths.

        No attribute is applied (no line-end conversion, `export-subst` or `export-ignore`). Links that would leave the
        folder, or are too long for one, are written as files with their target, as git does on systems without links.
        Submodules are left out, and so are paths through `..` or `.git`.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UserError(f"{folder} is not empty; a revision is exported to an empty folder only.")
        entries = [one for one in self._tree(revision) if one.mode in (*FILES, LINK) and wanted(one.path)]
        write_tree(folder, self._contents(entries))

    def changed_paths(self, old: str, new: str) -> list[PathChange]:
        """The paths that differ between two revisions, sorted by path, without rename detection."""
        return self._changed_paths(old, new)

    def _read_changed_paths(self, old: str, new: str) -> list[PathChange]:
        out = self._git("diff-tree", "-r", "-z", "--no-renames", "--ignore-submodules", "--name-status", old, new)[1]
        parts = out.decode("utf-8", "surrogateescape").split("\0")[:-1]
        kinds: Mapping[str, Literal["added", "modified", "removed"]] = {
            "A": "added",
            "M": "modified",
            "T": "modified",
            "D": "removed",
        }
        named = zip(parts[::2], parts[1::2], strict=True)
        changes = [PathChange(kinds[kind], path) for kind, path in named if stays_inside(path)]
        return sorted(changes, key=lambda change: change.path)

    def renamed_from(self, old: str, new: str) -> dict[str, str]:
        """New path → old path of the files that git takes for renamed between two revisions, as in `git diff`."""
        out = self._git(
            "diff-tree", "-r", "-z", "-M", "-l0", "--diff-filter=R", "--ignore-submodules", "--name-status", old, new
        )[1]
        parts = out.decode("utf-8", "surrogateescape").split("\0")[:-1]
        named = zip(parts[2::3], parts[1::3], strict=True)
        return {path: earlier for path, earlier in named if stays_inside(path) and stays_inside(earlier)}

    def diff(self, old: str, new: str, paths: Sequence[str]) -> bytes:
        """How some files differ between two revisions, for `git apply`; paths begin with `old/` and `new/`."""
        words = (
            "--text",
            "--full-index",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--src-prefix=old/",
            "--dst-prefix=new/",
        )
        return self._git("--literal-pathspecs", "diff", *words, old, new, "--", *paths)[1]

    def added_lines(self, old: str, new: str) -> frozenset[int]:
        """Lines (from 1) of the blob `new` that `git diff` marks as added against the blob `old`.

        Lines are counted by line feeds, as git does.
        """
        if old == new:
            return frozenset()
        words = (
            "diff",
            "--text",
            "--unified=0",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--diff-algorithm=myers",
            "--no-indent-heuristic",
            "--inter-hunk-context=0",
        )
        lines: set[int] = set()
        for first, count in _HUNK.findall(self._git(*words, old, new)[1]):
            lines.update(range(int(first), int(first) + int(count or 1)))
        return frozenset(lines)

    def _files_and_links(self, revision: str) -> Iterator[TreeEntry]:
        return (entry for entry in self._tree(revision) if entry.mode in (*FILES, LINK))

    def _read_tree(self, revision: str) -> list[TreeEntry]:
        out = self._git("ls-tree", "-r", "-z", "--full-tree", revision)[1]
        entries = []
        for line in out.split(b"\0")[:-1]:
            facts, path = line.split(b"\t", 1)
            mode, _, blob = facts.decode().split()
            entries.append(TreeEntry(path.decode("utf-8", "surrogateescape"), mode, blob))
        return [entry for entry in entries if stays_inside(entry.path)]

    def _contents(self, entries: Sequence[TreeEntry]) -> Iterator[tuple[TreeEntry, bytes]]:
        """The bytes of blobs, one at a time."""
        for entry in entries:
            found = self._objects.read(entry.blob)
            if found is None or found[1] != "blob":
                kind = found[1] if found else "missing"
                raise UserError(
                    f"The blob {entry.blob} of {entry.path} is missing ({kind}). Clone the repository again."
                )
            yield entry, found[2]
