"""The confusion matrix of the embedded histories: what was mined against what their authors know."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.config.model import Config
from testevo.labels.reasons.confusion import ExpectedLabel, compare_labels
from testevo.records.labels import Label, LabelKind
from testevo.records.repository import Commit, Repository, SourceKind
from testevo.records.tasks import Task
from testevo.records.verdicts import BuildOutcome, BuildVerdict, SuiteOutcome, SuiteVerdict
from testevo.sources.embedded.worlds import Expected, World, load_world, make_world

GREEN = (SuiteOutcome.GREEN, SuiteOutcome.NOT_RUN)


@dataclass(frozen=True)
class MinedWorld:
    """Everything that mining found in one world."""

    repository: Repository
    commits: Sequence[Commit]
    builds: Sequence[BuildVerdict]
    suites: Sequence[SuiteVerdict]
    labels: Sequence[Label]
    tasks: Sequence[Task]


@dataclass(frozen=True)
class WorldComparison:
    """Counts by (expected, mined) label, and every difference in words; none when mining got all of it right."""

    matrix: Mapping[tuple[LabelKind, LabelKind], int]
    differences: tuple[str, ...]


def compare_worlds(mined: Iterable[MinedWorld], config: Config) -> WorldComparison:
    """Compare all mined worlds with what their `world.yaml` expects under the configured preset."""
    matrix: Counter[tuple[LabelKind, LabelKind]] = Counter()
    differences: list[str] = []
    for one in mined:
        world = load_world(config.sources.worlds_place / one.repository.address)
        expected = world.expected.get(config.preset)
        found: list[str] = []
        if expected is None or one.repository.rejection is not None:
            found += rejection_differences(world, one.repository)
        else:
            revisions = revisions_of(world)
            confusion = compare_labels(one.labels, expected_labels(expected, revisions))
            matrix.update(confusion.matrix)
            found += [str(difference) for difference in confusion.differences]
            found += verdict_differences(expected, revisions, one)
            found += task_differences(expected, one.tasks)
        differences += [f"{one.repository.name}: {text}" for text in found]
    return WorldComparison(dict(sorted(matrix.items())), tuple(differences))


def revisions_of(world: World) -> Mapping[str, str]:
    """Revision by commit id; the history is made again, its bytes are always the same."""
    with tempfile.TemporaryDirectory() as folder:
        return dict(make_world(world, Path(folder) / "history").revisions)


def expected_labels(expected: Expected, revisions: Mapping[str, str]) -> list[ExpectedLabel]:
    return [
        ExpectedLabel(
            new_revision=revisions[label.new],
            test=label.test,
            label=label.label,
            reasons=label.reason,
            old_revision=revisions[label.old] if label.old else None,
        )
        for label in expected.labels
    ]


def rejection_differences(world: World, repository: Repository) -> list[str]:
    if repository.rejection == world.rejected:
        return []
    return [f"expected rejection {world.rejected or 'none'}, got {repository.rejection or 'none'}"]


def verdict_differences(expected: Expected, revisions: Mapping[str, str], mined: MinedWorld) -> list[str]:
    """Builds and suites that are not as expected; commits that are not listed must be built and green."""
    ids = {revision: name for name, revision in revisions.items()}
    found = []
    for build in mined.builds:
        wanted = expected.builds.get(ids[build.revision], BuildOutcome.BUILT)
        if build.outcome != wanted:
            found.append(f"build of {ids[build.revision]}: expected {wanted}, got {build.outcome} ({build.reason})")
    for suite in mined.suites:
        wanted_suite = expected.suites.get(ids[suite.revision])
        if suite.outcome != wanted_suite and (wanted_suite or suite.outcome not in GREEN):
            found.append(f"suite of {ids[suite.revision]}: expected {wanted_suite or 'green'}, got {suite.outcome}")
    return found


def task_differences(expected: Expected, tasks: Sequence[Task]) -> list[str]:
    counts = Counter(task.track for task in tasks)
    return [
        f"{track} tasks: expected {number}, got {counts[track]}"
        for track, number in expected.tasks.items()
        if counts[track] != number
    ]


def confusion_page(comparison: WorldComparison, preset: str) -> str:
    """The matrix as a Markdown table, then the differences."""
    kinds = [kind for kind in LabelKind if any(kind in pair for pair in comparison.matrix)]
    lines = [f"# Embedded histories, preset `{preset}`: expected labels (rows) against mined ones", ""]
    lines += ["| expected | " + " | ".join(kinds) + " |", "|---|" + "---:|" * len(kinds)]
    for row in kinds:
        lines.append(f"| {row} | " + " | ".join(str(comparison.matrix.get((row, one), 0)) for one in kinds) + " |")
    lines += ["", "Everything is as expected." if not comparison.differences else "Not as expected:", ""]
    return "\n".join(lines + [f"- {text}" for text in comparison.differences]) + "\n"


def mined_worlds(
    repositories: Sequence[Repository],
    commits: Sequence[Commit],
    builds: Sequence[BuildVerdict],
    suites: Sequence[SuiteVerdict],
    labels: Sequence[Label],
    tasks: Sequence[Task],
) -> list[MinedWorld]:
    """The records of a snapshot by world; other sources are left out."""

    def own(records: Sequence, name: str) -> list:  # type: ignore[type-arg]
        return [record for record in records if record.repository == name]

    return [
        MinedWorld(one, *(own(records, one.name) for records in (commits, builds, suites, labels, tasks)))
        for one in repositories
        if one.source is SourceKind.WORLDS
    ]
