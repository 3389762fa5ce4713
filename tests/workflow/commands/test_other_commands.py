"""What a second command does to the files of a snapshot that another workflow may be working on: nothing."""

import fcntl
import hashlib
from pathlib import Path

import pytest
import yaml
from snapshots import Snapshot, command_line

from testevo.cli.mining.workflow import GIVEN
from testevo.runtime.errors import ExitStatus

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("mined")]

OTHER = ("--config", "preset=released", "execution={method_seconds: 7}")
LOOKS = [("--dry-run",), ("--lint",), ("--list-rules",), ("--summary",), ("--dag",)]


def files_of(folder: Path) -> dict[str, str]:
    """The digest of every file below a folder."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look[0])
def test_a_look_with_another_configuration_changes_no_file(mined: Snapshot, look: tuple[str, ...]) -> None:
    """Also while a workflow runs, which holds the lock."""
    before = files_of(mined.layout.root)
    with (mined.layout.root / "lock").open("r") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        finished = mined.run(mined.workflow(*OTHER, *look))
    assert finished.returncode == 0, finished.stdout[-2000:] + finished.stderr[-2000:]
    assert files_of(mined.layout.root) == before


def test_the_status_changes_no_file(mined: Snapshot) -> None:
    before = files_of(mined.layout.root)
    assert mined.run(command_line("status", "results/small")).returncode == 0
    assert files_of(mined.layout.root) == before


def test_a_second_run_is_refused_and_leaves_what_the_first_one_reads(mined: Snapshot) -> None:
    """Another preset and --retry: status 4; only files of its own are new."""
    other = yaml.safe_load((mined.folder / "snapshot.yaml").read_text()) | {"preset": "released"}
    (mined.folder / "other.yaml").write_text(yaml.safe_dump(other))
    command = mined.mine("--retry")
    command[command.index("snapshot.yaml")] = "other.yaml"
    before = files_of(mined.layout.root)
    with (mined.layout.root / "lock").open("r") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        refused = mined.run(command)
    assert refused.returncode == ExitStatus.MACHINE and "is in use by another process" in refused.stderr
    after = files_of(mined.layout.root)
    assert {name: after.get(name) for name in before if name != GIVEN} == {
        name: digest for name, digest in before.items() if name != GIVEN
    }
    assert all(name == GIVEN or name.startswith("given/") for name in after.keys() - before.keys())


def test_a_dry_run_of_a_snapshot_that_never_ran_writes_nothing(tmp_path: Path) -> None:
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": ["savings"]})
    finished = snapshot.run(snapshot.workflow("--dry-run"))
    assert finished.returncode == 0 and "commit_pair" in finished.stdout + finished.stderr
    assert not (tmp_path / "results").exists()
