"""The part of docs/fidelity.md that is made from records of agreement, and how it is put into the page."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import median

from testevo.analysis.output.tables import Cell, Column, Table, to_markdown
from testevo.packaging.dataset.served import BY_MAVEN, BY_SUREFIRE
from testevo.records.snapshots.fidelity import RepositoryAgreement, TrackAgreement
from testevo.records.tasks import FunnelCount
from testevo.runtime.errors import UserError

TASK_COLUMNS = ("released", "expected", "mined", "exact", "same pair", "other pair", "missing", "extra")
COMMIT_COLUMNS = ("walked", "kept", "built", "green", BY_MAVEN, BY_SUREFIRE, "minutes", "processor seconds")
NOTED_COLUMNS = ("end", "Maven", "compared on")
LEAST_GREEN = 2
"""Usable commits that a repository needs for a pair."""


def page_part(name: str, found: Sequence[RepositoryAgreement]) -> str:
    """The tables in Markdown: shares, tasks, commits, and what is missing, extra or left to Maven by reason."""
    tables = (
        shares_table(name, found),
        tasks_table(name, found),
        commits_table(name, found),
        reasons_table(f"{name}_missing", "Missing tasks by reason", found, lambda track: track.missing),
        reasons_table(f"{name}_extra", "Extra tasks by what is released instead", found, lambda track: track.extra),
        served_table(name, found),
    )
    return "\n".join(to_markdown(table) for table in tables)


def counts_of(track: TrackAgreement) -> tuple[int, ...]:
    """The numbers under `TASK_COLUMNS`."""
    missing, extra = (sum(part.count for part in parts) for parts in (track.missing, track.extra))
    matched = (track.exact, track.same_pair, track.other_pair)
    return (track.released, track.expected, track.mined, *matched, missing, extra)


def shares_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    building = [one for one in found if one.green >= LEAST_GREEN]
    rows = [shares_row("all", found), shares_row("with two usable commits", building)]
    counts = ("number", "expected", "exact", "mined", "extra")
    shares = (Column("exact of expected", "percent"), Column("extra of mined", "percent"))
    return Table(
        f"{name}_shares",
        "Shares",
        (Column("repositories"), *(Column(title, "count") for title in counts), *shares),
        tuple(rows),
    )


def shares_row(title: str, found: Sequence[RepositoryAgreement]) -> tuple[Cell, ...]:
    counts = [dict(zip(TASK_COLUMNS, counts_of(track), strict=True)) for one in found for track in one.tracks]
    sums = [sum(count[column] for count in counts) for column in ("expected", "exact", "mined", "extra")]
    expected, exact, mined, extra = sums
    return (title, len(found), *sums, exact / expected if expected else None, extra / mined if mined else None)


def tasks_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    sums = [0] * len(TASK_COLUMNS)
    for one in found:
        for track in one.tracks:
            counts = counts_of(track)
            sums = [total + count for total, count in zip(sums, counts, strict=True)]
            if track.expected or track.mined:
                rows.append((one.repository, track.track.value, *counts))
    rows.append(("all", "both", *sums))
    columns = (Column("repository"), Column("track"), *(Column(title, "count") for title in TASK_COLUMNS))
    notes = (
        "Expected: both revisions were walked. Same pair: equal revisions and test file, another set of test methods. "
        "Other pair: equal test file, a common test method, the same Java files at the new revision.",
    )
    return Table(f"{name}_tasks", "Tasks", columns, tuple(rows), notes)


def commits_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    """What became of the commits of each repository, and the time it took; the last row has the medians of times."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.repository,
            *(one.walked, one.kept, one.built, one.green, served_by(one, BY_MAVEN), served_by(one, BY_SUREFIRE)),
            *(round(one.wall_seconds / 60), one.processor_seconds),
            one.rejection or "mined to the end",
            one.maven or None,
            one.compared_on or None,
        )
        for one in found
    ]
    if found:
        minutes = round(median(one.wall_seconds for one in found) / 60)
        seconds = round(median(one.processor_seconds for one in found))
        rows.append(("median", *[None] * (len(COMMIT_COLUMNS) - 2), minutes, seconds, *[None] * len(NOTED_COLUMNS)))
    columns = (
        Column("repository"),
        *(Column(title, "count") for title in COMMIT_COLUMNS),
        *(Column(title) for title in NOTED_COLUMNS),
    )
    return Table(f"{name}_commits", "Commits", columns, tuple(rows))


def served_by(one: RepositoryAgreement, who: str) -> int:
    return sum(part.count for part in one.served if part.reason.startswith(who))


def reasons_table(
    name: str,
    title: str,
    found: Sequence[RepositoryAgreement],
    parts: Callable[[TrackAgreement], Sequence[FunnelCount]],
) -> Table:
    """Counts by reason, with the repositories that they come from; the most frequent reason first."""
    counts: Counter[str] = Counter()
    where: dict[str, dict[str, None]] = defaultdict(dict)
    for one in found:
        for part in (part for track in one.tracks for part in parts(track)):
            counts[part.reason] += part.count
            where[part.reason][one.repository] = None
    rows = tuple(
        (reason, counts[reason], ", ".join(where[reason])) for reason in sorted(counts, key=lambda r: (-counts[r], r))
    )
    return Table(name, title, (Column("reason"), Column("tasks", "count"), Column("repositories")), rows)


def served_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    """Compiled commits by engine, and why Maven compiled the rest."""
    counts: Counter[str] = Counter()
    for one in found:
        counts.update({part.reason: part.count for part in one.served})
    rows = tuple((reason, counts[reason]) for reason in sorted(counts, key=lambda r: (-counts[r], r)))
    return Table(f"{name}_engines", "Commits by engine", (Column("engine"), Column("commits", "count")), rows)


def replaced_part(page: str, name: str, part: str) -> str:
    """The page with `part` between its two markers.

    Raises:
        UserError: the page does not hold both markers once, in order.
    """
    begin, end = f"<!-- generated: {name} -->", f"<!-- end of {name} -->"
    if page.count(begin) != 1 or page.count(end) != 1 or page.index(begin) > page.index(end):
        raise UserError(
            f"The page needs the two lines `{begin}` and `{end}` once each, in this order, to know where the tables "
            f"belong. Add them, or name another part with --name."
        )
    before, rest = page.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n\n{part}\n{end}{after}"
