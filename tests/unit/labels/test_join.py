"""Joining a code change with a later test change."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from label_factories import (
    RELEASED,
    STRICT,
    TEST_PATH,
    a_test,
    call_map,
    callee,
    change_of_test,
    code_change,
    method,
    pair,
)

from testevo.labels.join import JoinedCandidate, drawn_negatives, join_candidates
from testevo.records.calls import CallMap
from testevo.records.changes import CommitPair, MethodChange
from testevo.records.methods import ChangeKind, TestKey

Calls = dict[tuple[str, TestKey], CallMap]
Changes = dict[tuple[str, str], list[MethodChange]]


def chain(*revisions: str) -> list[CommitPair]:
    """Pairs of neighbours, newest first, from revisions in the order of time."""
    return [pair(old, new, position) for position, (new, old) in enumerate(pairwise(reversed(revisions)))]


def calls_of(*maps: CallMap) -> Calls:
    return {(m.revision, m.test): m for m in maps}


def joined(pairs: list[CommitPair], changes: Changes, calls: Calls) -> list[JoinedCandidate]:
    return join_candidates(pairs, changes, calls, RELEASED.pairs, RELEASED.changes)


def test_a_test_change_is_joined_with_the_last_change_of_what_it_calls() -> None:
    """The code changed in a→b and again in b→c, the test in d→e: rev1 is b, rev2 is e."""
    changes: Changes = {
        ("a", "b"): [code_change(method("add"))],
        ("b", "c"): [code_change(method("add"))],
        ("c", "d"): [code_change(method("other"))],
        ("d", "e"): [change_of_test()],
    }
    calls = calls_of(call_map("e", callee(method("add"))))
    assert joined(chain("a", "b", "c", "d", "e"), changes, calls) == [
        JoinedCandidate(a_test(), "b", "e", True, ChangeKind.MODIFIED)
    ]


def test_a_pair_that_changes_code_and_test_stays_itself() -> None:
    changes: Changes = {
        ("b", "c"): [code_change(method("add")), change_of_test()],
        ("a", "b"): [code_change(method("add"))],
    }
    calls = calls_of(call_map("c", callee(method("add"))))
    assert joined(chain("a", "b", "c"), changes, calls) == [
        JoinedCandidate(a_test(), "b", "c", False, ChangeKind.MODIFIED)
    ]


def test_tests_of_one_file_are_joined_with_different_revisions() -> None:
    """Like three tasks of one test file with three old revisions in the released data (JColor)."""
    changes: Changes = {
        ("a", "b"): [code_change(method("one"), ChangeKind.INSERTED)],
        ("b", "c"): [code_change(method("two"), ChangeKind.INSERTED)],
        ("c", "d"): [change_of_test("first", ChangeKind.INSERTED), change_of_test("second", ChangeKind.INSERTED)],
    }
    calls = calls_of(
        call_map("d", callee(method("one")), test=a_test("first")),
        call_map("d", callee(method("two")), test=a_test("second")),
    )
    found = {c.test.name: c.old_revision for c in joined(chain("a", "b", "c", "d"), changes, calls)}
    assert found == {"first": "a", "second": "b"}


def test_a_removed_method_counts_when_the_old_test_called_it() -> None:
    changes: Changes = {
        ("b", "c"): [code_change(method("gone"), ChangeKind.REMOVED), change_of_test()],
        ("a", "b"): [code_change(method("kept"))],
    }
    calls = calls_of(call_map("c", callee(method("kept"))), call_map("b", callee(method("gone"))))
    assert [c.old_revision for c in joined(chain("a", "b", "c"), changes, calls)] == ["b"]


def test_a_pair_that_modifies_what_only_its_old_test_called_stays_itself() -> None:
    """An older pair that did so is not joined with: the test of that time may not have called it."""
    changes: Changes = {
        ("c", "d"): [code_change(method("left")), change_of_test()],
        ("b", "c"): [code_change(method("left")), change_of_test()],
        ("a", "b"): [code_change(method("kept")), code_change(method("older"))],
    }
    calls = calls_of(
        call_map("d", callee(method("kept"))),
        call_map("c", callee(method("left"))),
        call_map("b", callee(method("older"))),
    )
    found = {}
    for switch in (True, False):
        rules = RELEASED.changes.model_copy(update={"modified_old_callees": switch})
        candidates = join_candidates(chain("a", "b", "c", "d"), changes, calls, RELEASED.pairs, rules)
        found[switch] = [one.old_revision for one in candidates if one.nominated is ChangeKind.MODIFIED]
    assert found == {True: ["c", "b"], False: ["a", "b"]}


def test_without_join_the_pair_itself_counts() -> None:
    changes: Changes = {("a", "b"): [code_change(method("add"))], ("b", "c"): [change_of_test()]}
    calls = calls_of(call_map("c", callee(method("add"))))
    found = join_candidates(chain("a", "b", "c"), changes, calls, STRICT.pairs, STRICT.changes)
    assert [(c.old_revision, c.joined) for c in found] == [("b", False)]


def test_a_join_does_not_cross_a_gap_in_the_chain_of_pairs() -> None:
    changes: Changes = {("a", "b"): [code_change(method("add"))], ("x", "c"): [change_of_test()]}
    calls = calls_of(call_map("c", callee(method("add"))))
    pairs = [pair("x", "c", 0), pair("a", "b", 1)]
    assert [(c.old_revision, c.joined) for c in joined(pairs, changes, calls)] == [("x", False)]


def test_a_lost_callee_joins_nothing() -> None:
    changes: Changes = {("a", "b"): [code_change(method("names"))], ("b", "c"): [change_of_test()]}
    calls = calls_of(call_map("c", callee(method("names"), descriptor="()[Ljava/lang/String;")))
    assert [c.old_revision for c in joined(chain("a", "b", "c"), changes, calls)] == ["b"]


def test_an_unchanged_test_is_nominated_by_the_pair_that_changes_what_it_calls() -> None:
    """Only by that pair, and never joined (TEB-K03)."""
    changes: Changes = {("a", "b"): [code_change(method("add"))], ("b", "c"): [code_change(method("other"))]}
    calls = calls_of(call_map("b", callee(method("add"))), call_map("c", callee(method("add"))))
    assert joined(chain("a", "b", "c"), changes, calls) == [
        JoinedCandidate(a_test(), "a", "b", False, ChangeKind.UNCHANGED)
    ]


@given(st.permutations(range(12)))
def test_negatives_are_drawn_alike_in_any_order_and_share(order: list[int]) -> None:
    """A job that has a share of the candidates draws from all of them."""
    kinds = [ChangeKind.UNCHANGED, ChangeKind.UNCHANGED, ChangeKind.MODIFIED]
    candidates = [JoinedCandidate(a_test(f"t{n}"), "a", "b", False, kinds[n % 3]) for n in range(12)]
    drawn = drawn_negatives([candidates[n] for n in order], 3)
    assert drawn == drawn_negatives(candidates, 3)
    assert len(drawn) == 3 and {one.nominated for one in drawn} == {ChangeKind.UNCHANGED}
    assert drawn < drawn_negatives(candidates, 5) <= drawn_negatives(candidates, 99)
    assert len(drawn_negatives(candidates, 99)) == 8 and not drawn_negatives(candidates, 0)


def test_helpers_in_the_test_tree_are_not_nominated_and_removed_tests_are() -> None:
    """Removed tests are recorded (TEB-X02)."""
    changes: Changes = {
        ("a", "b"): [change_of_test("helper", test_kind=None), change_of_test("gone", ChangeKind.REMOVED)]
    }
    assert joined(chain("a", "b"), changes, {}) == [
        JoinedCandidate(a_test("gone", TEST_PATH), "a", "b", False, ChangeKind.REMOVED)
    ]


@pytest.mark.parametrize("kind", [ChangeKind.INSERTED, ChangeKind.MODIFIED])
def test_a_test_whose_callees_never_changed_stays_with_its_pair(kind: ChangeKind) -> None:
    changes: Changes = {("a", "b"): [change_of_test(kind=kind)]}
    assert joined(chain("a", "b"), changes, {}) == [JoinedCandidate(a_test(), "a", "b", False, kind)]


@given(st.lists(st.sets(st.sampled_from(["code", "test", "other"])), min_size=1, max_size=12))
def test_the_joined_pair_is_the_nearest_code_change_at_or_before_the_test_change(happened: list[set[str]]) -> None:
    """Against the definition, on random linear histories."""
    revisions = [f"r{number}" for number in range(len(happened) + 1)]
    made = {"code": code_change(method("add")), "other": code_change(method("other")), "test": change_of_test()}
    changes: Changes = {
        (revisions[i], revisions[i + 1]): [made[name] for name in sorted(names)] for i, names in enumerate(happened)
    }
    calls = calls_of(*(call_map(revision, callee(method("add"))) for revision in revisions))
    found = {c.new_revision: c for c in joined(chain(*revisions), changes, calls) if c.nominated != "unchanged"}
    assert found.keys() == {revisions[i + 1] for i, names in enumerate(happened) if "test" in names}
    for j, names in enumerate(happened):
        if "test" in names:
            i = max((k for k in range(j + 1) if "code" in happened[k]), default=j)
            assert found[revisions[j + 1]].old_revision == revisions[i]
