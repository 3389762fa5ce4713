"""Options that several commands share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.config.load import merge
from testevo.runtime.errors import UsageError

RESULTS = Path("results")
SandboxOption = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        help="Sandbox of test JVMs: auto, bubblewrap, docker, apptainer; unshare and none consent to untrusted code.",
    ),
]
ResultsOption = Annotated[
    Path | None, typer.Option("--results", help=f"Folder of all results; as configured, or {RESULTS}, if absent.")
]
FurtherSettings = Annotated[
    Path | None, typer.Option("--configuration", help="YAML file with further settings (docs/configuration.md).")
]


def with_results(given: Mapping[str, Any], results: Path | None) -> dict[str, Any]:
    """A configuration with the folder of results that the command line names, else its own, else `results`."""
    return merge({"results": str(RESULTS)} | dict(given), {} if results is None else {"results": str(results)})


def in_sandbox(given: Mapping[str, Any], sandbox: str | None) -> dict[str, Any]:
    """A configuration with the sandbox that the command line names, if it names one."""
    return merge(given, {} if sandbox is None else {"execution": {"sandbox": sandbox}})


def require_one_of(asked: Mapping[str, object]) -> None:
    """Refuse a command line that asks for several things of which a command shows or does one.

    Args:
        asked: the value of each of these options, by its name; what is false, empty or None was not given.

    Raises:
        UsageError: more than one was given.
    """
    given = [name for name, value in asked.items() if value]
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} ask for different things. Give one of them.")


def refuse_beside(option: str, asked: Mapping[str, object]) -> None:
    """Refuse options that another one leaves without a meaning.

    Args:
        option: the other one, which was given.
        asked: as of `require_one_of`.

    Raises:
        UsageError: one of them was given.
    """
    given = [name for name, value in asked.items() if value]
    if given:
        raise UsageError(f"{option} makes no use of {', '.join(given)}. Leave out one or the other.")
