"""Measure how much of Redundant % the choice of the old-code tree causes.

The released Redundant % (17 to 20) comes from old-code trees that keep production files which only the new revision
has: a test of such a file finds its class on the "old" side and passes. Graded twice, with `rules.swap.old_tree:
clean` and with `keep_added`, the same edits differ in nothing else, so every method that is redundant only with
`keep_added` is an artefact.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from testevo.analysis.output.tables import Column, Table
from testevo.analysis.statistics.metrics import mean
from testevo.records.evaluation.grading import Grade, GradedTask, MethodResult
from testevo.records.labels import Label, LabelKind
from testevo.records.methods import TestKey
from testevo.records.tasks import Track

Place = tuple[str, str, TestKey]


@dataclass(frozen=True)
class Artefact:
    """A method that is redundant only because the old tree keeps files that the new revision added."""

    system: str
    task_id: str
    test: TestKey
    clean: str
    """Its grade or label with a clean old tree."""


@dataclass(frozen=True)
class RedundancyStudy:
    """Redundant % with both old-code trees, on the same methods."""

    tasks: int
    methods: int
    clean_macro: float | None
    kept_macro: float | None
    clean_micro: float | None
    kept_micro: float | None
    artefacts: tuple[Artefact, ...]
    unexplained: tuple[Artefact, ...]
    """Redundant only with the clean tree: no added file can explain it, so it points at an unstable run."""


def compare_grades(clean: Iterable[GradedTask], kept: Iterable[GradedTask]) -> RedundancyStudy:
    """Both gradings of the generation track; only methods that both graded count.

    Args:
        clean: graded against an old tree that has only the old revision's files.
        kept: the same edits, graded against an old tree that keeps added production files.

    Raises:
        ValueError: the same system and task was graded with another edit.
    """
    one, other = generation_tasks(clean), generation_tasks(kept)
    for place in one.keys() & other.keys():
        if one[place].edit != other[place].edit:
            raise ValueError(f"{place[1]} of {place[0]} was graded with two different edits; grade the same ones")
    shared = sorted(one.keys() & other.keys())
    pairs = [matched(one[place], other[place]) for place in shared]
    return study([(place, pair) for place, pair in zip(shared, pairs, strict=True) if pair])


def generation_tasks(records: Iterable[GradedTask]) -> dict[tuple[str, str], GradedTask]:
    return {
        (record.system, record.task_id): record
        for record in records
        if record.track is Track.GENERATION and record.infrastructure is None and record.quarantined is None
    }


def matched(one: GradedTask, other: GradedTask) -> list[tuple[TestKey, str, str]]:
    """(test, grade with a clean tree, grade with added files kept) of the methods that both have."""
    methods: Mapping[TestKey, MethodResult] = {method.test: method for method in other.methods}
    return [
        (method.test, method.grade.value, methods[method.test].grade.value)
        for method in one.methods
        if method.test in methods
    ]


def compare_labels(clean: Iterable[Label], kept: Iterable[Label]) -> RedundancyStudy:
    """The same from two minings of one history that differ only in `rules.swap.old_tree`: labels of inserted tests.

    A pair of revisions stands for the task, the repository for the system.
    """
    inserted = (LabelKind.DISCRIMINATING, LabelKind.REDUNDANT)
    one = {place_of(label): label.label for label in clean if label.label in inserted}
    other = {place_of(label): label.label for label in kept if label.label in inserted}
    groups: dict[tuple[str, str], list[tuple[TestKey, str, str]]] = {}
    for place in sorted(one.keys() & other.keys(), key=str):
        repository, pair, test = place
        groups.setdefault((repository, pair), []).append((test, one[place].value, other[place].value))
    return study(sorted(groups.items()))


def place_of(label: Label) -> Place:
    return label.repository, f"{label.old_revision}..{label.new_revision}", label.test


def study(pairs: list[tuple[tuple[str, str], list[tuple[TestKey, str, str]]]]) -> RedundancyStudy:
    redundant = Grade.REDUNDANT.value
    clean = [[before == redundant for _, before, _ in methods] for _, methods in pairs]
    kept = [[after == redundant for _, _, after in methods] for _, methods in pairs]
    changed = [
        (Artefact(system, task_id, test, before), after)
        for (system, task_id), methods in pairs
        for test, before, after in methods
        if (before == redundant) != (after == redundant)
    ]
    return RedundancyStudy(
        tasks=len(pairs),
        methods=sum(len(methods) for _, methods in pairs),
        clean_macro=mean(map(mean, clean)),
        kept_macro=mean(map(mean, kept)),
        clean_micro=mean(flag for flags in clean for flag in flags),
        kept_micro=mean(flag for flags in kept for flag in flags),
        artefacts=tuple(artefact for artefact, after in changed if after == redundant),
        unexplained=tuple(artefact for artefact, after in changed if after != redundant),
    )


def study_table(found: RedundancyStudy) -> Table:
    """Redundant % with both trees, and the methods behind the difference."""
    rows = (
        ("Redundant, clean old tree", found.clean_macro, found.clean_micro),
        ("Redundant, added files kept", found.kept_macro, found.kept_micro),
    )
    artefacts = [f"{one.task_id} {one.test.short} ({one.clean} on a clean tree)" for one in found.artefacts]
    unexplained = [f"{one.task_id} {one.test.short}" for one in found.unexplained]
    return Table(
        name="old_code_trees",
        title=f"Redundant by kind of old-code tree: {found.methods} methods of {found.tasks} tasks",
        columns=(Column("Old code"), Column("macro", "percent"), Column("micro", "percent")),
        rows=rows,
        notes=(
            f"Redundant only because added files are kept ({len(artefacts)}): {'; '.join(artefacts) or 'none'}.",
            f"Redundant only on a clean tree, unexplained ({len(unexplained)}): {'; '.join(unexplained) or 'none'}.",
        ),
    )
