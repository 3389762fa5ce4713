"""The configuration: precedence, presets, and messages for what cannot be used."""

from pathlib import Path

import pytest

from testevo.config.load import load_config, read_yaml, rules_for
from testevo.records.repository import SourceKind
from testevo.runtime.errors import UsageError


def test_the_preset_sets_rules_and_the_file_changes_them() -> None:
    config = load_config({"preset": "released", "rules": {"pairs": {"gap_hours": 6}}})
    assert config.rules.swap.test_swap == "method_splice"
    assert config.rules.pairs.join == "code_then_test"
    assert config.rules.pairs.gap_hours == 6


def test_the_two_presets_differ_in_the_switches_of_the_compatibility_rules() -> None:
    strict, released = (load_config({"preset": name}).rules for name in ("strict", "released"))
    assert (strict.walk.order, released.walk.order) == ("first_parent", "committer_date")
    assert (strict.filters.moves, released.filters.moves) == (True, False)
    assert strict.pairs.ancestors_only and not released.pairs.ancestors_only


def test_the_time_gap_does_not_apply_to_releases() -> None:
    config = load_config({})
    assert rules_for(config, SourceKind.RELEASES).pairs.gap_hours is None
    assert rules_for(config, SourceKind.LIST).pairs.gap_hours == 12


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"snapshto": "x"}, ["unknown key snapshto", "did you mean snapshot?"]),
        ({"rules": {"walk": {"limt": 3}}}, ["rules.walk.limt", "did you mean limit?"]),
        ({"sources": {"repositories": [{"name": "a/b", "adress": "x"}]}}, ["adress", "did you mean address?"]),
        ({"solving": {"systems": {"mine": {"modle": "x"}}}}, ["solving.systems.mine.modle", "did you mean model?"]),
        ({"preset": "strit"}, ["'strit' does not exist", "did you mean strict?"]),
        ({"rules": {"walk": {"limit": 0}}}, ["rules.walk.limit = 0", "greater than or equal to 1"]),
        ({"rules": {"walk": {"limit": 10**22}}}, ["rules.walk.limit = 1", "less than or equal to"]),
        ({"rules": {"pairs": {"gap_hours": -1}}}, ["rules.pairs.gap_hours = -1", "greater than or equal to 0"]),
        ({"rules": {"pairs": {"gap_hours": float("nan")}}}, ["rules.pairs.gap_hours = nan", "finite number"]),
        ({"evaluation": {"mutation": {"factor": float("inf")}}}, ["evaluation.mutation.factor = inf", "finite number"]),
        ({"build": {"seconds": 9_999_999}}, ["build.seconds = 9999999", "less than or equal to 86400"]),
        ({"execution": {"method_seconds": 86_401}}, ["execution.method_seconds = 86401", "or equal to 86400"]),
        ({"sources": {"repositories": [{"name": "a/b", "start": ""}]}}, ["sources.repositories.0.start = ''"]),
        ({"sources": {"releases": [{"coordinates": "g:a", "versions": ["1", ""]}]}}, ["releases.0.versions.1 = ''"]),
        ({"sources": {"releases": [{"coordinates": "g:a", "versions": ["1", "1"]}]}}, ["a version is there twice"]),
        ({"rules": {"walk": {"order": "newest"}}}, ["rules.walk.order = 'newest'", "first_parent"]),
        ({"build": {"java_homes": {"8": "/jdk"}}}, ["build.java_homes = {'8': '/jdk'}: should be a list."]),
        ({"build": "direct"}, ["build = 'direct': should hold keys and values."]),
        ({"sources": {"repositories": ["a/b"]}}, ["sources.repositories.0 = 'a/b': should hold keys and values."]),
        ({"sources": {"repositories": [{"name": "nameless"}]}}, ["sources.repositories.0.name = 'nameless'"]),
    ],
)
def test_what_cannot_be_used_is_named_with_the_next_step(given: dict[str, object], words: list[str]) -> None:
    with pytest.raises(UsageError) as error:
        load_config(given)
    for word in words:
        assert word in str(error.value)


def test_a_file_that_is_no_mapping_is_refused(tmp_path) -> None:
    path = tmp_path / "snapshot.yaml"
    path.write_text("- a\n- b\n")
    with pytest.raises(UsageError, match="holds a list"):
        read_yaml(path)
    path.write_text("a: [unclosed\n")
    with pytest.raises(UsageError, match="is not valid YAML"):
        read_yaml(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_yaml(tmp_path / "missing.yaml")


def test_a_date_in_no_calendar_and_an_alias_of_what_it_lies_in_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.yaml"
    path.write_text("rules: {walk: {cutoff: 2026-02-30}}\n")
    with pytest.raises(UsageError, match="is not valid YAML: day"):
        read_yaml(path)
    with pytest.raises(UsageError, match=r"rules\.walk\.cutoff = '2026-02-30': no day of the calendar"):
        load_config({"rules": {"walk": {"cutoff": "2026-02-30"}}})
    for text in ("a: &a [*a]\n", "a: &a {b: *a}\n"):
        path.write_text(text)
        with pytest.raises(UsageError, match="refers to a part of the file that it lies in"):
            load_config(read_yaml(path))
