"""The baseline gate: a repository whose newest commits do not build is not tried commit by commit (TEB-M08)."""

from collections.abc import Sequence

from testevo.records.repository import Commit
from testevo.records.verdicts import BuildOutcome, BuildVerdict


def baseline(kept: Sequence[Commit], count: int) -> Sequence[Commit]:
    """The commits one of which must build before the others are tried: the newest ones.

    Args:
        kept: the kept commits of a repository, newest first, whatever part of them a job builds.
        count: how many (`build.baseline_commits`); 0 for no gate.

    Returns:
        No commit where there is no gate, or no other commit.
    """
    return kept[:count] if len(kept) > count else ()


def is_built(verdicts: Sequence[BuildVerdict]) -> bool:
    """Whether one of these commits builds."""
    return any(verdict.outcome is BuildOutcome.BUILT for verdict in verdicts)


def not_tried(commit: Commit, failed: Sequence[BuildVerdict]) -> BuildVerdict:
    """The verdict on a commit behind a gate that stays shut.

    Args:
        failed: the verdicts on the baseline, newest first.
    """
    first = failed[0]
    which = (
        "the newest kept commit does not build"
        if len(failed) == 1
        else (f"none of the {len(failed)} newest kept commits builds")
    )
    return BuildVerdict(
        repository=commit.repository,
        revision=commit.revision,
        outcome=BuildOutcome.NOT_TRIED,
        reason=f"{commit.repository} at {commit.revision[:7]} was not tried: {which} ({first.revision[:7]}: "
        f"{first.outcome.value}). Set build.baseline_commits: 0 to try every commit.",
    )
