"""Why a mined snapshot has few tasks or none: what left at each step, in order of weight, and what to try."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

from testevo.config.rules import PairRules
from testevo.labels.reasons.advice import advice
from testevo.labels.usability import unusable_reason
from testevo.records.base import DocumentedEnum
from testevo.records.changes import CommitPair, PairRejection, TestFileRejection
from testevo.records.labels import Label
from testevo.records.repository import Commit, CommitRejection, Repository
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome, SuiteOutcome, SuiteVerdict, first_reason

T = TypeVar("T")

FEW_TASKS = 5
"""With fewer tasks, commands print the reasons unasked."""
MINOR = (CommitRejection.EQUAL_JAVA, BuildOutcome.NOT_TRIED, SuiteOutcome.NOT_RUN, PairRejection.ENDPOINT_UNUSABLE)
"""Reasons that follow from another one, which says more, or that lose nothing because another commit stands in."""
SHOWN = 6
"""Reasons that are printed; the rest is in `testevo builds` and `testevo task list --dropped`."""


@dataclass(frozen=True)
class Mined:
    """The records of all repositories, as far as their stages have come."""

    repositories: Sequence[Repository] = ()
    commits: Sequence[Commit] = ()
    builds: Sequence[BuildVerdict] = ()
    suites: Sequence[SuiteVerdict] = ()
    pairs: Sequence[CommitPair] = ()
    labels: Sequence[Label] = ()
    pair_rules: Mapping[str, PairRules] = field(default_factory=dict)
    """By repository; the default ones for others."""


@dataclass(frozen=True)
class Reason:
    """One reason for which items left, such as 54 of 71 commits that were not built."""

    count: int
    of: int
    what: str
    """The items, their fate and the reason in a word, such as `commits not built: build_tool_failed`."""
    example: str
    """The message of one of the items; '' when it has none."""
    advice: str
    minor: bool = False
    """Whether it only follows from another reason, or loses nothing."""

    @property
    def weight(self) -> float:
        """The share of the items that it took."""
        return self.count / self.of

    def lines(self) -> list[str]:
        """The text about it."""
        said = f", {self.example.splitlines()[0]}" if self.example else ""
        return [f"{self.count} of {self.of} {self.what}{said}", f"    {self.advice}."]


def explain(mined: Mined) -> list[Reason]:
    """Every reason for which something left: the largest share first, earlier steps first among equals.

    What follows from another reason or loses nothing comes last, whatever its share.
    """
    steps = (repository_reasons, commit_reasons, build_reasons, suite_reasons, pair_reasons, label_reasons)
    return sorted(chain.from_iterable(step(mined) for step in steps), key=lambda one: (one.minor, -one.weight))


def explanation_lines(mined: Mined, tasks: int) -> list[str]:
    """The explanation as it is printed; nothing when there are tasks enough or nothing is known yet."""
    reasons = explain(mined)[:SHOWN] if tasks < FEW_TASKS else []
    if not reasons:
        return []
    return [
        f"Why there are {'no' if tasks == 0 else 'only few'} tasks, the heaviest reason first:",
        *(f"  {line}" for reason in reasons for line in reason.lines()),
    ]


def repository_reasons(mined: Mined) -> list[Reason]:
    rejected = [(one, one.rejection) for one in mined.repositories if one.rejection is not None]
    return grouped(
        rejected,
        len(mined.repositories),
        "repositories without a history: ",
        lambda one: f"{one.name}: {one.detail or 'no detail'}",
    )


def commit_reasons(mined: Mined) -> list[Reason]:
    rejected = [(one, one.rejection) for one in mined.commits if one.rejection is not None]
    return grouped(rejected, len(mined.commits), "commits not tried: ")


def build_reasons(mined: Mined) -> list[Reason]:
    failed = [(one, one.outcome) for one in newest_first(mined) if one.outcome is not BuildOutcome.BUILT]
    return grouped(failed, len(mined.builds), "commits not built: ", lambda one: f"about one of them: {one.reason}")


def suite_reasons(mined: Mined) -> list[Reason]:
    """Suites for which a commit can be no end of a pair, by the rules of its repository."""
    suites = {(one.repository, one.revision): one for one in mined.suites}
    built = [one for one in newest_first(mined) if one.outcome is BuildOutcome.BUILT]
    unusable = []
    for build in built:
        suite = suites.get((build.repository, build.revision))
        rules = mined.pair_rules.get(build.repository) or PairRules()
        if suite is not None and unusable_reason(build, suite, rules) is not None:
            unusable.append(((suite, build), suite.outcome))
    failing = Counter(test for (suite, _), _ in unusable for test in failing_tests(suite))
    return grouped(unusable, len(built), "suites ", lambda one: suite_example(*one, failing))


def suite_example(suite: SuiteVerdict, build: BuildVerdict, failing: Mapping[str, int]) -> str:
    """The test that failed first in a red suite, and how often it fails; else what the suite says.

    Where Surefire had to run the tests and ran none, the reason for Surefire is most often that for no tests.
    """
    why_surefire = first_reason(build.surefire)
    if suite.outcome is SuiteOutcome.NO_TESTS and why_surefire is not None:
        return f"{suite.reason} by Surefire, which ran because {why_surefire}"
    tests = failing_tests(suite)
    if suite.outcome is not SuiteOutcome.RED or not tests:
        return suite.reason
    return f"first by {tests[0]} (it fails in {failing[tests[0]]} of them)"


def failing_tests(suite: SuiteVerdict) -> list[str]:
    """The tests that neither passed nor were skipped, as `Class#method`, each once, in the order of the record."""
    fine = (Outcome.PASSED, Outcome.SKIPPED, Outcome.ABORTED)
    return list(dict.fromkeys(test.test.short for test in suite.tests if test.outcome not in fine))


def pair_reasons(mined: Mined) -> list[Reason]:
    rejected = [(one, one.rejection) for one in mined.pairs if one.rejection is not None]
    in_other_languages = [one for one in mined.pairs if one.other_language_tests]
    of_other_frameworks = [one for one in mined.pairs if one.other_framework_tests]
    what = "commit pairs with test files that are not read: "
    return [
        *grouped(rejected, len(mined.pairs), "commit pairs without candidates: "),
        *grouped(
            [(one, TestFileRejection.OTHER_LANGUAGE) for one in in_other_languages],
            len(mined.pairs),
            what,
            lambda one: f"such as {one.other_language_tests[0]}",
        ),
        *grouped(
            [(one, TestFileRejection.OTHER_FRAMEWORK) for one in of_other_frameworks],
            len(mined.pairs),
            what,
            lambda one: f"such as {one.other_framework_tests[0]}",
        ),
    ]


def label_reasons(mined: Mined) -> list[Reason]:
    dropped = [(one, one.reason) for one in mined.labels if one.reason is not None]
    return grouped(dropped, len(mined.labels), "test methods dropped: ", lambda one: f"such as {one.test.short}")


def newest_first(mined: Mined) -> list[BuildVerdict]:
    """Build verdicts in walk order, so that the example is the newest commit."""
    position = {(one.repository, one.revision): one.position for one in mined.commits}
    return sorted(mined.builds, key=lambda one: (one.repository, position.get((one.repository, one.revision), 0)))


def grouped(
    items: Iterable[tuple[T, DocumentedEnum]], of: int, what: str, example: Callable[[T], str] = lambda one: ""
) -> list[Reason]:
    """A reason for each group of items; the first item of a group is its example.

    Args:
        items: each with its reason.
        of: how many items there were before.
        what: how a reason is announced, such as `commits not built: `.
        example: what an item says of itself.
    """
    groups: dict[DocumentedEnum, list[T]] = defaultdict(list)
    for item, reason in items:
        groups[reason].append(item)
    return [
        Reason(
            len(group),
            of,
            f"{what}{reason.value}{meaning(reason)}",
            example(group[0]),
            advice(reason),
            minor=any(reason is one for one in MINOR),
        )
        for reason, group in groups.items()
    ]


def meaning(reason: DocumentedEnum) -> str:
    """Explain the word of a reason, without references to requirements; '' where the word says it all."""
    if isinstance(reason, SuiteOutcome):
        return ""
    return f" ({reason.doc})"
