"""The systems of a grading run and their folders."""

from pathlib import Path

import pytest

from testevo.config.model import Evaluation
from testevo.config.solving import Solving
from testevo.config.systems import attempt_name, attempts_of, files_by_folder, solvers_by_folder, systems_of
from testevo.runtime.errors import UsageError, UserError


def evaluation(*controls: str, **files: str) -> Evaluation:
    return Evaluation.model_validate({"controls": controls, "predictions": files})


def test_systems_are_sorted_and_controls_have_no_file() -> None:
    systems = systems_of(evaluation("gold", zeta="z.jsonl", alpha="a.jsonl"))
    assert systems == {"alpha": Path("a.jsonl"), "gold": None, "zeta": Path("z.jsonl")}
    assert list(systems) == sorted(systems)


def test_slashes_become_underscores_in_folders(tmp_path: Path) -> None:
    """As in SWE-bench."""
    (tmp_path / "p.jsonl").touch()
    assert files_by_folder(evaluation(**{"org/model": str(tmp_path / "p.jsonl")})) == {
        "org__model": tmp_path / "p.jsonl"
    }


@pytest.mark.parametrize(
    "name", ["gold", "..", ".hidden", "", "logs", "a\nb", "a\n", "a:b", "-x", "--help", "x" * 101, "../../x"]
)
def test_names_that_cannot_be_folders_are_refused(name: str) -> None:
    """Reserved names, hidden folders and characters that paths do not take; slashes are fine."""
    with pytest.raises(UsageError):
        systems_of(evaluation(**{name: "x"}))


def test_two_systems_never_share_a_folder() -> None:
    with pytest.raises(UsageError, match="a/b, a__b would share"):
        systems_of(evaluation(**{"a/b": "x", "a__b": "y"}))


def test_a_folder_holds_nothing_that_java_or_a_page_of_the_site_must_decode() -> None:
    """Their pages have the same names, so that two systems never share one either."""
    with pytest.raises(UsageError, match=r"agent \+ m, agent______m would share"):
        systems_of(evaluation(**{"agent + m": "x", "agent______m": "y"}))


def test_a_missing_file_is_named_with_its_system() -> None:
    with pytest.raises(UserError, match=r"nowhere\.jsonl, the predictions of mine"):
        files_by_folder(evaluation(mine="nowhere.jsonl"))


def test_attempts_belong_to_a_system_that_is_there() -> None:
    names = ["a", "a@10", "a@2", "b@2", "c@1", "d", "d@x", "a@2@3", "org/a", "org/a@2"]
    assert attempts_of(names) == {
        "a": ["a", "a@2", "a@10"],
        "a@2@3": ["a@2@3"],
        "b@2": ["b@2"],
        "c@1": ["c@1"],
        "d": ["d"],
        "d@x": ["d@x"],
        "org/a": ["org/a", "org/a@2"],
    }
    assert attempts_of(attempt_name("s", number) for number in (1, 2, 3)) == {"s": ["s", "s@2", "s@3"]}


def test_no_configured_system_has_the_name_of_an_attempt() -> None:
    """Its predictions would be mixed up with those of the second attempt of `a`."""
    system = {"model": "m", "address": "http://x"}
    with pytest.raises(UsageError, match="'a@2' is the name of an attempt of 'a'"):
        solvers_by_folder(Solving.model_validate({"systems": {"a": system, "a@2": system}}))
