"""A machine that lacks something: one message that names it and the next step, nothing lost (TEB-E04)."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from snapshots import Snapshot, has_lines, one_message

from testevo.config.snapshot.layout import Layout
from testevo.records.base import read_records
from testevo.records.repository import Commit
from testevo.records.verdicts import BuildOutcome, BuildVerdict

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("bad machine")]

BUILDS = "results/small/build_check/worlds+savings/builds.jsonl"
InNamespace = Callable[..., list[str]]


def in_namespace(kind: str, script: str, command: list[str]) -> list[str]:
    """`command` in a namespace of its own, after a shell script has prepared it; skips when that is not allowed."""
    prefix = ["unshare", f"--{kind}", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-ec"]
    try:
        allowed = subprocess.run([*prefix, f"{script}\ntrue"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        pytest.skip(f"this machine allows no namespace for `{script or kind}`: run as root to try it")
    return [*prefix, f'{script}\nexec "$@"', "sh", *command]


def savings(folder: Path, cache: Path) -> Snapshot:
    return Snapshot.made(folder, cache, {"worlds": ["savings"]})


def test_without_a_jdk_the_command_says_so(tmp_path: Path, shared_cache: Path) -> None:
    """All JDKs hidden: status 4 and what to install or configure; no commit is blamed for it (TEB-E04)."""
    snapshot = savings(tmp_path, shared_cache)
    hidden = "\n".join(
        f"test ! -d {place} || mount -t tmpfs none {place}" for place in ("/usr/lib/jvm", "/usr/java", "/opt/java")
    )
    hidden += "\nunset JAVA_HOME; for name in $(env | sed -n 's/^\\(JAVA_HOME_[^=]*\\)=.*/\\1/p'); do unset $name; done"
    finished = snapshot.run(in_namespace("mount", f"{hidden}\n! javac -version 2> /dev/null", snapshot.mine()))
    message = one_message(finished, 4)
    assert "No JDK was found" in message and "build.java_homes" in message and "logs/build_check" in message
    assert not (tmp_path / BUILDS).exists()


def test_without_network_and_artifacts_no_commit_is_blamed(tmp_path: Path) -> None:
    """An empty local repository and no network: status 4, what to check, nothing recorded."""
    snapshot = savings(tmp_path, tmp_path / "cache")
    message = one_message(snapshot.run(in_namespace("net", "", snapshot.mine())), 4)
    assert "cannot be reached" in message and "Check the network" in message and "build.offline: true" in message
    assert not (tmp_path / BUILDS).exists()
    assert snapshot.journal_keys("build_check") == []


def test_a_maven_that_cannot_start_is_no_verdict_and_the_run_recovers(tmp_path: Path, shared_cache: Path) -> None:
    """Status 4 with what it said, nothing recorded; once Maven starts, the same command goes on."""
    snapshot = savings(tmp_path, tmp_path / "cold")
    broken = tmp_path / "programs" / "mvn"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\necho 'Could not reserve enough space for object heap'\nexit 1\n")
    broken.chmod(0o755)
    without = ["env", f"PATH={broken.parent}:{os.environ['PATH']}"]
    message = one_message(snapshot.run([*without, *snapshot.mine()]), 4)
    assert "mvn -version` does not start (exit status 1)" in message and "Could not reserve enough space" in message
    assert not (tmp_path / BUILDS).exists() and snapshot.journal_keys("build_check") == []
    snapshot = savings(tmp_path, shared_cache)
    finished = snapshot.run(snapshot.workflow(BUILDS))
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert {one.outcome for one in read_records(tmp_path / BUILDS, BuildVerdict)} == {BuildOutcome.BUILT}


def test_a_full_disk_is_a_message_and_the_run_resumes(tmp_path: Path, shared_cache: Path) -> None:
    """A disk that is nearly full, then wholly full, then free again: twice status 4, then the run ends well."""
    snapshot = savings(tmp_path, shared_cache)
    (tmp_path / "results").mkdir()
    mine = " ".join(f"'{word}'" for word in snapshot.workflow(BUILDS))
    script = f"""
    mount -t tmpfs -o size=64m none results
    head -c 40M /dev/zero > results/filler
    {mine} > nearly.txt 2>&1 && exit 91
    head -c 40M /dev/zero >> results/filler 2> /dev/null || true
    {mine} > wholly.txt 2>&1 && exit 92
    rm results/filler
    {mine} > free.txt 2>&1
    cp -r results kept
    """
    probe = in_namespace("mount", "cd /; mount -t tmpfs none /mnt", ["true"])
    finished = snapshot.run([*probe[: probe.index("-ec") + 1], script])
    assert finished.returncode == 0, finished.stderr + (tmp_path / "free.txt").read_text()[-2000:]
    assert "MiB left" in (tmp_path / "nearly.txt").read_text()
    assert "error: " in (tmp_path / "wholly.txt").read_text()
    assert "Traceback" not in "".join((tmp_path / f"{name}.txt").read_text() for name in ("nearly", "wholly"))
    files = Layout(tmp_path / "kept" / "small").of_repository("worlds+savings")
    kept = [commit for commit in read_records(files.commits, Commit) if commit.rejection is None]
    assert {one.outcome for one in read_records(files.builds, BuildVerdict)} == {BuildOutcome.BUILT}
    assert has_lines(files.journal("build_check"), len(kept))()


def test_a_results_folder_that_cannot_be_written_is_named(tmp_path: Path, shared_cache: Path) -> None:
    """A read-only results folder: status 4, the file, the reason, the next step."""
    snapshot = savings(tmp_path, shared_cache)
    (tmp_path / "results").mkdir()
    read_only = f"mount -t tmpfs -o ro none '{tmp_path}/results'"
    for command in (snapshot.mine(), snapshot.workflow()):
        message = one_message(snapshot.run(in_namespace("mount", read_only, command)), 4)
        assert "Read-only file system. Give a folder that can be written" in message and "results/small" in message


def test_a_scratch_folder_that_cannot_be_made_is_no_failure_of_a_repository(tmp_path: Path) -> None:
    """A link to a disk that this machine does not have, as on a node of a cluster."""
    snapshot = savings(tmp_path, tmp_path / "cache")
    scratch = tmp_path / "scratch"
    scratch.symlink_to(tmp_path / "absent")
    message = one_message(snapshot.run(snapshot.mine(), env=os.environ | {"TESTEVO_SCRATCH": str(scratch)}), 4)
    assert str(scratch) in message and "TESTEVO_SCRATCH" in message
    assert not snapshot.files("worlds+savings").repository.exists()


def test_files_from_a_clock_that_was_ahead_are_named_and_change_nothing(tmp_path: Path, shared_cache: Path) -> None:
    """A clone two hours from now, as if the clock was put back before the build: a warning, equal bytes."""
    snapshot = savings(tmp_path, shared_cache)
    first = snapshot.run(snapshot.workflow(BUILDS))
    assert first.returncode == 0 and "the clock of this machine" not in first.stderr, first.stderr
    before = snapshot.outputs()
    ahead = time.time() + 2 * 3600 + 300
    for file in (tmp_path / "results").glob("small/**/clone/*"):
        for each in (file, *file.rglob("*")):
            os.utime(each, (ahead, ahead))
    again = snapshot.run(snapshot.workflow(BUILDS))
    assert again.returncode == 0, again.stdout + again.stderr
    assert "WARNING: results/small/profile/clone/worlds+savings.jsonl was written 2:0" in again.stderr
    assert "the clock of this machine was put back" in again.stderr
    assert snapshot.outputs() == before
