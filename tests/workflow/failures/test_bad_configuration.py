"""Configurations that cannot be run: status 2 and one message, from both commands (requirement 'configuration')."""

from pathlib import Path

import pytest
import yaml
from snapshots import Snapshot, one_message

BAD = {
    "unknown key": ({"sources": {"worlds": ["savings"]}, "presett": "strict"}, "did you mean preset?"),
    "unknown nested key": ({"rules": {"pairs": {"gap_hour": 3}}}, "did you mean gap_hours?"),
    "bad value": ({"execution": {"repeats": 0}}, "execution.repeats = 0"),
    "unknown preset": ({"preset": "strikt"}, "did you mean strict?"),
    "unknown world": ({"sources": {"worlds": ["saving"]}}, "no world saving"),
    "no source": ({"snapshot": "small"}, "names no history"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_configuration_is_one_message(tmp_path: Path, case: str) -> None:
    """Unknown keys with the nearest known one, values out of range, unknown presets and worlds."""
    given, says = BAD[case]
    (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump(given))
    snapshot = Snapshot(tmp_path)
    assert says in one_message(snapshot.run(snapshot.mine()), 2)
    assert not (tmp_path / "results").exists()


def test_snakemake_says_the_same(tmp_path: Path) -> None:
    """Whoever runs Snakemake by hand gets the message without the places in our code, and the status."""
    given, says = BAD["unknown world"]
    (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump(given))
    snapshot = Snapshot(tmp_path)
    assert says in one_message(snapshot.run(snapshot.workflow("--dry-run")), 2)


def test_a_workflow_without_cores_is_refused(tmp_path: Path) -> None:
    """Snakemake would wait for ever."""
    (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump({"sources": {"worlds": ["savings"]}}))
    snapshot = Snapshot(tmp_path)
    said = one_message(snapshot.run(snapshot.workflow(cores=0), seconds=300), 2)
    assert "--cores 0 lets no job run" in said
    assert not (tmp_path / "results").exists()


def test_a_configuration_that_is_no_yaml_is_named(tmp_path: Path) -> None:
    """A file with a syntax error: its path and where."""
    (tmp_path / "snapshot.yaml").write_text("a: [b\n")
    assert "snapshot.yaml is not valid YAML" in one_message(Snapshot(tmp_path).run(Snapshot(tmp_path).mine()), 2)
