"""Call maps: which methods each test called (TEB-M19, X14).

Many tests share one JVM here; a test that takes the JVM down costs only its own map, the others run again.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from testevo.builds.classes.class_files import ClassPath
from testevo.builds.classes.class_names import can_be_file
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.execution.discovery.discovery import DeclaredTests, TestPlaces, classes_by_jvm, run_test, suite_classes
from testevo.execution.discovery.selection import method_selector
from testevo.execution.jvms.jvm import JvmLauncher, JvmRun, Launched
from testevo.execution.runners.probe_output import ProbedCall, ProbeLine, probe_lines
from testevo.execution.verdicts.channel import CLASS_LEVEL, RunTest, Verdict, bare_method_name, merge, simple_parameter
from testevo.java.signatures import method_key
from testevo.records.calls import Callee, CallMap
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome

_Calls = dict[str, list[ProbedCall]]
_T = TypeVar("_T")
RAN = (Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.EXCEPTION)


class CallMapRecorder:
    """Runs tests with the call probe."""

    def __init__(self, launcher: JvmLauncher) -> None:
        self._launcher = launcher

    def record(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        """One map for each test asked for, or for each test that ran; sorted by test.

        A test asked for that cannot be run has a map without callees and the outcome that says why.
        """
        maps: list[CallMap] = []
        for module in tree.modules:
            wanted = None if tests is None else [test for test in tests if test.module == module.path]
            if module.framework != "none" and wanted != []:
                maps += self._module(tree, module, wanted)
        have = {entry.test for entry in maps}
        maps += [_map(tree, test, Verdict(Outcome.NOT_FOUND), {}) for test in set(tests or ()) - have]
        return sorted(maps, key=lambda entry: entry.sort_key())

    def _module(self, tree: BuiltTree, module: BuiltModule, tests: Sequence[TestKey] | None) -> list[CallMap]:
        compiled = _CompiledClasses(tree)
        if tests is None:
            runs = _Batch(self._launcher, tree, module).classes(suite_classes(module))
            places = TestPlaces(tree, module)
            return [
                _map(
                    tree, places.key(test), verdict, compiled.only(runs.calls.get(test, {})), runs.unseen.get(test, ())
                )
                for test, verdict in runs.verdicts.items()
                if test.method != CLASS_LEVEL
            ]
        runs = _Batch(self._launcher, tree, module).methods({run_test(test): test for test in tests})
        return [
            _map(
                tree,
                test,
                _verdict_of(run_test(test), runs.verdicts),
                compiled.only(_calls_of(run_test(test), runs.calls)),
                _of(run_test(test), runs.unseen) or (),
            )
            for test in set(tests)
        ]


class _CompiledClasses:
    """Knows which classes the tree was compiled to. Mocks and proxies are made at run time in the same packages, under
    names that differ from run to run; they are not methods of the project."""

    def __init__(self, tree: BuiltTree) -> None:
        self._folders = [module.production_classes for module in tree.modules]
        self._folders += [module.test_classes for module in tree.modules]
        self._known: dict[str, bool] = {}

    def only(self, calls: _Calls) -> _Calls:
        """The callees that belong to compiled classes."""
        return {part: [call for call in some if self._has(call.type_name)] for part, some in calls.items()}

    def _has(self, name: str) -> bool:
        if name not in self._known:
            member = f"{name.replace('.', '/')}.class"
            known = can_be_file(name) and any((folder / member).is_file() for folder in self._folders)
            self._known[name] = known
        return self._known[name]


class _Batch:
    """One module's tests in as few JVMs as possible; collects verdicts and calls."""

    def __init__(self, launcher: JvmLauncher, tree: BuiltTree, module: BuiltModule) -> None:
        self._launcher = launcher
        self._tree = tree
        self._module = module
        self._declared = DeclaredTests(module)
        self.verdicts: dict[RunTest, Verdict] = {}
        self.calls: dict[RunTest, _Calls] = {}
        self.unseen: dict[RunTest, tuple[str, ...]] = {}
        """Classes that the probe could not instrument in the JVM of a test."""

    def classes(self, names: Sequence[str]) -> "_Batch":
        """Run whole classes in the JVMs that the suite gives them."""
        torn = {test for classes in classes_by_jvm(self._module, names) for test in self._classes_of_one_jvm(classes)}
        places = TestPlaces(self._tree, self._module)
        return self.methods({test: places.key(test) for test in torn})

    def _classes_of_one_jvm(self, names: Sequence[str]) -> set[RunTest]:
        """Run classes; after a crash, those that were not reached run again in another JVM.

        Returns:
            the tests of classes that were running during a crash whose calls are missing.
        """
        waiting, torn = list(names), set[RunTest]()
        while waiting:
            launched = self._launch([f"select-class {name}" for name in waiting])
            if launched.record.ended:
                break
            record = launched.record
            names_seen = [test.type_name for test in (*record.verdicts, *record.unfinished)] + [*record.class_verdicts]
            reached = {name.split("$")[0] for name in names_seen}
            # With nothing reached, the first class must have ended the JVM while it was being loaded.
            left = [name for name in waiting if name.split("$")[0] not in reached]
            waiting = left if len(left) < len(waiting) else waiting[1:]
            torn |= self._torn(launched)
        return torn

    def _torn(self, launched: Launched) -> set[RunTest]:
        """The tests whose calls a JVM that died has lost, or that it has not come to, in the classes that were running;
        not those during which it died."""
        record = launched.record
        lost = {test for test in record.verdicts if self._lost_calls(test)}
        types = {test.type_name.split("$")[0] for test in (*lost, *record.unfinished)}
        declared = {test for name in types for test in self._declared.of(name)}
        not_reached = {test for test in declared if _verdict_of(test, self.verdicts).outcome is Outcome.NOT_FOUND}
        return lost | not_reached

    def _lost_calls(self, test: RunTest) -> bool:
        """Whether a test has run and its calls are in no file: a JVM writes them when it leaves the class."""
        return _verdict_of(test, self.verdicts).outcome in RAN and not _calls_of(test, self.calls)

    def methods(self, tests: dict[RunTest, TestKey]) -> "_Batch":
        """Run methods. After a crash, those without a verdict run again, and those whose calls are lost one by one; the
        one that was running does not."""
        classes = ClassPath(self._module.test_class_path)
        types = sorted({test.type_name for test in tests})
        groups = [
            sorted(test for test in tests if test.type_name in names) for names in classes_by_jvm(self._module, types)
        ]
        while groups:
            group = groups.pop()
            launched = self._launch([f"select-method {method_selector(tests[test], classes)}" for test in group])
            if launched.record.ended:
                continue
            left = [test for test in group if _verdict_of(test, self.verdicts).outcome is Outcome.NOT_FOUND]
            if launched.no_jvm is not None:
                self.verdicts |= {test: Verdict(Outcome.INFRASTRUCTURE) for test in left}
                continue
            if len(group) > 1:
                groups += [[test] for test in group if self._lost_calls(test)]
            if not left:
                continue
            if len(left) < len(group):
                groups.append(left)
            elif len(group) == 1:
                self.verdicts[group[0]] = Verdict(_lost(launched))
            else:
                # Nobody ran: halves find the one whose loading takes the JVM down.
                groups += [group[: len(group) // 2], group[len(group) // 2 :]]
        return self

    def _launch(self, selectors: Sequence[str]) -> Launched:
        limits = self._launcher.limits
        seconds, silence = limits.suite_seconds, limits.method_seconds
        run = JvmRun(self._tree, self._module, selectors, seconds, silence_seconds=silence, probe=True)
        launched = self._launcher.launch(run)
        for test, verdict in launched.record.verdicts.items():
            self.verdicts[test] = verdict
        for name, verdict in launched.record.class_verdicts.items():
            for test in [test for test in self.verdicts if test.type_name == name]:
                self.verdicts[test] = merge([self.verdicts[test], verdict])
            self.verdicts.setdefault(RunTest(name, CLASS_LEVEL), verdict)
        for test in launched.record.unfinished:
            self.verdicts[test] = Verdict(_lost(launched))
        lines = list(probe_lines(launched.calls))
        unseen = uninstrumented(lines)
        for test, calls in calls_by_test(lines).items():
            self.calls[test] = calls
            self.unseen[test] = unseen
        return launched


def calls_by_test(lines: Iterable[ProbeLine]) -> dict[RunTest, _Calls]:
    """The calls of each test; several invocations of a method are one list."""
    calls: dict[RunTest, _Calls] = {}
    for line in lines:
        if line.uninstrumented is not None:
            continue
        parameters = tuple(simple_parameter(name) for name in line.parameters or ())
        test = RunTest(line.type_name, bare_method_name(line.method), parameters)
        known = calls.setdefault(test, {"direct": [], "helpers": [], "closure": []})
        known["direct"] += line.direct
        known["helpers"] += line.helpers
        known["closure"] += line.closure
    return calls


def uninstrumented(lines: Iterable[ProbeLine]) -> tuple[str, ...]:
    """The classes whose calls are missing, at least of one method, sorted."""
    return tuple(sorted({line.type_name for line in lines if line.uninstrumented is not None}))


def callees(calls: Iterable[ProbedCall]) -> tuple[Callee, ...]:
    """Callees merged over invocations: calls are summed, the smallest depth counts; a detour counts only when every
    invocation took it."""
    merged: dict[tuple[str, str, str], Callee] = {}
    for call in calls:
        name = (call.type_name, call.name, call.descriptor)
        callee = Callee(
            method=method_key(*name),
            descriptor=call.descriptor,
            depth=call.depth,
            calls=call.calls or 1,
            from_thread=call.from_thread,
            through_bridge=call.through_bridge,
            through_lambda=call.through_lambda,
            through_helper=call.through_helper,
            generic_signature=call.signature,
            variable_arity=call.variable_arity,
        )
        known = merged.get(name)
        merged[name] = (
            callee
            if known is None
            else known.model_copy(
                update={
                    "depth": min(known.depth, callee.depth),
                    "calls": known.calls + callee.calls,
                    "from_thread": known.from_thread and callee.from_thread,
                    "through_bridge": known.through_bridge and callee.through_bridge,
                    "through_lambda": known.through_lambda and callee.through_lambda,
                    "through_helper": known.through_helper and callee.through_helper,
                }
            )
        )
    return tuple(sorted(merged.values(), key=lambda callee: (str(callee.method), callee.descriptor)))


def _map(tree: BuiltTree, test: TestKey, verdict: Verdict, calls: _Calls, unseen: tuple[str, ...] = ()) -> CallMap:
    return CallMap(
        repository=tree.checkout.repository,
        revision=tree.checkout.revision,
        test=test,
        outcome=verdict.outcome,
        direct=callees(calls.get("direct", ())),
        helpers=callees(calls.get("helpers", ())),
        closure=callees(calls.get("closure", ())),
        uninstrumented=unseen,
    )


def _verdict_of(test: RunTest, verdicts: dict[RunTest, Verdict]) -> Verdict:
    """A test's verdict; JUnit 4 reports no parameter types, and a class-level failure stands for all its tests."""
    for key in (test, RunTest(test.type_name, test.method), RunTest(test.type_name, CLASS_LEVEL)):
        if key in verdicts:
            return verdicts[key]
    return Verdict(Outcome.NOT_FOUND)


def _calls_of(test: RunTest, calls: dict[RunTest, _Calls]) -> _Calls:
    return _of(test, calls) or {}


def _of(test: RunTest, found: dict[RunTest, _T]) -> _T | None:
    return found.get(test) or found.get(RunTest(test.type_name, test.method))


def _lost(launched: Launched) -> Outcome:
    if launched.no_jvm is not None:
        return Outcome.INFRASTRUCTURE
    return Outcome.TIMED_OUT if launched.watched.timed_out else Outcome.CRASHED
