"""Windows by date and the half-years of the figures (TEB-R02, R04, K08)."""

from datetime import date

import pytest
from grading_factories import result

from testevo.analysis.reporting.dataset_tables import tasks_by_half_year
from testevo.analysis.statistics.windows import around_cutoffs, every_half_year, half_year, over_time
from testevo.config.model import Analysis
from testevo.config.model_cutoffs import ModelCutoff
from testevo.records.tasks import Track


@pytest.mark.parametrize(
    ("day", "window"),
    [
        (date(2014, 12, 31), "Older"),
        (date(2015, 1, 1), "2015.H1"),
        (date(2016, 6, 30), "2016.H1"),
        (date(2016, 7, 1), "2016.H2"),
    ],
)
def test_half_years_and_what_is_older(day: date, window: str) -> None:
    assert half_year(day) == window


def test_a_window_with_few_methods_shows_no_rate_but_its_size() -> None:
    """TEB-R04: fewer than 20 methods, not tasks."""
    results = [
        *(result(f"a{n}", 1.0, methods=5, day=date(2020, 1, 1)) for n in range(4)),
        *(result(f"b{n}", 1.0, methods=1, day=date(2021, 1, 1)) for n in range(19)),
    ]
    points = over_time(results)
    assert [(p.window, p.methods, p.value) for p in points] == [("2020.H1", 20, 1.0), ("2021.H1", 19, None)]


def test_older_comes_first_and_the_threshold_can_change() -> None:
    results = [result("a", 1.0, day=date(2020, 1, 1)), result("b", 0.0, day=date(2001, 1, 1))]
    assert [(p.window, p.value) for p in over_time(results, settings=Analysis(least_methods=1))] == [
        ("Older", 0.0),
        ("2020.H1", 1.0),
    ]


def test_half_years_without_tasks_are_shown_too() -> None:
    assert every_half_year(["2016.H2", "Older", "2015.H2"]) == ["Older", "2015.H2", "2016.H1", "2016.H2"]
    counts = tasks_by_half_year([(Track.UPDATE, date(2015, 8, 1)), (Track.UPDATE, date(2016, 8, 1))])
    assert [(window, count) for window, track, count in counts if track is Track.UPDATE] == [
        ("2015.H2", 1),
        ("2016.H1", 0),
        ("2016.H2", 1),
    ]


def test_each_side_of_a_cutoff_has_its_rate_and_models_of_one_cutoff_share_a_row() -> None:
    def cutoff(model: str, day: str) -> ModelCutoff:
        return ModelCutoff(model=model, cutoff=day, states="s", source="https://h.example", read=date(2026, 1, 1))

    results = [
        *(result(f"a{n}", 1.0, methods=10, day=date(2025, 1, 31)) for n in range(2)),
        result("b", 0.0, methods=20, day=date(2025, 2, 1)),
    ]
    points = around_cutoffs(
        results, "success", [cutoff("m", "2025-01"), cutoff("n", "2025-01"), cutoff("o", "2026-01")]
    )
    assert [(one.models, one.tasks_before, one.before, one.tasks_after, one.after) for one in points] == [
        (("m", "n"), 2, 1.0, 1, 0.0),
        (("o",), 3, 2 / 3, 0, None),
    ]
