"""The sample below the cap (TEB-V14): seeded, and independent of the order in which mutants come."""

from collections.abc import Iterable

from testevo.grading.mutation.mutant_generation import Candidate
from testevo.runtime.files.files import content_key


def sample(candidates: Iterable[Candidate], path: str, *, most: int, seed: int) -> list[Candidate]:
    """At most `most` of the valid candidates of a file, in canonical order.

    Every candidate has a rank drawn from the seed, the path, its line, the place in it and its text; the lowest ranks
    are taken. So each candidate is as likely as any other, test methods that share lines tend to share mutants, and
    one more or less candidate changes the sample by one at most.
    """
    ranked = sorted((_rank(candidate, path, seed), candidate) for candidate in candidates)
    return sorted(candidate for _, candidate in ranked[:most])


def _rank(candidate: Candidate, path: str, seed: int) -> str:
    return content_key(str(seed), path, str(candidate.line), str(candidate.column), candidate.text)
