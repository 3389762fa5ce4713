"""One candidate in up to four combinations (TEB-X01 to X04, X15)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from testevo.builds.engine import BuildResult, BuiltTree, Checkout
from testevo.config.load import load_config
from testevo.execution.journal import Journal
from testevo.execution.runner import MethodRun, SuiteRun
from testevo.execution.triples import TripleRunner
from testevo.execution.variants import Candidate, variant_for
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.records.calls import CallMap
from testevo.records.executions import Combination
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.verdicts import BuildOutcome, Diagnostic, Outcome
from tests.unit.execution.candidates import GERMAN, NEW, OLD, PATH, inserted, modified, rules, side, told, tree

ALL = tuple(Combination)


@dataclass
class FakeEngine:
    """Answers with a tree, or with compile errors at given lines of given files."""

    errors: Sequence[tuple[str, int]] = ()
    outcome: BuildOutcome = BuildOutcome.TEST_COMPILE_ERROR
    built: list[Mapping[str, bytes | None]] = field(default_factory=list)
    name: str = "fake"

    def build(self, checkout: Checkout) -> BuildResult:
        raise AssertionError("triples build no revisions")

    def build_variant(
        self, base: BuiltTree, replaced: Mapping[str, bytes | None], seconds: float | None = None
    ) -> BuildResult:
        self.built.append(replaced)
        if self.errors:
            found = tuple(
                Diagnostic(path=path, line=line, code="c", message=f"{path}:{line}") for path, line in self.errors
            )
            return BuildResult(self.outcome, "does not compile", None, found)
        return BuildResult(BuildOutcome.BUILT, "", tree(f"{base.key}+{len(self.built)}"))

    def close(self) -> None:
        """Nothing to give back."""


@dataclass
class FakeRunner:
    """Answers outcomes in turn, and remembers what was run."""

    outcomes: list[Outcome] = field(default_factory=list)
    ran: list[tuple[str, str, int]] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)
    name: str = "fake"
    key: str = "fake"

    def run_suite(self, tree: BuiltTree) -> SuiteRun:
        raise AssertionError("triples run no suites")

    def run_method(
        self, tree: BuiltTree, test: TestKey, logs: Path | None, variation: Variation = AS_IT_IS, times_limit: float = 1
    ) -> MethodRun:
        self.ran.append((tree.key, test.name, variation.number))
        self.limits.append(times_limit)
        return MethodRun(self.outcomes.pop(0) if self.outcomes else Outcome.PASSED, message="m" * 600)

    def call_maps(self, tree: BuiltTree, tests: Sequence[TestKey] | None) -> list[CallMap]:
        raise AssertionError("triples make no call maps")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (modified(), ALL),
        (inserted(), (Combination.NEW_TEST_NEW_CODE, Combination.NEW_TEST_OLD_CODE)),
        (
            Candidate(tree("old"), tree("new"), ChangeKind.UNCHANGED, side(OLD, "adds"), side(OLD, "adds"), OLD),
            (Combination.OLD_TEST_OLD_CODE, Combination.NEW_TEST_NEW_CODE),
        ),
    ],
)
def test_only_applicable_combinations_are_run(change: Candidate, expected: tuple[Combination, ...]) -> None:
    runner = FakeRunner()
    executions = TripleRunner(FakeEngine(), runner, rules()).run(change)
    assert tuple(execution.combination for execution in executions) == expected
    assert len(runner.ran) == len(expected)


def test_appending_the_very_text_of_a_method_points_at_the_second_one() -> None:
    candidate = Candidate(tree("old"), tree("new"), ChangeKind.INSERTED, None, side(OLD, "adds"), OLD)
    engine = FakeEngine([(PATH, 10)])
    run = TripleRunner(engine, FakeRunner(), rules("method_splice")).run(candidate, [Combination.NEW_TEST_OLD_CODE])[0]
    assert run.outcome is Outcome.COMPILE_ERROR_IN_METHOD


def test_a_missing_old_file_is_added_or_counts_as_failing() -> None:
    engine, runner = FakeEngine(), FakeRunner()
    added = TripleRunner(engine, runner, rules()).run(inserted(None), [Combination.NEW_TEST_OLD_CODE])[0]
    assert (added.outcome, engine.built) == (Outcome.PASSED, [{PATH: NEW}])
    counted = TripleRunner(engine, runner, rules("method_splice", missing_old_file="counts_as_failing")).run(
        inserted(None), [Combination.NEW_TEST_OLD_CODE]
    )[0]
    assert (counted.outcome, counted.message, counted.logs) == (
        Outcome.COMPILE_ERROR_IN_METHOD,
        "the test file is absent at the old revision",
        None,
    )
    assert len(runner.ran) == 1


@pytest.mark.parametrize(
    ("errors", "expected"),
    [
        ([(PATH, 5)], Outcome.COMPILE_ERROR_IN_METHOD),
        ([("src/test/java/a/Other.java", 1), (PATH, 1), (PATH, 7)], Outcome.COMPILE_ERROR_IN_METHOD),
        ([("src/test/java/a/Other.java", 5), (PATH, 3)], Outcome.COMPILE_ERROR_IN_FILE),
        ([("src/test/java/a/Other.java", 5)], Outcome.COMPILE_ERROR_ELSEWHERE),
    ],
)
def test_compile_errors_are_attributed_by_line(errors: list[tuple[str, int]], expected: Outcome) -> None:
    run = TripleRunner(FakeEngine(errors), FakeRunner(), rules()).run(modified(), [Combination.OLD_TEST_NEW_CODE])[0]
    assert (run.outcome, len(run.diagnostics)) == (expected, len(errors))
    assert run.message is not None and (expected is not Outcome.COMPILE_ERROR_IN_METHOD or PATH in run.message)


def test_a_build_that_fails_otherwise_says_nothing_about_the_test() -> None:
    engine = FakeEngine([(PATH, 5)], BuildOutcome.TIMED_OUT)
    run = TripleRunner(engine, FakeRunner(), rules()).run(modified(), [Combination.OLD_TEST_NEW_CODE])[0]
    assert run.outcome is Outcome.INFRASTRUCTURE


def test_equal_variants_are_built_once_and_equal_files_not_at_all() -> None:
    engine = FakeEngine()
    triples = TripleRunner(engine, FakeRunner(), rules())
    triples.run(inserted())
    triples.run(inserted(name="adds"))
    assert len(engine.built) == 1
    same = modified(OLD, OLD)
    assert [variant_for(same, combination, rules()).replaced for combination in ALL] == [{}] * 4


def test_repeats_add_runs_but_never_repeat_a_compile_error(tmp_path: Path) -> None:
    """TEB-X15: unstable tests show by outcomes that differ."""
    runner = FakeRunner([Outcome.PASSED, Outcome.PASSED, Outcome.PASSED, Outcome.EXCEPTION])
    triples = TripleRunner(FakeEngine(), runner, rules(), tmp_path)
    first = triples.run(inserted())
    repeated = triples.repeat(inserted(), first, 3)
    assert [execution.outcomes for execution in repeated] == [
        (Outcome.PASSED, Outcome.PASSED, Outcome.EXCEPTION),
        (Outcome.PASSED,) * 3,
    ]
    assert not repeated[0].stable and repeated[0].message == "m" * 500
    assert [number for _, _, number in runner.ran] == [0, 0, 1, 2, 1, 2]
    assert repeated[0].logs == first[0].logs and repeated[0].logs.startswith("logs/")  # type: ignore[union-attr]
    broken = TripleRunner(FakeEngine([(PATH, 15)]), runner, rules())
    failed = broken.run(inserted(), [Combination.NEW_TEST_OLD_CODE])
    assert broken.repeat(inserted(), failed, 3) == failed


def test_repeats_vary_the_axes_and_first_runs_do_not() -> None:
    """What was varied is told with the outcomes; the preset of a user without settings varies something."""
    axes = load_config({}).stability.axes
    triples = TripleRunner(FakeEngine(), FakeRunner(), rules(), axes=axes)
    first = triples.run(inserted())
    assert axes and {execution.varied for execution in first} == {()}
    assert {execution.stable for execution in first} == {None}
    assert {execution.varied for execution in triples.repeat(inserted(), first, 2)} == {axes}


@dataclass
class FakeConsole:
    """Passes tests in these revisions."""

    passing: Sequence[str]
    asked: list[str] = field(default_factory=list)
    key: str = "console"

    def passes(self, tree: BuiltTree, test: TestKey) -> bool:
        self.asked.append(tree.checkout.revision)
        return tree.checkout.revision in self.passing


@pytest.mark.parametrize("passing", [("old", "new"), ("new",), ("old",), ()])
def test_the_console_launcher_is_asked_once_about_whole_revisions_in_which_the_test_passes(
    passing: tuple[str, ...], tmp_path: Path
) -> None:
    console = FakeConsole(passing)
    with Journal(tmp_path / "journal") as journal:
        triples = TripleRunner(FakeEngine(), FakeRunner(), rules(), journal=journal, console=console)
        first = triples.run(modified())
        told = [triples.by_console(modified(), first) for _ in range(2)][-1]
    whole = {Combination.OLD_TEST_OLD_CODE: "old", Combination.NEW_TEST_NEW_CODE: "new"}
    failed = {execution.combination for execution in told if execution.console_failed}
    assert failed == {combination for combination, revision in whole.items() if revision not in passing}
    assert sorted(console.asked) == ["new", "old"]
    broken = TripleRunner(FakeEngine(), FakeRunner([Outcome.EXCEPTION] * 4), rules(), console=console)
    failing = broken.run(modified())
    assert broken.by_console(modified(), failing) == failing and len(console.asked) == 2


LATE, PASSED, EXCEPTION = Outcome.TIMED_OUT, Outcome.PASSED, Outcome.EXCEPTION


@pytest.mark.parametrize(
    ("time_outs", "says", "outcomes", "limits"),
    [
        ("confirm", [LATE, PASSED], (PASSED,) * 2, [1, 2, 1]),
        ("confirm", [LATE, EXCEPTION, LATE, EXCEPTION], (EXCEPTION,) * 2, [1, 2, 1, 2]),
        ("confirm", [LATE, LATE, LATE], (LATE,) * 2, [1, 2, 1]),
        ("confirm", [EXCEPTION, EXCEPTION], (EXCEPTION,) * 2, [1, 1]),
        ("count_as_failing", [LATE, LATE], (LATE,) * 2, [1, 1]),
    ],
)
def test_slower_old_code_proves_nothing(
    time_outs: str, says: list[Outcome], outcomes: tuple[Outcome, ...], limits: list[float]
) -> None:
    """A time-out on the other revision's code is confirmed once with twice the limit, and then believed."""
    runner = FakeRunner(says)
    triples = TripleRunner(FakeEngine(), runner, rules(time_outs=time_outs))
    first = triples.run(inserted(), [Combination.NEW_TEST_OLD_CODE])
    [repeated] = triples.repeat(inserted(), first, 2)
    assert (repeated.outcomes, runner.limits) == (outcomes, limits)


def test_a_time_out_on_its_own_revision_is_not_asked_again() -> None:
    runner = FakeRunner([LATE])
    [execution] = TripleRunner(FakeEngine(), runner, rules()).run(inserted(), [Combination.NEW_TEST_NEW_CODE])
    assert (execution.outcome, runner.limits) == (LATE, [1])


def test_a_killed_job_goes_on_from_its_journal(tmp_path: Path) -> None:
    engine, runner = FakeEngine([(PATH, 5)]), FakeRunner()
    with Journal(tmp_path / "journal") as journal:
        first = TripleRunner(engine, runner, rules(), journal=journal).run(modified())
    work = (len(engine.built), len(runner.ran))
    with Journal(tmp_path / "journal") as journal:
        again = TripleRunner(engine, runner, rules(), journal=journal).run(modified())
    assert again == first
    assert (len(engine.built), len(runner.ran)) == work


def test_a_run_that_another_version_wrote_in_another_form_is_done_again(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal") as journal:
        first = TripleRunner(FakeEngine(), FakeRunner(), rules(), journal=journal).run(modified())
        keys = [json.loads(line)["key"] for line in journal.path.read_text().splitlines()]
        for key in keys:
            journal.put(key, {"verdict": "passed"})
        runner = FakeRunner()
        assert TripleRunner(FakeEngine(), runner, rules(), journal=journal).run(modified()) == first
    assert len(runner.ran) == len(keys) == 4


@pytest.mark.parametrize("swap", ["file", "method_splice"])
def test_what_has_no_form_in_the_other_encoding_ends_with_the_reason(swap: Literal["file", "method_splice"]) -> None:
    engine, runner = FakeEngine(), FakeRunner()
    trees = told("old", "UTF-8"), told("new", "ISO-8859-7")
    candidate = Candidate(*trees, ChangeKind.MODIFIED, side(GERMAN[0], "adds"), side(NEW, "adds"), GERMAN[0])
    [run] = TripleRunner(engine, runner, rules(swap)).run(candidate, [Combination.OLD_TEST_NEW_CODE])
    assert (run.outcome, run.swap, run.diagnostics, engine.built, runner.ran) == (
        Outcome.INFRASTRUCTURE,
        swap,
        (),
        [],
        [],
    )
    assert run.message == (
        f"encodings_differ: {PATH} of o/p at old cannot be put into o/p at new: "
        "the character 'ö' has no form in ISO-8859-7"
    )


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("at", ["old", "new", "old without the test"])
def test_a_method_is_not_put_into_or_taken_from_a_file_that_the_parser_does_not_know(at: str, known: bool) -> None:
    """Nobody knows where its methods end: a compile error would be the parser's."""
    engine, runner = FakeEngine(), FakeRunner([Outcome.PASSED])
    unknown = b"" if known else rb"\u0069mport java.util.List;"
    old, new = (text.replace(b"package a;\n", b"package a;\n" + unknown) for text in (OLD, NEW))
    changed = modified(old if at == "old" else OLD, new if at == "new" else NEW)
    candidate = inserted(old) if at == "old without the test" else changed
    [run] = TripleRunner(engine, runner, rules("method_splice")).run(candidate, [Combination.NEW_TEST_OLD_CODE])
    assert (run.outcome, len(runner.ran)) == ((Outcome.PASSED, 1) if known else (Outcome.INFRASTRUCTURE, 0))
    assert known or (run.message or "").startswith(f"syntax_unread: {PATH} of o/p at {at[:3]} ")
    [whole] = TripleRunner(engine, FakeRunner([Outcome.PASSED]), rules("file")).run(
        candidate, [Combination.NEW_TEST_OLD_CODE]
    )
    assert whole.outcome is Outcome.PASSED
