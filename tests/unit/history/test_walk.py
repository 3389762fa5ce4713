"""The walk: start, order, cutoff, limit, collapse, isolation (TEB-M11, M15, X12)."""

import subprocess

import pytest

from testevo.config.rules import PairRules, WalkRules
from testevo.history.walk import choose_start, count_after_cutoff, walk_commits
from testevo.records.repository import Commit, CommitRejection
from testevo.runtime.errors import UsageError

NO_GAP = PairRules(gap_hours=None)
LINE = {
    "a": ([], 0, "1"),
    "b": (["a"], 1, "2"),
    "c": (["b"], 2, "2"),
    "d": (["c"], 3, "3"),
    "e": (["d"], 40, "3"),
    "f": (["e"], 41, "4"),
}
MERGED = {
    "a": ([], 0, "1"),
    "b": (["a"], 1, "2"),
    "side": (["a"], 2, "3"),
    "c": (["b"], 3, "4"),
    "merge": (["c", "side"], 4, "5"),
}


def names(commits: list[Commit], revisions: dict[str, str]) -> list[str]:
    by_revision = {revision: name for name, revision in revisions.items()}
    return [by_revision[commit.revision] for commit in commits]


def rejections(commits: list[Commit], revisions: dict[str, str]) -> dict[str, CommitRejection | None]:
    return dict(zip(names(commits, revisions), [commit.rejection for commit in commits], strict=True))


def test_the_committer_date_order_is_that_of_git_log_with_merges_and_side_branches(history):
    git, _ = history(MERGED)
    commits = walk_commits(git, "o/n", "main", WalkRules(order="committer_date", collapse="none"), NO_GAP)
    told = subprocess.run(
        ["git", "--git-dir", git.folder, "log", "--format=%H", "main"], capture_output=True, text=True, check=True
    )
    assert [commit.revision for commit in commits] == told.stdout.split()
    assert [commit.position for commit in commits] == [0, 1, 2, 3, 4]


def test_the_first_parent_order_leaves_side_branches_out_and_both_orders_mark_the_first_parent_line(history):
    git, revisions = history(MERGED)
    line = walk_commits(git, "o/n", "main", WalkRules(order="first_parent", collapse="none"), NO_GAP)
    assert names(line, revisions) == ["merge", "c", "b", "a"]
    everything = walk_commits(git, "o/n", "main", WalkRules(order="committer_date", collapse="none"), NO_GAP)
    assert [c.revision for c in everything if not c.first_parent_line] == [revisions["side"]]


def test_parents_and_both_times_are_recorded(history):
    """Both clocks are stored."""
    git, revisions = history(MERGED, author_hours={"merge": 1})
    merge = walk_commits(git, "o/n", "main", WalkRules(collapse="none"), NO_GAP)[0]
    assert merge.parents == (revisions["c"], revisions["side"])
    assert merge.committer_time - merge.author_time == 3 * 3600


@pytest.mark.parametrize(
    ("cutoff", "first"), [("2024-03-03", "d"), ("2024-03-04", "f"), ("2024-03-02", "d"), ("2024-03-01", None)]
)
def test_commits_on_or_after_the_cutoff_day_are_left_out(history, cutoff, first):
    """TEB-M11: 0 o'clock UTC of the cutoff day is the first instant that is out."""
    git, revisions = history(LINE)
    commits = walk_commits(git, "o/n", "main", WalkRules(cutoff=cutoff, collapse="none"), NO_GAP)
    assert names(commits, revisions)[:1] == ([first] if first else [])


@pytest.mark.parametrize(
    ("cutoff", "order", "after"),
    [("2024-03-01", "first_parent", 4), ("2024-03-01", "committer_date", 5), ("2024-03-02", "committer_date", 0)],
)
def test_commits_on_or_after_the_cutoff_day_are_counted(history, cutoff, order, after):
    """Beside the walk and whatever its limit, in the order of the walk."""
    git, _ = history(MERGED)
    assert count_after_cutoff(git, "main", WalkRules(cutoff=cutoff, order=order, limit=1)) == after


def test_a_commit_at_midnight_of_the_cutoff_day_is_out(history):
    git, revisions = history({"a": ([], 0, "1"), "b": (["a"], 12, "2")})
    commits = walk_commits(git, "o/n", "main", WalkRules(cutoff="2024-03-02", collapse="none"), NO_GAP)
    assert names(commits, revisions) == ["a"]


def test_the_limit_counts_commits_before_the_cutoff_and_before_collapsing(history):
    git, revisions = history(LINE)
    rules = WalkRules(cutoff="2024-03-02", limit=2, collapse="newest_of_equal_java")
    assert names(walk_commits(git, "o/n", "main", rules, NO_GAP), revisions) == ["d", "c"]


def test_the_newest_of_neighbours_with_equal_java_stands_for_all(history):
    git, revisions = history(LINE)
    commits = walk_commits(git, "o/n", "main", WalkRules(collapse="newest_of_equal_java"), NO_GAP)
    assert {name for name, why in rejections(commits, revisions).items() if why} == {"d", "b"}
    represented = {c.revision: c.represented_by for c in commits if c.represented_by}
    assert represented == {revisions["d"]: revisions["e"], revisions["b"]: revisions["c"]}


def test_equal_java_that_comes_back_later_is_not_collapsed(history):
    git, _ = history({"a": ([], 0, "1"), "b": (["a"], 1, "2"), "c": (["b"], 2, "1")})
    commits = walk_commits(git, "o/n", "main", WalkRules(collapse="newest_of_equal_java"), NO_GAP)
    assert [commit.rejection for commit in commits] == [None, None, None]
    assert commits[0].java_tree == commits[2].java_tree != commits[1].java_tree


def test_commits_that_change_java_and_their_first_parents_are_kept(history):
    """TEB-M15: what is left out neither changes Java nor is the parent of what does."""
    git, revisions = history({**LINE, "g": (["f"], 42, "4"), "h": (["g"], 43, "4")})
    commits = walk_commits(git, "o/n", "main", WalkRules(collapse="java_change_ends"), NO_GAP)
    assert {name for name, why in rejections(commits, revisions).items() if why} == {"g", "h"}


def test_a_commit_whose_first_parent_lies_outside_the_walk_is_kept_only_as_an_old_end(history):
    git, revisions = history(LINE)
    alone = walk_commits(git, "o/n", "main", WalkRules(limit=1), NO_GAP)
    assert rejections(alone, revisions) == {"f": CommitRejection.NO_JAVA_CHANGE}
    pair = walk_commits(git, "o/n", "main", WalkRules(limit=2), NO_GAP)
    assert rejections(pair, revisions) == {"f": None, "e": None}


def test_only_java_files_decide_equality(history):
    git, _ = history({"a": ([], 0, "1"), "b": (["a"], 1, "1")})
    newer, older = walk_commits(git, "o/n", "main", WalkRules(collapse="none"), NO_GAP)
    assert newer.java_tree == older.java_tree


def test_a_commit_far_from_all_others_is_isolated(history):
    """TEB-X12: it can be no end of a pair within the gap, so it is not built."""
    git, revisions = history({"a": ([], 0, "1"), "b": (["a"], 20, "2"), "c": (["b"], 40, "3"), "d": (["c"], 41, "4")})
    for pairing in ("surviving_neighbours", "first_parent_adjacent"):
        commits = walk_commits(git, "o/n", "main", WalkRules(), PairRules(pairing=pairing))
        assert rejections(commits, revisions) == {
            "d": None,
            "c": None,
            "b": CommitRejection.ISOLATED,
            "a": CommitRejection.ISOLATED,
        }


def test_without_a_time_limit_nothing_is_isolated(history):
    git, _ = history({"a": ([], 0, "1"), "b": (["a"], 2000, "2")})
    assert {c.rejection for c in walk_commits(git, "o/n", "main", WalkRules(), NO_GAP)} == {None}


def test_the_author_clock_can_be_chosen_for_isolation(history):
    git, _ = history({"a": ([], 0, "1"), "b": (["a"], 50, "2")}, author_hours={"b": 1})
    by_author = walk_commits(git, "o/n", "main", WalkRules(), PairRules(gap_clock="author"))
    by_committer = walk_commits(git, "o/n", "main", WalkRules(), PairRules(gap_clock="committer"))
    assert [c.rejection for c in by_author] == [None, None]
    assert [c.rejection for c in by_committer] == [CommitRejection.ISOLATED] * 2


def test_a_first_parent_pair_outside_the_gap_keeps_no_commit_from_being_isolated(history):
    """A side branch close in time does not help: the pairing never pairs it."""
    git, revisions = history(
        {"a": ([], 0, "1"), "side": (["a"], 29, "9"), "b": (["a"], 30, "2"), "m": (["b", "side"], 31, "3")}
    )
    commits = walk_commits(git, "o/n", "main", WalkRules(), PairRules())
    assert rejections(commits, revisions) == {"m": None, "b": None, "a": CommitRejection.ISOLATED}


def test_a_commit_between_two_near_ones_is_built_although_it_is_far_from_both(history):
    """With clocks that run backwards, a usable commit keeps its neighbours apart; only building tells."""
    git, revisions = history({"a": ([], 50, "1"), "b": (["a"], 10, "2"), "c": (["b"], 51, "3")})
    commits = walk_commits(
        git, "o/n", "main", WalkRules(order="committer_date"), PairRules(pairing="surviving_neighbours")
    )
    assert rejections(commits, revisions) == {"c": None, "b": None, "a": None}


def test_the_walk_is_the_same_every_time(history):
    git, _ = history(MERGED)
    rules = WalkRules(order="committer_date")
    first, second = (walk_commits(git, "o/n", "main", rules, PairRules()) for _ in range(2))
    assert [c.line() for c in first] == [c.line() for c in second]


def test_a_walk_from_nowhere_is_refused(history):
    git, _ = history(MERGED)
    with pytest.raises(UsageError, match="v9"):
        walk_commits(git, "o/n", "v9", WalkRules(), PairRules())


def test_the_start_is_what_is_given_else_the_newest_tag_else_the_default_branch(history):
    git, revisions = history(LINE, tags={"z-old": "a", "a-new": "d"})
    newest = choose_start(git, None, WalkRules(start="newest_tag"))
    assert newest and (newest.name, newest.revision) == ("a-new", revisions["d"])
    branch = choose_start(git, None, WalkRules(start="default_branch"))
    assert branch and (branch.name, branch.revision) == ("main", revisions["f"])
    given = choose_start(git, revisions["b"][:10], WalkRules())
    assert given and given.revision == revisions["b"] and given.reference is None
    assert choose_start(git, "nowhere", WalkRules()) is None


def test_a_start_called_head_is_the_default_branch(history):
    git, revisions = history(LINE, tags={"a-new": "d"})
    start = choose_start(git, "HEAD", WalkRules())
    assert start and (start.name, start.reference, start.revision) == ("main", "refs/heads/main", revisions["f"])


def test_without_tags_the_walk_starts_at_the_default_branch(history):
    git, revisions = history(LINE)
    start = choose_start(git, None, WalkRules(start="newest_tag"))
    assert start and (start.name, start.reference, start.revision) == ("main", "refs/heads/main", revisions["f"])


@pytest.mark.parametrize(
    ("path", "rejected"),
    [
        ("docs/" + "n" * 256, True),
        ("docs/" + "n" * 255, False),
        ("docs/" + "\u00e9" * 128, True),
        ("d/" * 201 + "A.java", True),
        ("d/" * 200 + "A.java", False),
        (("n" * 250 + "/") * 12 + "A.java", True),
    ],
)
def test_a_commit_that_can_be_checked_out_nowhere_is_no_end_of_a_pair(history, tmp_path, path, rejected):
    git, revisions = history({"a": ([], 0, "1")}, files={path: b""})
    [commit] = walk_commits(git, "o/n", "main", WalkRules(collapse="newest_of_equal_java"), NO_GAP)
    assert commit.rejection is (CommitRejection.UNWRITABLE if rejected else None)
    if not rejected:
        git.export(revisions["a"], tmp_path / "checkout")
        assert (tmp_path / "checkout" / path).is_file()
