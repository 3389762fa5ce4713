"""One test method in a fresh JVM, its verdict recorded: against the console launcher and against Surefire.

The console launcher gets the class path that our launcher gets, and writes its report; Maven does nothing but
`surefire:test` on a compiled tree, offline and quiet. Ours runs as in production: in the sandbox of this machine, with
the verdict read from its channel.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuiltTree, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import Jdk, find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.jvms.archives import ClassArchives
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.history.git import GitRepository
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteOutcome
from testevo.runtime.files.project import PROJECT
from testevo.sandboxes.sandboxes import sandbox_named
from testevo.sources.embedded.worlds import load_world, make_world
from tests.bench.engines import LOCAL_REPOSITORY, built
from tests.bench.grading import CONSOLE
from tests.bench.ratios import Comparison
from tests.junit_jars import local_jar

WORLDS = {"JUnit 5": "temperature", "JUnit 4": "ticket-counter"}
OLD_JDK, ON_OLD = 8, ", JDK 8"
"""Without archives of classes."""
CONSOLE_AT_LEAST = {"JUnit 5": 3.0, "JUnit 4": 5.0, "JUnit 5, JDK 8": 3.0, "JUnit 4, JDK 8": 3.0}
SUREFIRE_AT_LEAST = {"JUnit 5": 9.0, "JUnit 4": 15.0, "JUnit 5, JDK 8": 5.0, "JUnit 4, JDK 8": 8.0}
BACK_TO_BACK = 3
"""So many methods a turn, for the disk is cold for the first."""


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """Two for each JUnit, and again on JDK 8 where it is; all engines end with the block."""
    found: list[Comparison] = []
    engines: list[DirectEngine | MavenEngine] = []
    on_old = [jdk for jdk in find_jdks() if jdk.feature == OLD_JDK]
    jdks = {"": [jdk for jdk in find_jdks() if jdk not in on_old]} | ({ON_OLD: on_old} if on_old else {})
    try:
        for (on, chosen), (junit, world) in product(jdks.items(), WORLDS.items()):
            subject = _subject(folder / f"{world}{on[-1:]}", world, chosen, engines)
            name = f"{junit}{on}"
            found += [
                Comparison(
                    f"one {name} method, console launcher", subject.by_console, subject.directly, CONSOLE_AT_LEAST[name]
                ),
                Comparison(
                    f"one {name} method, Surefire", subject.by_surefire, subject.directly, SUREFIRE_AT_LEAST[name]
                ),
            ]
        yield found
    finally:
        for engine in engines:
            engine.close()


@dataclass(frozen=True)
class Subject:
    """A test of an embedded history, built by both engines."""

    folder: Path
    direct: OneShotRunner
    tree: BuiltTree
    maven_tree: BuiltTree
    test: TestKey

    def directly(self, _: int) -> None:
        """By the direct runner."""
        for _ in range(BACK_TO_BACK):
            assert self.direct.run_method(self.tree, self.test).outcome is Outcome.PASSED

    def by_console(self, _: int) -> None:
        """By a JVM with the console launcher; the verdict is in its report."""
        module, reports = self.tree.modules[0], self.folder / "reports"
        class_path = ":".join(str(entry) for entry in module.class_path)
        for _ in range(BACK_TO_BACK):
            shutil.rmtree(reports, ignore_errors=True)
            done = subprocess.run(
                [
                    self.tree.jdk.home / "bin/java",
                    "-jar",
                    local_jar(CONSOLE),
                    "execute",
                    "--class-path",
                    class_path,
                    "--select-method",
                    f"{self.test.type_name}#{self.test.name}",
                    "--fail-if-no-tests",
                    "--details=none",
                    "--disable-banner",
                    f"--reports-dir={reports}",
                ],
                cwd=module.folder,
                check=False,
                capture_output=True,
            )
            assert done.returncode == 0, done.stdout
            assert any(b"<testcase" in report.read_bytes() for report in reports.glob("TEST-*.xml"))

    def by_surefire(self, _: int) -> None:
        """By Maven's plugin alone."""
        folder = self.maven_tree.modules[0].folder
        for _ in range(BACK_TO_BACK):
            done = subprocess.run(
                [*self.maven_tree.maven, "-q", "surefire:test", f"-Dtest={self.test.short}"],
                cwd=folder,
                check=False,
                capture_output=True,
                env={
                    "PATH": "/usr/local/bin:/usr/bin:/bin",
                    "JAVA_HOME": str(self.tree.jdk.home),
                    "HOME": str(Path.home()),
                },
            )
            assert done.returncode == 0, done.stdout


def _subject(folder: Path, world: str, jdks: list[Jdk], engines: list[DirectEngine | MavenEngine]) -> Subject:
    history = make_world(load_world(PROJECT / "worlds" / world), folder / "history")
    revision = next(iter(history.revisions.values()))
    git = GitRepository(folder / "history")
    git.export(revision, folder / "checkout")
    checkout = Checkout(f"worlds/{world}", revision, folder / "checkout", git.tree_id(revision))
    local = local_repository(LOCAL_REPOSITORY, "worlds", None)
    contexts = [BuildContext(local, folder / "cache", folder / name, jdks) for name in ("direct", "maven")]
    direct, maven = DirectEngine(contexts[0]), MavenEngine(contexts[1])
    engines += [direct, maven]
    tree, maven_tree = built(direct, checkout), built(maven, checkout)
    runner = OneShotRunner(
        folder / "runs", sandbox=sandbox_named("auto"), archives=ClassArchives(folder / "cache" / "archives")
    )
    # Surefire puts its own parts into the local repository when it runs first.
    suite = SurefireRunner(runner).run_suite(maven_tree)
    assert suite.outcome is SuiteOutcome.GREEN, suite.reason
    test = next(
        entry.test
        for entry in runner.run_suite(tree).tests
        if entry.outcome is Outcome.PASSED and not entry.test.parameters and "$" not in entry.test.type_name
    )
    return Subject(folder, runner, tree, maven_tree, test)
