"""Worlds: the format, its errors, and histories that are equal to the byte."""

from pathlib import Path

import pytest

from testevo.config.model import Config, Sources
from testevo.history.git import GitRepository
from testevo.records.labels import DropReason, LabelKind
from testevo.records.repository import RepositoryRejection
from testevo.records.tasks import Track
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.errors import UsageError, UserError
from testevo.sources.candidates import candidates
from testevo.sources.embedded.worlds import load_world, make_world, world_names
from testevo.sources.fetch import fetch

WORLD = """
description: A world that bends in every way the format allows.
commits:
  - {id: c1, folder: 01-initial, message: Initial, date: 2024-03-01T10:00:00Z}
  - {id: c2, folder: 02-change, message: Change, date: 2024-03-01T11:00:00+01:00, author_date: 2024-02-01T00:00:00Z,
     delete: [docs], crlf: [A.java]}
  - {id: side, message: Delete, date: 2024-03-01T10:30:00Z, parents: [c1], delete: [gone.txt]}
  - {id: merge, message: Merge, date: 2024-03-01T12:00:00Z, parents: [c2, side], delete: [gone.txt]}
  - {id: back, message: Revert, date: 2024-03-01T13:00:00Z, tree_of: c1}
tags: {v1.0: merge}
start: v1.0
expected:
  strict:
    labels:
      - {new: c2, test: ATest#adds, label: update}
      - {new: merge, old: c2, test: ATest#other, label: none, reason: helper_changed}
      - {new: merge, test: ATest#third, label: none, reason: [unstable, new_test_fails]}
    builds: {back: production_compile_error}
    tasks: {update: 1, generation: 0}
"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    folder = tmp_path / "worlds" / "bent"
    files = {
        "01-initial/A.java": "class A {}\n",
        "01-initial/gone.txt": "x",
        "01-initial/docs/a/b.md": "b",
        "02-change/A.java": "class A {\n}\n",
        "02-change/mvnw": "#!/bin/sh\n",
    }
    for path, content in files.items():
        file = folder / "commits" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (folder / "commits/02-change/mvnw").chmod(0o755)
    (folder / "world.yaml").write_text(WORLD)
    return folder


def config(world: Path, *names: str) -> Config:
    return Config(sources=Sources(worlds=names or ("bent",), worlds_folder=str(world.parent)))


def test_commits_are_differences_against_the_first_parent(world, tmp_path):
    made = make_world(load_world(world), tmp_path / "bent.git")
    git, at = GitRepository(made.folder), made.revisions
    assert set(git.paths(at["c1"])) == {"A.java", "gone.txt", "docs/a/b.md"}
    assert set(git.paths(at["c2"])) == {"A.java", "gone.txt", "mvnw"}
    assert set(git.paths(at["side"])) == {"A.java", "docs/a/b.md"}
    assert set(git.paths(at["merge"])) == {"A.java", "mvnw"}
    assert git.tree_id(at["back"]) == git.tree_id(at["c1"])
    assert git.read(at["c2"], "A.java") == b"class A {\r\n}\r\n"


def test_parents_dates_tags_and_the_branch_are_as_written(world, tmp_path):
    made = make_world(load_world(world), tmp_path / "bent.git")
    git, at = GitRepository(made.folder), made.revisions
    logged = {commit.revision: commit for commit in git.log("main", first_parent=False)}
    assert logged[at["merge"]].parents == (at["c2"], at["side"])
    assert logged[at["c1"]].parents == ()
    assert logged[at["c2"]].committer_time == logged[at["c1"]].committer_time
    assert logged[at["c2"]].author_time == 1_706_745_600
    assert git.resolve("v1.0") == at["merge"] and git.resolve("main") == at["back"]


def test_a_world_is_made_with_equal_bytes_every_time(world, tmp_path, monkeypatch):
    def made(name: str) -> dict[str, bytes]:
        folder = make_world(load_world(world), tmp_path / name).folder
        return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}

    first = made("one.git")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody else")
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert made("two.git") == first
    assert made("one.git") == first  # in place of the first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.git", "two.git", "worlds"]


def test_expectations_are_typed(world):
    expected = load_world(world).expected["strict"]
    assert expected.labels[0].label is LabelKind.UPDATE and expected.labels[0].reason == ()
    assert expected.labels[1].reason == (DropReason.HELPER_CHANGED,)
    assert expected.labels[2].reason == (DropReason.UNSTABLE, DropReason.NEW_TEST_FAILS)
    assert expected.builds == {"back": BuildOutcome.PRODUCTION_COMPILE_ERROR}
    assert expected.tasks == {Track.UPDATE: 1, Track.GENERATION: 0}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("start: v1.0", "beginning: v1.0", "beginning: unknown key"),
        ("author_date:", "authored:", "commits.1.authored: unknown key"),
        ("label: update", "label: upgrade", "expected.strict.labels.0.label"),
        ("parents: [c1]", "parents: [c9]", "commit side names c9, which is not listed before it"),
        ("id: side", "id: c1", "commit c1 is listed twice"),
        ("v1.0: merge", "v1.0: c7", "tag v1.0 names the commit c7"),
        ("{new: c2,", "{new: c7,", "ATest#adds names the commit c7"),
        ("builds: {back:", "builds: {c7:", "names the commit c7"),
        ("2024-03-01T10:00:00Z", "2024-03-01 10:00:00", "commits.0.date"),
        ("start: v1.0", "rejected: empty", "exactly one of"),
        ("tags: {", "tags: [", "not valid YAML"),
        ("folder: 02-change, ", "", "holds 02-change, which no commit"),
        ("folder: 02-change", "folder: 02-chagne", "holds 02-change, which no commit"),
        ("delete: [docs]", "delete: [dosc]", "deletes dosc"),
        ("crlf: [A.java]", "crlf: [B.java]", "lists B.java"),
    ],
)
def test_a_mistake_is_named_with_its_place(world, tmp_path, old, new, complaint):
    path = world / "world.yaml"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(UserError, match=complaint):
        make_world(load_world(world), tmp_path / "bent.git")


def test_a_commit_folder_that_is_missing_is_named(world, tmp_path):
    path = world / "world.yaml"
    path.write_text(path.read_text().replace("message: Revert", "folder: 05-none, message: Revert"))
    with pytest.raises(UserError, match="05-none is not a folder"):
        make_world(load_world(world), tmp_path / "bent.git")


def test_candidates_carry_the_start_and_materialise_makes_the_folder(world, tmp_path):
    found = candidates(config(world))
    assert [(r.name, r.address, r.start) for r in found] == [("worlds/bent", "bent", "v1.0")]
    repository, place = fetch(found[0], config(world), tmp_path / "origin")
    assert repository.rejection is None
    assert GitRepository(place).resolve("v1.0")


def test_all_names_every_world_and_an_unknown_name_lists_what_there_is(world):
    (world.parent / "no-world").mkdir()
    assert world_names(config(world, "all")) == ["bent"]
    with pytest.raises(UsageError, match=r"no world bend .* there are: bent"):
        world_names(config(world, "bend"))


def test_a_world_without_commits_is_an_empty_repository(world, tmp_path):
    (world / "world.yaml").write_text("description: Nothing ever happened.\ncommits: []\nrejected: empty\n")
    for folder in (world / "commits").iterdir():
        folder.rename(tmp_path / folder.name)
    repository, _ = fetch(candidates(config(world))[0], config(world), tmp_path / "origin")
    assert repository.rejection is RepositoryRejection.EMPTY


def test_every_world_of_the_project_can_be_made(tmp_path):
    everything = Config(sources=Sources(worlds=("all",), worlds_folder=str(Path(__file__).parents[3] / "worlds")))
    for name in world_names(everything):
        made = make_world(load_world(Path(everything.sources.worlds_folder) / name), tmp_path / f"{name}.git")
        assert made.revisions
