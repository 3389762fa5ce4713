"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

SandboxOption = Annotated[
    str | None, typer.Option("--sandbox", help="What test JVMs run in: auto, bubblewrap, docker, apptainer or none.")
]
FurtherSettings = Annotated[
    Path | None,
    typer.Option("--configuration", help="YAML file with further settings (docs/configuration.md)."),
]
