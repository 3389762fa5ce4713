"""The cutoff of a single history: asked for, kept, or today; and what the summary says of it."""

from datetime import date
from pathlib import Path

import pytest

from testevo.cli.mining.cutoff import cutoff_line, kept_cutoff, resolved_cutoff
from testevo.cli.mining.mine import adjusted, single
from testevo.cli.mining.workflow import write_given
from testevo.config.load import load_config, read_yaml
from testevo.config.snapshot.layout import Layout

SNAPSHOTS = Path(__file__).resolve().parents[3] / "config" / "snapshots"
FIRST, NEXT = date(2031, 5, 6), date(2031, 5, 7)


def written(tmp_path: Path, until: str | None, today: date) -> str:
    """The cutoff of a run of `testevo mine` on that day, as it leaves it in the snapshot."""
    given = single("some/thing", None, None, None)
    cutoff = resolved_cutoff(until, given, tmp_path, today)
    config = load_config(adjusted(given, None, cutoff, None, None, tmp_path))
    write_given(config, Layout.of(config))
    return config.rules.walk.cutoff


def test_today_is_kept_until_another_day_is_asked_for(tmp_path: Path) -> None:
    """The same command on the next day goes on with the same commits."""
    assert kept_cutoff(Layout(tmp_path / "some+thing")) is None
    assert written(tmp_path, None, FIRST) == "2031-05-06"
    assert written(tmp_path, None, NEXT) == "2031-05-06"
    assert written(tmp_path, "2031-05-07", NEXT) == "2031-05-07"
    assert written(tmp_path, None, FIRST) == "2031-05-07"


def test_the_summary_names_the_cutoff_and_what_lies_after_it(tmp_path: Path) -> None:
    files = [Layout(tmp_path).of_repository(slug) for slug in ("o+r", "o+s", "o+t")]
    assert cutoff_line("2031-05-06", files).endswith("(not counted).")
    for one, after in zip(files, (0, 0, 12), strict=True):
        one.cutoff.parent.mkdir(parents=True)
        one.cutoff.write_text(f'{{"after":{after},"cutoff":"2031-05-06"}}\n')
    assert "no commit lies on or after" in cutoff_line("2031-05-06", files[:2])
    assert "12 commits lie on or after" in cutoff_line("2031-05-06", files)
    assert "not counted" in cutoff_line("2031-05-07", files)


@pytest.mark.parametrize("name", ["demo", "oracle", "sample", "worlds"])
def test_a_configured_snapshot_names_its_cutoff(name: str) -> None:
    """Its bytes depend on no day and on no default."""
    assert read_yaml(SNAPSHOTS / f"{name}.yaml")["rules"]["walk"]["cutoff"] == "2026-01-01"
