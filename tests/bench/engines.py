"""One revision of an embedded history, built by both engines, and what the bench does with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuiltTree, Checkout, Engine
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.history.git import GitRepository
from testevo.records.verdicts import SuiteOutcome
from testevo.runtime.files.project import PROJECT
from testevo.sources.embedded.worlds import load_world, make_world
from tests.bench.ratios import Comparison

WORLD = "ticket-counter"
LOCAL_REPOSITORY = PROJECT / "results" / "cache"


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """What is compared; both engines end with the block."""
    history = make_world(load_world(PROJECT / "worlds" / WORLD), folder / "history")
    revision = list(history.revisions.values())[-1]
    git = GitRepository(folder / "history")
    git.export(revision, folder / "checkout")
    checkout = Checkout(f"worlds/{WORLD}", revision, folder / "checkout", git.tree_id(revision))
    local = local_repository(LOCAL_REPOSITORY, "worlds", None)
    contexts = [BuildContext(local, folder / "cache", folder / name, find_jdks()) for name in ("direct", "maven")]
    direct, maven = DirectEngine(contexts[0]), MavenEngine(contexts[1])
    try:
        yield runs(built(direct, checkout), built(maven, checkout), folder / "runs")
    finally:
        direct.close()
        maven.close()


def built(engine: Engine, checkout: Checkout) -> BuiltTree:
    result = engine.build(checkout)
    assert result.tree is not None, result.reason
    return result.tree


def runs(direct_tree: BuiltTree, maven_tree: BuiltTree, work: Path) -> list[Comparison]:
    """The whole suite: Surefire against a JVM of our own (one method: `one_method`)."""
    direct = OneShotRunner(work)
    reference = SurefireRunner(direct)

    def suite(runner: OneShotRunner | SurefireRunner, tree: BuiltTree) -> None:
        assert runner.run_suite(tree).outcome is SuiteOutcome.GREEN

    return [Comparison("suite", lambda _: suite(reference, maven_tree), lambda _: suite(direct, direct_tree), 3.0)]
