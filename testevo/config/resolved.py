"""The resolved configuration as the stages read it, and which parts of it each stage depends on."""

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from testevo.config.model import Config
from testevo.ground.errors import UserError
from testevo.ground.files import canonical_json, content_key, write_atomically

# A stage runs again when one of these parts changes; stages downstream follow from their inputs.
STAGE_PARTS = {
    "search": ("sources",),
    "clone": ("sources", "rules.walk", "rules.pairs"),
    "build_check": ("sources", "build", "execution"),
    "commit_pair": ("rules", "build.engine", "build.level_override"),
    "instrument": ("rules", "execution.instrument"),
    "triple_execute": ("rules", "execution"),
    "refactoring_filter": ("rules.filters", "refactoring"),
    "package": ("rules", "snapshot"),
}


def stage_key(config: Config, stage: str) -> str:
    """A key of the parts of the configuration that a stage reads."""
    whole = config.model_dump(mode="json")
    return content_key(*(canonical_json(part_of(whole, part)) for part in STAGE_PARTS[stage]))[:16]


def part_of(whole: Any, path: str) -> Any:
    for name in path.split("."):
        whole = whole[name]
    return whole


def write_resolved(config: Config, path: Path) -> Path:
    """Write the resolved configuration for the stages; an equal file is left alone."""
    content = (json.dumps(config.model_dump(mode="json"), indent=1, sort_keys=True) + "\n").encode()
    if not path.is_file() or path.read_bytes() != content:
        write_atomically(path, content)
    return path


def read_resolved(path: Path) -> Config:
    """Read what `write_resolved` wrote.

    Raises:
        UserError: missing or no configuration of this version.
    """
    try:
        return Config.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{path} is no resolved configuration ({reason}). Run the workflow again.") from error
