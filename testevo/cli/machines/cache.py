"""`testevo cache`: what is kept so that it need not be made again, how large it is, and pruning by age and size."""

import re
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from testevo.cli.options import RESULTS
from testevo.cli.output import Line, columns, show
from testevo.packaging.series.kept_work import KINDS, KeptWork, kept_work, remove, to_remove
from testevo.runtime.errors import MachineError, NotFoundError, UsageError

app = typer.Typer(no_args_is_help=False, help="Show how large the caches are, or prune them (docs/snapshots.md).")

RESULTS_OPTION = typer.Option(help=f"Folder of results; {RESULTS} if absent.")
SECONDS = {"h": 3600, "d": 86400, "w": 7 * 86400}
BYTES = {"": 1, **{f"{letter}iB": 1024**power for power, letter in enumerate("KMGT", 1)}}
BYTES |= {"kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


@app.callback(invoke_without_command=True)
def shown(context: typer.Context, results: Annotated[Path | None, RESULTS_OPTION] = None) -> None:
    """Show sizes, ages and last use by kind."""
    verb = context.invoked_subcommand
    if verb is None:
        show(table_of_kinds(kept_work(existing(results or RESULTS))))
    elif results is not None:
        raise UsageError(f"--results belongs behind {verb}: `testevo cache {verb} --results {results}`.")


@app.command("prune")
def prune(
    results: Annotated[Path | None, RESULTS_OPTION] = None,
    older_than: Annotated[
        str | None, typer.Option(help="Remove what was not used for this long: 12h, 30d, 8w.")
    ] = None,
    larger_than: Annotated[
        str | None, typer.Option(help="Then remove the longest unused until the rest is this small: 20GiB.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be removed, and remove nothing.")] = False,
) -> None:
    """Remove cached work by age and size; never what a running snapshot uses.

    testevo cache prune --older-than 30d --larger-than 20GiB --dry-run
    """
    if older_than is None and larger_than is None:
        raise UsageError("Say what to remove: --older-than 30d, --larger-than 20GiB, or both.")
    seconds = None if older_than is None else quantity(older_than, SECONDS, "--older-than", "30d")
    size = None if larger_than is None else int(quantity(larger_than, BYTES, "--larger-than", "20GiB"))
    with ExitStack() as held:
        kept = kept_work(existing(results or RESULTS), None if dry_run else held)
        chosen = to_remove(kept, None if seconds is None else time.time() - seconds, size)
        show(rows_of(chosen))
        left = {} if dry_run else {one.path: why for one in chosen if (why := removed(one)) is not None}
    gone = [one for one in chosen if one.path not in left]
    show([Line(f"{path} stays: {why}", "warning") for path, why in left.items()])
    needed = sum(one.needed is not None for one in kept)
    print(
        f"{'Would remove' if dry_run else 'Removed'} {len(gone)} of {len(kept)} things, {readable(gone)} of "
        f"{readable(kept)}; {needed} are in use or part of a snapshot."
    )


def removed(one: KeptWork) -> str | None:
    """Remove it; why it stays.

    Raises:
        MachineError: it cannot be removed.
    """
    try:
        return remove(one)
    except OSError as error:
        raise MachineError(f"{one.path} cannot be removed: {error.strerror}. Run the command again.") from error


def existing(results: Path) -> Path:
    """The folder.

    Raises:
        NotFoundError: there is none.
    """
    if not results.is_dir():
        raise NotFoundError(f"There is no folder {results}. Give --results with a folder of results.")
    return results


def quantity(text: str, units: dict[str, int], option: str, example: str) -> float:
    """A number with its unit.

    Raises:
        UsageError: it is none.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([A-Za-z]*)", text)
    if found is None or found[2] not in units:
        known = ", ".join(unit for unit in units if unit)
        raise UsageError(f"{option} {text}: give a number with one of the units {known}, such as {example}.")
    return float(found[1]) * units[found[2]]


def table_of_kinds(kept: Sequence[KeptWork]) -> list[Line]:
    rows = []
    for kind, meaning in KINDS.items():
        own = [one for one in kept if one.kind == kind]
        if own:
            uses = sorted(one.last_use for one in own)
            needed = sum(one.needed is not None for one in own)
            rows.append((kind, str(len(own)), readable(own), day(uses[0]), day(uses[-1]), str(needed), meaning))
    rows.append(("all", str(len(kept)), readable(kept), "", "", str(sum(one.needed is not None for one in kept)), ""))
    headings = ("kind", "number", "size", "oldest use", "last use", "needed", "what")
    return columns(headings, rows, right=(1, 2, 5))


def rows_of(chosen: Iterable[KeptWork]) -> list[Line]:
    rows = [(one.kind, day(one.last_use), readable([one]), str(one.path)) for one in chosen]
    return columns(("kind", "last use", "size", "path"), rows, right=(2,)) if rows else []


def day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def readable(kept: Iterable[KeptWork]) -> str:
    size = float(sum(one.bytes for one in kept))
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"
