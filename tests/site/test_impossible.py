"""Results that cannot be: none are made up for the site, and one that is there is found."""

from pathlib import Path

import pytest
from built_site import Built

from testevo.grading.dataset.voided_results import PossibleResults, void_impossible
from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.records.base import read_records
from testevo.records.evaluation.grading import Grade, GradedTask
from testevo.records.tasks import Track
from tests.site.synthetic_dataset import write_dataset

WHY = "the score contradicts the runs of the mutants"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("impossible"), tasks=6, systems=2)


def graded_of(dataset: Path) -> list[GradedTask]:
    return list(read_records(dataset.parent / "graded.jsonl", GradedTask))


def held(dataset: Path, graded: list[GradedTask]) -> PossibleResults:
    opened = open_dataset(dataset)
    return void_impossible(opened, graded, opened.tasks)


def contradicted(graded: list[GradedTask]) -> tuple[list[GradedTask], GradedTask]:
    """The results with the first success of a system contradicted by its own runs; and which one that is."""
    odd = next(one for one in graded if one.system != "gold" and one.methods[0].grade is Grade.SUCCESS)
    [method] = odd.methods
    runs = tuple(run.model_copy(update={"fate": method.mutant_runs[0].fate}) for run in method.mutant_runs)
    changed = odd.model_copy(update={"methods": (method.model_copy(update={"mutant_runs": runs}),)})
    return [changed if one is odd else one for one in graded], changed


def test_made_up_results_hold_together(built: Built) -> None:
    graded = graded_of(built.dataset)
    found = held(built.dataset, graded)
    assert (found.impossible, found.graded) == ((), graded)
    assert {one.track for one in graded} == set(Track) and {one.system for one in graded} > {"gold"}


def test_made_up_systems_with_one_edit_have_one_result(built: Built) -> None:
    """Grades of equal edits are compared, so there are some to compare."""
    by_key: dict[str, list[GradedTask]] = {}
    for one in graded_of(built.dataset):
        by_key.setdefault(one.key, []).append(one)
    assert any(len(same) > 1 for same in by_key.values())
    for first, *others in by_key.values():
        for other in others:
            assert (other.task_id, other.track, other.edit) == (first.task_id, first.track, first.edit)
            assert other.methods == first.methods


def test_the_developers_tests_reach_what_the_dataset_says_of_them(built: Built) -> None:
    tasks = {(task.task_id, task.track): task for task in open_dataset(built.dataset).tasks}
    for one in (one for one in graded_of(built.dataset) if one.system == "gold"):
        [method], [evidence] = one.methods, tasks[one.task_id, one.track].tests
        assert (method.coverage, method.mutation) == (evidence.gold_coverage, evidence.gold_mutation)
        assert method.new_run is evidence.outcomes["new_test_new_code"]
        assert method.old_run is evidence.outcomes.get("new_test_old_code")


def test_a_contradicted_result_is_found(dataset: Path) -> None:
    graded, odd = contradicted(graded_of(dataset))
    assert [(one.system, one.task_id, one.text) for one in held(dataset, graded).impossible] == [
        (odd.system, odd.task_id, f"{odd.methods[0].test.short}: {WHY}")
    ]
