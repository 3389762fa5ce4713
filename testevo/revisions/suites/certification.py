"""Show that the engine `direct` ends as plain Maven: one commit is built and tested both ways.

A test counts as different when no outcome of it is one of both engines, in two runs each: what ends as it likes says
nothing about engines. Tests that are no methods, such as the scenarios of Cucumber, have other names in the reports of
Surefire than in the launcher: where they differ, the worst outcome of those of a module is compared.

Comparisons are kept in `<build.cache>/certificates`, by the way of building and our own code.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import ValidationError

import testevo
from testevo.builds.classes.class_files import ClassPath
from testevo.builds.classes.class_names import can_be_file
from testevo.builds.engine import BuildResult, BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.execution.runner import SuiteRun
from testevo.execution.runners.by_tree import RunnerByTree
from testevo.execution.verdicts.agreement import UNFINISHED, Agreement, Fact, agree, name_of, suite_test_facts
from testevo.execution.verdicts.channel import Verdict, merge
from testevo.records.evidence.certificates import MOST_DIFFERENCES, CertificateVerdict, Comparison
from testevo.records.methods import TestKey
from testevo.records.verdicts import BuildOutcome, Outcome, SuiteOutcome
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import canonical_json, content_key, file_digest
from testevo.runtime.files.jars import JARS
from testevo.runtime.files.whole_files import write_if_changed

_NOT_OF_THE_COMMIT = (BuildOutcome.DEPENDENCY_UNAVAILABLE, BuildOutcome.TIMED_OUT)
_OF_THIS_MACHINE = (CertificateVerdict.NOT_TRIED, CertificateVerdict.UNFINISHED)
"""Verdicts that another machine or time limit may change."""
_OUTCOMES = {str(outcome): outcome for outcome in Outcome}
_DECIDING = ("builds", "execution", "java", "sandboxes")
"""Packages whose code decides how `direct` builds and tests."""


@dataclass(frozen=True)
class Doubt:
    """Why equal suites say nothing, and what that makes of a comparison without differences."""

    verdict: CertificateVerdict
    reason: str


def procedure_of(workspace: Workspace, result: BuildResult) -> str | None:
    """The way in which a revision was built; None where Surefire runs all its tests, or none is compared."""
    return workspace.engine.procedure(result) if isinstance(workspace.engine, DirectEngine) else None


def certified(workspace: Workspace, revision: str, procedure: str) -> Comparison:
    """Compare both ways on a revision of which our launcher tests modules; equal ways of building are compared once."""
    engine, runner = workspace.engine, workspace.runner
    assert isinstance(engine, DirectEngine), "only `direct` is compared"
    assert isinstance(runner, RunnerByTree), "`direct` has a runner for each tree"
    if not runner.surefire_may_run:
        why = f"the code is untrusted, and Surefire does not run in the sandbox `{runner.sandbox}`, only in bubblewrap"
        return Comparison(verdict=CertificateVerdict.NOT_TRIED, reason=why)
    maven = engine.context.local.maven
    key = content_key(procedure, maven, runner.key, runner.surefire.key, engine_code_digest())
    file = engine.context.cache / "certificates" / f"{key}.json"
    known = _kept(file)
    if known is None:
        known = compared(engine, runner, workspace.built(revision))
        if known.verdict not in _OF_THIS_MACHINE:
            write_if_changed(file, f"{canonical_json(known.model_dump(mode='json'))}\n".encode())
    return known


def compared(engine: DirectEngine, runner: RunnerByTree, direct: BuiltTree) -> Comparison:
    """Build by Maven what `direct` has built, run both suites, and compare class folders and tests.

    Where Maven has compiled it already, only suites can differ. Of modules that Surefire runs, no tests are compared.
    """
    revision, agreement = direct.checkout.revision, Agreement()
    result = engine.for_comparison(direct)
    reference = result.tree
    if reference is None:
        if result.outcome in _NOT_OF_THE_COMMIT:
            return Comparison(verdict=CertificateVerdict.NOT_TRIED, reason=result.reason)
        agreement.add("builds", {revision[:7]: Fact(("built",))}, {revision[:7]: Fact((str(result.outcome),))})
        return judged(revision, agreement)
    folders = engine.class_folders(direct, reference)
    agreement.add("files", *({path: Fact((digest[:8],)) for path, digest in facts.items()} for facts in folders))
    if agreement.differences:
        return judged(revision, agreement)
    launched = {module.path for module in direct.launched}
    doubt = compare_suites(
        agreement,
        lambda: (runner.launcher.run_suite(direct), of_modules(runner.surefire.run_suite(reference), launched)),
        Declarations(direct).has,
    )
    return judged(revision, agreement, doubt)


class Declarations:
    """The methods of test classes of a tree."""

    def __init__(self, tree: BuiltTree) -> None:
        self._classes = {one.path: ClassPath(one.test_class_path) for one in tree.modules}

    def has(self, test: TestKey) -> bool:
        """Whether the class that a test is told of has a method of its name."""
        classes = self._classes.get(test.module)
        if classes is None or not can_be_file(test.type_name):
            return False
        return any(method.name == test.name for found in classes.hierarchy(test.type_name) for method in found.methods)


def of_modules(run: SuiteRun, modules: Collection[str]) -> SuiteRun:
    """A suite with the tests of some modules alone; how it ended may follow from others."""
    return replace(run, tests=tuple(one for one in run.tests if one.test.module in modules))


def compare_suites(
    agreement: Agreement,
    run_both: Callable[[], tuple[SuiteRun, SuiteRun]],
    is_method: Callable[[TestKey], bool] = lambda test: True,
) -> Doubt | None:
    """Note how the tests of two suites end, and why that says nothing where it does not.

    Args:
        run_both: runs the suite by the launcher and by Surefire; asked again where they differ.
        is_method: whether what ran is a method of a class.
    """
    runs = [*run_both()]
    direct, reference = _facts(runs, is_method)
    if different := {name for name in direct | reference if not agree(direct.get(name), reference.get(name))}:
        again = run_both()
        more_direct, more_reference = _facts(again, is_method)
        if _have_ended([*runs, *again]):
            for name in different:
                if {direct.get(name), more_direct.get(name)} & {reference.get(name), more_reference.get(name)}:
                    direct.pop(name, None)
                    reference.pop(name, None)
        runs += again
    if late := next((run for run in runs if run.outcome is SuiteOutcome.TIMED_OUT), None):
        return Doubt(CertificateVerdict.UNFINISHED, f"a suite did not end: {late.reason}")
    agreement.add("tests", direct, reference)
    if all(run.outcome is SuiteOutcome.CRASHED for run in runs):
        return Doubt(CertificateVerdict.BUILT_EQUAL, f"both suites crash: {runs[0].reason}")
    return None if direct else Doubt(CertificateVerdict.BUILT_EQUAL, "no test ran")


def judged(revision: str, agreement: Agreement, doubt: Doubt | None = None) -> Comparison:
    """What was found, in a record."""
    differences = agreement.differences
    equal = doubt or Doubt(CertificateVerdict.CERTIFIED, "")
    return Comparison(
        verdict=CertificateVerdict.DIFFERS if differences else equal.verdict,
        reason=differences[0] if differences else equal.reason,
        differences=tuple(differences[:MOST_DIFFERENCES]),
        files=agreement.compared.get("files", 0),
        tests=agreement.compared.get("tests", 0),
        revision=revision,
    )


def _facts(runs: Sequence[SuiteRun], is_method: Callable[[TestKey], bool]) -> tuple[dict[str, Fact], dict[str, Fact]]:
    """By test; of suites of which one did not end, how they ended."""
    if _have_ended(runs):
        direct, reference = (dict(suite_test_facts(run)) for run in runs)
        different = {name for name in direct | reference if not agree(direct.get(name), reference.get(name))}
        told = {name_of(one.test): one.test for run in runs for one in run.tests}
        modules = {name: told[name].module for name in sorted(different) if not is_method(told[name])}
        direct, reference = _without_names(direct, modules), _without_names(reference, modules)
    else:
        direct, reference = (
            {"suite": Fact((str(run.outcome) if run.outcome in UNFINISHED else "ended",), run.reason)} for run in runs
        )
    return direct, reference


def _without_names(facts: dict[str, Fact], modules: Mapping[str, str]) -> dict[str, Fact]:
    """The facts with the worst outcome of a module in the place of those that are named here, with their modules."""
    ends: dict[str, list[Verdict]] = defaultdict(list)
    for name, module in modules.items():
        if (fact := facts.pop(name, None)) is not None:
            ends[module].append(Verdict(_OUTCOMES[fact.verdict[0]]))
    worst = {module: str(merge(verdicts).outcome) for module, verdicts in ends.items()}
    return facts | {f"{module or '.'} (no methods)": Fact((outcome,)) for module, outcome in worst.items()}


def _have_ended(runs: Sequence[SuiteRun]) -> bool:
    return not any(run.outcome in UNFINISHED for run in runs)


def _kept(file: Path) -> Comparison | None:
    try:
        return Comparison.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None


@cache
def engine_code_digest() -> str:
    """Of our code that decides how `direct` builds and tests: a certificate holds for this code."""
    package = Path(testevo.__file__).parent
    files = sorted(file for name in _DECIDING for file in (package / name).rglob("*.py"))
    return content_key(*map(file_digest, (*files, *sorted(JARS.glob("*.jar")))))
