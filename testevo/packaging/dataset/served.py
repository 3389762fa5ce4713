"""Who compiled and tested the commits of a snapshot, and why not the configured engine."""

from collections import Counter
from collections.abc import Iterable, Sequence

from testevo.records.evidence.certificates import Certificate
from testevo.records.verdicts import BuildVerdict

UNCOMPARED = "not certified"
"""Served by the engine without a certificate: embedded histories, or `build.certify` is off."""
BY_MAVEN = "by Maven"
BY_SUREFIRE = "by Surefire"


def served(builds: Sequence[BuildVerdict], certificates: Iterable[Certificate]) -> Counter[tuple[str, str]]:
    """The number of compiled commits by who served them, and why.

    The engine's own go by the verdict of their certificates, those that Maven compiled by why it did.
    """
    compiled = [one for one in builds if one.outcome.compiled]
    found = Counter((by_whom(one), one.fallback) for one in compiled if one.fallback is not None)
    own = len(compiled) - found.total()
    for one in certificates:
        if one.surefire is None and not one.compiled_by_maven:
            found[one.comparison.verdict.value, one.told] += one.commits
            own -= one.commits
    return found + Counter({(UNCOMPARED, ""): own})


def by_whom(build: BuildVerdict) -> str:
    """Who did what the configured engine left: Maven only compiled it, or did so since Surefire ran all its tests."""
    return BY_SUREFIRE if build.fallback in build.surefire.values() else BY_MAVEN
