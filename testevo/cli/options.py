"""Options that several commands share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.config.load import merge

SandboxOption = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        help="Sandbox of test JVMs: auto, bubblewrap, docker, apptainer; unshare and none consent to untrusted code.",
    ),
]
FurtherSettings = Annotated[
    Path | None, typer.Option("--configuration", help="YAML file with further settings (docs/configuration.md).")
]


def in_sandbox(given: Mapping[str, Any], sandbox: str | None) -> dict[str, Any]:
    """A configuration with the sandbox that the command line names, if it names one."""
    return merge(given, {} if sandbox is None else {"execution": {"sandbox": sandbox}})
