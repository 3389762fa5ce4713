"""Run one test method against the mutants of its kill set (TEB-V17, V18).

`shared` runs all mutants of a test method in one JVM, each in a class loader of its own that loads the whole class path
afresh. Whatever could reach from one run into the next ends the JVM, and the rest goes on in a new one
(docs/mutation.md). `fresh` gives every mutant a JVM of its own, whose class path is that of the run that gave the
verdict, but for the class files of the mutant. Either way the unmutated code runs first, at drawn places among the
mutants and last, so that a test that tells the runs apart by anything but the mutant fails there too. Of the kills of
shared JVMs one, drawn by content, must be a kill in a JVM of its own; if it is none, all run so.
"""

import base64
import secrets
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from testevo.builds.classes.class_files import ClassPath
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.config.model import Config
from testevo.execution.copies.file_times import level_times
from testevo.execution.discovery.selection import method_selector
from testevo.execution.jvms.jvm import JvmLauncher, JvmRun, Launched
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import module_of
from testevo.execution.verdicts.channel import RunRecord
from testevo.grading.mutation.run_fates import UNMUTATED, fate_of, passed, read_shared
from testevo.records.evidence.mutants import Mutant, MutantFate, MutantRun
from testevo.records.methods import TestKey
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import content_key
from testevo.runtime.files.removal import temporary_folder
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.sandboxes import sandbox_of

_SHORT_JVMS = 2
"""So many shared JVMs may end at their first mutant before the rest runs alone, which then costs less."""
_MUTANTS_FOR_A_CHECK = 3
"""The unmutated code runs once more among so many mutants."""
_RUNS_OF_A_CHECK = 3
"""As often as the unmutated code runs beside mutants."""
_BESIDE_TESTS_SECONDS = 10.0
"""Time to start and end a JVM on a busy machine, beside the runs in it."""


@dataclass(frozen=True)
class TimeLimit:
    """Of one run: `factor` times the unmutated run plus `extra_seconds`, and never more than `most_seconds`."""

    factor: float
    extra_seconds: float
    most_seconds: float

    def seconds(self, baseline: float | None) -> float:
        if baseline is None:
            return self.most_seconds
        return min(self.most_seconds, self.factor * baseline + self.extra_seconds)


class MutantRunner:
    """Runs mutants of test methods that pass on the unmutated code.

    Args:
        work: folder outside all trees for private folders of runs.
    """

    def __init__(
        self,
        work: Path,
        limits: Limits,
        sandbox: Sandbox,
        limit: TimeLimit,
        mode: Literal["shared", "fresh"] = "shared",
    ) -> None:
        self._work = work
        self._launcher = JvmLauncher(limits, sandbox, work)
        self._limit = limit
        self._mode = mode

    @classmethod
    def of(cls, config: Config, work: Path) -> "MutantRunner":
        """The runner that a configuration asks for.

        Raises:
            MachineError: the sandbox asked for is not installed.
        """
        execution, mutation = config.execution, config.evaluation.mutation
        limit = TimeLimit(mutation.factor, mutation.extra_seconds, execution.method_seconds)
        return cls(work, Limits.of(execution), sandbox_of(execution), limit, mutation.runner)

    def run(
        self,
        tree: BuiltTree,
        test: TestKey,
        mutants: Sequence[Mutant],
        classes: Mapping[str, Mapping[str, bytes]],
        covered: Mapping[str, frozenset[int]] | None = None,
        baseline_seconds: float | None = None,
        *,
        apart: bool = False,
    ) -> list[MutantRun]:
        """The fate of every mutant, in the order given; none when the unmutated test does not pass where mutants run,
        and `NOT_BELIEVED` where it passes there only sometimes.

        Args:
            tree: the tree in which the test passes: the new revision with the candidate's test file.
            classes: class files by mutant (see `testevo.grading.mutation.mutants.Classes`).
            covered: lines by file on which a mutant could matter, that is all lines of the methods that the test enters
                (`Measured.entered`); mutants of other lines survive without being run. None
                runs all.
            baseline_seconds: how long the unmutated test has taken in a JVM of its own; for limits of `fresh` runs.
            apart: `fresh` for this test, whatever the mode.

        Raises:
            MachineError: no JVM can be started.
        """
        module = module_of(tree, test)
        if module is None or module.framework == "none":
            raise ValueError(f"module {test.module or '.'} has no tests")
        selector = method_selector(test, ClassPath(module.test_class_path))
        own = _test_folders(tree, module)
        reached = {name: files for name, files in classes.items() if not _are_of_tests(files, own)}
        job = _Job(self, tree, module, f"select-method {selector}", reached, baseline_seconds)
        # Without a class file that differs there is nothing to run: debug data and all are those of the original.
        fates = {mutant.mutant: MutantFate.SURVIVED for mutant in mutants if not classes[mutant.mutant]}
        fates |= {mutant.mutant: MutantFate.NOT_COVERED for mutant in mutants if mutant.mutant not in reached}
        if covered is not None:
            fates |= {mutant.mutant: MutantFate.NOT_COVERED for mutant in mutants if not _is_covered(mutant, covered)}
        names = list(dict.fromkeys(mutant.mutant for mutant in mutants if mutant.mutant not in fates))
        try:
            fates |= job.shared(names) if self._mode == "shared" and not apart else job.fresh(names)
        except _NoBaselineError:
            return []
        if covered is not None:  # in a class that is never loaded, on a line that the test is said to enter
            fates |= {
                mutant.mutant: MutantFate.SURVIVED
                for mutant in mutants
                if _is_covered(mutant, covered) and fates[mutant.mutant] is MutantFate.NOT_COVERED
            }
        return [MutantRun(mutant=mutant.mutant, fate=fates[mutant.mutant]) for mutant in mutants]


def _is_covered(mutant: Mutant, covered: Mapping[str, frozenset[int]]) -> bool:
    return mutant.first_line in covered.get(mutant.path, frozenset())


def _test_folders(tree: BuiltTree, module: BuiltModule) -> list[Path]:
    """The folders of test classes on a module's class path."""
    folders = {one.test_classes for one in tree.modules}
    return [path for path in module.class_path if path in folders]


def _are_of_tests(binaries: Iterable[str], folders: Sequence[Path]) -> bool:
    """Whether the tests bring a class of one of these names, which the test then uses in place of the production class.

    Nothing of a mutant can run there, and put in its place it would differ from what the test runs by more than itself.
    """
    return any((folder / _class_file(binary)).is_file() for binary in binaries for folder in folders)


class _NoBaselineError(Exception):
    """The unmutated test does not pass in the way in which mutants run."""


class _Job:
    """One test method and its mutants."""

    def __init__(
        self,
        runner: MutantRunner,
        tree: BuiltTree,
        module: BuiltModule,
        selector: str,
        classes: Mapping[str, Mapping[str, bytes]],
        baseline: float | None,
    ) -> None:
        self._runner, self._tree, self._module = runner, tree, module
        self._selector, self._classes = selector, classes
        self._baseline = baseline

    def fresh(self, names: Sequence[str]) -> dict[str, MutantFate]:
        """A JVM for each, and for the unmutated code before, among and after them.

        Raises:
            _NoBaselineError: the unmutated code does not even pass before them.
        """
        if not names:
            return {}
        most, before = self._runner._limit.most_seconds, time.monotonic()
        if self._alone(UNMUTATED, most) is not MutantFate.SURVIVED:
            raise _NoBaselineError
        limit = self._runner._limit.seconds(max(self._baseline or 0, time.monotonic() - before))
        fates = {}
        for name in with_unmutated(names)[1:]:
            fate = self._alone(name, most if name == UNMUTATED else limit)
            if name != UNMUTATED:
                fates[name] = fate
            elif fate is not MutantFate.SURVIVED:
                return dict.fromkeys(names, MutantFate.NOT_BELIEVED)
        return fates

    def _alone(self, name: str, seconds: float) -> MutantFate:
        """The test in a JVM of its own, as it is run for its verdict.

        Class folders that some mutant changes are copies, also for the unmutated code: only class files differ.
        """
        runner = self._runner
        runner._work.mkdir(parents=True, exist_ok=True)
        with temporary_folder(runner._work, "classes-") as folder:
            places = {place: folder / str(number) for number, place in enumerate(self._mutated_folders())}
            for place, copy in places.items():
                shutil.copytree(place, copy)
            for binary, content in self._classes.get(name, {}).items():
                _put(places[self._place_of(binary)] / _class_file(binary), content)
            for copy in places.values():
                level_times(copy)
            module = replace(self._module.at(lambda path: places.get(path, path)), class_path_keys=())
            launched = self._start(JvmRun(self._tree, module, [self._selector], seconds, short=True))
        record = launched.record
        return fate_of(RunRecord(name, record, timed_out=launched.watched.timed_out and not record.ended))

    def _mutated_folders(self) -> list[Path]:
        changed = {binary for classes in self._classes.values() for binary in classes}
        return sorted({self._place_of(binary) for binary in changed})

    def _place_of(self, binary: str) -> Path:
        """The folder of the class path that has a production class, or its outermost one; a mutant may have more
        member classes."""
        own = _test_folders(self._tree, self._module)
        folders = [path for path in self._module.class_path if path.is_dir() and path not in own]
        for name in (binary, binary.split("$", maxsplit=1)[0]):
            for folder in folders:
                if (folder / _class_file(name)).is_file():
                    return folder
        return self._module.production_classes

    def shared(self, names: Sequence[str]) -> dict[str, MutantFate]:
        """As few JVMs as can be; alone again whatever the company may have decided."""
        fates: dict[str, MutantFate] = {}
        alone: list[str] = []
        unchecked: list[str] = []
        left, short = list(names), 0
        while len(left) > 1 and short < _SHORT_JVMS:
            order = with_unmutated(left)
            read = read_shared(order, self._launch(order))
            fates |= read.fates
            unchecked += [] if read.checked else [name for name, fate in read.fates.items() if fate.killed]
            alone += [name for name in left if name in read.alone]
            rest = [name for name in left if name not in fates and name not in read.alone]
            short += len(left) - len(rest) < 2
            left = rest
        if unchecked and not self._passes_again():
            alone += unchecked
        killed = [name for name, fate in fates.items() if fate.killed and name not in alone]
        if killed and not self._dies_again(drawn(killed, self._tree.key, self._selector)):
            alone += [name for name, fate in fates.items() if fate is not MutantFate.NOT_COVERED and name not in alone]
        return fates | self.fresh([*alone, *left])

    def _dies_again(self, name: str) -> bool:
        """Whether a mutant that a shared JVM has killed dies in one of its own.

        A test that compares what its runs find, or counts them where nobody watches, kills without knowing what is
        right.
        """
        return self._alone(name, self._runner._limit.seconds(self._baseline)).killed

    def _passes_again(self) -> bool:
        """Whether the unmutated code passes wherever it runs in a JVM, asked when one ended before its last run."""
        runs = self._launch([UNMUTATED] * _RUNS_OF_A_CHECK)
        return len(runs) == _RUNS_OF_A_CHECK and all(passed(run) for run in runs)

    def _launch(self, order: Sequence[str]) -> list[RunRecord]:
        """Versions of the code in one JVM, where they have numbers and nothing else."""
        limit = self._runner._limit
        most = limit.most_seconds
        lines = [
            self._selector,
            f"mutant-limit-millis {int(most * 1000)}",
            f"mutant-factor {limit.factor!r}",
            f"mutant-extra-millis {int(limit.extra_seconds * 1000)}",
        ]
        for binary, content in sorted(self._originals.items()):
            lines.append(_line("mutant-original", binary, content))
        for number, name in enumerate(order):
            lines.append(f"mutant {number}")
            for binary, content in sorted(self._classes.get(name, {}).items()):
                lines.append(_line("mutant-class", binary, content))
        seconds, silence = len(order) * most + _BESIDE_TESTS_SECONDS, most + _BESIDE_TESTS_SECONDS
        run = JvmRun(self._tree, self._module, lines, seconds, silence_seconds=silence, own_loaders=True)
        names = dict(zip(map(str, range(len(order))), order, strict=True))
        return [
            replace(one, mutant=names[one.mutant], unreached=tuple(names[number] for number in one.unreached))
            for one in self._start(run).record.runs
        ]

    @cached_property
    def _originals(self) -> dict[str, bytes]:
        """The unmutated class files of all classes that some mutant changes; empty where there is none."""
        found = {}
        for binary in {binary for classes in self._classes.values() for binary in classes}:
            file = self._place_of(binary) / _class_file(binary)
            found[binary] = file.read_bytes() if file.is_file() else b""
        return found

    def _start(self, run: JvmRun) -> Launched:
        launched = self._runner._launcher.launch(run)
        if launched.no_jvm is not None and launched.record.broken is None:  # which a mutant can bring about
            raise MachineError(f"the test JVM did not start: {launched.no_jvm} Run `testevo doctor` to see why.")
        return launched


def drawn(names: Sequence[str], *seed: str) -> str:
    """One of the names, the same for equal names and seeds whatever their order."""
    return min(names, key=lambda name: content_key(*seed, name))


def with_unmutated(names: Sequence[str]) -> list[str]:
    """The names with the unmutated code before them, after them and, where there are several, at drawn places among
    them, one for every `_MUTANTS_FOR_A_CHECK`.

    A test that counts its runs, or tosses coins, can fail in some of them: it kills as many mutants as it meets before
    the first unmutated run.
    """
    order = list(names)
    checks = max(1, len(order) // _MUTANTS_FOR_A_CHECK) if len(order) > 1 else 0
    for place in sorted(secrets.SystemRandom().sample(range(1, len(order)), checks), reverse=True):
        order.insert(place, UNMUTATED)
    return [UNMUTATED, *order, UNMUTATED]


def _line(key: str, binary: str, content: bytes) -> str:
    """A line of the request with a class file; without content: there is none."""
    return f"{key} {binary} {base64.b64encode(content).decode()}".rstrip()


def _class_file(binary: str) -> str:
    return f"{binary.replace('.', '/')}.class"


def _put(file: Path, content: bytes) -> None:
    """Write a class file; no content: the class is gone."""
    file.unlink(missing_ok=True)
    if content:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
