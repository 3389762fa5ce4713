"""Trees compiled from earlier ones are the trees compiled from nothing, byte for byte, over whole histories.

Embedded histories always; with `TESTEVO_MIRROR` (`<folder>/{owner}+{name}/repo`) sixty commits of two real ones.
"""

import os
import shutil
from pathlib import Path

import pytest
from twice_compiled import compare_history

from testevo.history.git import GitRepository
from testevo.runtime.files.project import PROJECT
from testevo.sources.embedded.worlds import load_world, make_world
from testevo.sources.git_clone import run_git

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

CACHE = PROJECT / "results" / "cache"
MIRROR = os.environ.get("TESTEVO_MIRROR")
WORLDS = sorted(path.parent.name for path in (PROJECT / "worlds").glob("*/world.yaml"))
UNBUILT = ("other-build",)
COMMITS = 60


@pytest.mark.parametrize("name", WORLDS)
def test_an_embedded_history_compiles_to_the_same_bytes(name: str, tmp_path: Path) -> None:
    made = make_world(load_world(PROJECT / "worlds" / name), tmp_path / "history")
    revisions = list(dict.fromkeys(made.revisions.values()))
    counts = compare_history(GitRepository(tmp_path / "history"), revisions, tmp_path, CACHE, "worlds")
    print(name, len(revisions), counts)
    assert counts.differences == []
    assert counts.incremental > 0 or name in UNBUILT


@pytest.mark.mirror
@pytest.mark.skipif(MIRROR is None, reason="TESTEVO_MIRROR names no clones of real repositories")
@pytest.mark.parametrize(
    "name, start", [("stateless4j/stateless4j", "stateless4j-2.6.0"), ("f4b6a3/uuid-creator", "uuid-creator-6.1.1")]
)
def test_a_real_history_compiles_to_the_same_bytes(name: str, start: str, tmp_path: Path) -> None:
    owner, _, project = name.partition("/")
    folder = Path((MIRROR or "").format(owner=owner, name=project))
    log = ["log", "--first-parent", "--format=%H", f"-{COMMITS}", start, "--", "*.java"]
    _, listed = run_git(log, repository=folder)
    revisions = listed.decode().split()[::-1]
    counts = compare_history(GitRepository(folder), revisions, tmp_path, CACHE, f"{owner}+{project}")
    print(name, len(revisions), counts)
    assert counts.differences == []
    assert counts.incremental > counts.trees // 10, counts
