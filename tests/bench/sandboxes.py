"""What each sandbox adds to a run of one test method: the whole run, start to verdict, against `none`; and what
bubblewrap adds to a suite by Surefire, with the copy of the build.

Podman stands for the container engine, with an image of a few programs (`tests.sandbox.podman`); a folder with another
system can be named in TESTEVO_SANDBOX_SYSTEM.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuiltTree, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.jvms.archives import ClassArchives
from testevo.execution.runner import Limits
from testevo.execution.runners.maven_tests import ConfinedMaven
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.history.git import GitRepository
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome
from testevo.runtime.files.project import PROJECT
from testevo.sandboxes.sandbox import Sandbox, bubblewrap_works
from testevo.sandboxes.sandboxes import sandbox_named
from testevo.sources.embedded.worlds import load_world, make_world
from tests.bench.engines import LOCAL_REPOSITORY, built
from tests.bench.ratios import Comparison
from tests.sandbox.podman import missing, started

WORLD = "ticket-counter"
AT_LEAST = {"bubblewrap": 0.75, "docker": 0.25}
"""A run takes at most 1/0.75 and 1/0.25 times as long as without a sandbox."""
BACK_TO_BACK = 3


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """One for each sandbox that works on this machine."""
    with ExitStack() as end:
        found: dict[str, Sandbox] = {"none": sandbox_named("none")}
        if bubblewrap_works():
            found["bubblewrap"] = sandbox_named("bubblewrap")
        if not missing():
            system = os.environ.get("TESTEVO_SANDBOX_SYSTEM")
            podman = end.enter_context(started(Path(system) if system else None))
            found["docker"] = sandbox_named("docker", podman.images)
        history = make_world(load_world(PROJECT / "worlds" / WORLD), folder / "history")
        revision = next(iter(history.revisions.values()))
        git = GitRepository(folder / "history")
        git.export(revision, folder / "checkout")
        local = local_repository(LOCAL_REPOSITORY, "worlds", None)
        engine = DirectEngine(BuildContext(local, folder / "cache", folder / "work", find_jdks()))
        end.callback(engine.close)
        checkout = Checkout(f"worlds/{WORLD}", revision, folder / "checkout", git.tree_id(revision))
        tree = built(engine, checkout)
        archives = ClassArchives(folder / "cache" / "archives")
        runners = {
            name: OneShotRunner(folder / name, sandbox=sandbox, archives=archives) for name, sandbox in found.items()
        }
        test = next(entry.test for entry in runners["none"].run_suite(tree).tests if entry.outcome is Outcome.PASSED)
        runs = {name: Runs(runner, tree, test) for name, runner in runners.items()}
        one_method = [
            Comparison(f"one method without a sandbox against {name}", runs["none"].do, runs[name].do, least)
            for name, least in AT_LEAST.items()
            if name in runs
        ]
        maven = MavenEngine(BuildContext(local, folder / "cache", folder / "maven", find_jdks()))
        end.callback(maven.close)
        bubblewrap = found.get("bubblewrap")
        yield [*one_method, *(surefire(built(maven, checkout), bubblewrap, folder / "surefire") if bubblewrap else [])]


def surefire(tree: BuiltTree, sandbox: Sandbox, work: Path) -> list[Comparison]:
    """A whole suite by Surefire, without a sandbox and in one."""
    probe = OneShotRunner(work)
    runners = (SurefireRunner(probe), SurefireRunner(probe, maven=ConfinedMaven(sandbox, work, Limits())))

    def suite(runner: SurefireRunner) -> None:
        assert runner.run_suite(tree).outcome is SuiteOutcome.GREEN

    outside, inside = (lambda _, runner=runner: suite(runner) for runner in runners)
    return [Comparison(f"a suite by Surefire without a sandbox against {sandbox.name}", outside, inside, 0.75)]


@dataclass(frozen=True)
class Runs:
    """One test in one sandbox."""

    runner: OneShotRunner
    tree: BuiltTree
    test: TestKey

    def do(self, _: int) -> None:
        """So many runs that start and end weigh as they do in a job."""
        for _ in range(BACK_TO_BACK):
            assert self.runner.run_method(self.tree, self.test).outcome is Outcome.PASSED
