"""Build and test a project by the engine `direct` and by Maven and Surefire, and say what differs."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, BuiltModule, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.runner import TestRunner
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.runtime.files.project import PROJECT

Outcomes = Mapping[str, str]
"""`Type#method` -> outcome."""


@dataclass(frozen=True)
class Said:
    """What one engine made of a project."""

    result: BuildResult
    outcomes: Mapping[str, Outcomes]
    """By module."""
    classes: Mapping[str, frozenset[str]]
    """Files of both class folders, by module."""


@dataclass(frozen=True)
class Engines:
    """Both engines on one cache, each with a runner."""

    direct: DirectEngine
    maven: MavenEngine
    runs: OneShotRunner

    def both(self, folder: Path) -> tuple[Said, Said]:
        """What `direct` and Maven make of the project in `folder`."""
        checkout = Checkout("some/project", "1a2b3c4d5e", folder, folder.name)
        reference = said(self.maven.build(checkout), SurefireRunner(self.runs))
        return said(self.direct.build(checkout), self.runs), reference

    def reasons(self, folder: Path) -> dict[str, str | None]:
        """By module, why Maven builds it, or else why only Surefire runs its tests as Maven does."""
        context = self.direct.context
        prepared = context.prepare(Checkout("some/project", "1a2b3c4d5e", folder, folder.name))
        assert isinstance(prepared, Preparation), prepared.reason
        known = context.model(prepared)[1]
        assert known.model is not None, known.failure
        return {module.path: module.needs_maven or module.needs_surefire for module in known.model.modules}


def said(result: BuildResult, runner: TestRunner) -> Said:
    if result.tree is None:
        return Said(result, {}, {})
    outcomes: dict[str, dict[str, str]] = defaultdict(dict)
    for test in runner.run_suite(result.tree).tests:
        outcomes[test.test.module][f"{test.test.type_name}#{test.test.name}"] = test.outcome.value
    return Said(result, outcomes, {module.path: frozenset(_files(module)) for module in result.tree.modules})


def _files(module: BuiltModule) -> Iterator[str]:
    for name, folder in (("classes", module.production_classes), ("test-classes", module.test_classes)):
        yield from (f"{name}/{path.relative_to(folder)}" for path in folder.rglob("*") if path.is_file())


@contextmanager
def engines(scratch: Path, cache: Path = PROJECT / "results" / "cache") -> Iterator[Engines]:
    local = local_repository(cache, "worlds", None)
    jdks = find_jdks()
    direct = DirectEngine(BuildContext(local, scratch / "cache", scratch / "direct", jdks))
    maven = MavenEngine(BuildContext(local, scratch / "cache", scratch / "maven", jdks))
    try:
        yield Engines(direct, maven, OneShotRunner(scratch / "runs"))
    finally:
        direct.close()
        maven.close()
