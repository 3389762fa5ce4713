"""clone: one bundle of a repository's history, and the commits of its walk.

Reads the candidate, writes the `Repository` with its start, the bundle, and one `Commit` record per walked commit.
"""

from stage import Stage, run_stage

from testevo.config.load import rules_for
from testevo.history.bundle import clone_history, open_bundle
from testevo.history.licence import with_licence
from testevo.history.walk import count_after_cutoff, walk_commits
from testevo.records.base import write_records
from testevo.runtime.files.files import canonical_json, write_atomically
from testevo.sources.fetch import fetch


def main(stage: Stage) -> None:
    files = stage.files
    candidate = stage.candidate
    rules = rules_for(stage.config, candidate.source)

    repository, origin = fetch(candidate, stage.config, stage.work.scratch / "origin")
    if repository.rejection is None:
        repository = clone_history(repository, origin, files.bundle, rules.walk)
    if repository.rejection is None and repository.start is not None:
        git = open_bundle(files.bundle, stage.work.scratch / "history")
        repository = with_licence(repository, git)
        write_records(files.commits, walk_commits(git, repository.name, repository.start, rules.walk, rules.pairs))
        after = count_after_cutoff(git, repository.start, rules.walk)
        write_atomically(
            stage.work.cutoff, (canonical_json({"after": after, "cutoff": rules.walk.cutoff}) + "\n").encode()
        )
    else:
        write_atomically(files.bundle, b"")
        write_records(files.commits, [])
    write_records(files.repository, [repository])


if __name__ == "__main__":
    run_stage(main, __doc__, writes=("repository", "commits", "bundle"))
