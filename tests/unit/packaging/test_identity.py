"""Names of projects and tasks (TEB-K07)."""

import re

from hypothesis import given
from hypothesis import strategies as st

from testevo.packaging.identity import methods_hash, task_id
from testevo.records.repository import Repository, SourceKind
from testevo.runtime.clock import utc_date

names = st.text("abcdefghijXYZ_019", min_size=1, max_size=12)
revisions = st.text("0123456789abcdef", min_size=40, max_size=40)


def project(name: str, version: str) -> str:
    return Repository(name=name, source=SourceKind.LIST, address="a", version=version).project_name


def test_a_released_id_comes_out() -> None:
    """A generation task of stateless4j with two tests."""
    found = task_id(
        project("stateless4j/stateless4j", "stateless4j-2.6.0"),
        "84c4c5f9a1004ddbd343b3f8ba4b538db175277b",
        "41f9a2dcf0e607d5ed8b128e2afda4768b828521",
        "src/test/java/com/github/oxo42/stateless4j/DynamicTransitionActionTests.java",
        [
            "DynamicTransitionActionTests#UnguardedDynamicTransitionActionsArePerformed",
            "DynamicTransitionActionTests#GuardedDynamicTransitionActionsArePerformed",
        ],
    )
    assert found == "stateless4j_stateless4j-stateless4j-2.6.0__84c4c5f_41f9a2d__DynamicTransitionActionTests_57243123"


@given(st.lists(names, min_size=1), st.randoms())
def test_order_and_repetition_of_methods_change_no_id(methods: list[str], random: object) -> None:
    tests = [f"ATest#{name}" for name in methods]
    shuffled = [*tests, *tests]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert methods_hash(shuffled) == methods_hash(tests)


@given(st.sets(names, min_size=1), names)
def test_one_more_method_changes_the_id(methods: set[str], extra: str) -> None:
    tests = [f"ATest#{name}" for name in methods]
    assert (methods_hash([*tests, f"ATest#{extra}"]) == methods_hash(tests)) is (extra in methods)


@given(revisions, revisions, names, st.sets(names, min_size=1))
def test_an_id_can_be_read_back(old: str, new: str, stem: str, methods: set[str]) -> None:
    """Every identifier can be turned back into what it names."""
    found = task_id("o_r-v1", old, new, f"m/src/test/java/p/{stem}.java", methods)
    match = re.fullmatch(r"(.+?)__([0-9a-f]{7})_([0-9a-f]{7})__(.+)_([0-9a-f]{8})", found)
    assert match is not None
    assert match.groups() == ("o_r-v1", old[:7], new[:7], stem, methods_hash(methods))


def test_a_branch_with_a_slash_makes_a_file_name() -> None:
    """As in the released data."""
    assert project("o/r", "feature/x") == "o_r-feature-x"
    assert project("o/r", "3.22/tag") == "o_r-3.22-tag"


def test_days_are_utc() -> None:
    assert str(utc_date(1_593_820_799)) == "2020-07-03"
    assert str(utc_date(1_593_820_800)) == "2020-07-04"
