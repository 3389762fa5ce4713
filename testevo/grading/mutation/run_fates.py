"""What a run of the test says of the mutant, and which runs of a shared JVM are believed (TEB-V18)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from testevo.execution.verdicts.channel import ChannelRecord, RunRecord, Verdict, merge
from testevo.records.evidence.mutants import MutantFate
from testevo.records.verdicts import Outcome

UNMUTATED = ""
"""In the place of the name of a mutant."""
_LINKAGE = frozenset(
    f"java.lang.{name}"
    for name in (
        "AbstractMethodError",
        "BootstrapMethodError",
        "ClassCircularityError",
        "ClassFormatError",
        "IllegalAccessError",
        "IncompatibleClassChangeError",
        "InstantiationError",
        "LinkageError",
        "NoClassDefFoundError",
        "NoSuchFieldError",
        "NoSuchMethodError",
        "UnsupportedClassVersionError",
        "VerifyError",
    )
)
_OF_THE_JVM = frozenset({"java.lang.OutOfMemoryError"})
"""Outcomes that earlier runs in the same JVM may have caused: such a run is repeated alone."""


@dataclass(frozen=True)
class SharedRuns:
    """The mutants that one shared JVM has settled. Mutants in neither field have not been run."""

    fates: Mapping[str, MutantFate]
    alone: frozenset[str] = frozenset()
    """Mutants whose runs are not believed."""
    checked: bool = True
    """Whether the unmutated code ran to the last of its places, after all mutants."""


def read_shared(order: Sequence[str], runs: Sequence[RunRecord]) -> SharedRuns:
    """Fates from the runs of one shared JVM.

    The unmutated code runs before the mutants; when that does not pass or leaves something behind, the test cannot
    share a JVM and nothing is settled. It runs again among and after them: when that fails, the test tells runs apart,
    or some mutant has left something behind that kills, and no kill of that JVM is believed. Neither is a run that
    ended the JVM or was out of memory.

    Args:
        order: all runs that were asked for, by mutant.
        runs: those that were made, by mutant.
    """
    first, after = runs[:1], runs[1:]
    if not first or first[0].mutant != UNMUTATED or not passed(first[0]) or first[0].left:
        return SharedRuns({})
    fates = dict.fromkeys(first[0].unreached, MutantFate.NOT_COVERED)
    alone = {run.mutant for run in after if run.mutant != UNMUTATED and _repeated_alone(run)}
    fates |= {run.mutant: fate_of(run) for run in after if run.mutant not in (UNMUTATED, *alone)}
    if any(run.mutant == UNMUTATED and not passed(run) for run in after):
        alone |= {name for name, fate in fates.items() if fate.killed}
    checked = len(runs) + len(first[0].unreached) == len(order)
    return SharedRuns({name: fate for name, fate in fates.items() if name not in alone}, frozenset(alone), checked)


def fate_of(run: RunRecord) -> MutantFate:
    """The fate that one run says (TEB-V18): whatever is not a pass is a kill in the sense of the paper."""
    if run.timed_out:
        return MutantFate.TIMED_OUT
    verdict = _verdict(run.record)
    if verdict is None:
        return MutantFate.HARNESS
    if verdict.outcome is Outcome.PASSED:
        return MutantFate.SURVIVED
    if verdict.outcome is Outcome.ASSERTION_FAILED:
        return MutantFate.KILLED_BY_ASSERTION
    if verdict.outcome is Outcome.EXCEPTION and not _cannot_be_linked(verdict):
        return MutantFate.KILLED_BY_EXCEPTION
    return MutantFate.HARNESS


def _cannot_be_linked(verdict: Verdict) -> bool:
    """Whether the mutated class does not fit the classes that were not compiled again, or cannot be loaded at all.

    A class whose initialiser failed is another matter: that is what the mutant does.
    """
    failed_before = "Could not initialize class" in (verdict.message or "")
    return verdict.exception in _LINKAGE and not failed_before


def _verdict(record: ChannelRecord) -> Verdict | None:
    """None when the run did not end, or ended without saying how the test did."""
    if not record.ended or record.broken or record.unfinished:
        return None
    merged = merge([*record.verdicts.values(), *record.class_verdicts.values()])
    return None if merged.outcome is Outcome.NOT_FOUND else merged


def passed(run: RunRecord) -> bool:
    """Whether the test says that nothing is wrong."""
    return fate_of(run) is MutantFate.SURVIVED


def _repeated_alone(run: RunRecord) -> bool:
    """Whether the run may owe its fate to those before it in the JVM."""
    if run.timed_out:
        return False
    verdict = _verdict(run.record)
    return verdict is None or verdict.exception in _OF_THE_JVM
