"""Pairing on small walks and on generated ones with merges (TEB-M12, M13 to M15, X12)."""

import heapq
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from testevo.config.rules import PairRules
from testevo.history.isolation import mark_isolated
from testevo.history.pairs import make_pair, pair_commits
from testevo.history.walk import COLLAPSES
from testevo.records.changes import PairRejection, PairRelation
from testevo.records.repository import Commit, CommitRejection

HOUR = 3600


@dataclass
class Graph:
    """Who is whose parent; answers what pairing asks."""

    parents: dict[str, tuple[str, ...]]

    def is_ancestor(self, ancestor: str, revision: str) -> bool:
        seen, waiting = set(), [revision]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += self.parents.get(one, ())
        return ancestor in seen


def commit(name: str, position: int, parents: tuple[str, ...], hour: float, java: str, **more: object) -> Commit:
    time = int(hour * HOUR)
    facts = {
        "repository": "o/n",
        "position": position,
        "revision": name,
        "parents": parents,
        "author_time": time,
        "committer_time": time,
        "java_tree": java,
        "first_parent_line": True,
    }
    return Commit.model_validate(facts | more)


def line(*hours_and_java: tuple[float, str]) -> tuple[list[Commit], Graph]:
    """A line of commits c0 (oldest), c1, ... as a walk, newest first."""
    count = len(hours_and_java)
    parents = {f"c{i}": (f"c{i - 1}",) if i else () for i in range(count)}
    walk = [commit(f"c{i}", count - 1 - i, parents[f"c{i}"], *hours_and_java[i]) for i in reversed(range(count))]
    return walk, Graph(parents)


def all_usable(commits: list[Commit]) -> dict[str, str | None]:
    return {c.revision: None for c in commits}


def ends(pairs, rejection=None):
    return [(p.old_revision, p.new_revision) for p in pairs if p.rejection is rejection]


def test_a_commit_is_paired_with_its_first_parent():
    walk, graph = line((0, "1"), (1, "2"), (2, "3"))
    pairs = pair_commits(walk, all_usable(walk), PairRules(), graph)
    assert ends(pairs) == [("c1", "c2"), ("c0", "c1")]
    assert [(p.position, p.relation, p.committer_gap) for p in pairs] == [
        (0, PairRelation.PARENT_CHILD, HOUR),
        (1, PairRelation.PARENT_CHILD, HOUR),
    ]


def test_an_unusable_parent_gives_a_rejected_pair_with_the_reason():
    """TEB-M13, M14: strict never reaches over an unusable commit."""
    walk, graph = line((0, "1"), (1, "2"), (2, "3"))
    pairs = pair_commits(walk, all_usable(walk) | {"c1": "does not compile"}, PairRules(), graph)
    assert ends(pairs) == []
    assert [p.rejection for p in pairs] == [PairRejection.ENDPOINT_UNUSABLE] * 2
    assert pairs[0].detail == "old end c1: does not compile"
    assert pairs[1].detail == "new end c1: does not compile"


def test_neighbours_among_usable_commits_span_unusable_ones():
    walk, graph = line((0, "1"), (1, "2"), (2, "3"))
    rules = PairRules(pairing="surviving_neighbours")
    pairs = pair_commits(walk, all_usable(walk) | {"c1": "red"}, rules, graph)
    assert ends(pairs) == [("c0", "c2")]
    assert pairs[0].relation is PairRelation.ANCESTOR


def test_the_gap_includes_its_limit_and_excludes_negative_times():
    """TEB-X12."""
    walk, graph = line((0, "1"), (12, "2"), (24.001, "3"), (20, "4"))
    pairs = pair_commits(walk, all_usable(walk), PairRules(gap_hours=12), graph)
    assert ends(pairs) == [("c0", "c1")]
    assert ends(pairs, PairRejection.OUTSIDE_GAP) == [("c2", "c3"), ("c1", "c2")]
    assert pairs[0].detail == "-4.00 hours by committer time, the limit is 12"


def test_without_a_limit_the_gap_filter_is_off():
    """Releases lie months apart."""
    walk, graph = line((0, "1"), (5000, "2"))
    assert ends(pair_commits(walk, all_usable(walk), PairRules(gap_hours=None), graph)) == [("c0", "c1")]


def test_the_gap_is_measured_by_the_configured_clock():
    graph = Graph({"a": (), "b": ("a",)})
    walk = [commit("b", 0, ("a",), 50, "2", author_time=HOUR), commit("a", 1, (), 0, "1")]
    by_author = pair_commits(walk, all_usable(walk), PairRules(gap_clock="author"), graph)
    by_committer = pair_commits(walk, all_usable(walk), PairRules(), graph)
    assert (len(ends(by_author)), len(ends(by_committer))) == (1, 0)
    assert (by_author[0].author_gap, by_author[0].committer_gap) == (HOUR, 50 * HOUR)


def test_neighbours_that_are_no_ancestors_are_kept_or_dropped_as_configured():
    """13 % of the released pairs are of this kind."""
    graph = Graph({"a": (), "b": ("a",), "side": ("a",)})
    walk = [commit("side", 0, ("a",), 2, "3"), commit("b", 1, ("a",), 1, "2"), commit("a", 2, (), 0, "1")]
    released = PairRules(pairing="surviving_neighbours", ancestors_only=False)
    pairs = pair_commits(walk, all_usable(walk), released, graph)
    assert ends(pairs) == [("b", "side"), ("a", "b")]
    assert pairs[0].relation is PairRelation.UNRELATED
    careful = pair_commits(walk, all_usable(walk), released.model_copy(update={"ancestors_only": True}), graph)
    assert ends(careful, PairRejection.NOT_ANCESTOR) == [("b", "side")]


def test_a_pair_without_a_java_change_is_rejected():
    """TEB-M15."""
    walk, graph = line((0, "1"), (1, "1"))
    pairs = pair_commits(walk, all_usable(walk), PairRules(), graph)
    assert ends(pairs, PairRejection.NO_JAVA_CHANGE) == [("c0", "c1")]


def test_what_stands_for_the_first_parent_is_paired_after_collapsing():
    """c1 and c2 have equal Java: c2 stands for both; c3's pair starts there, and c2's pair reaches down to c0."""
    walk, graph = line((0, "1"), (1, "2"), (2, "2"), (3, "3"))
    collapsed = COLLAPSES["newest_of_equal_java"](walk)
    usable = {c.revision: None for c in collapsed if c.rejection is None}
    assert ends(pair_commits(collapsed, usable, PairRules(), graph)) == [("c2", "c3"), ("c0", "c2")]


def test_pairs_of_isolated_commits_are_counted_as_outside_the_gap_without_being_built():
    """TEB-M20: each filter's count is complete."""
    walk, graph = line((0, "1"), (100, "2"), (101, "3"))
    marked = mark_isolated(walk, PairRules())
    assert [c.rejection for c in marked] == [None, None, CommitRejection.ISOLATED]
    pairs = pair_commits(marked, {"c2": None, "c1": None}, PairRules(), graph)
    assert ends(pairs, PairRejection.OUTSIDE_GAP) == [("c0", "c1")]


def test_commits_that_could_be_paired_with_equal_java_files_alone_are_not_built():
    """What the pair would be dropped for is known before anything is built: its ends hold the same Java files."""
    walk, graph = line((0, "1"), (100, "2"), (101, "2"), (200, "3"))
    marked = mark_isolated(walk, PairRules())
    assert [c.rejection for c in marked] == [CommitRejection.ISOLATED] * 4
    pairs = pair_commits(marked, {}, PairRules(), graph)
    assert ends(pairs, PairRejection.NO_JAVA_CHANGE) == [("c1", "c2")]
    assert ends(pairs, PairRejection.OUTSIDE_GAP) == [("c2", "c3"), ("c0", "c1")]


def test_joined_ends_are_marked_and_not_judged():
    walk, graph = line((0, "1"), (100, "2"), (200, "3"))
    pair = make_pair(walk[2], walk[0], graph, joined=True)
    assert (pair.joined, pair.rejection, pair.relation) == (True, None, PairRelation.ANCESTOR)
    assert pair.committer_gap == 200 * HOUR


# --- generated histories ---------------------------------------------------------------------------------------------


@st.composite
def histories(draw) -> tuple[list[Commit], Graph]:
    """A history with merges, side branches and clocks that may run backwards, in the order of `git log`."""
    count = draw(st.integers(1, 12))
    parents: dict[str, tuple[str, ...]] = {}
    for i in range(count):
        older = [f"c{j}" for j in range(max(0, i - 4), i)]
        picked = draw(st.lists(st.sampled_from(older), min_size=1, max_size=2, unique=True)) if older else []
        parents[f"c{i}"] = tuple(picked)
    steps = draw(st.lists(st.integers(-3, 16), min_size=count, max_size=count))
    hours = {f"c{i}": 1000 + sum(steps[: i + 1]) for i in range(count)}
    java = {name: draw(st.sampled_from("123")) for name in parents}
    order = git_log_order(f"c{count - 1}", parents, hours)
    line_of_first_parents = first_parents(f"c{count - 1}", parents)
    walk = [
        commit(name, position, parents[name], hours[name], java[name], first_parent_line=name in line_of_first_parents)
        for position, name in enumerate(order)
    ]
    return walk, Graph(parents)


def git_log_order(head, parents, hours):
    """Always the youngest of those whose child has been shown."""
    order, waiting, seen = [], [(-hours[head], 0, head)], {head}
    while waiting:
        name = heapq.heappop(waiting)[2]
        order.append(name)
        for parent in parents[name]:
            if parent not in seen:
                seen.add(parent)
                heapq.heappush(waiting, (-hours[parent], len(seen), parent))
    return order


def first_parents(head, parents):
    walked = [head]
    while parents[walked[-1]]:
        walked.append(parents[walked[-1]][0])
    return walked


def renumbered(commits):
    return [c.model_copy(update={"position": i}) for i, c in enumerate(commits)]


usability = st.dictionaries(st.sampled_from([f"c{i}" for i in range(12)]), st.just("red"), max_size=4)
collapses = st.sampled_from(sorted(COLLAPSES))


@given(histories(), usability, collapses)
@settings(max_examples=100, deadline=None)
def test_strict_pairs_are_always_a_usable_commit_and_its_usable_ancestor_on_the_first_parent_line(
    made, broken, collapse
):
    """Strict never yields a pair whose old end is not an ancestor of its new end."""
    walk, graph = made
    walk = mark_isolated(COLLAPSES[collapse](renumbered([c for c in walk if c.first_parent_line])), PairRules())
    usable = {c.revision: broken.get(c.revision) for c in walk if c.rejection is None}
    by_revision = {c.revision: c for c in walk}
    for pair in pair_commits(walk, usable, PairRules(), graph):
        if pair.rejection is None:
            assert graph.is_ancestor(pair.old_revision, pair.new_revision)
            assert usable[pair.old_revision] is None and usable[pair.new_revision] is None
            assert 0 <= pair.committer_gap <= 12 * HOUR
            assert by_revision[pair.old_revision].java_tree != by_revision[pair.new_revision].java_tree
            if collapse != "newest_of_equal_java":
                assert pair.old_revision == by_revision[pair.new_revision].parents[0]


@given(histories(), usability, collapses, st.sampled_from(["first_parent_adjacent", "surviving_neighbours"]))
@settings(max_examples=100, deadline=None)
def test_ancestors_only_never_keeps_a_pair_of_strangers(made, broken, collapse, pairing):
    """In any order of the walk and with any pairing."""
    walk, graph = made
    walk = COLLAPSES[collapse](walk)
    usable = {c.revision: broken.get(c.revision) for c in walk if c.rejection is None}
    rules = PairRules(pairing=pairing, ancestors_only=True)
    for pair in pair_commits(walk, usable, rules, graph):
        related = graph.is_ancestor(pair.old_revision, pair.new_revision)
        assert related == (pair.relation is not PairRelation.UNRELATED)
        assert related or pair.rejection is not None


@given(histories(), usability, collapses, st.sampled_from(["first_parent_adjacent", "surviving_neighbours"]))
@settings(max_examples=100, deadline=None)
def test_leaving_isolated_commits_unbuilt_changes_no_kept_pair(made, broken, collapse, pairing):
    """TEB-X12: the saving is free, whatever the clocks do."""
    walk, graph = made
    walk = COLLAPSES[collapse](walk)
    rules = PairRules(pairing=pairing, ancestors_only=False)
    usable = {c.revision: broken.get(c.revision) for c in walk if c.rejection is None}
    marked = mark_isolated(walk, rules)
    built = {c.revision: usable[c.revision] for c in marked if c.rejection is None}
    assert ends(pair_commits(marked, built, rules, graph)) == ends(pair_commits(walk, usable, rules, graph))


@given(st.lists(st.integers(0, 60), max_size=12))
@settings(max_examples=200, deadline=None)
def test_needed_neighbours_are_ends_within_the_gap_and_what_stands_between_them(hours):
    walk, _ = line(*((hour, str(place)) for place, hour in enumerate(hours)))
    times = [c.committer_time for c in walk]
    pairs = [(i, j) for j, new in enumerate(times) for i, old in enumerate(times[:j]) if abs(new - old) <= 12 * HOUR]
    marked = mark_isolated(walk, PairRules(pairing="surviving_neighbours"))
    found = [place for place, c in enumerate(marked) if c.rejection is None]
    assert found == [place for place in range(len(walk)) if any(i <= place <= j for i, j in pairs)]
