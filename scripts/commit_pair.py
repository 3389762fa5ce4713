"""commit_pair: pair usable commits and list what changed between their ends, method by method.

Reads the walk and the verdicts, writes `CommitPair` records (kept and rejected, TEB-M12 to M15) and the
`MethodChange` records of the kept pairs (TEB-M16, M17).
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from stage import Stage, run_stage

from testevo.config.rules import PairRules
from testevo.execution.journal import Journal
from testevo.history.bundle import open_bundle
from testevo.history.commit_gap import is_near
from testevo.history.pairs import pair_commits
from testevo.labels.usability import unusable_reason
from testevo.records.base import each_record, read_records, write_records
from testevo.records.changes import CommitPair, MethodChange, PairRejection
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildVerdict, SuiteVerdict
from testevo.revisions.candidates import other_framework_tests, other_language_tests
from testevo.revisions.changes import Changes
from testevo.revisions.revision import Revisions

Compared = tuple[CommitPair, list[MethodChange]]
"""A pair with what is known of its test files, and its changes."""


def main(stage: Stage) -> None:
    commits = read_records(stage.files.commits, Commit)
    pairs, changes = pair_and_compare(stage, commits) if commits else ([], [])
    write_records(stage.files.pairs, pairs)
    write_records(stage.files.changes, changes)


def pair_and_compare(stage: Stage, commits: list[Commit]) -> tuple[list[CommitPair], list[MethodChange]]:
    usable = usability(stage)
    git = open_bundle(stage.files.bundle, stage.work.scratch / "history")
    pairs = pair_commits(commits, usable, stage.rules.pairs, git)
    compared = [pair for pair in pairs if is_compared(pair, usable, stage.rules.pairs)]
    with stage.journal("changes") as journal:
        found = stage.results_of(compared, partial(comparing, stage, journal), "pairs compared", journal)
    told = {pair.sort_key(): pair for pair, _ in found}
    return [told.get(pair.sort_key(), pair) for pair in pairs], [change for _, changes in found for change in changes]


@contextmanager
def comparing(stage: Stage, journal: Journal, process: int) -> Iterator[Callable[[CommitPair], Compared]]:
    """Compare pairs of commits; each process has one."""
    with stage.workspace(process) as workspace:
        revisions = Revisions(workspace)
        history = Changes(revisions, journal)

        def compared(pair: CommitPair) -> Compared:
            changes = history.between(pair.old_revision, pair.new_revision)
            ends = revisions.view(pair.old_revision), revisions.view(pair.new_revision)
            skipped = {
                "other_language_tests": other_language_tests(*ends),
                "other_framework_tests": other_framework_tests(*ends),
            }
            return pair.model_copy(update=skipped), changes

        yield compared


def is_compared(pair: CommitPair, usable: Mapping[str, str | None], rules: PairRules) -> bool:
    """Kept pairs, and those that only run backwards in time: a test change may be joined across them."""
    backwards = pair.rejection is PairRejection.OUTSIDE_GAP and is_near(pair, rules)
    ends = (pair.old_revision, pair.new_revision)
    return pair.rejection is None or (backwards and all(usable.get(end, "not built") is None for end in ends))


def usability(stage: Stage) -> dict[str, str | None]:
    """By revision: why it cannot be the end of a pair, None when it can."""
    builds = {build.revision: build for build in read_records(stage.files.builds, BuildVerdict)}
    return {
        suite.revision: unusable_reason(builds[suite.revision], suite, stage.rules.pairs)
        for suite in each_record(stage.files.suites, SuiteVerdict)
    }


if __name__ == "__main__":
    run_stage(main, __doc__, reads=("repository", "commits", "bundle", "builds", "suites"), writes=("pairs", "changes"))
