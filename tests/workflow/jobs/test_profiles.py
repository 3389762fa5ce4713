"""Profiles that the checkout ships: they are found, they are read, and they keep the limits of sites (TEB-E14)."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from snapshots import PROJECT, Snapshot, jobs_of

from testevo.deployment.rules import read_rules

PROFILES = ("slurm", "alliance", "pilot")
SHORTEST_PARTITION_MINUTES = 180
LONGEST_JOB_MINUTES = 24 * 60
"""That many sites allow; a job that asks for more waits in the queue for ever."""
MOST_JOBS = 1000
"""That may wait and run for one user of the Alliance."""


def profile(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((PROJECT / "profiles" / name / "config.v9+.yaml").read_text())
    return content


def test_the_short_name_is_found_from_the_checkout() -> None:
    assert (PROJECT / "slurm").is_symlink() and (PROJECT / "slurm").readlink() == Path("profiles/slurm")
    assert (PROJECT / "slurm" / "config.v9+.yaml").is_file()


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_plans_the_same_stages(name: str, tmp_path: Path) -> None:
    """A dry run; nothing is sent. Where work is cut into shards the commits are counted first."""
    snapshot = Snapshot.made(tmp_path, tmp_path / "cache", {"worlds": ["greetings", "savings"]})
    command = [*snapshot.workflow("--dry-run"), "--profile", str(PROJECT / "profiles" / name)]
    finished = snapshot.run(command)
    said = finished.stdout + finished.stderr
    assert finished.returncode == 0, said
    jobs = jobs_of(said)
    assert jobs.count("build_check") == 2 and jobs.count("package") == 1
    assert ("commit_lock" in jobs) == (name != "pilot")
    assert ("prove_offline" in jobs) == (name != "slurm")


@pytest.mark.parametrize("name", ["slurm", "alliance"])
def test_what_is_sent_keeps_the_published_limits(name: str) -> None:
    """Jobs, submission rate, status polling without accounting, no account and no partition of somebody's."""
    settings = profile(name)
    assert settings["executor"] == "slurm" and settings["jobs"] < MOST_JOBS / 2
    assert settings["max-jobs-per-timespan"] == "1/1s"
    assert settings["slurm-init-seconds-before-status-checks"] >= 40
    assert settings["retries"] >= 1
    assert "slurm_account" not in settings["default-resources"]
    assert "SBATCH_PARTITION" in settings["default-resources"]["slurm_partition"]


def test_a_default_profile_holds_nothing_that_another_one_must_set() -> None:
    """It is read beside every other profile, and wins."""
    assert not set(profile_keys("default")) & {key for name in PROFILES for key in profile(name)}


def test_a_failed_job_does_not_keep_the_others_from_running() -> None:
    """So that the failure of one repository costs no other its tasks."""
    assert yaml.safe_load((PROJECT / "profiles" / "default" / "config.yaml").read_text())["keep-going"] is True


def profile_keys(name: str) -> list[str]:
    (file,) = (PROJECT / "profiles" / name).iterdir()
    return list(yaml.safe_load(file.read_text()))


def test_a_shard_fits_the_shortest_partition() -> None:
    shards = [rule for rule in read_rules(PROJECT) if rule.name.endswith("_shard")]
    minutes = [
        re.search(r"runtime=lambda wildcards, attempt: attempt \* (\d+)", one.directives["resources"]) for one in shards
    ]
    assert len(shards) == 3
    assert all(one and int(one[1]) < SHORTEST_PARTITION_MINUTES for one in minutes)


def test_no_attempt_of_a_job_asks_for_more_than_a_day() -> None:
    attempts = 1 + max(profile(name)["retries"] for name in PROFILES)
    for rule in read_rules(PROJECT):
        asked = re.search(
            r"runtime=(?:lambda wildcards, attempt: )?(.+?),\s*$", rule.directives.get("resources", ""), re.M
        )
        if asked:
            longest = max(eval(asked[1], {"attempt": one, "min": min}) for one in range(1, attempts + 1))
            assert longest <= LONGEST_JOB_MINUTES, rule.name
