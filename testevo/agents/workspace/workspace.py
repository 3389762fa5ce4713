"""A workspace: the start state of a task as a repository of one commit, with two commands, and nothing that answers it.

What is in reach of a run is what `confinement` lists: the workspace with a home folder, the JDK, Maven, and the part of
the project's local Maven repository that its builds need. Everything else, the dataset above all, is not there in a
sandbox that isolates files.
"""

from dataclasses import dataclass
from pathlib import Path

from testevo.agents.prompts.prompt import prompt_of
from testevo.agents.workspace.canaries import write_canaries
from testevo.agents.workspace.changes import Listing, listing_of
from testevo.agents.workspace.commands import Tools, build_folders, write_commands
from testevo.agents.workspace.visible_artifacts import visible_artifacts
from testevo.builds.project.pom import read_pom
from testevo.execution.runner import Limits
from testevo.packaging.start_states.brief import brief_of
from testevo.packaging.start_states.start_state import TargetFile
from testevo.packaging.start_states.working_copy import check_out
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace
from testevo.sandboxes.mounts import Confinement


@dataclass(frozen=True)
class AgentWorkspace:
    """The folders of one run, ready for a system."""

    folder: Path
    """Private to the run: all that it may write to."""
    commit: str
    prompt: str
    target: TargetFile
    start: Listing
    """Digests of all files at the start, to tell what a run has changed."""
    builds: tuple[str, ...]
    """Folders of the repository that builds write to."""
    tools: Tools
    readable: tuple[Path, ...]
    artifacts: tuple[str, ...] = ()
    """Names of the artifacts of the project itself."""

    @property
    def repository(self) -> Path:
        return self.folder / "repository"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def prompt_file(self) -> Path:
        return self.folder / "prompt.txt"

    def confinement(self, readable: tuple[Path, ...], *, memory_mb: int, disk_mb: int) -> Confinement:
        """The paths that a run may see and change.

        Args:
            readable: what the system itself needs.
        """
        return Confinement(
            working_folder=self.repository,
            readable=(*self.readable, *readable),
            writable=(self.folder,),
            memory_mb=memory_mb,
            disk_mb=disk_mb,
        )


def prepare_workspace(task: Task, revisions: Workspace, target: TargetFile, folder: Path) -> AgentWorkspace:
    """Make the workspace of a task.

    Args:
        revisions: where the new revision is built, so that all that its build needs is in the local Maven repository.
        folder: an empty one, private to the run. Its path must not tell anything: the system sees it.

    Raises:
        UserError: the new revision does not build here, or its tests cannot be run by the launcher.
        MachineError: a JDK or Maven is missing, or the disk is full.
    """
    tree = revisions.built(task.new_revision)
    maven = revisions.engine.maven(tree)
    repository, home = folder / "repository", folder / "home"
    home.mkdir()
    commit = check_out(task, revisions.git, target, repository)
    start = listing_of(repository, ())
    tools = write_commands(repository, task, tree, maven, Limits.of(revisions.config.execution))
    write_canaries(task.task_id, repository, home)
    prompt = prompt_of(brief_of(task), commit)
    class_path = {path for module in tree.modules for path in module.class_path}
    project = read_pom(repository)
    artifacts = visible_artifacts(maven.local.artifacts, project, class_path)
    builds, readable = tuple(build_folders(tree)), (*tools.readable, *artifacts)
    own = tuple(sorted({module.artifact for module in project.modules if module.artifact}))
    made = AgentWorkspace(folder, commit, prompt, target, start, builds, tools, readable, own)
    made.prompt_file.write_text(prompt, encoding="utf-8")
    return made
