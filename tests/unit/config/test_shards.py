"""How a repository's work is cut for a cluster."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from testevo.config.machine.shards import Estimate, Shard, read_commit_lock, shards_of, write_commit_lock
from testevo.config.snapshot.layout import RepositoryFiles
from testevo.runtime.errors import UsageError, UserError


@given(commits=st.integers(0, 400), seconds=st.floats(0, 1e5), minutes=st.floats(0.1, 200))
def test_shares_are_neighbours_that_cover_everything_once(commits: int, seconds: float, minutes: float) -> None:
    units = list(range(commits))
    shards = shards_of(Estimate(commits, seconds), minutes)
    assert len(shards) != 1, "one part is the whole"
    shares = [shard.share(units) for shard in shards]
    assert [unit for share in shares for unit in share] == (units if shards else [])
    assert min(map(len, shares), default=1) >= 1
    assert max(map(len, shares), default=0) - min(map(len, shares), default=0) <= 1


def test_repositories_are_cut_by_their_work_and_not_by_their_commits() -> None:
    """Two of as many commits, one of them with ten times the work: an hour a part."""
    assert shards_of(Estimate(300, 1800.0), 60) == []
    assert [shard.count for shard in shards_of(Estimate(300, 18000.0), 60)] == [5] * 5


def test_without_a_length_nothing_is_cut() -> None:
    assert shards_of(Estimate(300, 1e9), None) == []


def test_no_part_has_less_than_a_commit() -> None:
    assert len(shards_of(Estimate(3, 1e9), 1)) == 3


def test_names_of_shards_lead_back_to_them() -> None:
    shards = shards_of(Estimate(65, 150.0), 1)
    assert [Shard.named(str(shard)) for shard in shards] == [Shard(1, 3), Shard(2, 3), Shard(3, 3)]


@pytest.mark.parametrize("name", ["", "3", "0of2", "3of2", "aof2", "1of", "-1of2"])
def test_what_names_no_shard_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="names no shard"):
        Shard.named(name)


def test_a_shard_has_files_of_its_own_beside_those_of_the_whole(tmp_path: Path) -> None:
    whole = RepositoryFiles(tmp_path, "owner+name")
    part = whole.of_shard("2of3")
    for file in (RepositoryFiles.journal, RepositoryFiles.progress, RepositoryFiles.profile, RepositoryFiles.log):
        assert file(part, "build_check") != file(whole, "build_check")
        assert "owner+name@2of3" in file(part, "build_check").name
    assert part.scratch != whole.scratch
    assert (part.bundle, part.commits, part.builds) == (whole.bundle, whole.commits, whole.builds)


def test_the_whole_finds_the_journals_of_all_cuts_and_of_no_other_repository(tmp_path: Path) -> None:
    whole = RepositoryFiles(tmp_path, "owner+name")
    for files in (whole, whole.of_shard("1of3"), whole.of_shard("2of2"), RepositoryFiles(tmp_path, "owner+name2")):
        files.journal("instrument").parent.mkdir(parents=True, exist_ok=True)
        files.journal("instrument").touch()
    found = [path.name for path in whole.journals("instrument")]
    assert found == ["owner+name.jsonl", "owner+name@1of3.jsonl", "owner+name@2of2.jsonl"]


def test_a_commit_lock_is_read_back_and_a_torn_one_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "commit_lock.json"
    written = {"owner+name": Estimate(31, 140.5), "other+name": Estimate(0, 0.0)}
    write_commit_lock(lock, written)
    assert read_commit_lock(lock) == written
    for torn in ('{"owner+name"', '{"owner+name":31}', '{"owner+name":{"commits":31}}'):
        lock.write_text(torn)
        with pytest.raises(UserError, match=r"commit_lock\.json cannot be read"):
            read_commit_lock(lock)
