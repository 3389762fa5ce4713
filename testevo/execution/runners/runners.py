"""The test runner that a configuration asks for."""

from collections.abc import Callable, Sequence
from pathlib import Path

from testevo.builds.engine import BuildResult, BuiltTree
from testevo.builds.project.jdks import find_jdks
from testevo.config.model import Config, ToleratedTest
from testevo.execution.jvms.archives import ClassArchives
from testevo.execution.runner import Limits, TestRunner
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.runners.maven_tests import ConfinedMaven
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.evidence.stability import Axis
from testevo.sandboxes.sandbox import Bubblewrap, Sandbox
from testevo.sandboxes.sandboxes import sandbox_of


def runner_for(
    config: Config,
    work: Path,
    tolerated: Sequence[ToleratedTest] = (),
    *,
    by_maven: Callable[[BuiltTree], BuildResult],
    trusted: bool = False,
    own_tests: bool = False,
) -> TestRunner:
    """The runner that belongs to the engine: Surefire runs all that `maven` built; for `direct` the tree says who
    runs the tests of a module.

    Args:
        work: folder outside all trees, for private folders of runs.
        tolerated: tests of the repository that may be red.
        by_maven: gives a tree of the engine as Maven builds it (`Engine.by_maven`).
        trusted: whether all that will run is trusted code, which Surefire may run where it cannot be confined.
        own_tests: whether only tests of the repository's own history will run, so that Surefire's word is enough.

    Raises:
        MachineError: the sandbox asked for is not installed.
    """
    sandbox, limits = sandbox_of(config.execution), Limits.of(config.execution)
    launcher = _launcher_in(sandbox, config, work, tolerated)
    if config.build.engine == "maven":
        return SurefireRunner(launcher, limits, tolerated)
    if isinstance(sandbox, Bubblewrap):
        confined = SurefireRunner(launcher, limits, tolerated, ConfinedMaven(sandbox, work, limits))
        return RunnerByTree(
            launcher, confined, by_maven=by_maven, surefire_may_run=True, surefire_is_believed=own_tests
        )
    may_run = trusted or config.execution.sandbox == "none"
    unconfined = SurefireRunner(launcher, limits, tolerated)
    return RunnerByTree(launcher, unconfined, by_maven=by_maven, surefire_may_run=may_run)


def launcher_for(config: Config, work: Path) -> OneShotRunner:
    """Our launcher in the sandbox of the configuration, whatever the engine.

    Raises:
        MachineError: the sandbox asked for is not installed.
    """
    return _launcher_in(sandbox_of(config.execution), config, work, ())


def _launcher_in(sandbox: Sandbox, config: Config, work: Path, tolerated: Sequence[ToleratedTest]) -> OneShotRunner:
    archives = ClassArchives(Path(config.build.cache) / "archives") if config.execution.archive else None
    jdks = find_jdks(config.build.java_homes) if Axis.JDK in config.stability.axes else ()
    return OneShotRunner(work, Limits.of(config.execution), sandbox, tolerated, archives, jdks)
