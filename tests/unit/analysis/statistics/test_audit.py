"""Failures that do not depend on the system."""

from datetime import date
from itertools import combinations, product

import pytest
from grading_factories import result

from testevo.analysis.statistics.audit import (
    agreement_bounds,
    dominance,
    grouped,
    influences,
    items,
    shared_by_all,
    suspects,
    without_repository,
)
from testevo.records.tasks import Track

SYSTEMS = ("weak", "middle", "strong")


def row(task_id: str, *successes: float, **more) -> list:
    return [result(task_id, value, system=name, **more) for name, value in zip(SYSTEMS, successes, strict=True)]


def test_tasks_that_all_fail_or_pass_are_counted_per_repository_and_month() -> None:
    results = [
        *row("a", 0, 0, 0, repository="o/bad", day=date(2016, 12, 18)),
        *row("b", 0, 0, 0, repository="o/bad", day=date(2016, 12, 25)),
        *row("c", 1, 1, 1, repository="o/good", day=date(2020, 1, 1)),
        *row("d", 0, 0, 1, repository="o/good", day=date(2020, 1, 1)),
    ]
    found = items(results)
    by_repository = {one.name: (one.tasks, one.all_fail, one.all_pass) for one in grouped(found, "repository")}
    assert by_repository == {"o/bad": (2, 2, 0), "o/good": (2, 0, 1)}
    assert [one.name for one in grouped(found, "month")] == ["2016-12", "2020-01"]


def test_a_partial_success_is_neither_all_fail_nor_all_pass() -> None:
    one = items(row("a", 0.5, 0, 1))[0]
    assert (one.all_fail, one.all_pass, one.passing, one.failing) == (False, False, 1, 1)


def test_a_task_tells_strong_from_weak_systems() -> None:
    """Discrimination against the success on other repositories: right way, wrong way, and not at all."""
    results = [
        *row("r1", 0, 0, 1, repository="o/x"),
        *row("r2", 0, 1, 1, repository="o/y"),
        *row("r3", 0, 0.5, 1, repository="o/z"),
        *row("wrong", 1, 0.5, 0, repository="o/w"),
        *row("same", 1, 1, 1, repository="o/v"),
    ]
    found = {one.task_id: one.discrimination for one in items(results)}
    assert found["r3"] > 0.5
    assert found["wrong"] == pytest.approx(-0.98, abs=0.03)
    assert found["same"] is None


def test_two_systems_are_too_few_to_correlate() -> None:
    results = [
        result(name, success, system=system, repository=f"o/{name}")
        for name in ("a", "b")
        for system, success in (("x", 1.0), ("y", 0.0))
    ]
    assert [one.discrimination for one in items(results)] == [None, None]


def test_a_task_that_some_system_was_not_graded_on_is_out() -> None:
    assert [one.task_id for one in items([*row("a", 1, 1, 1), result("b", 0.0, system="weak")])] == ["a"]


def test_suspects_come_with_their_reasons() -> None:
    """All fail alike, gold fails, trivial succeeds, and a system beats gold."""
    same = ("ATest#adds: exec_fail, exception, java.lang.IllegalStateException",)
    results = [
        *row("broken", 0, 0, 0, reasons=same),
        *row("odd", 1, 0, 0),
        *row("loose", 1, 1, 1),
        *row("fine", 0, 1, 1),
    ]
    gold = [result(name, float(name not in ("odd",)), system="gold") for name in ("broken", "odd", "loose", "fine")]
    trivial = [result("loose", 1.0, system="trivial"), result("fine", 0.0, system="trivial")]
    found = {one.task_id: one.reasons for one in suspects(results, gold=gold, trivial=trivial)}
    assert found["broken"] == (
        "all 3 systems fail",
        "they fail alike: exec_fail, exception, java.lang.IllegalStateException",
    )
    assert found["odd"][-2:] == (
        "the developer's own test does not reach full success",
        "a system succeeds where the developer's test does not",
    )
    assert found["loose"] == ("a test that asserts nothing succeeds",)
    assert "fine" not in found


@pytest.mark.parametrize(
    ("counts", "tasks", "bounds"),
    [((3, 3), 3, (3, 3)), ((2, 2), 3, (1, 2)), ((1, 1), 3, (0, 1)), ((2, 3, 3), 3, (2, 2)), ((0, 3), 3, (0, 0))],
)
def test_what_all_share_has_sharp_bounds(counts: tuple, tasks: int, bounds: tuple) -> None:
    """Held against all ways to choose the subsets."""
    ways = [
        len(set.intersection(*map(set, chosen)))
        for chosen in product(*(combinations(range(tasks), count) for count in counts))
    ]
    assert shared_by_all(counts, tasks) == bounds == (min(ways), max(ways))


def test_bounds_without_task_ids_add_up_over_the_days_of_a_repository() -> None:
    """Rows of a day cannot be matched across systems: two of three fail for each system, so at least one for both."""
    results = [
        result(f"{day} {n}", float(n == 0), system=system, repository="o/r", pair=f"o/r {day}")
        for system in ("x", "y")
        for day in ("d1", "d2")
        for n in range(3 if day == "d1" else 1)
    ]
    one = agreement_bounds(results)[0]
    assert (one.tasks, one.fail_at_least, one.fail_at_most) == (4, 1, 2)
    assert (one.pass_at_least, one.pass_at_most) == (1, 2)


def failing(tasks: int, repository: str, rate: float) -> list:
    return [result(f"{repository} {n}", 1 - rate, repository=repository, exec_fail=rate) for n in range(tasks)]


def test_the_repository_behind_a_failure_rate_is_found_by_itself() -> None:
    """One of ten repositories fails always, the others almost never."""
    results = [one for n in range(9) for one in failing(10, f"o/{n}", 0.01)] + failing(20, "o/heavy", 1.0)
    found = dominance(results, "exec_fail")
    assert (found.repository, found.tasks, found.rate_inside) == ("o/heavy", 20, 1.0)
    assert found.rate_share == pytest.approx(20 / 20.9)
    assert found.by_system[0].with_it == pytest.approx(20.9 / 110)
    assert found.by_system[0].without_it == pytest.approx(0.01)


def test_a_rate_that_is_spread_is_dominated_by_none() -> None:
    assert dominance([one for n in range(5) for one in failing(10, f"o/{n}", 0.3)], "exec_fail") is None


def test_a_repository_that_holds_most_tasks_does_not_dominate_by_size_alone() -> None:
    results = failing(80, "o/large", 0.3) + failing(20, "o/small", 0.3)
    assert dominance(results, "exec_fail") is None


def test_no_failure_is_dominated_by_none() -> None:
    assert dominance(failing(3, "o/r", 0.0), "exec_fail") is None


def test_each_repository_is_left_out_in_turn_the_most_moving_first() -> None:
    results = failing(10, "o/a", 0.1) + failing(10, "o/b", 0.9)
    found = influences(results, "success")
    assert [(one.repository, one.with_it, one.without_it) for one in found] == [
        ("o/a", pytest.approx(0.5), pytest.approx(0.1)),
        ("o/b", pytest.approx(0.5), pytest.approx(0.9)),
    ]


def test_leaving_out_the_only_repository_leaves_nothing() -> None:
    assert without_repository(failing(2, "o/a", 0.5), "o/a", "success") is None


def test_tracks_are_never_mixed() -> None:
    results = [result("a", 1.0, system="x"), result("a", 0.0, system="x", track=Track.GENERATION)]
    assert [(one.track, one.success) for one in items(results)] == [(Track.GENERATION, 0.0), (Track.UPDATE, 1.0)]
