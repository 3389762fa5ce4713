"""The checkouts of a job: the folders that were used last are kept."""

from pathlib import Path

from testevo.builds.engines.direct_engine import DirectEngine
from testevo.config.load import load_config
from testevo.config.rules import WalkRules
from testevo.history.bundle import clone_history
from testevo.records.repository import Repository, SourceKind
from testevo.revisions.workspace import KEPT_CHECKOUTS, Workspace
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history


def test_a_checkout_that_is_in_use_outlives_those_that_are_not(tmp_path: Path) -> None:
    """A grader holds the tree of one revision while it asks for others."""
    names = [f"c{number}" for number in range(2 * KEPT_CHECKOUTS)]
    commits = [
        MadeCommit(name, name, number, number, tuple(names[:number][-1:]), {"pom.xml": MadeFile(name.encode())})
        for number, name in enumerate(names)
    ]
    made = make_history(tmp_path / "made.git", commits, {"v1": names[-1]})
    repository = Repository(name="o/n", source=SourceKind.LIST, address="x")
    bundle = tmp_path / "o+n.bundle"
    cloned = clone_history(repository, made.folder, bundle, WalkRules())
    first, *others = made.revisions.values()
    with Workspace(cloned, bundle, load_config({}), tmp_path / "scratch", only_builds=True) as workspace:
        assert isinstance(workspace.engine, DirectEngine)
        place_for = workspace.engine.context.folder_of
        folder = workspace.checkout(first).folder
        for revision in others:
            other = workspace.checkout(revision).folder
            assert workspace.checkout(first).folder == folder
            assert (folder / "pom.xml").read_text() == "c0"
            assert (other / "pom.xml").is_file()
            built = place_for(workspace.checkout(revision), "maven", revision)
            built.mkdir(parents=True)
        assert len(list(folder.parent.iterdir())) == KEPT_CHECKOUTS
        assert len(list(built.parent.iterdir())) == KEPT_CHECKOUTS - len(["the first, of which nothing is made"])
    assert not folder.parent.exists()
