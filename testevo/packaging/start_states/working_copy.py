"""A task as a candidate gets it: a folder that builds, and a git repository that knows nothing else.

The answer to a task lies in the future of its start state, so the repository is made anew from the files: one commit,
no remote, tag, reflog or borrowed object.
"""

import os
from pathlib import Path

from testevo.history.git import GitRepository
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.tasks import Task
from testevo.runtime.errors import MachineError, UserError
from testevo.runtime.files.files import empty_folder
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history
from testevo.sources.git_clone import run_git

MESSAGE = "Start state\n"


def check_out(task: Task, git: GitRepository, target: TargetFile, folder: Path) -> str:
    """Write the start state of a task to `folder`: the new revision with the target file as a candidate finds it.

    Equal tasks give equal commits: the identity is this project's, the date that of the new revision.

    Args:
        git: a repository that has the new revision; it is only read.
        folder: missing or empty.

    Returns:
        The id of the only commit.

    Raises:
        UserError: the folder is not empty, or is not a folder.
        MachineError: it cannot be written.
    """
    folder = folder.absolute()
    _require_empty(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MachineError(f"{folder} cannot be made: {error.strerror}. Give a folder that can be written.") from error
    try:
        return _written(task, git, target, folder)
    except PermissionError as error:
        raise MachineError(f"{error.filename}: {error.strerror}. Give a folder that can be written.") from error
    except BaseException:
        # A part of a working copy looks like a whole one. The folder itself stays: it may be a mounted one.
        if folder.is_dir():
            empty_folder(folder)
        raise


def _written(task: Task, git: GitRepository, target: TargetFile, folder: Path) -> str:
    git.export(task.new_revision, folder)
    _put_target(folder, target)
    tree = _tree_of(folder)
    commit = MadeCommit("start", MESSAGE, task.new_time, task.new_time, (), tree)
    made = make_history(folder / ".git", [commit], {})
    run_git(["config", "core.bare", "false"], repository=made.folder)
    run_git(["-C", str(folder), "read-tree", "HEAD"], repository=made.folder)
    # Without it every file looks changed to the first `git status`; status 1 says that some do look so, by attributes.
    run_git(["-C", str(folder), "update-index", "-q", "--refresh"], repository=made.folder, also_fine=(1,))
    return made.revisions["start"]


def _require_empty(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UserError(f"{folder} is not a folder. Name a new or an empty one for the working copy.")
    if folder.is_dir() and any(folder.iterdir()):
        raise UserError(f"{folder} is not empty, and a working copy replaces nothing. Name a new or an empty folder.")


def _put_target(folder: Path, target: TargetFile) -> None:
    path = folder / target.path
    path.unlink(missing_ok=True)  # it could be a link, and must not be written through
    if target.start is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(target.start)
        return
    for parent in path.relative_to(folder).parents:
        if parent != Path() and (folder / parent).is_dir() and not any((folder / parent).iterdir()):
            (folder / parent).rmdir()


def _tree_of(folder: Path) -> dict[str, MadeFile]:
    """All files and links below a folder, as git stores them; nothing is converted or ignored."""
    tree: dict[str, MadeFile] = {}
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in (*names, *links):
            path = Path(parent) / name
            key = path.relative_to(folder).as_posix()
            if path.is_symlink():
                tree[key] = MadeFile(os.fsencode(path.readlink()), "120000")
            else:
                tree[key] = MadeFile(path.read_bytes(), "100755" if path.stat().st_mode & 0o100 else "100644")
    return tree
