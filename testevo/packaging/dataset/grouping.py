"""Accepted labels become tasks: one per repository, old revision, new revision, test file and track (TEB-K04)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from testevo.java.encodings import is_usual
from testevo.packaging.identity import task_id
from testevo.records.executions import Combination
from testevo.records.labels import Dependency, Label, LabelKind
from testevo.records.methods import MethodKey, Span, TestKey
from testevo.records.repository import Commit, Repository
from testevo.records.tasks import Task, TestEvidence, Track
from testevo.records.verdicts import BuildVerdict, Outcome, first_reason

TRACK_OF_LABEL = {LabelKind.UPDATE: Track.UPDATE, LabelKind.DISCRIMINATING: Track.GENERATION}
PUBLIC_ADDRESSES = ("https://", "http://", "ssh://", "git://", "git@")

CandidateKey = tuple[str, str, TestKey]
"""Old revision, new revision, test."""


@dataclass(frozen=True)
class RepositoryFacts:
    """The facts about a repository that its tasks repeat, beyond its labels."""

    repository: Repository
    commits: Mapping[str, Commit]
    """By revision."""
    builds: Mapping[str, BuildVerdict]
    """By revision."""
    outcomes: Mapping[CandidateKey, Mapping[Combination, Outcome]]
    source_of: Callable[[str, str, Span, TestKey], str]
    """Text of a test method from revision, path, place and name."""
    has_file: Callable[[str, str], bool]
    """Whether a revision has a path."""
    is_ascii: Callable[[str, str], bool] = lambda revision, path: True
    """Whether a file of a revision, if there is one, is ASCII: then its encoding does not matter."""


def group_tasks(labels: Sequence[Label], facts: RepositoryFacts) -> list[Task]:
    """The tasks of one repository, sorted by id and track.

    Labels with a reason are left out, those of other repositories too.

    Raises:
        KeyError: a revision of an accepted label has no commit, or its new one no build verdict.
    """
    groups: dict[tuple[str, str, str, Track], list[Label]] = defaultdict(list)
    for label in labels:
        if label.reason is None and label.repository == facts.repository.name:
            track = TRACK_OF_LABEL[label.label]
            groups[label.old_revision, label.new_revision, label.edited_path, track].append(label)
    return sorted((_task(track, group, facts) for (_, _, _, track), group in groups.items()), key=Task.sort_key)


def _task(track: Track, labels: Sequence[Label], facts: RepositoryFacts) -> Task:
    ordered = sorted(labels, key=lambda label: (_first_line(label), str(label.test)))
    first, repository = ordered[0], facts.repository
    old_path = first.old_path or first.edited_path
    build, old_build = facts.builds[first.new_revision], facts.builds.get(first.old_revision)
    if build.jdk is None or build.fingerprint is None:
        raise ValueError(f"{repository.name} {first.new_revision} has an accepted label, but its build has no JDK")
    return Task(
        task_id=task_id(
            repository.project_name,
            first.old_revision,
            first.new_revision,
            first.edited_path,
            [label.test.short for label in ordered],
        ),
        track=track,
        repository=repository.name,
        project_name=repository.project_name,
        version=repository.version or "HEAD",
        web_url=repository.web_url,
        clone_url=repository.clone_url,
        old_revision=first.old_revision,
        new_revision=first.new_revision,
        old_time=facts.commits[first.old_revision].committer_time,
        new_time=facts.commits[first.new_revision].committer_time,
        java_level=build.java_level,
        jdk=build.jdk,
        fingerprint=build.fingerprint,
        surefire=_surefire(build, first.test.module) or (old_build and _surefire(old_build, first.test.module)),
        module=first.test.module,
        **_encodings(first, old_path, facts),
        test_file=first.edited_path,
        old_test_file=old_path if facts.has_file(first.old_revision, old_path) else None,
        tests=tuple(_evidence(label, facts) for label in ordered),
        dependencies=ranked_union(label.dependencies for label in ordered),
    )


def _surefire(build: BuildVerdict, module: str) -> str | None:
    """Why Surefire runs the tests of a module; any reason of a revision that has no such module."""
    return build.surefire.get(module) if module in build.modules else first_reason(build.surefire)


def _encodings(label: Label, old_path: str, facts: RepositoryFacts) -> dict[str, str]:
    """The encodings of the test file of a task, where they are not UTF-8 and matter."""
    ends = {"encoding": (label.new_revision, label.edited_path), "old_encoding": (label.old_revision, old_path)}
    if all(facts.is_ascii(revision, path) for revision, path in ends.values()):
        return {}
    named = {end: facts.builds[revision].encoding_of(path) for end, (revision, path) in ends.items()}
    if None in named.values():
        raise ValueError(f"{label.test} is accepted, but no encoding of {label.edited_path} is recorded for both ends")
    return {end: encoding for end, encoding in named.items() if encoding is not None and not is_usual(encoding)}


def public_address(repository: Repository) -> str:
    """The address of a repository, or its name when the address is a folder of this machine."""
    is_folder = repository.source == "list" and not repository.address.startswith(PUBLIC_ADDRESSES)
    return repository.name if is_folder else repository.address


def ranked_union(lists: Iterable[Sequence[Dependency]]) -> tuple[Dependency, ...]:
    """The dependencies of several tests, each method (overloads apart) once with its highest score, strongest first."""
    strongest: dict[tuple[MethodKey, str], Dependency] = {}
    for dependency in (dependency for dependencies in lists for dependency in dependencies):
        key = (dependency.method, dependency.path)
        if key not in strongest or dependency.score > strongest[key].score:
            strongest[key] = dependency
    return tuple(sorted(strongest.values(), key=lambda d: (-d.score, str(d.method), d.path)))


def _first_line(label: Label) -> int:
    return label.new_span.first_line if label.new_span else 0


def _evidence(label: Label, facts: RepositoryFacts) -> TestEvidence:
    if label.new_span is None:
        raise ValueError(f"{label.test} is accepted, but has no place at {label.new_revision}")
    old_source = None
    if label.old_span is not None:
        old_source = facts.source_of(
            label.old_revision, label.old_path or label.edited_path, label.old_span, label.test
        )
    outcomes = facts.outcomes.get((label.old_revision, label.new_revision, label.test), {})
    focal = label.focal
    return TestEvidence(
        test=label.test,
        test_kind=label.test_kind,
        change=label.change,
        label=label.label,
        old_source=old_source,
        new_source=facts.source_of(label.new_revision, label.edited_path, label.new_span, label.test),
        old_span=label.old_span,
        new_span=label.new_span,
        outcomes={combination.value: outcomes[combination] for combination in sorted(outcomes)},
        dependencies=label.dependencies,
        focal=str(focal.method) if focal else None,
    )
