"""clone: one bundle of a repository's history, and the commits of its walk.

Reads the candidate, writes the `Repository` with its start, the bundle, and one `Commit` record per walked commit.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from stage import Stage, run_stage

from testevo.builds.project.least_level import with_level_checked
from testevo.config.load import rules_for
from testevo.config.rules import Rules
from testevo.history.bundle import clone_history, open_bundle
from testevo.history.git import GitRepository
from testevo.history.licence import with_licence
from testevo.history.walk import Start, count_after_cutoff, walk_commits
from testevo.records.base import write_records
from testevo.records.repository import Commit, CommitRejection, Repository
from testevo.revisions.workspace import overrides_of
from testevo.runtime.files.files import canonical_json, write_atomically
from testevo.sources.fetch import fetch
from testevo.sources.pins import pins

HAVE_NO_FILES = (CommitRejection.INCOMPLETE, CommitRejection.UNWRITABLE)


def main(stage: Stage) -> None:
    files = stage.files
    candidate = stage.candidate
    rules = rules_for(stage.config, candidate.source)
    pin = (pins(stage.config) or {}).get(candidate.name)
    if pin is not None and pin.cloned.rejection is not None:
        write_atomically(files.bundle, b"")
        write_records(files.commits, [])
        write_records(files.repository, [pin.cloned.model_copy(update={"address": candidate.address})])
        return
    start = Start(pin.cloned.start or "", pin.reference, pin.head) if pin is not None and pin.head else None

    repository, origin = fetch(candidate, stage.config, stage.work.scratch / "origin")
    if repository.rejection is None:
        repository = clone_history(repository, origin, files.bundle, rules.walk, start)
    commits: list[Commit] = []
    if repository.rejection is None and repository.start is not None:
        repository, commits = walked(stage, repository, rules)
    if repository.rejection is not None or repository.start is None:
        write_atomically(files.bundle, b"")
    write_records(files.commits, commits)
    write_records(files.repository, [repository])


def walked(stage: Stage, repository: Repository, rules: Rules) -> tuple[Repository, list[Commit]]:
    """The record with its licence, and the commits of the walk; none of a repository that is rejected now."""
    git = open_bundle(stage.files.bundle, stage.work.scratch / "history")
    commits = walk_commits(git, repository.name, repository.start, rules.walk, rules.pairs)
    repository = with_level_of(stage, with_licence(repository, git), git, commits, rules.walk.least_java_level)
    if repository.rejection is not None:
        return repository, []
    after = count_after_cutoff(git, repository.start or "", rules.walk)
    write_atomically(stage.work.cutoff, (canonical_json({"after": after, "cutoff": rules.walk.cutoff}) + "\n").encode())
    return repository, commits


def with_level_of(
    stage: Stage, repository: Repository, git: GitRepository, commits: Sequence[Commit], least: int | None
) -> Repository:
    """The record, rejected where the newest commit whose files can be had declares too old a Java level (TEB-M07)."""
    newest = next((one.revision for one in commits if one.rejection not in HAVE_NO_FILES), None)
    if newest is None:
        return repository
    overriding = overrides_of(stage.config, repository).level or stage.config.build.level_override
    with tempfile.TemporaryDirectory(dir=stage.work.scratch) as folder:
        git.export(newest, Path(folder), lambda path: path.endswith((".xml", ".pom")) or path.startswith(".mvn/"))
        return with_level_checked(repository, newest, Path(folder), least, overriding)


if __name__ == "__main__":
    run_stage(main, __doc__, writes=("repository", "commits", "bundle"))
