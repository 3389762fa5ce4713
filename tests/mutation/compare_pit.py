"""Our mutation scores of developers' tests of a mined snapshot against PIT's: `python -m tests.mutation.compare_pit`.

Prints both scores of every test method that has both, then the agreement over tasks, as the table of a grading run has
it. For snapshots that were mined without mutants; where tests are graded, set `evaluation.second_opinion: pit` instead.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from testevo.analysis.statistics.second_opinions import Pair, agreement
from testevo.config.load import load_config, merge, read_yaml
from testevo.config.model import Config
from testevo.grading.mutation.mutant_runs import MutantRunner
from testevo.grading.mutation.mutants import make_mutants
from testevo.grading.mutation.mutation_lines import MutationLines
from testevo.grading.mutation.mutation_score import mutation_score
from testevo.grading.pit.pit_runs import PitRunner
from testevo.records.base import read_records
from testevo.records.repository import Repository
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace
from tests.mutation.compare_mutation import tasks_of


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.compare_pit", description=__doc__)
    parser.add_argument("--configuration", type=Path, required=True, help="of a mined snapshot")
    parser.add_argument("--per-repository", type=int, default=10, help="at most so many tasks of one repository")
    parser.add_argument("--per-task", type=int, default=2, help="at most so many test methods of one task")
    options = parser.parse_args()
    config = load_config(merge({"execution": {"sandbox": "none"}}, read_yaml(options.configuration)))
    root = Path(config.results) / config.snapshot
    pairs: list[Pair] = []
    silent: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="testevo-pit-") as scratch:
        for place in sorted(root.glob("package/*/tasks.jsonl")):
            slug = place.parent.name
            repository = read_records(root / "clone" / slug / "repository.jsonl", Repository)[0]
            bundle, work = root / "clone" / slug / "history.bundle", Path(scratch, slug)
            with Workspace(repository, bundle, config, work / "work") as workspace:
                found = compared(workspace, config, work, list(tasks_of(place)), options.per_task, silent)
                for _, pair in zip(range(options.per_repository), found, strict=False):
                    pairs.append(pair)
    print(agreement(pairs))
    print(f"not compared, by reason: {dict(silent)}")


def compared(
    workspace: Workspace, config: Config, work: Path, tasks: list[Task], per_task: int, silent: Counter[str]
) -> Iterator[Pair]:
    """Both scores of every task that has both, one after the other.

    Args:
        silent: counts why test methods have not.
    """
    ours, pit = MutantRunner.of(config, work / "mutants"), PitRunner(config, work / "pit")
    for whole in tasks:
        if workspace.build(whole.new_revision).tree is None:
            continue
        task = whole.model_copy(update={"tests": whole.tests[:per_task]})
        made = make_mutants(task, workspace)
        tree = workspace.built(task.new_revision)
        lines = MutationLines(task, workspace, config.evaluation.mutation.lines)
        by_name = {mutant.mutant: mutant for mutant in made.mutants}
        both = []
        for evidence in task.tests:
            kill_set = [by_name[name] for name in made.kill_sets[evidence.test]]
            runs = ours.run(tree, evidence.test, kill_set, made.classes) if kill_set else []
            score = mutation_score(runs, kill_set)
            opinion = pit.run(tree, evidence.test, evidence.dependencies, lines.of(evidence.dependencies))
            if score.paper is None or opinion.score is None:
                silent[f"ours: {'mutants' if kill_set else 'none'}, PIT: {opinion.undefined or 'mutants'}"] += 1
                continue
            both.append((score.paper, opinion.score))
            print(
                f"{task.task_id} {evidence.test.short}: ours {score.killed}/{score.mutants}, "
                f"PIT {opinion.detected}/{len(opinion.mutations)}",
                flush=True,
            )
        if both:
            yield Pair(fmean(one for one, _ in both), fmean(one for _, one in both))


if __name__ == "__main__":
    main()
