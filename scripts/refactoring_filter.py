"""refactoring_filter: which labelled candidates are nothing but refactoring.

Reads the labels of `triple_execute`, writes one `RefactoringVerdict` per label other than `none` (TEB-X10, X11).
Detection that fails or takes too long is recorded as unknown and drops nothing. Sources are read in the encoding that
`build_check` recorded of their build.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from stage import Stage, run_stage

from testevo.builds.project.jdks import find_jdks
from testevo.config.resolved import stage_key
from testevo.execution.journal import Journal
from testevo.execution.refactoring_detector import DETECTOR_NEEDS_JDK, RefactoringDetector
from testevo.history.bundle import open_bundle
from testevo.labels.refactorings.verdict import refactoring_verdict
from testevo.records.base import each_record, read_records, write_records
from testevo.records.labels import Label, LabelKind, RefactoringVerdict
from testevo.records.verdicts import BuildVerdict
from testevo.revisions.refactorings import Refactorings
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import content_key


def main(stage: Stage) -> None:
    labelled = [label for label in each_record(stage.files.first_labels, Label) if label.label is not LabelKind.NONE]
    write_records(stage.files.refactorings, detect(stage, labelled) if labelled else [])


def detect(stage: Stage, labels: Sequence[Label]) -> list[RefactoringVerdict]:
    """A verdict per label; the labels of one pair of revisions are one piece of work."""
    by_ends: dict[tuple[str, str], list[Label]] = defaultdict(list)
    for label in labels:
        by_ends[label.old_revision, label.new_revision].append(label)
    with stage.journal() as journal:
        verdicts = stage.results_of(
            largest_first(stage, by_ends), partial(detecting, stage, journal), "pairs of revisions checked", journal
        )
    return [verdict for of_ends in verdicts for verdict in of_ends]


def largest_first(stage: Stage, by_ends: Mapping[tuple[str, str], list[Label]]) -> list[list[Label]]:
    """One pair may take longer than all others, and then no process should come to it last."""
    git = open_bundle(stage.files.bundle, stage.work.scratch / "history")
    sizes = {ends: len(git.changed_paths(*ends)) for ends in by_ends}
    return [by_ends[ends] for ends in sorted(by_ends, key=lambda ends: (-sizes[ends], ends))]


@contextmanager
def detecting(
    stage: Stage, journal: Journal, process: int
) -> Iterator[Callable[[Sequence[Label]], list[RefactoringVerdict]]]:
    """A warm detector, and how it is asked about the labels of one pair of revisions."""
    limits = stage.config.refactoring
    git = open_bundle(stage.files.bundle, stage.work.scratch / "history")
    with RefactoringDetector(java_home(stage), limits.seconds, limits.memory_mb) as detector:
        builds = {build.revision: build for build in read_records(stage.files.builds, BuildVerdict)}
        refactorings = Refactorings(git, detector, builds)

        def verdict(label: Label) -> RefactoringVerdict:
            encodings = encodings_of([builds.get(end) for end in (label.old_revision, label.new_revision)])
            key = content_key(stage_key(stage.config, "refactoring_filter"), label.line(), *encodings)
            return journal.remembered(key, RefactoringVerdict, lambda: detected(label))

        def detected(label: Label) -> RefactoringVerdict:
            found = refactorings.between(label.old_revision, label.new_revision)
            return refactoring_verdict(label, found)

        yield lambda labels: [verdict(label) for label in labels]


def encodings_of(builds: Sequence[BuildVerdict | None]) -> list[str]:
    """What decides how sources are read, for the key of finished work; nothing where all are UTF-8."""
    told = [None if build is None else build.encodings for build in builds]
    return [str(one) for one in told] if any(one != () for one in told) else []


def java_home(stage: Stage) -> Path:
    """The first JDK that can run the detector."""
    for jdk in find_jdks(stage.config.build.java_homes):
        if jdk.feature >= DETECTOR_NEEDS_JDK:
            return jdk.home
    raise MachineError(
        f"Refactoring detection needs JDK {DETECTOR_NEEDS_JDK} or newer and none was found. "
        f"Install one or name its folder in build.java_homes."
    )


if __name__ == "__main__":
    run_stage(main, __doc__, reads=("bundle", "builds", "first_labels"), writes=("refactorings",))
