"""The reference runner: Maven's own Surefire, verdicts from its XML reports.

Slow and obviously right; the direct runner is held to its verdicts by differential tests. It needs a tree that the
engine `maven` built in place, because Maven finds class folders by the POM.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from lxml import etree

from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.config.model import ToleratedTest
from testevo.execution.discovery.discovery import TestPlaces, declared_tests
from testevo.execution.runner import MESSAGE_CHARACTERS, Limits, MethodRun, SuiteRun, Vanished
from testevo.execution.runners.maven_tests import MavenTests, UnconfinedMaven, report_folders
from testevo.execution.runners.one_shot import OneShotRunner, module_of
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.execution.verdicts.channel import CLASS_LEVEL, RunTest, Verdict, bare_method_name, merge
from testevo.execution.verdicts.junit_xml import Case, write_logs
from testevo.execution.verdicts.suites import judge_suite
from testevo.records.calls import CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteTest
from testevo.runtime.files.files import content_key
from testevo.runtime.processes.processes import Finished

_ASSUMPTION = re.compile(r"TestAborted|AssumptionViolated")
_CRASH = re.compile(
    rb"forked VM terminated|VM crash or System\.exit|error in the forked process|"
    rb"The forked VM .*goodbye"
)
_REASON = re.compile(
    rb"Process Exit Code: \d+|Error occurred during initialization of VM\s+[^\r\n]+|"
    rb"Unrecognized (?:VM )?option[^\r\n]+|"
    rb"java\.lang\.OutOfMemoryError: [^\r\n]+|There is insufficient memory[^\r\n]+"
)
"""What Surefire or the JVM says of the end of a test JVM."""
_SHOWN_REASONS = 3
_TIME_OUT = re.compile(rb"There was a timeout (?:or other error )?in the fork")
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
        self._maven = maven or UnconfinedMaven()
        self.sandbox = self._maven.sandbox
        self.key = content_key(self.name, repr(self._limits), self._maven.identity)

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        """Run `mvn test` over all modules.

        Raises:
            UsageError: the tree was not built by Maven.
        """
        tests: list[SuiteTest] = []
        with self._maven.run(tree, [], self._limits.suite_seconds) as tested:
            for module in tree.modules:
                places = TestPlaces(tree, module)
                verdicts = module_verdicts(module, tested.folder_of(module))
                tests += [SuiteTest(test=places.key(one), outcome=verdict.outcome) for one, verdict in verdicts.items()]
        return judge_suite(tests, _vanished(tested.finished), self._tolerated)

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
            return _method_run(tested.finished, module_verdicts(module, tested.folder_of(module)), test)

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None = None) -> list[CallMap]:
        """Call maps of the direct runner, over the classes that Maven compiled."""
        return self._probe.call_maps(tree, tests)


def module_verdicts(module: BuiltModule, folder: Path) -> dict[RunTest, Verdict]:
    """Verdicts from all `TEST-*.xml` of a module; failures of whole classes count for all their tests.

    Args:
        folder: where its POM lies.
    """
    found: dict[RunTest, list[Verdict]] = {}
    for reports in report_folders(folder):
        for report in sorted(reports.glob("TEST-*.xml")):
            for test, verdict in read_report(report.read_bytes()):
                found.setdefault(_typed(test, module), []).append(verdict)
    verdicts = {test: merge(parts) for test, parts in found.items()}
    for test in [test for test in verdicts if test.method == CLASS_LEVEL]:
        verdict = verdicts.pop(test)
        concerned = {other for other in verdicts if other.type_name == test.type_name}
        concerned |= set(declared_tests(module, test.type_name))
        for other in concerned or {test}:
            verdicts[other] = merge([verdicts[other], verdict]) if other in verdicts else verdict
    return verdicts


def read_report(content: bytes) -> Iterable[tuple[RunTest, Verdict]]:
    """The test cases of one Surefire report. A case without method name, or named like its class, is of the class."""
    root = etree.fromstring(content, etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False))
    for case in root.iter("testcase"):
        type_name = case.get("classname") or root.get("name") or ""
        name = (case.get("name") or "").removeprefix(f"{type_name}.")  # so are those of plain test classes
        of_class = not name or name in (type_name, type_name.rsplit(".", 1)[-1], "initializationError")
        yield RunTest(type_name, CLASS_LEVEL if of_class else bare_method_name(name)), _case_verdict(case)


def _case_verdict(case: "etree._Element") -> Verdict:
    for child in case:
        kind, message = child.get("type"), child.get("message")
        if child.tag == "failure":
            return Verdict(Outcome.ASSERTION_FAILED, kind, message, child.text)
        if child.tag == "error":
            assertion = (kind or "").rsplit(".", 1)[-1] in ("AssertionError", "AssertionFailedError")
            return Verdict(Outcome.ASSERTION_FAILED if assertion else Outcome.EXCEPTION, kind, message, child.text)
        if child.tag == "skipped":
            aborted = _ASSUMPTION.search(f"{kind} {message} {child.text}")
            return Verdict(Outcome.ABORTED if aborted else Outcome.SKIPPED, kind, message)
    return Verdict(Outcome.PASSED)


def _typed(test: RunTest, module: BuiltModule) -> RunTest:
    """The test with the parameter types that byte code declares: reports name only invocations."""
    if test.method == CLASS_LEVEL:
        return test
    named = [
        declared
        for declared in declared_tests(module, test.type_name)
        if (declared.type_name, declared.method) == (test.type_name, test.method)
    ]
    return named[0] if len(named) == 1 else test


def _method_run(finished: Finished, verdicts: dict[RunTest, Verdict], test: TestKey) -> MethodRun:
    stdout, stderr = finished.stdout, finished.stderr
    mine = [
        verdict
        for found, verdict in verdicts.items()
        if found.type_name == test.type_name and found.method in (test.name, CLASS_LEVEL)
    ]
    if _timed_out(finished):
        outcome, message = Outcome.TIMED_OUT, "passed its time limit"
    elif mine and all((one.message or "").startswith(_NOTHING_SELECTED) for one in mine):
        outcome, message = Outcome.NOT_FOUND, "this version of Surefire cannot select the test"
    elif mine:
        verdict = merge(mine)
        said = verdict.message[:MESSAGE_CHARACTERS] if verdict.message is not None else None
        return MethodRun(verdict.outcome, verdict.exception, said, stdout, stderr, verdict.trace, verdict.invocations)
    elif _CRASH.search(stdout + stderr):
        outcome, message = Outcome.CRASHED, crash_reason(stdout + stderr)
    elif finished.ok:
        outcome, message = Outcome.NOT_FOUND, "no such test was found"
    else:
        outcome, message = Outcome.INFRASTRUCTURE, "Maven failed"
    return MethodRun(outcome, message=message, stdout_bytes=stdout, stderr_bytes=stderr)


def crash_reason(said: bytes) -> str:
    """That a test JVM ended without a report, and how it did as far as Surefire or the JVM itself says it."""
    found = dict.fromkeys(b" ".join(one.split()).decode("utf-8", "replace") for one in _REASON.findall(said))
    more = "; ".join(list(found)[:_SHOWN_REASONS])
    return "the forked JVM ended without a report" + (f": {more}" if more else "")


def _timed_out(finished: Finished) -> bool:
    return finished.timed_out or _TIME_OUT.search(finished.stdout + finished.stderr) is not None


def _vanished(finished: Finished) -> list[Vanished]:
    if _timed_out(finished):
        return [Vanished("", True, "passed its time limit")]
    said = finished.stdout + finished.stderr
    if _CRASH.search(said):
        return [Vanished("", False, crash_reason(said))]
    return [] if finished.ok else [Vanished("", False, "Maven failed before or after the tests")]
