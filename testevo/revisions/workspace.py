"""The bundle of one repository, unpacked for one job: checkouts, builds and the engine that makes them."""

import secrets
import shutil
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from testevo.builds.compilation.byte_code import ByteCodeReader
from testevo.builds.engine import BuildResult, BuiltTree, Checkout, Engine
from testevo.builds.engines.engine_choice import engine_for
from testevo.config.model import BuildOverrides, Config
from testevo.execution.runner import TestRunner
from testevo.execution.runners.console_launcher import ConsoleLauncher
from testevo.execution.runners.runners import runner_for
from testevo.history.bundle import open_bundle
from testevo.java.syntax import JavaFile, parse_java
from testevo.records.repository import Repository
from testevo.records.verdicts import SurefireReasons
from testevo.runtime.errors import UserError
from testevo.sandboxes.consent import granted

KEPT_CHECKOUTS = 12


def overrides_of(config: Config, repository: Repository) -> BuildOverrides:
    """The build overrides that the configuration gives to a repository."""
    for listed in config.sources.repositories:
        if listed.name == repository.name:
            return listed.overrides
    for releases in config.sources.releases:
        if releases.coordinates == repository.address:
            return releases.overrides
    return BuildOverrides()


class Workspace:
    """The tools of a stage that works on the revisions of one repository.

    Args:
        repository: the repository as the stage `clone` recorded it.
        bundle: its bundle.
        config: the resolved configuration.
        scratch: a folder of this job; checkouts in it are removed at the end.
        process: number of the process that works in it; the processes of a job share the unpacked bundle, no more.
        trusted: whether all that will run is trusted code (`testevo.sandboxes.consent`).
        own_tests: whether all tests that will run are those of the repository's history, none of a submission.
        only_builds: it runs no test. Builds have no sandbox, and need no consent.
        surefire: by revision, why Surefire runs the tests of modules, as far as it is recorded.

    Raises:
        MachineError: the code may not run here.
    """

    def __init__(
        self,
        repository: Repository,
        bundle: Path,
        config: Config,
        scratch: Path,
        *,
        process: int = 0,
        trusted: bool = False,
        own_tests: bool = False,
        only_builds: bool = False,
        surefire: Mapping[str, SurefireReasons] | None = None,
    ) -> None:
        if not only_builds:
            config = granted(config, f"the code of {repository.name}", trusted=trusted)
        self.repository = repository
        self.config = config
        self._trusted, self._own_tests = trusted, own_tests
        self.overrides = overrides_of(config, repository)
        scratch = scratch.absolute()  # test JVMs run in folders of their own, where a relative class path leads nowhere
        self.git = open_bundle(bundle, scratch / "history")
        if process:
            scratch = scratch / f"process-{process}"
        self.scratch = scratch
        self._checkouts = scratch / "checkouts"
        self._folders: dict[str, Path] = {}
        """By revision, in the order of their last use."""
        shutil.rmtree(self._checkouts, ignore_errors=True)
        self.engine: Engine = engine_for(config, repository, self.overrides, scratch / "builds", surefire or {})
        self.runs = scratch / "runs"
        """Below it all test JVMs have their folders: tests see the name, and must not learn from it why they run."""
        self.byte_code = ByteCodeReader()
        self._builds: dict[str, BuildResult] = {}
        self._parsed: dict[tuple[str, str, str | None], JavaFile] = {}

    @cached_property
    def runner(self) -> TestRunner:
        """The runner of tests, in the sandbox that was granted."""
        return runner_for(
            self.config,
            self.runs,
            self.overrides.tolerated_tests,
            by_maven=self.engine.by_maven,
            trusted=self._trusted,
            own_tests=self._own_tests,
        )

    @cached_property
    def console(self) -> ConsoleLauncher:
        """The console launcher of JUnit, in the same sandbox."""
        return ConsoleLauncher(self.config.execution, self.runs)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.close()
        self.byte_code.close()
        shutil.rmtree(self._checkouts, ignore_errors=True)

    def checkout(self, revision: str) -> Checkout:
        """The files of a revision in a folder; the folders used last are kept."""
        folder = self._folders.pop(revision, None)
        if folder is None:
            self._forget_oldest()
            # Tests see the name, and must not learn from it which revision they run on.
            folder = self._checkouts / secrets.token_hex(8)
            self.git.export(revision, folder)
        self._folders[revision] = folder
        return Checkout(self.repository.name, revision, folder, self.git.tree_id(revision))

    def build(self, revision: str) -> BuildResult:
        """Build a revision; class trees are shared by content, so a second call costs little."""
        checkout = self.checkout(revision)
        known = self._builds.get(revision)
        if known is None:
            known = self._builds[revision] = self.engine.build(checkout)
        return known

    def checked(self, revision: str) -> BuildResult:
        """As `build`, with the plugins switched on that a usable commit must pass."""
        return self.engine.check(self.build(revision), self.config.rules.pairs.required_checks)

    def built(self, revision: str) -> BuiltTree:
        """The class trees of a revision that an earlier stage found to build.

        Raises:
            UserError: it builds no more.
        """
        result = self.build(revision)
        if result.tree is None:
            raise UserError(
                f"{self.repository.name} at {revision[:7]} built in an earlier stage and does not now: {result.reason} "
                f"Check the JDKs and the local Maven repository, then run build_check again."
            )
        return result.tree

    def parse(self, path: str, blob: str, revision: str, encoding: str | None) -> JavaFile:
        """The syntax of a Java file; parsed once per path, blob and encoding (see `parse_java`)."""
        key = (path, blob, encoding)
        if key not in self._parsed:
            source = self.git.read(revision, path)
            if source is None:
                raise ValueError(f"{path} is listed at {revision} and has no blob")
            self._parsed[key] = parse_java(source, path, encoding)
        return self._parsed[key]

    def _forget_oldest(self) -> None:
        for revision in list(self._folders)[: max(0, len(self._folders) - KEPT_CHECKOUTS + 1)]:
            shutil.rmtree(self._folders.pop(revision), ignore_errors=True)
            self._builds.pop(revision, None)
            self.engine.forget(revision)
