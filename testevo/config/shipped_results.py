"""Whether results that came from elsewhere were made by the configuration at hand.

Snakemake trusts files that are marked as up to date. Before results are imported, the keys that the
stages would run with are compared with those that the shipped configuration gives.
"""

from collections.abc import Sequence

from testevo.config.model import Config
from testevo.config.resolved import OWN_SOURCE, STAGE_PARTS, stage_key


def differing_stages(shipped: Config, wanted: Config, slugs: Sequence[str]) -> list[str]:
    """The stages that would run with another key than the shipped results were made with, in the order of the stages.

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
