"""warm_up: fetch what the builds of a repository need, by running them once for each distinct set of build files.

The one stage behind `clone` that uses the network, whatever `build.offline` says of the others. Writes a `WarmBuild`
per build fingerprint.
"""

from collections.abc import Iterator

from stage import Stage, run_stage

from testevo.records.base import read_records, write_records
from testevo.records.evidence.warm_up import WarmBuild
from testevo.records.repository import Commit
from testevo.revisions.workspace import Workspace
from testevo.runtime.processes.progress import followed


def main(stage: Stage) -> None:
    commits = [commit for commit in read_records(stage.files.commits, Commit) if commit.rejection is None]
    newest: dict[str | None, WarmBuild] = {}
    for build in fetched(stage, commits) if commits else ():
        newest.setdefault(build.fingerprint, build)
    write_records(stage.files.fetched, newest.values())


def fetched(stage: Stage, commits: list[Commit]) -> Iterator[WarmBuild]:
    """How the build of each commit ends, newest first; Maven runs only for build files that are not fetched yet."""
    config, files = stage.config_with(offline=False), stage.files
    with Workspace(stage.repository, files.bundle, config, stage.work.scratch, only_builds=True) as workspace:
        for commit in followed(commits, stage.work.progress("warm_up"), "builds fetched"):
            result = workspace.engine.fetch(workspace.checkout(commit.revision))
            yield WarmBuild(
                repository=commit.repository,
                position=commit.position,
                revision=commit.revision,
                fingerprint=result.fingerprint,
                outcome=result.outcome,
                reason=result.reason,
            )


if __name__ == "__main__":
    run_stage(main, __doc__, reads=("repository", "commits", "bundle"), writes=("fetched",))
