"""`testevo status --profile`: the time of a snapshot by rule and kind of work."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from testevo.cli.output import columns, show
from testevo.config.snapshot.layout import Layout
from testevo.runtime.stopwatch import WAITING, Profile, read_profile

ORDER = (
    "build_check",
    "commit_pair",
    "instrument",
    "triple_execute",
    "refactoring_filter",
    "package_repository",
    "measure_gold",
    "evaluate",
)
"""Rules in the order in which they run; others come first."""


@dataclass(frozen=True)
class RuleProfile:
    """Time and memory of one rule for one repository, or for one system on it."""

    repository: str
    rule: str
    profile: Profile


def profiles(layout: Layout) -> list[RuleProfile]:
    """All profiles of a snapshot, by repository and in the order of the rules."""
    found = []
    for file in sorted((layout.root / "profile").glob("*/*.jsonl")):
        profile = read_profile(file)
        if profile is not None:
            found.append(RuleProfile(file.stem.replace("+", "/", 1), file.parent.name, profile))
    return sorted(found, key=lambda one: (one.repository, ORDER.index(one.rule) if one.rule in ORDER else -1))


def show_profile(layout: Layout, *, as_json: bool) -> None:
    """Print one row for each rule and repository: wall and processor seconds, test JVMs, and the kinds of work."""
    found = profiles(layout)
    if as_json:
        print(json.dumps([asdict(one) for one in found], indent=1))
        return
    if not found:
        print(f"No rule of {layout.root} has ended yet.")
        return
    headings = ("repository", "rule", "wall s", "processor s", "test JVMs", "Maven runs", "where the wall time went")
    rows = [(one.repository, one.rule, *totals([one.profile]), shares(one.profile)) for one in found]
    if len(found) > 1:
        rows.append(("all", "", *totals([one.profile for one in found]), ""))
    show(columns(headings, rows, right=range(2, 6)))


def totals(found: Sequence[Profile]) -> list[str]:
    """Sums of the columns; rules that ran at the same time both count."""
    walls, processors = sum(one.wall for one in found), sum(one.processor for one in found)
    counts = [sum(times(one, what) for one in found) for what in ("test JVMs", "Maven")]
    return [f"{walls:.1f}", f"{processors:.1f}", *map(str, counts)]


def times(profile: Profile, what: str) -> int:
    return profile.work[what].times if what in profile.work else 0


def shares(profile: Profile) -> str:
    """Kinds of work with at least 2 % of the time that all processes worked, largest first."""
    ordered = sorted(profile.work.items(), key=lambda item: -item[1].seconds)
    worked = profile.worked or 1.0
    parts = [(name, work.seconds / worked) for name, work in ordered if name != WAITING]
    return ", ".join(f"{name} {share:.0%}" for name, share in parts if share >= 0.02)
