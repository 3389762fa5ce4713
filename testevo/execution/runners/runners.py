"""The test runner that a configuration asks for."""

from collections.abc import Sequence
from pathlib import Path

from testevo.config.model import Config, ToleratedTest
from testevo.execution.jvms.archives import ClassArchives
from testevo.execution.runner import Limits, TestRunner
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.sandboxes.sandboxes import sandbox_of


def runner_for(config: Config, work: Path, tolerated: Sequence[ToleratedTest] = ()) -> TestRunner:
    """The runner that belongs to the engine: Surefire runs what Maven built, our launcher runs the rest.

    Args:
        work: folder outside all trees, for private folders of runs.
        tolerated: tests of the repository that may be red.

    Raises:
        MachineError: the sandbox asked for is not installed.
    """
    limits = Limits.of(config.execution)
    archives = ClassArchives(Path(config.build.cache) / "archives") if config.execution.archive else None
    direct = OneShotRunner(work, limits, sandbox_of(config.execution), tolerated, archives=archives)
    return SurefireRunner(direct, limits, tolerated) if config.build.engine == "maven" else direct
