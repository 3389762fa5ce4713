"""Run one candidate in its combinations of old and new test with old and new code (TEB-X01 to X04, X15)."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from testevo.builds.engine import BuiltTree, Engine
from testevo.config.rules import SwapRules
from testevo.execution.journal import Journal
from testevo.execution.runner import TestRunner, shortened
from testevo.execution.variants import Candidate, Variant, VariantBuilder, variant_for
from testevo.execution.variation import Variation
from testevo.execution.verdicts.compile_errors import BuildFailure, build_failure
from testevo.records.base import Part
from testevo.records.evidence.stability import Axis
from testevo.records.executions import Combination, Execution
from testevo.records.methods import TestKey
from testevo.records.verdicts import Diagnostic, Outcome
from testevo.runtime.files.files import content_key


class _Run(Part):
    """One run, or the reason why there is none, as it is kept in the journal."""

    outcome: Outcome
    exception: str | None = None
    message: str | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    ran: bool = True
    output_lost: bool = False


class Console(Protocol):
    """The console launcher of JUnit (`testevo.execution.runners.console_launcher`)."""

    key: str
    """Equal keys mean equal answers."""

    def passes(self, tree: BuiltTree, test: TestKey) -> bool:
        """Whether a test method passes there."""
        ...


class TripleRunner:
    """Plans, builds and runs the combinations of candidates of one pair of revisions.

    Equal work is done once: variants are built once per content, and a run of a test in a tree is found again by its
    content key, in the journal also after a kill.

    Args:
        axes: what repeats vary.
        console: what `by_console` asks.
        stage_folder: logs go to `logs/` below it, in a folder per run key with a folder per repeat; None keeps none.
    """

    def __init__(
        self,
        engine: Engine,
        runner: TestRunner,
        rules: SwapRules,
        stage_folder: Path | None = None,
        journal: Journal | None = None,
        axes: Sequence[Axis] = (),
        console: Console | None = None,
    ) -> None:
        self._builder = VariantBuilder(engine)
        self._runner = runner
        self._rules = rules
        self._stage_folder = stage_folder
        self._journal = journal
        self._axes = tuple(axes)
        self._console = console
        self._done: dict[str, _Run] = {}
        """Where there is no journal."""

    def run(self, candidate: Candidate, combinations: Iterable[Combination] | None = None) -> list[Execution]:
        """Run each combination once, all applicable ones when none are named.

        A test that cannot be put into the old revision counts as failing: outcome `compile_error_in_method`, with the
        reason as message (switch `swap.missing_old_file`). One that cannot be written in the encoding of the other
        revision is not judged: outcome `infrastructure`, with the reason `encodings_differ` as message.
        """
        return [
            self._execute(candidate, combination, range(1))
            for combination in (candidate.combinations if combinations is None else combinations)
        ]

    def repeat(self, candidate: Candidate, executions: Sequence[Execution], repeats: int) -> list[Execution]:
        """The executions with `repeats` runs each, of which all but the first vary the axes (TEB-X15).

        Compile errors are not repeated: they cannot vary.
        """
        return [
            execution
            if execution.outcome.compile_error
            else self._execute(candidate, execution.combination, range(max(repeats, len(execution.outcomes))))
            for execution in executions
        ]

    def by_console(self, candidate: Candidate, executions: Sequence[Execution]) -> list[Execution]:
        """The executions, those of whole revisions with what the console launcher says of tests that pass."""
        if self._console is None:
            return list(executions)
        return [
            execution.model_copy(update={"console_failed": self._fails_in(self._console, candidate, execution)})
            for execution in executions
        ]

    def _fails_in(self, console: Console, candidate: Candidate, execution: Execution) -> bool:
        variant = variant_for(candidate, execution.combination, self._rules)
        if variant.swap != "none" or execution.outcome is not Outcome.PASSED:
            return False

        def asked() -> _Run:
            tree = self._builder.build(variant).tree
            passes = tree is not None and console.passes(tree, variant.test)
            return _Run(outcome=Outcome.PASSED if passes else Outcome.EXCEPTION)

        key = content_key("console", console.key, variant.key, str(variant.test))
        return self._once(f"{key}:{variant.base.jdk.version}", asked).outcome is not Outcome.PASSED

    def _execute(self, candidate: Candidate, combination: Combination, numbers: range) -> Execution:
        variant = variant_for(candidate, combination, self._rules)
        confirms = self._rules.time_outs == "confirm" and variant.swap != "none"
        key = content_key(
            "run with time-outs confirmed" if confirms else "run",
            self._runner.key,
            variant.key,
            str(variant.test),
            variant.impossible or variant.unwritable or "",
            variant.path,
            str(variant.span),
        )
        runs: list[_Run] = []
        for number in numbers:
            confirmed = bool(runs) and runs[0].outcome is Outcome.TIMED_OUT
            variation = Variation(self._axes, number)
            runs.append(self._run(variant, key, variation, 2 if confirms and not confirmed else 1))
        failing = next((run for run in runs if run.outcome is not Outcome.PASSED), runs[0])
        logs = self._stage_folder is not None and any(run.ran for run in runs)
        return Execution(
            repository=candidate.new_tree.checkout.repository,
            old_revision=candidate.old_tree.checkout.revision,
            new_revision=candidate.new_tree.checkout.revision,
            test=candidate.test,
            combination=combination,
            swap=variant.swap,
            old_tree=variant.old_tree,
            outcomes=tuple(run.outcome for run in runs),
            exception=shortened(failing.exception),
            message=shortened(failing.message),
            diagnostics=failing.diagnostics,
            logs=_log_folder(key) if logs else None,
            varied=self._axes if len(runs) > 1 else (),
            output_lost=any(run.output_lost for run in runs),
        )

    def _run(self, variant: Variant, key: str, variation: Variation, times_limit: int) -> _Run:
        """One run; what passes its limit may be run again with so many times the limit."""

        def done() -> _Run:
            return self._build_and_run(variant, key, variation, times_limit)

        return self._once(f"{key}:{variant.base.jdk.version}:{variation.key}", done)

    def _once(self, name: str, done: Callable[[], _Run]) -> _Run:
        """What `done` says, also where it has been asked before."""
        if self._journal is not None:
            return self._journal.remembered(name, _Run, done)
        if name not in self._done:
            self._done[name] = done()
        return self._done[name]

    def _build_and_run(self, variant: Variant, key: str, variation: Variation, times_limit: int) -> _Run:
        if variant.impossible is not None:
            return _Run(outcome=Outcome.COMPILE_ERROR_IN_METHOD, message=variant.impossible, ran=False)
        if variant.unwritable is not None:
            return _Run(outcome=Outcome.INFRASTRUCTURE, message=variant.unwritable, ran=False)
        result = self._builder.build(variant)
        if result.tree is None:
            return _not_built(build_failure(result, variant.path, variant.span))
        logs = self._stage_folder / _log_folder(key) / str(variation.number) if self._stage_folder is not None else None
        run = self._runner.run_method(result.tree, variant.test, logs, variation)
        if run.outcome is Outcome.TIMED_OUT and times_limit > 1:
            run = self._runner.run_method(result.tree, variant.test, logs, variation, times_limit)
        return _Run(outcome=run.outcome, exception=run.exception, message=run.message, output_lost=run.output_lost)


def _not_built(failure: BuildFailure) -> _Run:
    return _Run(outcome=failure.outcome, message=failure.message, diagnostics=failure.diagnostics, ran=False)


def _log_folder(key: str) -> str:
    """Spread over sub-folders, because shared file systems dislike large ones."""
    return f"logs/{key[:2]}/{key}"
