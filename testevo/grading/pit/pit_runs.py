"""Runs PIT on one test method: its own mutants of byte code, its own runs, nothing of ours.

PIT runs where test JVMs run, with the same limits, and so do the JVMs that it starts. Its report is written with the
power of the test, and a test that wants to can forge it; nothing but a table beside the scores rests on it.
"""

import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.model.model import Framework
from testevo.config.model import Config
from testevo.execution.jvms.java_programs import JavaPrograms, Place, ProgramRun
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import module_of
from testevo.grading.pit.pit_report import read_report
from testevo.records.evaluation.second_opinions import MethodOpinion, OpinionUndefined, PitMutation
from testevo.records.labels import Dependency
from testevo.records.methods import TestKey
from testevo.runtime.files.jars import checksums_of, pinned_jars
from testevo.sandboxes.sandboxes import sandbox_of

FIRST_JDK = 11
MUTATORS = "DEFAULTS"
SAID_CHARACTERS = 4000
"""Of the end of PIT's output, to the log."""
_MAIN = "org.pitest.mutationtest.commandline.MutationCoverageReport"
_REPORT = "report/mutations.xml"
_NOT_GREEN = b"did not pass without mutation"
_NOTHING = b"no mutations found"
"""In the whole class; then it writes no report."""
_RAN = b"Slowest test ("
"""PIT's line about every test method that it ran unmutated, and about no other."""
_JUNIT4 = ("junit-4", "hamcrest-core-")
"""Runs the tests of projects that have JUnit 3 alone."""
_PLUGIN = "pitest-junit5-plugin-"


def pit_key() -> str:
    """Of the jars and operators; equal keys mean equal mutations."""
    return hashlib.sha256(checksums_of("pit").read_bytes() + MUTATORS.encode()).hexdigest()


class PitRunner:
    """Asks PIT about test methods that pass.

    Args:
        work: folder outside all trees for private folders of runs.

    Raises:
        MachineError: the sandbox asked for is not installed, or PIT was not fetched.
    """

    def __init__(self, config: Config, work: Path) -> None:
        execution = config.execution
        self._programs = JavaPrograms(Limits.of(execution), sandbox_of(execution), work)
        self._mutation = config.evaluation.mutation
        self._seconds = execution.suite_seconds
        self._jars = pinned_jars("pit")

    def run(
        self, tree: BuiltTree, test: TestKey, dependencies: Sequence[Dependency], lines: Mapping[str, frozenset[int]]
    ) -> MethodOpinion:
        """PIT's opinion on one test method: mutations on `lines` only.

        PIT selects tests by class and name, so that overloads run together.

        Args:
            tree: in which the test passes.
            dependencies: whose classes are mutated.
            lines: by path; what mutants may change (`testevo.grading.mutation.mutation_lines`).

        Raises:
            MachineError: no JVM can be started.
        """
        if not lines:
            return MethodOpinion(test=test, undefined=OpinionUndefined.NO_LINES)
        module = module_of(tree, test)
        if module is None or module.framework == "none" or tree.jdk.feature < FIRST_JDK:
            return MethodOpinion(test=test, undefined=OpinionUndefined.NOT_RUN_HERE)
        types = sorted({found.method.type_name.partition("$")[0] for found in dependencies if found.path in lines})
        mutable = frozenset(one.production_classes for one in tree.modules)
        done = self._programs.run(
            tree,
            module,
            self._tool(module.framework),
            _MAIN,
            lambda place: self._arguments(place, module, test, types, mutable),
            _REPORT,
            seconds=self._seconds,
            readable=self._jars,
        )
        opinion = opinion_of(test, done, lines)
        if opinion.undefined is OpinionUndefined.NO_REPORT:
            said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
            print(f"{test}: PIT left no report (status {done.status}): {said[-SAID_CHARACTERS:]}", file=sys.stderr)
        return opinion

    def _arguments(
        self, place: Place, module: BuiltModule, test: TestKey, types: Sequence[str], mutable: frozenset[Path]
    ) -> list[str]:
        shown = place.module
        code = [new for old, new in zip(module.class_path, shown.class_path, strict=True) if old in mutable]
        class_path = place.private / "class-path"
        older = self._named(_JUNIT4) if shown.framework == "junit3" else ()
        entries = [*older, *shown.class_path, *shown.engine_jars]
        class_path.write_text("".join(f"{entry}\n" for entry in entries), encoding="utf-8")
        return [
            "--includeLaunchClasspath=false",
            f"--classPathFile={class_path}",
            f"--mutableCodePaths={','.join(map(str, code))}",
            f"--targetClasses={','.join(name for one in types for name in (one, f'{one}$*'))}",
            f"--targetTests={test.type_name}",
            f"--includedTestMethods={test.name}",
            f"--mutators={MUTATORS}",
            f"--timeoutFactor={self._mutation.factor}",
            f"--timeoutConst={int(self._mutation.extra_seconds * 1000)}",
            f"--sourceDirs={shown.folder}",
            f"--reportDir={place.private / 'report'}",
            f"--projectBase={shown.folder}",
            f"--argLine={' '.join(map(_quoted, place.java_arguments))}",
            "--outputFormats=XML",
            "--timestampedReports=false",
            "--failWhenNoMutations=false",
            "--threads=1",
        ]

    def _tool(self, framework: Framework) -> list[Path]:
        """PIT itself. It puts its core, and its plugin for the JUnit Platform, on the class path of the tests too."""
        left_out = _JUNIT4 if framework == "platform" else (*_JUNIT4, _PLUGIN)
        return [jar for jar in self._jars if not jar.name.startswith(left_out)]

    def _named(self, names: tuple[str, ...]) -> list[Path]:
        return [jar for jar in self._jars if jar.name.startswith(names)]


def opinion_of(test: TestKey, done: ProgramRun, lines: Mapping[str, frozenset[int]]) -> MethodOpinion:
    """Read the result of one run of PIT; without a whole report there is none."""
    undefined = _failure(done)
    mutations: list[PitMutation] = []
    if undefined is None and done.output is not None:
        try:
            mutations = read_report(done.output, lines)
        except ValueError:
            undefined = OpinionUndefined.NO_REPORT
        else:
            undefined = None if mutations else OpinionUndefined.NO_MUTATIONS
    if mutations and _RAN not in done.stdout + done.stderr:
        return MethodOpinion(test=test, undefined=OpinionUndefined.NO_TEST)
    return MethodOpinion(test=test, mutations=tuple(mutations), undefined=undefined)


def _failure(done: ProgramRun) -> OpinionUndefined | None:
    """Why a run says nothing."""
    if done.timed_out:
        return OpinionUndefined.TIMED_OUT
    if _NOT_GREEN in done.stdout + done.stderr:
        return OpinionUndefined.NOT_GREEN
    if done.status == 0 and done.output is None and _NOTHING in done.stdout + done.stderr:
        return OpinionUndefined.NO_MUTATIONS
    return OpinionUndefined.NO_REPORT if done.status != 0 or done.output is None else None


def _quoted(argument: str) -> str:
    """For the two that split it: PIT, at blanks outside of quotes, which go, and the JVM that reads it in a file."""
    return f"'\"{argument}\"'" if " " in argument else argument
