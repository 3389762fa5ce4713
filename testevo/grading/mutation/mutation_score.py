"""Scores of a test method from its runs against mutants: `paper` and `strict` (TEB-V18 to V20)."""

from collections import Counter
from collections.abc import Sequence

from testevo.records.evidence.mutants import Mutant, MutantFate, MutantRun, MutationScore

STRICT_KILLS = (MutantFate.KILLED_BY_ASSERTION, MutantFate.KILLED_BY_EXCEPTION)


def mutation_score(runs: Sequence[MutantRun], mutants: Sequence[Mutant]) -> MutationScore:
    """The scores over the kill set that was run.

    `paper` counts all runs. `strict` leaves out mutants with the byte code of the original, counts mutants of the kill
    set with equal byte code once, and takes only assertions and exceptions for kills. Without mutants both are None,
    never 0.

    Args:
        runs: one for each mutant of the kill set.
        mutants: their records; others are ignored.

    Raises:
        ValueError: a run names an unknown mutant, or two runs name the same one.
    """
    by_name = {mutant.mutant: mutant for mutant in mutants}
    unknown = [run.mutant for run in runs if run.mutant not in by_name]
    if unknown:
        raise ValueError(f"runs of unknown mutants: {', '.join(unknown)}")
    if len({run.mutant for run in runs}) < len(runs):
        raise ValueError("a mutant has two runs")
    strict: dict[str, bool] = {}
    for run in sorted(runs, key=lambda found: by_name[found.mutant].sort_key()):
        mutant = by_name[run.mutant]
        if not mutant.equivalent:
            strict.setdefault(mutant.duplicate_of or mutant.mutant, run.fate in STRICT_KILLS)
    fates = Counter(run.fate for run in runs)
    return MutationScore(
        mutants=len(runs),
        killed=sum(run.fate.killed for run in runs),
        strict_mutants=len(strict),
        strict_killed=sum(strict.values()),
        killed_by_assertion=fates[MutantFate.KILLED_BY_ASSERTION],
        killed_by_exception=fates[MutantFate.KILLED_BY_EXCEPTION],
        timed_out=fates[MutantFate.TIMED_OUT],
        harness=fates[MutantFate.HARNESS],
        survived=fates[MutantFate.SURVIVED],
        not_covered=fates[MutantFate.NOT_COVERED],
        not_believed=fates[MutantFate.NOT_BELIEVED],
    )
