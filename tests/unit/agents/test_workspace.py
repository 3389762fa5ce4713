"""Workspaces: what of a local repository is visible, and what a run has changed."""

import os
from pathlib import Path

import pytest

from testevo.agents.workspace.changes import changes_of, final_content, listing_of, patch_of
from testevo.agents.workspace.visible_artifacts import is_older, visible_artifacts
from testevo.builds.project.pom import read_pom
from testevo.grading.submissions.defects import Defects
from testevo.grading.submissions.encoding import bytes_like
from testevo.grading.submissions.patched_file import patched_target
from testevo.packaging.start_states.start_state import TargetFile
from tests.deep_folder import deep_folder

TEST = "core/src/test/java/p/ATest.java"
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>cli</artifactId>
<version>1.11.0-SNAPSHOT</version></project>"""


def test_only_older_versions_of_the_project_are_visible(tmp_path: Path) -> None:
    """The release of the task's own version has the answer in its jar of test sources, and so have later ones."""
    repository = tmp_path / "repository"
    versions = ("1.8.0", "1.11.0", "1.12.0", "2.0", "odd")
    for place in (*(f"org/example/cli/{one}" for one in versions), "org/example/io/3", "org/junit/junit/4", "com/x/1"):
        (repository / place).mkdir(parents=True)
    (repository / "org/example/cli/maven-metadata-local.xml").write_text("<versions/>")
    (tmp_path / "pom.xml").write_text(POM)
    on_class_path = repository / "org/example/cli/odd/cli-odd.jar"
    seen = visible_artifacts(repository, read_pom(tmp_path), [on_class_path])
    expected = ["com", "org/example/cli/1.8.0", "org/example/cli/odd", "org/example/io", "org/junit"]
    assert [path.relative_to(repository).as_posix() for path in seen] == expected


@pytest.mark.parametrize(
    ("version", "than", "older"),
    [
        ("1.9", "1.10", True),
        ("1.10", "1.9", False),
        ("1.10.0", "1.10", False),
        ("1.10", "1.10-SNAPSHOT", False),
        ("1.10", None, False),
        ("1.10", "${revision}", False),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, than: str | None, older: bool) -> None:
    assert is_older(version, than) is older


def workspace(folder: Path) -> dict[str, str]:
    for path, text in {TEST: "old\n", "pom.xml": "<project/>", "core/A.java": "a", ".git/HEAD": "x"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return listing_of(folder, ())


def test_the_target_becomes_a_patch_and_all_else_is_told(tmp_path: Path) -> None:
    start = workspace(tmp_path)
    (tmp_path / TEST).write_text("new\n")
    (tmp_path / "pom.xml").unlink()
    (tmp_path / "core/A.java").write_text("b")
    for path in ("core/target/classes/A.class", ".testevo/reports/x", ".git/objects/y", "notes.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("made")
    changes = changes_of(tmp_path, start, TargetFile(TEST, b"old\n", b""), ["core/target"])
    assert changes.patch is not None and "-old\n+new\n" in changes.patch
    told = {(one.path, one.change) for one in changes.outside}
    assert told == {("pom.xml", "deleted"), ("core/A.java", "changed"), ("notes.md", "created")}


@pytest.mark.parametrize(
    ("start", "final"),
    [(b"a\nb\n", b"a\nc"), (None, b"new\n"), (b"\xe9\n", b"\xe8\n"), (b"a\r\n", b"b\r\n"), (b"a\n", "ä\n".encode())],
)
def test_a_patch_makes_the_final_file(start: bytes | None, final: bytes) -> None:
    patch = patch_of(TargetFile(TEST, start, b""), final)
    assert patch is not None and patch.startswith(f"diff --git a/{TEST} b/{TEST}\n")
    target, defects = TargetFile(TEST, start, b""), Defects(repair=False)
    assert patched_target(bytes_like(patch, start) or b"", target, defects) == (final, "exact")


def test_an_unchanged_file_is_no_patch(tmp_path: Path) -> None:
    start = workspace(tmp_path)
    assert changes_of(tmp_path, start, TargetFile(TEST, b"old\n", b""), ()).patch is None


def test_no_link_is_followed_out_of_a_workspace(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    repository = tmp_path / "repository"
    workspace(repository)
    (repository / TEST).unlink()
    (repository / TEST).symlink_to(secret)
    assert final_content(repository, TEST) is None
    (repository / TEST).unlink()
    os.mkfifo(repository / TEST)
    assert final_content(repository, TEST) is None
    (repository / TEST).unlink()
    folder = (repository / TEST).parent
    folder.rename(repository / "moved")
    folder.symlink_to(repository / "moved")
    (repository / "moved/ATest.java").write_text("x")
    assert final_content(repository, TEST) is None


def test_nothing_is_read_behind_a_link_in_the_place_of_the_repository(tmp_path: Path) -> None:
    """A run may write to the folder around its repository, too."""
    elsewhere, repository = tmp_path / "elsewhere", tmp_path / "work" / "repository"
    start = workspace(elsewhere)
    repository.parent.mkdir()
    repository.symlink_to(elsewhere)
    assert final_content(repository, TEST) is None
    assert listing_of(repository, ()) == {}
    changes = changes_of(repository, start, TargetFile(TEST, b"old\n", b""), ())
    assert {one.change for one in changes.outside} == {"deleted"}
    assert changes.patch is not None and "+" not in changes.patch.split("@@")[-1]


def test_folders_of_any_depth_are_listed_as_far_as_paths_go(tmp_path: Path) -> None:
    (tmp_path / "Zebra.java").write_text("")
    with deep_folder(tmp_path):
        assert list(listing_of(tmp_path, ())) == ["Zebra.java"]
