"""Short ways to say what the tests of tasks are about."""

from testevo.config.model import Build, Config, ListedRepository, Sources
from testevo.config.solving import Solving
from testevo.labels.reasons.funnel import count_stage
from testevo.packaging.dataset.grouping import RepositoryFacts, group_tasks
from testevo.packaging.dataset_writer import Snapshot
from testevo.records.executions import Combination, Execution
from testevo.records.labels import Dependency, DropReason, Label, LabelKind
from testevo.records.methods import ChangeKind, MethodKey, Span, TestKey, TestKind
from testevo.records.repository import Commit, Repository, SourceKind
from testevo.records.verdicts import BuildOutcome, BuildVerdict, Outcome

OLD, NEW = "a" * 40, "b" * 40
TEST_PATH = "src/test/java/p/ATest.java"
CODE_PATH = "src/main/java/p/A.java"
PASSED, FAILED = Outcome.PASSED, Outcome.ASSERTION_FAILED
MACHINE = "/somewhere/on/this/machine"

REPOSITORY = Repository(
    name="o/r",
    source=SourceKind.LIST,
    address="o/r.git",
    web_url="https://example.org/o/r",
    clone_url="https://example.org/o/r.git",
    version="v1.0",
    licence="MIT",
    licence_origin="LICENSE",
)


def dependency(
    name: str, *parameters: str, score: float = 0.5, kind: ChangeKind = ChangeKind.MODIFIED, line: int = 10
) -> Dependency:
    return Dependency(
        method=MethodKey(type_name="p.A", name=name, parameters=parameters),
        kind=kind,
        path=CODE_PATH,
        span=Span(first_line=line, last_line=line + 2),
        score=score,
    )


def label(
    name: str,
    kind: LabelKind = LabelKind.UPDATE,
    *dependencies: Dependency,
    reason: DropReason | None = None,
    path: str = TEST_PATH,
    line: int = 20,
    new_revision: str = NEW,
) -> Label:
    inserted = kind in (LabelKind.DISCRIMINATING, LabelKind.REDUNDANT)
    span = Span(first_line=line, last_line=line + 3)
    return Label(
        repository="o/r",
        old_revision=OLD,
        new_revision=new_revision,
        test=TestKey(module="", path=path, type_name=f"p.{path.rsplit('/', 1)[1][:-5]}", name=name),
        test_kind=TestKind.JUNIT4,
        change=ChangeKind.INSERTED if inserted else ChangeKind.MODIFIED,
        label=kind,
        reason=reason,
        dependencies=dependencies or (dependency("add"),),
        old_path=None if inserted else path,
        old_span=None if inserted else span,
        new_span=span,
    )


def execution(of: Label, combination: Combination, *outcomes: Outcome) -> Execution:
    return Execution(
        repository=of.repository,
        old_revision=of.old_revision,
        new_revision=of.new_revision,
        test=of.test,
        combination=combination,
        swap="file",
        old_tree="",
        outcomes=outcomes,
    )


def commit(revision: str, time: int) -> Commit:
    return Commit(
        repository="o/r",
        position=0,
        revision=revision,
        parents=(),
        author_time=time,
        committer_time=time,
        java_tree="",
        first_parent_line=True,
    )


def repository_facts(*labels: Label, repository: Repository = REPOSITORY) -> RepositoryFacts:
    """Sources name their place; every revision has the test file but no other."""
    revisions = {OLD: 1_600_000_000} | {of.new_revision: 1_600_003_600 for of in labels}
    return RepositoryFacts(
        repository=repository,
        commits={revision: commit(revision, time) for revision, time in revisions.items()},
        builds={
            revision: BuildVerdict(
                repository="o/r",
                revision=revision,
                outcome=BuildOutcome.BUILT,
                reason="",
                fingerprint="f" * 8,
                java_level="8",
                jdk=17,
            )
            for revision in revisions
        },
        outcomes={
            (of.old_revision, of.new_revision, of.test): {
                Combination.OLD_TEST_NEW_CODE: FAILED,
                Combination.NEW_TEST_NEW_CODE: PASSED,
            }
            for of in labels
        },
        source_of=lambda revision, path, span, test: f"{revision[:1]}:{path}:{span.first_line}",
        has_file=lambda _, path: path == TEST_PATH,
    )


def example() -> Snapshot:
    """A snapshot with a task of each track, a negative and a dropped candidate."""
    kept = label("one")
    new = label("new", LabelKind.DISCRIMINATING)
    unchanged = label("same", LabelKind.UNCHANGED, reason=DropReason.UNCHANGED)
    dropped = label("flaky", LabelKind.NONE, reason=DropReason.UNSTABLE)
    labels = [kept, new, unchanged, dropped]
    config = Config(
        snapshot="example",
        results=f"{MACHINE}/results",
        sources=Sources(
            mirror=f"{MACHINE}/mirror",
            repositories=(ListedRepository.model_validate({"name": "o/r", "address": f"{MACHINE}/r"}),),
        ),
        build=Build(cache=f"{MACHINE}/cache", java_homes=(f"{MACHINE}/jdk",)),
        solving=Solving(programs=f"{MACHINE}/agents"),
    )
    return Snapshot(
        config=config,
        repositories=[REPOSITORY],
        labels={REPOSITORY.slug: labels},
        executions={
            REPOSITORY.slug: [
                execution(kept, Combination.OLD_TEST_NEW_CODE, FAILED, FAILED),
                execution(kept, Combination.NEW_TEST_NEW_CODE, PASSED, PASSED),
            ]
        },
        tasks=group_tasks(labels, repository_facts(*labels)),
        funnel=[count_stage("triple_execute", "test methods", [of.reason for of in labels])],
        provenance={"jdk 17": "17.0.1", "git": None},
    )
