"""The test runner that a configuration asks for."""

from collections.abc import Sequence
from pathlib import Path

from testevo.builds.project.jdks import find_jdks
from testevo.config.model import Config, ToleratedTest
from testevo.execution.jvms.archives import ClassArchives
from testevo.execution.runner import Limits, TestRunner
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.evidence.stability import Axis
from testevo.sandboxes.sandboxes import sandbox_of


def runner_for(
    config: Config, work: Path, tolerated: Sequence[ToleratedTest] = (), *, trusted: bool = False
) -> TestRunner:
    """The runner that belongs to the engine: Surefire runs all that `maven` built; for `direct` the tree says who.

    Args:
        work: folder outside all trees, for private folders of runs.
        tolerated: tests of the repository that may be red.
        trusted: whether all that will run is trusted code, which Surefire may run outside the sandbox.

    Raises:
        MachineError: the sandbox asked for is not installed.
    """
    launcher = launcher_for(config, work, tolerated)
    surefire = SurefireRunner(launcher, Limits.of(config.execution), tolerated)
    if config.build.engine == "maven":
        return surefire
    return RunnerByTree(launcher, surefire, may_leave_sandbox=trusted or config.execution.sandbox == "none")


def launcher_for(config: Config, work: Path, tolerated: Sequence[ToleratedTest] = ()) -> OneShotRunner:
    """Our launcher in the sandbox of the configuration, whatever the engine.

    Raises:
        MachineError: the sandbox asked for is not installed.
    """
    archives = ClassArchives(Path(config.build.cache) / "archives") if config.execution.archive else None
    jdks = find_jdks(config.build.java_homes) if Axis.JDK in config.stability.axes else ()
    sandbox = sandbox_of(config.execution)
    return OneShotRunner(work, Limits.of(config.execution), sandbox, tolerated, archives, jdks)
