"""`testevo status`: how far a running or stopped snapshot is."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from testevo.config.layout import STAGES, Layout, RepositoryFiles
from testevo.config.resolved import read_resolved
from testevo.ground.errors import UserError
from testevo.ground.progress import read_progress
from testevo.sources.candidates import candidates

RESULT_OF = {
    "clone": "commits",
    "build_check": "suites",
    "commit_pair": "changes",
    "instrument": "calls",
    "triple_execute": "joined_changes",
    "refactoring_filter": "refactorings",
    "package": "tasks",
}


@dataclass(frozen=True)
class StageState:
    """How far one stage of one repository is: `done`, `waiting`, or a count of items."""

    repository: str
    stage: str
    state: str


def stage_states(files: RepositoryFiles, repository: str) -> list[StageState]:
    """The state of every stage of one repository."""
    return [StageState(repository, stage, state_of(files, stage)) for stage in STAGES]


def state_of(files: RepositoryFiles, stage: str) -> str:
    result: Path = getattr(files, RESULT_OF[stage])
    if result.is_file():
        return "done"
    progress = read_progress(files.progress(stage))
    return "waiting" if progress is None else f"{progress[1]} of {progress[2]} {progress[0]}"


def status(
    snapshot: Annotated[Path, typer.Argument(help="Folder of the snapshot, such as results/demo.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show, per repository and stage, what is done and what is left."""
    layout = Layout(snapshot)
    if not layout.config.is_file():
        raise UserError(f"{snapshot} is no snapshot: it has no config.json. Give a folder such as results/demo.")
    config = read_resolved(layout.config)
    states = [
        state
        for repository in candidates(config)
        for state in stage_states(layout.of_repository(repository.slug), repository.name)
    ]
    if as_json:
        print(json.dumps([asdict(state) for state in states], indent=1))
        return
    table = Table("repository", *STAGES, box=None, pad_edge=False)
    for name in sorted({state.repository for state in states}):
        table.add_row(name, *(state.state for state in states if state.repository == name))
    Console(width=max(120, Console().width)).print(table)
