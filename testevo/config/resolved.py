"""The resolved configuration as the stages read it, and which parts of it each stage depends on."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from testevo.config.model import Config, Selection
from testevo.config.rules import WalkRules
from testevo.records.repository import slug_of
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import canonical_json, content_key, folder_digest
from testevo.runtime.files.whole_files import write_if_changed
from testevo.runtime.refused_input import reason

# A stage runs again when one of these parts changes; stages downstream follow from their inputs. `own source` is the
# repository's own entry in `sources`: a snapshot with more repositories costs only the new ones (TEB-M21).
OWN_SOURCE = "own source"
CHOSEN = tuple(f"evaluation.{name}" for name in Selection.model_fields)
"""The tasks that are graded."""
STAGE_PARTS = {
    "search": ("sources",),
    "clone": (OWN_SOURCE, "rules.walk", "rules.pairs", "build.level_override"),
    "warm_up": (OWN_SOURCE, "build.engine", "build.level_override", "build.certify"),
    "build_check": (
        OWN_SOURCE,
        "build.engine",
        "build.level_override",
        "build.baseline_commits",
        "build.certify",
        "rules.pairs.required_checks",
        "execution",
    ),
    "commit_pair": (OWN_SOURCE, "rules", "build.engine", "build.level_override"),
    "instrument": (OWN_SOURCE, "rules", "execution"),
    "triple_execute": (OWN_SOURCE, "rules", "execution", "stability"),
    "refactoring_filter": ("rules.filters", "refactoring"),
    "measure_gold": (
        OWN_SOURCE,
        "build.engine",
        "build.level_override",
        "execution",
        "stability",
        "evaluation.build_seconds",
        "evaluation.coverage",
        "evaluation.gold_runs",
        "evaluation.mutation",
    ),
    "package": ("rules", "snapshot", "licence"),
    "solve": ("build.engine", "build.level_override", "execution", "solving", *CHOSEN),
    "evaluate": (
        "build.engine",
        "build.level_override",
        "execution",
        *CHOSEN,
        "evaluation.build_seconds",
        "evaluation.repair",
        "evaluation.coverage",
        "evaluation.mutation",
    ),
    "second_opinion": ("execution", *CHOSEN, "evaluation.repair", "evaluation.mutation", "evaluation.second_opinion"),
    "validate": ("evaluation.controls",),
    "aggregate": ("analysis", "evaluation.cost_cap", "evaluation.controls"),
    "reproduce": ("analysis", "reproduction"),
    "site": ("analysis", "evaluation.cost_cap", "evaluation.controls", "reproduction"),
}


_READERS = {
    "sandbox": ("solve", "evaluate", "second_opinion"),
    "repeats": ("triple_execute",),
    "repeated_negatives": ("triple_execute",),
}
"""By settings of `execution` that change nothing in other stages, those that they do. Records of a grade say in which
sandbox tests ran; what is found is the same in all."""


def stage_key(config: Config, stage: str, repository: str = "") -> str:
    """A key of the parts of the configuration that a stage reads.

    Args:
        repository: name or slug of the repository that the stage works on, '' for stages of the whole snapshot.
    """
    return _key(config, stage, own_source(config, slug_of(repository)))


def work_key(config: Config, stage: str, repository: str) -> str:
    """The same for work on given revisions, whose ids hold their whole content.

    What only decides which revisions are worked on is left out, such as the cutoff or a longer list of releases, so
    that a later snapshot takes over what an earlier one did (`Config.predecessor`).
    """
    slug = slug_of(repository)
    given = own_source(config, slug) or {}
    rules = config.rules.model_copy(update={"walk": WalkRules()})
    build = config.build.model_copy(update={"baseline_commits": 0})
    same = config.model_copy(update={"rules": rules, "build": build})
    return _key(same, stage, {"slug": slug, "overrides": given.get("overrides")})


def _key(config: Config, stage: str, own: dict[str, Any] | None) -> str:
    whole = config.model_dump(mode="json")
    for name, stages in _READERS.items():
        if stage not in stages:
            whole["execution"].pop(name)
    whole[OWN_SOURCE] = own
    return content_key(*(canonical_json(part_of(whole, part)) for part in STAGE_PARTS[stage]))[:16]


def own_source(config: Config, slug: str) -> dict[str, Any] | None:
    """The configuration of one repository: its entry in `sources`, or the digest of a world's folder."""
    for listed in config.sources.repositories:
        if slug_of(listed.name) == slug:
            return listed.model_dump(mode="json")
    for releases in config.sources.releases:
        if releases.coordinates.replace(":", "+") == slug:
            return releases.model_dump(mode="json")
    world = config.sources.worlds_place / slug.partition("+")[2]
    return {"digest": folder_digest(world)} if slug and (world / "world.yaml").is_file() else None


def part_of(whole: Any, path: str) -> Any:
    for name in path.split("."):
        whole = whole[name]
    return whole


def write_resolved(config: Config, path: Path) -> Path:
    """Write the resolved configuration for the stages; an equal file is left alone."""
    content = (json.dumps(config.model_dump(mode="json"), indent=1, sort_keys=True) + "\n").encode()
    write_if_changed(path, content)
    return path


def read_resolved(path: Path) -> Config:
    """Read what `write_resolved` wrote.

    Raises:
        UserError: missing or no configuration of this version.
    """
    try:
        return Config.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise UserError(f"{path} is not a resolved configuration ({reason(error)}). Run the workflow again.") from error


def differing_stages(shipped: Config, wanted: Config, slugs: Sequence[str]) -> list[str]:
    """The stages that would run with another key than the shipped results were made with, in the order of the stages.

    Snakemake trusts files that are marked as up to date, so this is asked before results from elsewhere are imported.

    Args:
        slugs: the repositories of the wanted snapshot.
    """
    return [
        stage
        for stage in STAGE_PARTS
        if any(stage_key(shipped, stage, slug) != stage_key(wanted, stage, slug) for slug in _slugs(stage, slugs))
    ]


def _slugs(stage: str, slugs: Sequence[str]) -> Sequence[str]:
    return slugs if OWN_SOURCE in STAGE_PARTS[stage] else [""]
