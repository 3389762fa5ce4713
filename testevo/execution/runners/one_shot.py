"""The direct runner: our own launcher, a fresh JVM per method and per module of a suite (TEB-E06).

A verdict is what the launcher wrote to its channel, and only when the channel is whole. A JVM that ended without saying
so has crashed, whatever its exit status and output say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from testevo.builds.classes.class_files import ClassPath
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.project.jdks import Jdk
from testevo.config.model import ToleratedTest
from testevo.execution.discovery.discovery import DeclaredTests, TestPlaces, classes_by_jvm, run_test, suite_classes
from testevo.execution.discovery.selection import method_selector
from testevo.execution.jvms.archives import ClassArchives
from testevo.execution.jvms.jvm import JvmLauncher, JvmRun, Launched
from testevo.execution.runner import MESSAGE_CHARACTERS, Limits, MethodRun, ModuleRun, SuiteRun, Vanished
from testevo.execution.runners.call_maps import CallMapRecorder
from testevo.execution.variation import AS_IT_IS, Variation, next_jdk
from testevo.execution.verdicts.channel import CLASS_LEVEL, RunTest, Verdict, merge
from testevo.execution.verdicts.junit_xml import Case, write_logs
from testevo.execution.verdicts.suites import judge_runs
from testevo.records.calls import CallMap
from testevo.records.evidence.stability import Axis
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome, SuiteTest
from testevo.runtime.files.files import content_key
from testevo.sandboxes.sandbox import NoSandbox, Sandbox


class OneShotRunner:
    """Runs tests in JVMs of their own; see `testevo.execution.runner.TestRunner`.

    Args:
        work: folder outside all trees for what a run needs for itself.
        tolerated: tests that may be red without making a suite red.
        archives: of class data; None: do without. They change no outcome, so the key does not name them.
        jdks: of the machine, for runs that vary the JDK.
    """

    name = "one_shot"

    def __init__(
        self,
        work: Path,
        limits: Limits | None = None,
        sandbox: Sandbox | None = None,
        tolerated: Sequence[ToleratedTest] = (),
        archives: ClassArchives | None = None,
        jdks: Sequence[Jdk] = (),
    ) -> None:
        self._limits = limits or Limits()
        sandbox = sandbox or NoSandbox()
        self._launcher = JvmLauncher(self._limits, sandbox, work, archives)
        self._tolerated = tuple(tolerated)
        self._jdks = tuple(jdks)
        self.sandbox = sandbox.name
        self.key = content_key(self.name, repr(self._limits), sandbox.identity)

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        """Run all tests of the modules that need no Surefire, in the JVMs of their modules; the time limit holds for
        each JVM."""
        chosen = {module.path: suite_classes(module) for module in tree.launched}
        return judge_runs(self.run_classes(tree, chosen), self._tolerated)

    def run_classes(
        self, tree: BuiltTree, chosen: Mapping[str, Sequence[str]], *, watch_loading: bool = False
    ) -> list[ModuleRun]:
        """Run some classes of the suites, one JVM per module, or per class where the build asks for that.

        Args:
            chosen: binary names by module path.
            watch_loading: let each JVM tell which classes it loads.
        """
        return [
            self._run_in_one_jvm(tree, module, classes, watch_loading=watch_loading)
            for module in tree.modules
            for classes in classes_by_jvm(module, chosen.get(module.path, ()))
        ]

    def _run_in_one_jvm(
        self, tree: BuiltTree, module: BuiltModule, classes: tuple[str, ...], *, watch_loading: bool
    ) -> ModuleRun:
        request, seconds = [f"select-class {name}" for name in classes], self._limits.suite_seconds
        launched = self._launcher.launch(JvmRun(tree, module, request, seconds, watch_loading=watch_loading))
        places = TestPlaces(tree, module)
        tests = tuple(
            SuiteTest(test=places.key(test), outcome=verdict.outcome)
            for test, verdict in suite_verdicts(launched, module).items()
        )
        vanished = None if launched.record.ended else _vanished(module, launched)
        return ModuleRun(module.path, classes, tests, vanished, launched.loaded)

    def run_method(
        self,
        tree: BuiltTree,
        test: TestKey,
        logs: Path | None = None,
        variation: Variation = AS_IT_IS,
        times_limit: float = 1,
    ) -> MethodRun:
        """Run one test method in a fresh JVM."""
        module = module_of(tree, test)
        if variation.varies(Axis.JDK):
            tree = replace(tree, jdk=next_jdk(tree.jdk, self._jdks) or tree.jdk)
        if module is None or module.framework == "none":
            run = MethodRun(Outcome.NOT_FOUND, message=f"module {test.module or '.'} has no tests")
        else:
            before = _others_of_class(tree, module, test) if variation.varies(Axis.ORDER) else []
            classes = ClassPath(module.test_class_path)
            request = [f"select-method {method_selector(one, classes)}" for one in (*before, test)]
            if before:
                request.append("one-by-one true")
            if has_probes(module):
                request.append("coverage true")
            seconds = (self._limits.suite_seconds if before else self._limits.method_seconds) * times_limit
            seconds *= variation.seconds_factor
            launched = self._launcher.launch(JvmRun(tree, module, request, seconds, variation, short=True))
            run = method_run(launched, test if before else None)
        if logs is not None:
            case = Case(test, run.outcome, run.exception, run.message, run.trace)
            write_logs(logs, case, run.stdout_bytes, run.stderr_bytes)
        return run

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None = None) -> list[CallMap]:
        """Run tests with the call probe, one JVM per module; see `testevo.execution.runners.call_maps`."""
        return CallMapRecorder(self._launcher).record(tree, tests)


def has_probes(module: BuiltModule) -> bool:
    """Whether instrumented classes are on the class path, with the class they call."""
    return any(entry.name == "coverage-probes.jar" for entry in module.class_path)


def module_of(tree: BuiltTree, test: TestKey) -> BuiltModule | None:
    """The module a test belongs to, or None when the tree has no such module."""
    return next((module for module in tree.modules if module.path == test.module), None)


def _others_of_class(tree: BuiltTree, module: BuiltModule, test: TestKey) -> list[TestKey]:
    """The other tests that the class of a test declares, member classes included."""
    places = TestPlaces(tree, module)
    return [places.key(one) for one in DeclaredTests(module).of(test.type_name) if one != run_test(test)]


def method_run(launched: Launched, test: TestKey | None = None) -> MethodRun:
    """Read the verdict of a JVM on the one method it was asked for, or on one of several."""
    verdict = _method_verdict(launched, test)
    message = launched.cleaned(verdict.message)[:MESSAGE_CHARACTERS] if verdict.message is not None else None
    return MethodRun(
        verdict.outcome,
        verdict.exception,
        message,
        launched.watched.stdout,
        launched.watched.stderr,
        verdict.trace,
        verdict.invocations,
        launched.record.output_lost,
        launched.record.coverage,
    )


def _method_verdict(launched: Launched, test: TestKey | None) -> Verdict:
    record = launched.record
    lost = _lost_verdict(launched)
    if lost is not None:
        return lost
    own = {one: verdict for one, verdict in record.verdicts.items() if test is None or one == run_test(test)}
    merged = merge([*own.values(), *record.class_verdicts.values()])
    if merged.outcome is Outcome.NOT_FOUND:
        return Verdict(Outcome.NOT_FOUND, message="; ".join(record.missing) or "no such test was found", invocations=0)
    return merged


def _lost_verdict(launched: Launched) -> Verdict | None:
    """The verdict of a JVM that has not told how its test ended; None when it has."""
    record = launched.record
    if launched.no_jvm is not None:
        return Verdict(Outcome.INFRASTRUCTURE, message=f"the test JVM did not start: {launched.no_jvm}", invocations=0)
    if record.tampered is not None:
        return Verdict(Outcome.CRASHED, message=f"tampered with the verdict channel: {record.tampered}", invocations=0)
    if not record.ended:
        if launched.watched.timed_out:
            return Verdict(Outcome.TIMED_OUT, message="passed its time limit", invocations=len(record.verdicts))
        return Verdict(
            Outcome.CRASHED,
            message=f"the JVM ended without a verdict ({launched.ending})",
            invocations=len(record.verdicts),
        )
    if record.unfinished:
        return Verdict(Outcome.CRASHED, message="the launcher ended before the test did", invocations=0)
    return None


def suite_verdicts(launched: Launched, module: BuiltModule) -> dict[RunTest, Verdict]:
    """Verdicts of a suite, with class-level failures spread over the tests of the class."""
    record = launched.record
    verdicts, declared = dict(record.verdicts), DeclaredTests(module)
    lost = Outcome.TIMED_OUT if launched.watched.timed_out else Outcome.CRASHED
    for test in record.unfinished:
        verdicts[test] = merge([*([verdicts[test]] if test in verdicts else []), Verdict(lost)])
    for type_name, verdict in record.class_verdicts.items():
        ran = [test for test in verdicts if belongs_to(test, type_name)]
        # A class that failed before its tests started is counted by the tests that byte code declares.
        concerned = set(ran) | set(declared.of(type_name)) or {RunTest(type_name, CLASS_LEVEL)}
        for test in concerned:
            verdicts[test] = merge([verdicts[test], verdict]) if test in verdicts else verdict
    return verdicts


def belongs_to(test: RunTest, type_name: str) -> bool:
    """Whether a test runs in a class or in one of its member classes."""
    return test.type_name == type_name or test.type_name.startswith(f"{type_name}$")


def _vanished(module: BuiltModule, launched: Launched) -> Vanished:
    if launched.no_jvm is not None:
        return Vanished(module.path, False, f"the test JVM did not start: {launched.no_jvm}")
    during = f" during {launched.record.unfinished[0].method}" if launched.record.unfinished else ""
    if launched.watched.timed_out:
        return Vanished(module.path, True, f"passed its time limit{during}")
    return Vanished(module.path, False, f"the test JVM ended without a verdict ({launched.ending}){during}")
