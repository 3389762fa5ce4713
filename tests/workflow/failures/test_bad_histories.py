"""Histories that cannot be mined: a clear message or a record with a reason, never a traceback (TEB-M06, M08, M13)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from histories import CYCLE, MALFORMED, POM, UNKNOWN_PARENT, git_folder, shallow_clone
from snapshots import CONSENT, Snapshot, command_line, one_message

from testevo.config.snapshot.layout import STAGES
from testevo.records.base import read_records
from testevo.records.repository import Commit, Repository, RepositoryRejection
from testevo.records.verdicts import BuildOutcome, BuildVerdict

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("bad histories")]

GOOD = {"pom.xml": POM}
MINE = ("mine", "--name", "some/thing", "--cores", "1", "--sandbox", CONSENT)


def plain_folder(folder: Path) -> Path:
    folder.mkdir()
    return folder


def file_that_is_no_bundle(folder: Path) -> Path:
    folder.write_bytes(b"no bundle\n")
    return folder


BAD: dict[str, tuple[Callable[[Path], Path], RepositoryRejection]] = {
    "missing": (lambda folder: folder, RepositoryRejection.CLONE_FAILED),
    "plain": (plain_folder, RepositoryRejection.CLONE_FAILED),
    "file": (file_that_is_no_bundle, RepositoryRejection.CLONE_FAILED),
    "empty": (lambda folder: git_folder(folder, []), RepositoryRejection.EMPTY),
    "shallow": (
        lambda folder: shallow_clone(folder, git_folder(folder.with_name("deep"), [GOOD, GOOD])),
        RepositoryRejection.SHALLOW,
    ),
    "old-java": (
        lambda folder: git_folder(folder, [{"pom.xml": POM.replace(">8<", ">1.7<")}]),
        RepositoryRejection.JAVA_TOO_OLD,
    ),
    "no-pom": (lambda folder: git_folder(folder, [{"build.gradle": ""}]), RepositoryRejection.NO_BUILD_FILE),
}


def test_each_unusable_history_is_a_record_and_no_failure_of_the_job(tmp_path: Path) -> None:
    """Missing, plain, empty, shallow: each is rejected with a reason, and the job ends well (TEB-M06)."""
    repositories = [{"name": f"bad/{name}", "address": str(make(tmp_path / name))} for name, (make, _) in BAD.items()]
    snapshot = Snapshot.made(tmp_path / "snapshot", tmp_path / "cache", {"repositories": repositories})
    files = {name: snapshot.files(f"bad+{name}").repository for name in BAD}
    finished = snapshot.run(snapshot.workflow(*(f"results/small/clone/bad+{name}/repository.jsonl" for name in BAD)))
    assert finished.returncode == 0, finished.stderr
    records = {name: read_records(file, Repository)[0] for name, file in files.items()}
    assert {name: one.rejection for name, one in records.items()} == {name: kind for name, (_, kind) in BAD.items()}
    assert all(one.detail for one in records.values())
    assert "Traceback" not in finished.stdout + finished.stderr
    states = {state for (_, stage), state in snapshot.states().items() if stage in STAGES[1:]}
    assert states == {"rejected"}


@pytest.mark.parametrize(
    ("options", "says"),
    [(["--start", "v9"], "no tag, branch or commit v9"), (["--until", "2001-01-01"], "older than 2001-01-01")],
)
def test_a_single_history_that_is_rejected_ends_the_command(tmp_path: Path, options: list[str], says: str) -> None:
    """A missing start, or a cutoff before the first commit: status 3, thing, reason and next step (TEB-M06, M11)."""
    history = git_folder(tmp_path / "history", [GOOD, GOOD])
    snapshot = Snapshot(tmp_path)
    finished = snapshot.run(command_line(*MINE, str(history), *options))
    message = one_message(finished, 3)
    assert "some/thing cannot be mined" in message and says in message and options[0] in message
    status = snapshot.run(command_line("status", "results/some__thing"))
    assert status.returncode == 0 and says in status.stdout and "rejected" in status.stdout


def test_a_history_is_looked_at_again_once_it_is_mended(tmp_path: Path) -> None:
    """The same command, after the empty folder got commits, finds them (TEB-M06)."""
    history, snapshot = git_folder(tmp_path / "history", []), Snapshot(tmp_path)
    command = command_line(*MINE, str(history))
    assert "has no commit" in one_message(snapshot.run(command), 3)
    git_folder(history, [GOOD])
    finished = snapshot.run(command)
    assert finished.returncode == 0, finished.stderr
    commits = tmp_path / "results" / "some__thing" / "clone" / "some+thing" / "commits.jsonl"
    assert len(read_records(commits, Commit)) == 1


def test_build_files_that_cannot_be_read_are_verdicts(tmp_path: Path, shared_cache: Path) -> None:
    """A malformed POM, an unknown parent, a cycle of modules: records with a reason; the job ends well (TEB-M08)."""
    trees = [GOOD, {"pom.xml": MALFORMED}, {"pom.xml": UNKNOWN_PARENT}, CYCLE]
    history = git_folder(tmp_path / "history", trees)
    source = {"name": "some/thing", "address": str(history)}
    snapshot = Snapshot.made(tmp_path / "snapshot", shared_cache, {"repositories": [source]})
    finished = snapshot.run(snapshot.workflow("results/small/build_check/some+thing/builds.jsonl"))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    commits = read_records(snapshot.files("some+thing").commits, Commit)
    verdicts = {one.revision: one for one in read_records(snapshot.files("some+thing").builds, BuildVerdict)}
    outcomes = [verdicts[commit.revision].outcome for commit in sorted(commits, key=lambda one: -one.position)]
    unreadable, unresolved = BuildOutcome.UNREADABLE_BUILD_FILE, BuildOutcome.DEPENDENCY_UNAVAILABLE
    assert outcomes[0] is BuildOutcome.BUILT, verdicts
    assert outcomes[1] is unreadable and outcomes[3] is unreadable
    assert outcomes[2] in (unreadable, unresolved)
    assert all(one.reason for one in verdicts.values() if one.outcome is not BuildOutcome.BUILT)
    assert not any(str(tmp_path) in one.reason for one in verdicts.values())
