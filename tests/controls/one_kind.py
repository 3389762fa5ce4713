"""Submit one kind of hostile or hollow test to every task of a dataset: a file of predictions for each kind named.

    python -m tests.controls.one_kind DATASET OUTPUT universal replay disguised hollow recogniser

The controls `trivial` and `sabotage` give each target method one kind alone. These files are graded like those of any
system (`testevo evaluate --predictions`), which shows a kind on all tasks (docs/controls.md).
"""

import argparse
import json
from pathlib import Path

from testevo.grading.dataset.dataset_histories import DatasetHistories
from testevo.packaging.start_states.controls import with_bodies
from testevo.packaging.start_states.minimal_tests import BODIES, minimal_file
from testevo.packaging.start_states.sabotage import SabotageKind, sabotage_body
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.tasks import Task

KINDS = (*(kind.value for kind in SabotageKind), *BODIES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("output", type=Path, help="folder of the files, <kind>.jsonl")
    parser.add_argument("kinds", nargs="+", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
    options = parser.parse_args()
    for kind in options.kinds:
        write_submissions(options.dataset, kind, options.output / f"{kind}.jsonl")


def write_submissions(dataset: Path, kind: str, file: Path) -> None:
    """Write what a system of this kind submits for each task, as predictions of whole files."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with DatasetHistories(dataset) as histories, file.open("w") as lines:
        for task in histories.tasks:
            content = submitted(kind, task, histories.target_of(task)).decode()
            line = {"instance_id": task.task_id, "model_name_or_path": kind, "files": {task.test_file: content}}
            lines.write(f"{json.dumps(line)}\n")


def submitted(kind: str, task: Task, target: TargetFile) -> bytes:
    """The whole test file, with target methods of this kind."""
    if kind in BODIES:
        return minimal_file(task, target.gold, [kind]).encode()
    tests = [evidence.test for evidence in task.tests]
    bodies = [sabotage_body(SabotageKind(kind), one.type_name, one.name, task.new_revision) for one in tests]
    return with_bodies(task, target.gold, bodies)


if __name__ == "__main__":
    main()
