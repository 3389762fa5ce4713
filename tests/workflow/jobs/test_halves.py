"""The two halves: what needs a network, and everything else without one."""

import os
import shutil
import subprocess
from pathlib import Path

import psutil
import pytest
from snapshots import PROJECT, Snapshot, command_line, jobs_of, one_message

from testevo.records.base import read_records
from testevo.records.evidence.warm_up import OfflineProof, WarmBuild
from testevo.records.verdicts import BuildOutcome

SLUG = "worlds+savings"
WITHOUT_NETWORK = ["unshare", "--net", "--map-root-user"]
OFFLINE = ("--config", "build={offline: true}")
CONFIGURED = ("--configuration", "snapshot.yaml")


def may_cut_networks() -> bool:
    """Whether this user may make a network name space."""
    return (
        shutil.which("unshare") is not None
        and subprocess.run([*WITHOUT_NETWORK, "true"], check=False, capture_output=True).returncode == 0
    )


pytestmark = [
    pytest.mark.maven,
    pytest.mark.xdist_group("mined"),
    pytest.mark.skipif(not may_cut_networks(), reason="this user may make no network name spaces"),
]


def test_after_the_online_half_nothing_needs_a_network(mined: Snapshot, tmp_path: Path) -> None:
    """From an empty cache `online`, one file to another place, the rest there with loopback alone: the same bytes."""
    halves = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": ["savings"]})
    online = halves.run(halves.workflow("online", cores=2))
    assert online.returncode == 0, online.stdout[-3000:] + online.stderr[-3000:]
    files = halves.files(SLUG)
    fetched, proofs = read_records(files.fetched, WarmBuild), read_records(files.proofs, OfflineProof)
    assert {build.outcome for build in fetched} == {BuildOutcome.BUILT}
    assert [proof.revision for proof in proofs] == [build.revision for build in fetched]
    assert all(proof.holds for proof in proofs) and proofs[0].by_maven
    assert not files.builds.exists()

    written = halves.run(command_line("bundle", "create", *CONFIGURED))
    assert written.returncode == 0, written.stderr
    there = Snapshot.made(tmp_path / "elsewhere", tmp_path / "elsewhere" / "cache", {"worlds": ["savings"]})
    bundle = str(tmp_path / written.stdout.strip())
    restored = there.run([*WITHOUT_NETWORK, *command_line("bundle", "restore", bundle, *CONFIGURED)])
    assert restored.returncode == 0, restored.stderr

    offline = there.run([*WITHOUT_NETWORK, *there.workflow(*OFFLINE, cores=2)])
    assert offline.returncode == 0, offline.stdout[-3000:] + offline.stderr[-3000:]
    assert not {"search", "clone", "warm_up", "prove_offline"} & set(jobs_of(offline.stdout + offline.stderr))
    assert there.outputs_of(SLUG).items() >= mined.outputs_of(SLUG).items() > set()
    assert there.tasks_of(SLUG) == mined.tasks_of(SLUG) != []


def test_what_was_not_proven_makes_no_bundle(mined: Snapshot) -> None:
    """A snapshot whose builds may need the network is no use where there is none."""
    finished = mined.run(command_line("bundle", "create", *CONFIGURED))
    assert "`snakemake online" in one_message(finished, 3)


def test_where_no_name_space_can_be_made_a_proof_is_refused(mined: Snapshot, tmp_path: Path) -> None:
    """With a network nothing would be proven, and the user is told what to do."""
    if set(psutil.net_if_addrs()) <= {"lo"}:
        pytest.skip("this machine has no network")
    (tmp_path / "unshare").write_text("#!/bin/sh\necho 'unshare: not permitted' >&2\nexit 1\n")
    (tmp_path / "unshare").chmod(0o755)
    (tmp_path / "failure_before").write_bytes(b"")
    options = ("repository", "bundle", "fetched", "failure-before", "proofs", "failure")
    places = [word for name in options for word in (f"--{name}", str(tmp_path / name.replace("-", "_")))]
    command = [*mined.workflow()[:1], str(PROJECT / "scripts" / "prove_offline.py"), "--config"]
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    finished = mined.run([*command, str(mined.layout.config), "--slug", SLUG, *places], env=environment)
    said = one_message(finished, 4)
    assert "This job must run without a network" in said and "(unshare: not permitted)" in said
    assert "on a machine whose users may make network name spaces" in said
    assert not (tmp_path / "proofs").exists()
