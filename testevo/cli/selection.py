"""The options that select tasks and systems, the same for all commands, and the errors of an empty selection."""

import dataclasses
import difflib
import functools
import inspect
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer

from testevo.config.model import Selection
from testevo.config.model_cutoffs import cutoff_of
from testevo.grading.submissions.prediction_files import systems_in
from testevo.grading.submissions.selection import S, matches, selected
from testevo.records.evaluation.predictions import Prediction
from testevo.runtime.errors import NotFoundError, UsageError, UserError

P = ParamSpec("P")
R = TypeVar("R")

DAY = "%Y-%m-%d"
NEAREST = 3


@dataclass(frozen=True)
class TaskChoice:
    """The options that choose tasks."""

    task: Annotated[
        list[str],
        typer.Option("--task", help="Only these task ids: shell patterns, @FILE for one a line; may be repeated."),
    ] = dataclasses.field(default_factory=list)
    track: Annotated[str | None, typer.Option("--track", help="Only this track: update or generation.")] = None
    since: Annotated[
        datetime | None, typer.Option("--since", formats=[DAY], help="Only new revisions of this UTC day or later.")
    ] = None
    until: Annotated[
        datetime | None, typer.Option("--until", formats=[DAY], help="Only new revisions before this UTC day.")
    ] = None
    after_cutoff_of: Annotated[
        str | None, typer.Option("--after-cutoff-of", help="Only new revisions after this model's training cutoff.")
    ] = None
    active: Annotated[bool, typer.Option("--active", help="Only active tasks, not quarantined ones.")] = False

    def selection(self) -> Selection:
        """The tasks that the options ask for.

        Raises:
            UsageError: a file cannot be read, there is no such track, or no day is left.
            NotFoundError: no cutoff of the model is known.
        """
        since = self.since and self.since.date()
        if self.after_cutoff_of is not None:
            after = cutoff_of(self.after_cutoff_of).first_day_after
            since = max(since, after) if since else after
        chosen = selection_of(self.task, self.track, since, self.until and self.until.date())
        return chosen.model_copy(update={"active": self.active})


@dataclass(frozen=True)
class Choice(TaskChoice):
    """The options that choose tasks and systems."""

    system: Annotated[list[str], typer.Option("--system", help="Only this system; may be repeated.")] = (
        dataclasses.field(default_factory=list)
    )
    only_predicted: Annotated[
        bool, typer.Option("--only-predicted", help="Only tasks that every chosen system has a prediction for.")
    ] = False


ANY_TASK = TaskChoice()
NOTHING_CHOSEN = Choice()
KINDS = (TaskChoice, Choice)


def choosing(command: Callable[P, R]) -> Callable[P, R]:
    """A command with the fields of `TaskChoice` or `Choice` as options, in place of its parameter of that type."""
    signature = inspect.signature(command, eval_str=True)
    [(target, kind)] = [(name, one.annotation) for name, one in signature.parameters.items() if one.annotation in KINDS]
    options = [option_of(field) for field in dataclasses.fields(kind)]

    @functools.wraps(command)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        chosen = {option.name: named.pop(option.name) for option in options if option.name in named}
        named.setdefault(target, kind(**chosen))
        return command(*arguments, **named)

    parameters = [
        one for name, parameter in signature.parameters.items() for one in (options if name == target else [parameter])
    ]
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


def option_of(field: "dataclasses.Field[Any]") -> inspect.Parameter:
    """The parameter of a command for a field."""
    default = field.default if field.default_factory is dataclasses.MISSING else field.default_factory()
    return inspect.Parameter(
        field.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=field.type
    )


def selection_of(task: Sequence[str], track: str | None, since: date | None, until: date | None) -> Selection:
    """The tasks of some patterns, a track, and days of the new revision.

    Raises:
        UsageError: a file cannot be read, there is no such track, or `since` is not before `until`.
    """
    if track not in (None, "update", "generation"):
        raise UsageError(f"--track: there is no track {track!r}. Known ones: update, generation.")
    if since is not None and until is not None and since >= until:
        raise UsageError(f"{since} (--since, or a training cutoff) is not before --until {until}: no task is between.")
    patterns = [pattern for text in task for pattern in patterns_of(text)]
    if task and not patterns:
        raise UsageError(f"--task {', '.join(task)} names no task.")
    return Selection.model_validate(
        {"tasks": ",".join(patterns) or "*", "track": track or "both", "since": since, "until": until}
    )


def patterns_of(text: str) -> list[str]:
    """The patterns that a value of `--task` holds: itself, or the lines of a file that it names."""
    named = text.startswith("@")
    file = Path(text.removeprefix("@"))
    # `Path.is_file` raises on a list of ids that is too long for a name.
    if not named and not os.path.isfile(file):  # noqa: PTH113
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--task {text} cannot be read ({why}). Give a file of task ids.") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def chosen_tasks(tasks: Sequence[S], selection: Selection, place: object) -> list[S]:
    """The selected ones, sorted.

    Raises:
        NotFoundError: no task matches one of the patterns; the message names near ids.
        UserError: there is no task to choose from.
        UsageError: nothing is left.
    """
    ids = sorted({one.task_id for one in tasks})
    for pattern in selection.tasks.split(","):
        if pattern != "*" and not any(matches(name, pattern) for name in ids):
            raise NotFoundError(f"No task of {place} matches {pattern!r}. {nearest(pattern, ids)}")
    found = selected(tasks, selection)
    if not ids:
        raise UserError(f"{place} has no task at all. `testevo builds` and `testevo task list --dropped` say why.")
    if not found:
        asked = selection.model_dump(mode="json", exclude_defaults=True)
        told = ", ".join(f"{name} {value}" for name, value in asked.items()) or "all tasks"
        raise UsageError(f"None of the {len(ids)} tasks of {place} is asked for ({told}). Ask for more tasks.")
    return found


def chosen_systems(wanted: Sequence[str], known: Iterable[str]) -> list[str]:
    """The wanted systems, all when none is named.

    Raises:
        NotFoundError: a name is unknown; the message names near ones.
    """
    names = sorted(set(known))
    for name in wanted:
        if name not in names:
            raise NotFoundError(f"There is no system {name!r} here. {nearest(name, names)}")
    return [name for name in names if not wanted or name in wanted]


def nearest(wanted: str, names: Sequence[str]) -> str:
    """The names that look most like the wanted one, as a sentence."""
    near = difflib.get_close_matches(wanted, names, n=NEAREST, cutoff=0)
    return f"The nearest names are: {', '.join(near)}." if near else "There is none at all."


def systems_of_files(given: Sequence[str], wanted: Sequence[str] = ()) -> dict[str, str]:
    """Predictions file by system: of each `NAME=FILE`, and of each system that a plain file names.

    Raises:
        UserError: a file cannot be read, or names no system.
        UsageError: two files are given for one system.
        NotFoundError: a wanted system is in none of them.
    """
    files: dict[str, str] = {}
    for text in given:
        name, equals, file = text.partition("=")
        plain = not equals or os.access(text, os.F_OK)
        for system in systems_in(Path(text)) if plain else [name]:
            if system in files:
                raise UsageError(f"--predictions: {files[system]} and {text} both hold {system}. Give NAME=FILE.")
            files[system] = text if plain else file
    return {system: files[system] for system in chosen_systems(wanted, files)} if given or wanted else {}


def predicted_by_all(tasks: Sequence[S], predictions: Iterable[Sequence[Prediction]]) -> list[S]:
    """The tasks that every system has a prediction for.

    Raises:
        UsageError: there is none.
    """
    known = [{(one.task_id, one.track) for one in of_system} for of_system in predictions]
    found = [
        task for task in tasks if all({(task.task_id, None), (task.task_id, task.track.value)} & ids for ids in known)
    ]
    if not found:
        raise UsageError("--only-predicted: no chosen task has a prediction of every chosen system.")
    return found
