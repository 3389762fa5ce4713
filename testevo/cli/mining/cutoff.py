"""The day up to which a history is mined: where it comes from, and how many commits lie after it."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from testevo.cli.mining.workflow import GIVEN
from testevo.config.load import read_yaml
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.runtime.files.json_and_yaml import parsed_json


def resolved_cutoff(until: str | None, given: dict[str, Any], results: Path, today: date) -> str:
    """The cutoff of a single history.

    The day that was asked for; else the one that this snapshot was mined with before, so that the same command resumes
    the next day; else today. The configuration that the workflow gets keeps it.

    Args:
        until: the day that was asked for.
        given: the configuration of the history, with the name of its snapshot.
        results: the folder of all results.
        today: the day it is, UTC.
    """
    return until or kept_cutoff(Layout(results / given["snapshot"])) or today.isoformat()


def kept_cutoff(layout: Layout) -> str | None:
    """The cutoff that a snapshot was mined with last; None when it was not mined yet."""
    file = layout.root / GIVEN
    if not file.is_file():
        return None
    cutoff = read_yaml(file).get("rules", {}).get("walk", {}).get("cutoff")
    return str(cutoff) if cutoff else None


def cutoff_line(cutoff: str, files: Sequence[RepositoryFiles]) -> str:
    """Describe the cutoff for the summary; commits of repositories that were not counted are left out of the number."""
    counted = [parsed_json(one.cutoff.read_bytes()) for one in files if one.cutoff.is_file()]
    after = [one["after"] for one in counted if one["cutoff"] == cutoff]
    if not after:
        return f"Cutoff {cutoff}: commits on or after that day are left out (not counted)."
    if not any(after):
        return f"Cutoff {cutoff}: no commit lies on or after that day."
    left_out = "1 commit lies" if sum(after) == 1 else f"{sum(after)} commits lie"
    return f"Cutoff {cutoff}: {left_out} on or after that day, left out; --until takes more in."
