"""The commits of a world and their whole trees: each folder is a difference against the first parent's tree."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from testevo.runtime.errors import UserError
from testevo.sources.embedded.made_history import MadeCommit, MadeFile

COMMITS = "commits"


class WorldCommit(BaseModel):
    """A commit as `world.yaml` lists it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    id: str = Field(min_length=1)
    folder: str | None = None
    """Folder below `commits/` with added and replaced files; None for a commit that only deletes, merges or reverts."""
    message: str
    date: AwareDatetime
    """Committer date."""
    author_date: AwareDatetime | None = None
    """The committer date unless given."""
    parents: tuple[str, ...] | None = None
    """The commit listed before unless given; empty for a root. The first one's tree is the base."""
    delete: tuple[str, ...] = ()
    """Paths of the base that go; a folder goes with all below it."""
    tree_of: str | None = None
    """Take this commit's tree as the base instead (for reverts)."""
    crlf: tuple[str, ...] = ()
    """Paths stored with CRLF line ends."""


def world_commits(world: Path, commits: Sequence[WorldCommit]) -> list[MadeCommit]:
    """The commits with whole trees, in the order given.

    Raises:
        UserError: a folder is missing or belongs to no commit, or `delete` or `crlf` names no file.
    """
    listed = {commit.folder for commit in commits}
    lonely = sorted(path.name for path in (world / COMMITS).glob("*") if path.name not in listed)
    if lonely:
        raise UserError(f"{world / COMMITS} holds {', '.join(lonely)}, which no commit of world.yaml names.")
    made: dict[str, MadeCommit] = {}
    previous: tuple[str, ...] = ()
    for commit in commits:
        parents = previous if commit.parents is None else commit.parents
        previous = (commit.id,)
        base = commit.tree_of or next(iter(parents), None)
        made[commit.id] = MadeCommit(
            name=commit.id,
            message=commit.message,
            author_time=int((commit.author_date or commit.date).timestamp()),
            committer_time=int(commit.date.timestamp()),
            parents=parents,
            tree=_tree(world, commit, made[base].tree if base else {}),
        )
    return list(made.values())


def _tree(world: Path, commit: WorldCommit, base: Mapping[str, MadeFile]) -> dict[str, MadeFile]:
    tree = dict(base)
    for path in commit.delete:
        gone = [name for name in tree if name == path or name.startswith(f"{path}/")]
        if not gone:
            raise UserError(
                f"{world}: commit {commit.id} deletes {path}, which its parent does not have. Fix `delete`."
            )
        for name in gone:
            del tree[name]
    if commit.folder is not None:
        tree |= _files(world / COMMITS / commit.folder, commit)
    for path in commit.crlf:
        if path not in tree:
            raise UserError(f"{world}: commit {commit.id} lists {path} under `crlf`, but has no such file. Fix `crlf`.")
        content = tree[path].content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
        tree[path] = MadeFile(content, tree[path].mode)
    return tree


def _files(folder: Path, commit: WorldCommit) -> dict[str, MadeFile]:
    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder, but commit {commit.id} of world.yaml names it. Add it.")
    return {
        path.relative_to(folder).as_posix(): _file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def _file(path: Path) -> MadeFile:
    if path.is_symlink():
        return MadeFile(os.fsencode(path.readlink()), "120000")
    return MadeFile(path.read_bytes(), "100755" if path.stat().st_mode & 0o100 else "100644")
