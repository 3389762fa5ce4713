"""Fitting the cost model: exact costs are found again, nothing is negative, what cannot be fitted is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from testevo.analysis.planning.cost_fit import fit, fit_linear, mining_seconds
from testevo.analysis.planning.cost_model import MODEL, CostModel, MeasuredOn, model_text, read_model, scaled
from testevo.analysis.planning.grading import grading_plan
from testevo.analysis.planning.work_units import UNITS_OF, MinedRepository, Space, StageCost
from testevo.cli.machines.plan_tables import grading_text
from testevo.runtime.errors import UserError

HERE = MeasuredOn(cores=2, processor="any", jdks=(17,), date="2026-11-21")
UNITS = ("java_megabytes", *dict.fromkeys(unit for units in UNITS_OF.values() for unit in units))
AMOUNTS = np.array([[1.0, 3, 5], [1, 10, 2], [1, 40, 30], [1, 7, 80], [1, 100, 9]])


def mined(name: str, size: float, *, real: bool = True) -> MinedRepository:
    """A repository each stage of which takes 2 s and 1 s for each unit; each unit has its own number."""
    units = {unit: size * (3 + 2 * number % 7) for number, unit in enumerate(UNITS)}
    costs = tuple(
        StageCost(name, stage, 2.0 + sum(units[unit] for unit in names), Space(100, 3))
        for stage, names in UNITS_OF.items()
    )
    return MinedRepository(name, real, units, costs, frozenset({17}))


@settings(deadline=None)
@given(st.tuples(*[st.floats(0.1, 20)] * 3))
def test_exact_linear_costs_are_found_again(truth: tuple[float, float, float]) -> None:
    """Non-negative least squares gives back what the costs were made of, to the digits that are kept."""
    found = fit_linear(AMOUNTS, AMOUNTS @ np.array(truth), ("here", "there"))
    assert [found.fixed, found.per_unit["here"], found.per_unit["there"]] == pytest.approx(truth, rel=0.02, abs=0.05)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1e4), min_size=5, max_size=5))
def test_no_coefficient_is_negative(costs: list[float]) -> None:
    """No unit of work saves time, whatever was measured."""
    found = fit_linear(AMOUNTS, np.array(costs), ("here", "there"))
    assert found.fixed >= 0 and min(found.per_unit.values()) >= 0


def test_one_repository_that_is_far_off_moves_the_fit_little() -> None:
    """One of eight takes ten times as long; the others are still met within a fifth."""
    sizes = np.array([1.0, 2, 3, 4, 5, 6, 7, 8]) * 10
    costs = 3 * sizes
    costs[3] *= 10
    found = fit_linear(np.column_stack([np.ones(8), sizes]), costs, ("size",))
    assert found.of({"size": 60.0}) == pytest.approx(180, rel=0.2)


def test_a_model_tells_how_well_it_meets_a_repository_that_it_has_not_seen() -> None:
    """Costs that are the same for all repositories carry over to the one that is left out."""
    repositories = [mined(f"a/r{number}", 1.0 + number) for number in range(5)]
    model = fit(repositories, HERE)
    for one, measured in zip(repositories, model.repositories, strict=True):
        assert measured.seconds == pytest.approx(mining_seconds(one), rel=0.01)
        assert measured.predicted == pytest.approx(measured.seconds, rel=0.02)
    assert model.seconds(repositories[0].units) == pytest.approx(mining_seconds(repositories[0]), rel=0.02)


def test_systems_that_cost_little_do_not_hide_those_that_cost_much() -> None:
    """Of eleven systems nine end at once; the plan of one system is the mean of all, as measured."""
    repositories = []
    for number in range(6):
        one = mined(f"a/r{number}", 1.0 + number)
        [cost] = [each for each in one.costs if each.stage == "evaluate"]
        others = tuple(replace(cost, seconds=0.1) for _ in range(9))
        repositories.append(replace(one, costs=(*one.costs, replace(cost, seconds=10 * cost.seconds), *others)))
    for measured in fit(repositories, HERE).graded:
        assert measured.systems == 11
        assert measured.predicted == pytest.approx(measured.seconds, rel=0.02)


def test_grading_is_planned_with_the_error_of_repositories_that_were_left_out() -> None:
    """Costs that are the same everywhere: 2 s a job and 1 s for each task and mutant."""
    model = fit([mined(f"a/r{number}", 1.0 + number) for number in range(6)], HERE)
    assert len(model.graded) == 6
    found = grading_plan(model, 1200, 4)
    like = model.graded[0].units
    assert found.mutants == pytest.approx(like["mutants"] / like["tasks"])
    per_repository = sum(one.units["tasks"] for one in model.graded) / 6
    assert found.repositories == -(-1200 // per_repository)
    assert found.seconds == pytest.approx(4 * (1200 * (1 + found.mutants) + 2 * found.repositories), rel=0.02)
    assert found.error is not None and abs(found.error) < 0.02
    assert found.largest_error is not None and abs(found.largest_error) < 0.05


def test_without_graded_repositories_the_error_is_not_known() -> None:
    model = fit([mined("a/one", 2), mined("a/two", 3)], HERE).model_copy(update={"graded": ()})
    found = grading_plan(model, 10, 1)
    assert (found.error, found.largest_error, found.graded) == (None, None, 0)
    assert "The error is not known" in grading_text(found, model)
    with pytest.raises(UserError, match="knows no grading"):
        grading_plan(model.model_copy(update={"stages": {}}), 10, 1)


def test_embedded_histories_inform_the_fit_and_are_no_pattern() -> None:
    """Plans are made of real repositories only."""
    model = fit([mined("a/b", 1), mined("a/c", 2), mined("worlds/x", 0.1, real=False)], HERE)
    assert [one.name for one in model.repositories] == ["a/b", "a/c"]
    assert model.embedded == 1


def test_space_is_told_for_each_commit_and_grade() -> None:
    """Caches and gradings of several snapshots count by their size."""
    model = fit([mined("a/b", 1), mined("a/c", 2)], HERE, [(Space(100, 10), 4), (Space(20, 2), 2)], [(Space(9, 3), 3)])
    assert (model.cache_bytes_per_commit, model.cache_files_per_commit) == (20, 2)
    assert (model.grading_bytes_per_grade, model.grading_files_per_grade) == (3, 1)


def test_a_few_releases_are_no_pattern_of_a_long_history() -> None:
    """They inform the costs; what is not known is taken to be like a repository that was walked far."""
    model = fit([mined("a/long", 100), mined("a/longer", 200), mined("g/releases", 0.5)], HERE)
    assert [one.name for one in model.patterns] == ["a/long", "a/longer"]
    assert [one.name for one in fit([mined("g/a", 1), mined("g/b", 2)], HERE).patterns] == ["g/a", "g/b"]


def test_one_repository_is_not_enough() -> None:
    """Nothing could be said about another one."""
    with pytest.raises(UserError, match="Only 1 real"):
        fit([mined("a/b", 1), mined("worlds/x", 1, real=False)], HERE)


def test_the_file_of_this_project_is_read_and_written_back_the_same() -> None:
    """Equal models give equal bytes."""
    model = read_model()
    assert model_text(model) == MODEL.read_text(encoding="utf-8")
    assert CostModel.model_validate_json(model_text(model)) == model
    assert set(model.stages) == set(UNITS_OF)


def test_a_longer_walk_has_more_of_everything() -> None:
    """All work units grow with the commits."""
    assert scaled({"commits": 100, "tasks": 7}, 300) == {"commits": 300, "tasks": 21}
