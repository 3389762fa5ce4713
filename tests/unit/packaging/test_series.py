"""Snapshots of one series: the life of tasks, and what one changed against the one before."""

import shutil
from pathlib import Path

import pytest
from task_factories import NEW, OLD, REPOSITORY, label, repository_facts

from testevo.config.load import load_config
from testevo.config.model import Config
from testevo.config.resolved import write_resolved
from testevo.config.snapshot.layout import STAGES, Layout, RepositoryFiles
from testevo.config.snapshot.predecessor import note_tools
from testevo.history.bundle import clone_history
from testevo.packaging.dataset.grouping import group_tasks
from testevo.packaging.series.comparison import differences_between
from testevo.packaging.series.lock_files import LockFolder
from testevo.packaging.series.task_states import MinedRepository, reason_of_loss, states_of
from testevo.packaging.series.unchanged import copy_unchanged
from testevo.records.base import write_records
from testevo.records.labels import DropReason, Label
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.records.snapshots.snapshot import LockedRepository, LockedTask, TaskState
from testevo.records.tasks import Task
from testevo.runtime.errors import UserError
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history

A, B, C = "2026-01-01", "2026-02-01", "2026-03-01"
WALKED = MinedRepository(REPOSITORY, frozenset({OLD, NEW}))


def tasks_of(*labels: Label) -> list[Task]:
    return group_tasks(labels, repository_facts(*labels))


def states(tasks: list[Task], name: str, before: list[LockedTask], mined: MinedRepository = WALKED) -> list[LockedTask]:
    return states_of(name, tasks, before, {mined.repository.name: mined})


def test_a_task_keeps_the_date_of_its_state_until_the_state_changes() -> None:
    [task] = tasks_of(label("adds"))
    flaky = task.model_copy(update={"quarantined": "fails in 1 of 3 runs"})
    first = states([task], A, [])
    still = states([task], B, first)
    broken = states([flaky], C, still)
    gone = states([], "2026-04-01", broken)
    later = states([], "2026-05-01", gone)
    assert [(one.state, one.since) for [one] in (first, still, broken, gone, later)] == [
        (TaskState.ACTIVE, A),
        (TaskState.ACTIVE, A),
        (TaskState.QUARANTINED, C),
        (TaskState.DEPRECATED, "2026-04-01"),
        (TaskState.DEPRECATED, "2026-04-01"),
    ]
    assert broken[0].reason == "fails in 1 of 3 runs"


def test_an_id_never_stands_for_another_task() -> None:
    """Seven digits of a revision may be shared, and a rewritten history may bring them back."""
    [task] = tasks_of(label("adds"))
    other = task.model_copy(update={"new_revision": NEW[:7] + "c" * 33})
    with pytest.raises(UserError, match="must not change its meaning"):
        states([other], B, states([task], A, []))


def test_tasks_that_share_an_id_each_have_a_state_of_their_own(tmp_path: Path) -> None:
    """A test file of one name in two modules."""
    [core] = tasks_of(label("adds"))
    web = core.model_copy(update={"module": "web", "test_file": f"web/{core.test_file}"})
    first = states([core], A, [])
    both = states([core, web], B, first)
    left = states([core], C, both)
    assert [(one.state, one.since) for one in both] == [(TaskState.ACTIVE, A), (TaskState.ACTIVE, B)]
    assert [(one.state, one.since) for one in left] == [(TaskState.ACTIVE, A), (TaskState.DEPRECATED, C)]
    folders = [LockFolder(tmp_path / f"{name}.lock") for name in (A, B, C)]
    for folder, tasks in zip(folders, (first, both, left), strict=True):
        write_records(folder.folder / "tasks.jsonl", tasks)
    named = f"{core.task_id} ({core.track.value})"
    assert differences_between(folders[0], folders[1]) == [("task new", named, "")]
    assert differences_between(folders[1], folders[2]) == [
        ("task lost", named, "its commits are not a pair any more, or its tests do not change together with code")
    ]
    with pytest.raises(UserError, match="must not change its meaning"):
        states([web], B, first)


@pytest.mark.parametrize(
    ("mined", "said"),
    [
        (None, "not part of the snapshot"),
        (
            MinedRepository(REPOSITORY.model_copy(update={"rejection": RepositoryRejection.CLONE_FAILED})),
            "could not be cloned",
        ),
        (MinedRepository(REPOSITORY, failure="build_check: MemoryError"), "failed: build_check"),
        (MinedRepository(REPOSITORY, rewritten="d" * 40), "rewritten: it does not hold ddddddd"),
        (MinedRepository(REPOSITORY), "not walked"),
        (
            MinedRepository(REPOSITORY, frozenset({OLD, NEW}), labels=[label("adds", reason=DropReason.NO_DEPENDENCY)]),
            "dropped: no_dependency 1",
        ),
        (WALKED, "not a pair"),
    ],
)
def test_a_lost_task_has_a_reason(mined: MinedRepository | None, said: str) -> None:
    [task] = states(tasks_of(label("adds")), A, [])
    assert said in reason_of_loss(task, mined)


def test_a_diff_names_what_is_new_lost_changed_and_quarantined(tmp_path: Path) -> None:
    same, changed, lost, flaky, new = (tasks_of(label(name))[0] for name in ("a", "b", "c", "d", "e"))
    before = states([same, changed, lost, flaky], A, [])
    now = [same, changed.model_copy(update={"mutants": 3}), flaky.model_copy(update={"quarantined": "flaky"}), new]
    old, later = LockFolder(tmp_path / f"{A}.lock"), LockFolder(tmp_path / f"{B}.lock")
    write_records(old.folder / "tasks.jsonl", before)
    write_records(later.folder / "tasks.jsonl", states(now, B, before))
    moved = REPOSITORY.model_copy(update={"name": "o/s"})
    write_records(old.folder / "repositories.jsonl", [LockedRepository(cloned=one) for one in (REPOSITORY, moved)])
    write_records(later.folder / "repositories.jsonl", [LockedRepository(cloned=REPOSITORY, head=NEW)])
    found = {name.split(" (")[0]: what for what, name, _ in differences_between(old, later)}
    assert found == {
        "o/r": "repository changed",
        "o/s": "repository lost",
        changed.task_id: "task changed",
        lost.task_id: "task lost",
        flaky.task_id: "task quarantined",
        new.task_id: "task new",
    }


def test_a_diff_names_what_a_snapshot_without_predecessor_has_lost(tmp_path: Path) -> None:
    same, lost, new = (tasks_of(label(name))[0] for name in "abc")
    gone = states([], B, states(tasks_of(label("gone")), A, []))
    old, later = LockFolder(tmp_path / f"{B}.lock"), LockFolder(tmp_path / f"{C}.lock")
    write_records(old.folder / "tasks.jsonl", [*states([same, lost], B, []), *gone])
    write_records(later.folder / "tasks.jsonl", states([same, new], C, []))
    found = {name.split(" (")[0]: what for what, name, _ in differences_between(old, later)}
    assert found == {lost.task_id: "task lost", new.task_id: "task new"}


def test_another_sentence_about_the_same_rejection_is_no_change(tmp_path: Path) -> None:
    gone = REPOSITORY.model_copy(
        update={"rejection": RepositoryRejection.START_MISSING, "detail": "tried at 3 o'clock"}
    )
    other = gone.model_copy(update={"detail": "tried at 4 o'clock"})
    java = gone.model_copy(update={"rejection": RepositoryRejection.JAVA_TOO_OLD})
    old, same, changed = (LockFolder(tmp_path / name) for name in ("old", "same", "changed"))
    for folder, one in ((old, gone), (same, other), (changed, java)):
        write_records(folder.folder / "repositories.jsonl", [LockedRepository(cloned=one)])
    assert differences_between(old, same) == []
    assert [row[2] for row in differences_between(old, changed)] == [
        "rejected (start_missing) -> rejected (java_too_old)"
    ]


def made(folder: Path, *contents: str) -> Path:
    """A git folder with a commit for each content."""
    commits = [
        MadeCommit(text, text, 1_709_294_400 + at, 1_709_294_400 + at, tuple(contents[at - 1 : at]), tree(text))
        for at, text in enumerate(contents)
    ]
    return make_history(folder, commits, {}).folder


def tree(text: str) -> dict[str, MadeFile]:
    return {"pom.xml": MadeFile(b"<project/>"), "A.java": MadeFile(text.encode())}


def cloned(config: Config, slug: str, origin: Path) -> RepositoryFiles:
    """A repository as the stage `clone` leaves it, and a file for each later stage."""
    files = Layout.of(config).of_repository(slug)
    candidate = Repository(name=slug.replace("+", "/"), source=SourceKind.LIST, address=f"https://x.org/{slug}")
    repository = clone_history(candidate, origin, files.bundle, config.rules.walk)
    write_records(files.repository, [repository])
    write_records(files.commits, [])
    for stage in STAGES[1:]:
        (files.root / stage / slug).mkdir(parents=True)
        (files.root / stage / slug / "made").write_text(config.snapshot)
    write_records(files.failure("measure_gold"), [])
    return files


def snapshot(tmp_path: Path, name: str, **given: object) -> Config:
    own = {"snapshot": name, "results": str(tmp_path / "results"), "lock": str(tmp_path / f"{name}.lock")}
    config = load_config({**own, **given})
    note_tools(Layout.of(config), {"code": "1"})
    write_resolved(config, Layout.of(config).config)
    return config


def test_a_repository_with_nothing_new_is_copied_and_one_with_a_commit_is_not(tmp_path: Path) -> None:
    walk = {"start": "default_branch"}
    first = snapshot(tmp_path, A, rules={"walk": {**walk, "cutoff": A}})
    second = snapshot(tmp_path, B, rules={"walk": {**walk, "cutoff": B}}, predecessor=A)
    slugs = ["o+same", "o+grown"]
    for slug in slugs:
        cloned(first, slug, made(tmp_path / slug, "one"))
    LockFolder(tmp_path / f"{A}.lock").pin(Layout.of(first), slugs)
    made(tmp_path / "o+grown", "one", "two")
    for slug in slugs:
        files = cloned(second, slug, tmp_path / slug)
        for stage in STAGES[1:]:
            shutil.rmtree(files.root / stage / slug)
    assert copy_unchanged(second, slugs) == []
    LockFolder(tmp_path / f"{B}.lock").pin(Layout.of(second), slugs)
    assert [files.slug for files in copy_unchanged(second, slugs)] == ["o+same"]
    assert (Layout.of(second).root / "package" / "o+same" / "made").read_text() == A
    assert not (Layout.of(second).root / "package" / "o+grown").exists()
    other = second.model_copy(update={"execution": second.execution.model_copy(update={"method_seconds": 7})})
    assert copy_unchanged(other, slugs) == []
    Layout.of(first).of_repository("o+same").commits.write_text("walked again, otherwise\n")
    assert copy_unchanged(second, slugs) == []


def test_a_repository_whose_clone_failed_is_not_locked(tmp_path: Path) -> None:
    """Without its head it could not be mined again to the same bytes."""
    config = snapshot(tmp_path, A)
    files = cloned(config, "o+failed", made(tmp_path / "o+failed", "one"))
    files.bundle.write_bytes(b"")
    with pytest.raises(UserError, match=r"`clone` of o/failed failed.+delete"):
        LockFolder(tmp_path / "lock").pin(Layout.of(config), ["o+failed"])
    assert not (tmp_path / "lock").exists()
