"""`testevo search`: search GitHub for candidates, or check the repositories that a file names."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.cli.mining.workflow import GIVEN, run_workflow, write_given
from testevo.cli.options import ResultsOption, with_results
from testevo.cli.output import Line, columns, show
from testevo.config.load import load_config, merge, read_yaml
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout
from testevo.records.base import read_records
from testevo.records.snapshots.search import FoundRepository
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import url_safe_name
from testevo.sources.github.candidates import is_searched
from testevo.sources.github.names import read_names

CANDIDATE = "candidate"


def search(
    names: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Check these repositories instead: CSV or JSON lines, also .gz."),
    ] = None,
    configuration: Annotated[
        Path | None, typer.Option(help="Configured snapshot with `sources.github`; else the paper's criteria.")
    ] = None,
    results: ResultsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines instead of a table.")] = False,
) -> None:
    """Search GitHub for candidate repositories, and list each rejected one with the first reason.

    Tokens come from TESTEVO_GITHUB_TOKENS, GITHUB_TOKEN or GH_TOKEN. A second search reads the lock file of the first.

    testevo search --from list.csv
    """
    config = searching(configuration, names, results)
    layout = Layout.of(config)
    run_search(config, layout)
    found = read_records(layout.found, FoundRepository)
    if as_json:
        show(one.line() for one in found)
        return
    candidates = sum(one.rejection is None for one in found)
    mine = f"testevo mine --configuration {layout.root / GIVEN}"
    show(
        [
            *table_of(found),
            Line(""),
            *reason_lines(found),
            Line(f"{candidates} of {len(found)} repositories are candidates. Mine them: {mine}"),
        ]
    )


def searching(configuration: Path | None, names: Path | None, results: Path | None) -> Config:
    """The configuration of a search.

    Raises:
        UsageError: it has no `sources.github`, or is wrong.
        UserError: the file of names cannot be used.
    """
    if configuration is not None:
        given = read_yaml(configuration)
    else:
        given = {"snapshot": url_safe_name(names.name.split(".")[0] if names else "github"), "sources": {"github": {}}}
    above: dict[str, Any] = {}
    if names is not None:
        read_names(names)
        above["sources"] = {"github": {"names": str(names.resolve())}}
    config = load_config(with_results(merge(given, above), results), origin=str(configuration or "the command"))
    if config.sources.github is None:
        raise UsageError(f"{configuration} has no `sources.github`. Add it; `{{}}` searches as the paper did.")
    return config


def run_search(config: Config, layout: Layout) -> None:
    """Search by the workflow; again where the lock file of an earlier search was deleted.

    Raises:
        UserError: as `testevo.sources.github.run.search`.
    """
    again = [] if is_searched(config) or not layout.found.is_file() else [layout.found]
    run_workflow(
        write_given(config, layout), layout, cores=1, again=again, targets=["search"], doing="searching GitHub"
    )


def table_of(found: Sequence[FoundRepository]) -> list[Line]:
    """A line per repository, candidates first."""
    rows = [
        (
            one.name,
            "" if one.stars is None else str(one.stars),
            one.licence or "",
            one.rejection.value if one.rejection else CANDIDATE,
            one.detail or (f"found as {one.found_as}" if one.found_as else ""),
        )
        for one in sorted(found, key=lambda one: one.rejection is not None)
    ]
    return columns(("repository", "stars", "licence", "outcome", "detail"), rows, right=(1,))


def reason_lines(found: Sequence[FoundRepository]) -> list[Line]:
    """The number of repositories that each reason rejects."""
    counts = Counter(one.rejection for one in found if one.rejection)
    rows = [(reason.value, str(count), reason.doc) for reason, count in counts.most_common()]
    return [*columns(("reason", "repositories", "which says that"), rows, right=(1,)), Line("")] if rows else []
