"""Mutation of one test method, from the source to the verdicts: ours against the way of the paper.

The reference is that of the differential tests: the command `mutate` with one javac for each mutant, then one javac and
one JVM with the console launcher for each mutant of the kill set. Both must kill the same mutants in every turn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testevo.config.load import load_config
from testevo.grading.mutation.mutant_runs import MutantRunner, TimeLimit
from testevo.grading.mutation.mutants import make_mutants
from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.runtime.files.project import PROJECT
from tests.bench.grading import WORLD, task_of, workspace_of
from tests.bench.ratios import Comparison
from tests.mutation.naive_mutation import NaiveMutation, naive_fates

NAME = "mutants of one test method, made and run"
AT_LEAST = 15.0

Killed = dict[tuple[str, int, str], bool]
"""By path, line and mutated text."""


@contextmanager
def comparisons(folder: Path) -> Iterator[list[Comparison]]:
    """The one comparison of mutation; what it started ends with the block."""
    config = load_config({"sources": {"worlds": [WORLD]}, "build": {"cache": str(PROJECT / "results" / "cache")}})
    rules = config.evaluation.mutation
    with workspace_of(config, folder) as workspace:
        task = task_of(workspace, folder)
        test = task.tests[0].test
        tree = workspace.built(task.new_revision)
        lines = MutationLines(task, workspace, rules.lines)
        wanted = lines.of(task.tests[0].dependencies)
        limit = TimeLimit(rules.factor, rules.extra_seconds, config.execution.method_seconds)
        found: dict[int, Killed] = {}

        def by_us(turn: int) -> None:
            made = make_mutants(task, workspace)
            by_name = {one.mutant: one for one in made.mutants}
            kill_set = [by_name[name] for name in made.kill_sets[test]]
            runs = MutantRunner.of(workspace.config, folder / "runs").run(tree, test, kill_set, made.classes)
            ours: Killed = {}
            for run in runs:
                mutant = by_name[run.mutant]
                ours[mutant.path, mutant.first_line, mutant.mutated] = run.fate.killed
            assert ours and ours == found[turn]

        def by_reference(turn: int) -> None:
            scratch = folder / f"naive-{turn}"
            scratch.mkdir()
            naive = NaiveMutation(task, workspace, scratch, limit)
            fates = naive_fates(
                naive, test, wanted, lines.sources, most=rules.per_file, seed=rules.seed, known={}, union=wanted
            )
            found[turn] = {(path, one.line, one.mutated): killed for (path, one), killed in fates.items()}

        yield [Comparison(NAME, by_reference, by_us, AT_LEAST)]
