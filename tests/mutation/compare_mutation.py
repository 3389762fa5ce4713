"""Mutation of the tasks of mined repositories against the naive way: `python -m tests.mutation.compare_mutation`.

Prints every test method with its `paper` score and the verdict on each mutant by both, and writes the ratio of times as
the bench does. The exit status is 1 when they differ on any mutant.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.config.load import load_config, merge, read_yaml
from testevo.config.model import Config
from testevo.grading.mutation.mutant_generation import Candidate, generate
from testevo.grading.mutation.mutant_runs import MutantRunner, TimeLimit
from testevo.grading.mutation.mutants import make_mutants
from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.grading.mutation.mutation_score import mutation_score
from testevo.records.base import read_records
from testevo.records.evidence.mutants import Mutant
from testevo.records.repository import Repository
from testevo.records.tasks import Task, TestEvidence
from testevo.revisions.workspace import Workspace
from testevo.runtime.files.files import write_atomically
from testevo.runtime.files.project import PROJECT
from tests.mutation.naive_mutation import NaiveMutation, naive_fates

AT_LEAST = 15.0


@dataclass
class Totals:
    """Sums over all test methods that have mutants."""

    methods: int = 0
    mutants: int = 0
    differ: int = 0
    making: float = 0.0
    running: float = 0.0
    naive_making: float = 0.0
    naive_running: float = 0.0

    @property
    def ratio(self) -> float:
        return (self.naive_making + self.naive_running) / (self.making + self.running)

    @property
    def running_ratio(self) -> float:
        return self.naive_running / self.running

    def __str__(self) -> str:
        return (
            f"{self.methods} test methods, {self.mutants} runs of mutants, {self.differ} differ; made in "
            f"{self.making:.1f} s against {self.naive_making:.1f} s, run in {self.running:.1f} s against "
            f"{self.naive_running:.1f} s: {self.ratio:.1f} times in all, {self.running_ratio:.1f} times for the "
            f"runs"
        )

    def record(self) -> dict[str, str | float]:
        return {
            "name": "mutation of a test method",
            "at_least": AT_LEAST,
            "ratio": round(self.ratio, 2),
            "ratio_of_runs": round(self.running_ratio, 2),
            "methods": self.methods,
            "mutants": self.mutants,
            "differ": self.differ,
        }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.compare_mutation", description=__doc__)
    parser.add_argument("--configuration", type=Path, required=True, help="of a mined snapshot")
    parser.add_argument("--repositories", nargs="*", default=[], help="their slugs; all of the snapshot when none")
    parser.add_argument("--methods", type=int, default=30, help="how many test methods with mutants are compared")
    parser.add_argument("--per-repository", type=int, default=12, help="at most so many of one repository")
    parser.add_argument("--per-task", type=int, default=4, help="at most so many of one task")
    parser.add_argument(
        "--most-emitted",
        type=int,
        default=60,
        help="leave out test methods with more mutants: the naive way takes a second for each",
    )
    parser.add_argument("--most-run", type=int, default=10, help="leave out test methods with larger kill sets")
    parser.add_argument(
        "--runs-only", action="store_true", help="take the kill sets as they are, and compare the runs alone"
    )
    parser.add_argument("--output", type=Path, default=PROJECT / "results" / "bench" / "mutation.json")
    options = parser.parse_args()
    config = load_config(merge({"execution": {"sandbox": "none"}}, read_yaml(options.configuration)))
    root = Path(config.results) / config.snapshot
    slugs = options.repositories or sorted(place.parent.name for place in root.glob("package/*/tasks.jsonl"))
    totals = Totals()
    with tempfile.TemporaryDirectory(prefix="testevo-mutation-") as scratch:
        for slug in slugs:
            most = min(options.per_repository, options.methods - totals.methods)
            if most > 0:
                chosen = Choice(most, options.per_task, options.most_emitted, options.most_run, options.runs_only)
                compare_repository(root, slug, config, Path(scratch, slug), chosen, totals)
    print(totals)
    write_atomically(options.output, (json.dumps([totals.record()], indent=1) + "\n").encode())
    return 1 if totals.differ else 0


@dataclass(frozen=True)
class Choice:
    """Which test methods of a repository are compared."""

    most: int
    per_task: int
    most_emitted: int
    most_run: int
    runs_only: bool


def compare_repository(root: Path, slug: str, config: Config, scratch: Path, choice: Choice, totals: Totals) -> None:
    """Compare some test methods of one repository."""
    (scratch / "naive").mkdir(parents=True)
    repository = read_records(root / "clone" / slug / "repository.jsonl", Repository)[0]
    with Workspace(repository, root / "clone" / slug / "history.bundle", config, scratch / "work") as workspace:
        before = totals.methods
        for task in tasks_of(root / "package" / slug / "tasks.jsonl"):
            left = choice.most - (totals.methods - before)
            if left > 0 and workspace.build(task.new_revision).tree is not None:
                found = emitted_at_most(task, workspace, choice.most_emitted)[: min(left, choice.per_task)]
                if found:
                    compare_task(task.model_copy(update={"tests": tuple(found)}), workspace, scratch, choice, totals)


def emitted_at_most(task: Task, workspace: Workspace, most: int) -> list[TestEvidence]:
    """Test methods with some mutants before compilation, and not too many."""
    found = MutationLines(task, workspace, workspace.config.evaluation.mutation.lines)
    kept = []
    for evidence in task.tests:
        by_path = found.of(evidence.dependencies)
        emitted = sum(len(generate(found.sources[path], lines).candidates) for path, lines in by_path.items())
        kept += [evidence] if 0 < emitted <= most else []
    return kept


def compare_task(task: Task, workspace: Workspace, scratch: Path, choice: Choice, totals: Totals) -> None:
    config, rules = workspace.config, workspace.config.evaluation.mutation
    workspace.built(task.new_revision)
    started = time.monotonic()
    made = make_mutants(task, workspace)
    totals.making += time.monotonic() - started
    if not made.mutants:
        return
    tree = workspace.built(task.new_revision)
    limit = TimeLimit(rules.factor, rules.extra_seconds, config.execution.method_seconds)
    naive = NaiveMutation(task, workspace, scratch / "naive", limit)
    lines = MutationLines(task, workspace, rules.lines)
    union = lines.of([dependency for evidence in task.tests for dependency in evidence.dependencies])
    by_name = {mutant.mutant: mutant for mutant in made.mutants}
    known: dict[str, list[Candidate]] = kill_set_of(made.mutants, lines.sources, union) if choice.runs_only else {}
    for evidence in task.tests:
        kill_set = [by_name[name] for name in made.kill_sets[evidence.test]]
        if not 0 < len(kill_set) <= choice.most_run:
            continue
        started = time.monotonic()
        runs = MutantRunner.of(config, scratch / "runs").run(tree, evidence.test, kill_set, made.classes)
        totals.running += time.monotonic() - started
        fast = {place_of(by_name[run.mutant]): run for run in runs}
        slow = naive_fates(
            naive,
            evidence.test,
            lines.of(evidence.dependencies),
            lines.sources,
            most=rules.per_file,
            seed=rules.seed,
            known=known,
            union=union,
        )
        expected = {(path, one.line, one.mutated): killed for (path, one), killed in slow.items()}
        assert set(fast) == set(expected), f"{evidence.test}: other mutants"
        differing = [place for place, killed in expected.items() if fast[place].fate.killed is not killed]
        totals.methods += 1
        totals.mutants += len(runs)
        totals.differ += len(differing)
        marks = "".join("y" if fast[place].fate.killed else "n" for place in sorted(expected))
        others = "".join("y" if expected[place] else "n" for place in sorted(expected))
        score = mutation_score(runs, kill_set).paper
        print(
            f"{task.task_id} {evidence.test.short}: paper {score:.2f}, ours {marks}, naive {others}"
            + "".join(f"\n  differs ({fast[place].fate}): {place}" for place in differing),
            flush=True,
        )
    totals.naive_making += naive.seconds["generate"]
    totals.naive_running += naive.seconds["run"]


def kill_set_of(
    mutants: Sequence[Mutant], sources: Mapping[str, bytes], union: Mapping[str, frozenset[int]]
) -> dict[str, list[Candidate]]:
    """The mutants of a task as candidates, by file."""
    places = set(map(place_of, mutants))
    return {
        path: [one for one in generate(sources[path], lines).candidates if (path, one.line, one.mutated) in places]
        for path, lines in union.items()
    }


def place_of(mutant: Mutant) -> tuple[str, int, str]:
    return mutant.path, mutant.first_line, mutant.mutated


def tasks_of(path: Path) -> Iterator[Task]:
    """The tasks of a snapshot, one mined by an older version included: what it knows of measurements is left out."""
    known = set(TestEvidence.model_fields)
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        fields["tests"] = [{name: test[name] for name in test if name in known} for test in fields["tests"]]
        yield Task.model_validate(fields)


if __name__ == "__main__":
    sys.exit(main())
