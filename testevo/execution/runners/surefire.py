"""The reference runner: Maven's own Surefire, verdicts from its XML reports.

Slow and obviously right; the direct runner is held to its verdicts by differential tests. It needs a tree that the
engine `maven` built in place, because Maven finds class folders by the POM.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.maven.maven_failures import told_by_maven
from testevo.config.model import ToleratedTest
from testevo.execution.discovery.discovery import TestPlaces
from testevo.execution.runner import MESSAGE_CHARACTERS, Limits, MethodRun, SuiteRun, Vanished
from testevo.execution.runners.maven_tests import MavenTests, TestedBuild, UnconfinedMaven
from testevo.execution.runners.one_shot import OneShotRunner, module_of
from testevo.execution.runners.surefire_reports import ModuleReports, read_reports
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.execution.verdicts.channel import CLASS_LEVEL, merge
from testevo.execution.verdicts.junit_xml import Case, write_logs
from testevo.execution.verdicts.suites import HARMLESS, judge_suite
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteTest
from testevo.runtime.files.files import content_key
from testevo.runtime.processes.processes import Finished

_CRASH = re.compile(
    rb"forked VM terminated|VM crash or System\.exit|error in the forked process|"
    rb"The forked VM [^\r\n]{0,99}goodbye"
)
_REASON = re.compile(
    rb"Process Exit Code: \d+|Error occurred during initialization of VM\s+[^\r\n]+|"
    rb"Unrecognized (?:VM )?option[^\r\n]+|"
    rb"java\.lang\.OutOfMemoryError: [^\r\n]+|There is insufficient memory[^\r\n]+"
)
"""What Surefire or the JVM says of the end of a test JVM."""
_SHOWN_REASONS = 3
_TIME_OUT = re.compile(rb"There was a timeout (?:or other error )?in the fork")
_RAN = re.compile(rb"Tests run: [1-9]")
_TESTS_FAILED = re.compile(
    rb"^(?:\[ERROR\] )?Please refer to [^\r\n]{1,9999} for the individual test results", re.MULTILINE
)
"""What Surefire says of tests that failed, whether or not Maven stops there."""
_WRITTEN_OVER = (
    "Surefire says that tests failed, and no report tells which: one of its executions writes over those of another"
)
_NOTHING_SELECTED = "No tests found matching"
"""What JUnit 4 says of a class of which a selection leaves nothing: any selection of Surefire before 2.19 does so with
parameterised classes."""


class SurefireRunner:
    """Runs tests by Maven; see `testevo.execution.runner.TestRunner`.

    Args:
        probe: the direct runner that makes call maps, which Surefire cannot.
        maven: how Maven is run; by default without a sandbox.
    """

    name = "surefire"

    def __init__(
        self,
        probe: OneShotRunner,
        limits: Limits | None = None,
        tolerated: Sequence[ToleratedTest] = (),
        maven: MavenTests | None = None,
    ) -> None:
        self._probe = probe
        self._limits = limits or Limits()
        self._tolerated = tuple(tolerated)
        self._maven = maven or UnconfinedMaven(self._limits)
        self.sandbox = self._maven.sandbox
        self.key = content_key(self.name, repr(self._limits), self._maven.identity)

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        """Run `mvn test` over all modules.

        Raises:
            UsageError: the tree was not built by Maven.
        """
        tests: list[SuiteTest] = []
        faults: list[Vanished] = []
        with self._maven.run(tree, [], self._limits.suite_seconds) as tested:
            for module in tree.modules:
                places = TestPlaces(tree, module)
                reported = read_reports(module, tested.folder_of(module))
                tests += [
                    SuiteTest(test=places.key(one), outcome=end.outcome) for one, end in reported.verdicts.items()
                ]
                fault = reported.fault or _without_reports(tested.finished, module, reported)
                faults += [Vanished(module.path, False, fault)] if fault else []
        is_red = any(test.outcome not in HARMLESS for test in tests)
        vanished = _vanished(tested, is_red=is_red, is_whole=len(tree.modules) == 1)
        return judge_suite(tests, vanished or faults, self._tolerated)

    def run_method(
        self,
        tree: BuiltTree,
        test: TestKey,
        logs: Path | None = None,
        variation: Variation = AS_IT_IS,
        times_limit: float = 1,
    ) -> MethodRun:
        """Run `mvn test -Dtest=Class#method`, with the modules the test's module needs.

        Where that finds nothing, the test's invocations are looked for (`adds[0]`, `adds(1) [0]`), as a pattern that no
        method like `addsAll` meets: it would run in the same JVM. Overloads are run together: Surefire selects by name
        alone. It varies nothing.

        Raises:
            UsageError: the tree was not built by Maven.
        """
        module = module_of(tree, test)
        if module is None:
            return MethodRun(Outcome.NOT_FOUND, message=f"there is no module {test.module}")
        run = self._run_selected(tree, module, test, test.name, times_limit)
        if run.outcome is Outcome.NOT_FOUND:
            run = self._run_selected(tree, module, test, f"{test.name}[*+{test.name}(*", times_limit)
        if logs is not None:
            write_logs(
                logs, Case(test, run.outcome, run.exception, run.message, run.trace), run.stdout_bytes, run.stderr_bytes
            )
        return run

    def _run_selected(
        self, tree: BuiltTree, module: BuiltModule, test: TestKey, methods: str, times_limit: float
    ) -> MethodRun:
        only = ["-pl", test.module, "-am"] if test.module else []
        arguments = [*only, f"-Dtest={test.type_name}#{methods}", "-Dsurefire.forkCount=1"]
        with self._maven.run(tree, arguments, self._limits.method_seconds * times_limit) as tested:
            return _method_run(tested, read_reports(module, tested.folder_of(module)), test)

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None = None) -> list[CallMap]:
        """Call maps of the direct runner, over the classes that Maven compiled."""
        return self._probe.call_maps(tree, tests)


def _method_run(tested: TestedBuild, reported: ModuleReports, test: TestKey) -> MethodRun:
    finished = tested.finished
    stdout, stderr = finished.stdout, finished.stderr
    mine = [
        verdict
        for found, verdict in reported.verdicts.items()
        if found.type_name == test.type_name and found.method in (test.name, CLASS_LEVEL)
    ]
    if _timed_out(finished):
        outcome, message = Outcome.TIMED_OUT, "passed its time limit"
    elif reported.fault:
        outcome, message = Outcome.CRASHED, reported.fault
    elif mine and all((one.message or "").startswith(_NOTHING_SELECTED) for one in mine):
        outcome, message = Outcome.NOT_FOUND, "this version of Surefire cannot select the test"
    elif mine:
        verdict = merge(mine)
        if verdict.outcome in HARMLESS and _TESTS_FAILED.search(stdout):
            return MethodRun(Outcome.CRASHED, message=_WRITTEN_OVER, stdout_bytes=stdout, stderr_bytes=stderr)
        said = verdict.message[:MESSAGE_CHARACTERS] if verdict.message is not None else None
        return MethodRun(verdict.outcome, verdict.exception, said, stdout, stderr, verdict.trace, verdict.invocations)
    elif _CRASH.search(stdout + stderr):
        outcome, message = Outcome.CRASHED, crash_reason(stdout + stderr)
    elif finished.ok:
        outcome, message = Outcome.NOT_FOUND, "no such test was found"
    else:
        outcome, message = Outcome.INFRASTRUCTURE, told_by_maven(finished, tested.built_in)
    return MethodRun(outcome, message=message, stdout_bytes=stdout, stderr_bytes=stderr)


def _without_reports(finished: Finished, module: BuiltModule, reported: ModuleReports) -> str:
    """Why tests of a module may have run that no report tells of; '' where there are reports, or none has run."""
    elsewhere = "its folder `target` lies outside of it" if module.outputs is None else ""
    why = f"maven-surefire-plugin sets {module.unread_reports}" if module.unread_reports else elsewhere
    if (
        not why
        or reported.verdicts
        or not _RAN.search(finished.stdout)
        or not any(module.test_classes.rglob("*.class"))
    ):
        return ""
    return f"the reports of Surefire are not found, as {why}"


def crash_reason(said: bytes) -> str:
    """That a test JVM ended without a report, and how it did as far as Surefire or the JVM itself says it."""
    found = dict.fromkeys(b" ".join(one.split()).decode("utf-8", "replace") for one in _REASON.findall(said))
    more = "; ".join(list(found)[:_SHOWN_REASONS])
    return "the forked JVM ended without a report" + (f": {more}" if more else "")


def _timed_out(finished: Finished) -> bool:
    return finished.timed_out or _TIME_OUT.search(finished.stdout + finished.stderr) is not None


def _vanished(tested: TestedBuild, *, is_red: bool, is_whole: bool) -> list[Vanished]:
    """What keeps reports from telling how a suite ended.

    Args:
        is_red: a report tells of a test that failed.
        is_whole: Maven cannot have stopped before another module.
    """
    finished = tested.finished
    if _timed_out(finished):
        return [Vanished("", True, "passed its time limit")]
    said = finished.stdout + finished.stderr
    if _CRASH.search(said):
        return [Vanished("", False, crash_reason(said))]
    failed = _TESTS_FAILED.search(finished.stdout) is not None
    if finished.ok:
        return [Vanished("", False, _WRITTEN_OVER)] if failed and not is_red else []
    if failed and is_red:
        return [] if is_whole else [Vanished("", False, "Maven stopped at tests that failed, as the POM tells it")]
    return [Vanished("", False, f"Maven failed before or after the tests: {told_by_maven(finished, tested.built_in)}")]
