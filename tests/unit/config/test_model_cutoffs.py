"""The registry of training cutoffs: each entry has its source, and a month counts to its end (TEB-K08)."""

from datetime import date
from pathlib import Path

import pytest

from testevo.config.model_cutoffs import ModelCutoff, cutoff_of, known_cutoffs, read_cutoffs
from testevo.runtime.errors import ExitStatus, NotFoundError, UsageError


def entry(model: str, cutoff: str, *aliases: str) -> ModelCutoff:
    return ModelCutoff(
        model=model, aliases=aliases, cutoff=cutoff, states="s", source="https://h.example", read=date(2026, 1, 1)
    )


def test_the_models_of_the_paper_are_known_by_their_names_on_the_leaderboard() -> None:
    assert cutoff_of("opus 4.7").model == "Claude Opus 4.7"
    assert cutoff_of("Gemini 3.1 Pro").cutoff == "2025-01"
    assert all(one.last_day < one.read for one in known_cutoffs())


@pytest.mark.parametrize(
    ("cutoff", "first"),
    [("2024-02", date(2024, 3, 1)), ("2025-12", date(2026, 1, 1)), ("2024-05-31", date(2024, 6, 1))],
)
def test_a_month_counts_to_its_end(cutoff: str, first: date) -> None:
    assert entry("m", cutoff).first_day_after == first


def test_an_unknown_model_is_told_the_known_ones() -> None:
    with pytest.raises(NotFoundError, match=r"No training cutoff of 'x' is known. Known ones: m \(2024-02\)") as caught:
        cutoff_of("x", [entry("m", "2024-02")])
    assert caught.value.status is ExitStatus.NOT_FOUND


def test_a_name_for_two_models_is_refused(tmp_path: Path) -> None:
    one = "{model: %s, aliases: [both], cutoff: '2024-02', states: s, source: 'https://h.example', read: 2026-01-01}"
    (tmp_path / "m.yaml").write_text(f"models: [{one % 'a'}, {one % 'b'}]")
    with pytest.raises(UsageError, match="stands for two models"):
        read_cutoffs(tmp_path / "m.yaml")


def test_a_slip_in_the_file_is_named(tmp_path: Path) -> None:
    """Users are asked to add models to it."""
    (tmp_path / "m.yaml").write_text("models: [{model: a, cutof: '2024-02'}]")
    with pytest.raises(UsageError, match=r"m\.yaml: .*cutof"):
        read_cutoffs(tmp_path / "m.yaml")
