"""The part of docs/fidelity.md that is made from records of agreement, and how it is put into the page."""

from collections.abc import Sequence

from testevo.analysis.statistics.tables import Cell, Column, Table, to_markdown
from testevo.records.fidelity import RepositoryAgreement
from testevo.runtime.errors import UserError

TASK_COLUMNS = ("released", "expected", "mined", "exact", "same pair", "other pair", "missing", "extra")
COMMIT_COLUMNS = ("walked", "kept", "built", "green")


def page_part(name: str, found: Sequence[RepositoryAgreement]) -> str:
    """Three tables in Markdown: tasks, commits, and missing tasks by reason."""
    return "\n".join(
        to_markdown(table)
        for table in (tasks_table(name, found), commits_table(name, found), reasons_table(name, found))
    )


def tasks_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    sums = [0] * len(TASK_COLUMNS)
    for one in found:
        for track in one.tracks:
            missing = sum(part.count for part in track.missing)
            counts = (
                track.released,
                track.expected,
                track.mined,
                track.exact,
                track.same_pair,
                track.other_pair,
                missing,
                track.extra,
            )
            sums = [total + count for total, count in zip(sums, counts, strict=True)]
            if track.released or track.mined:
                rows.append((one.repository, track.track.value, *counts))
    rows.append(("all", "both", *sums))
    columns = (Column("repository"), Column("track"), *(Column(title, "count") for title in TASK_COLUMNS))
    notes = (
        "Expected: both revisions were walked. Same pair: equal revisions and test file, another set of test methods. "
        "Other pair: equal test file, a common test method, the same Java files at the new revision.",
    )
    return Table(f"{name}_tasks", "Tasks", columns, tuple(rows), notes)


def commits_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    rows = tuple(
        (one.repository, one.walked, one.kept, one.built, one.green, one.rejection or "mined to the end")
        for one in found
    )
    columns = (Column("repository"), *(Column(title, "count") for title in COMMIT_COLUMNS), Column("end"))
    return Table(f"{name}_commits", "Commits", columns, rows)


def reasons_table(name: str, found: Sequence[RepositoryAgreement]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for track in one.tracks:
            rows += [(one.repository, track.track.value, part.reason, part.count) for part in track.missing]
    columns = (Column("repository"), Column("track"), Column("stage and reason"), Column("tasks", "count"))
    return Table(f"{name}_missing", "Missing tasks by reason", columns, tuple(rows))


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
