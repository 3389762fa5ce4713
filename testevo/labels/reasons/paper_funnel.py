"""The paper's counts of repositories beside those of a funnel here (docs/sources.md)."""

from collections.abc import Sequence
from dataclasses import dataclass

from testevo.records.tasks import FunnelStage


@dataclass(frozen=True)
class PaperCount:
    """A count of repositories in the paper."""

    what: str
    """In the paper's words."""
    paper: int
    stage: str | None
    """The stage here that leaves the same; None where none does."""
    here: int | None = None
    """What that stage left; None where the snapshot has no such stage."""


PAPER = (
    PaperCount("candidates", 2262, "search"),
    PaperCount("after repository-level filters", 248, "clone"),
    PaperCount("after commit-level filters", 166, "commit_pair"),
    PaperCount("after mining", 152, None),
    PaperCount("with a released task", 91, "package"),
)


def beside_paper(stages: Sequence[FunnelStage]) -> list[PaperCount]:
    """The paper's counts with those of a funnel."""
    left = {stage.stage: stage.went_on for stage in stages if stage.unit == "repositories"}
    return [PaperCount(one.what, one.paper, one.stage, left.get(one.stage or "")) for one in PAPER]
