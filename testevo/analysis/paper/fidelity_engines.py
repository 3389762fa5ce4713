"""Hold two drawn revisions of a mined repository against Maven and Surefire.

The verdicts of the mining itself are compared, with all that it took over from other commits, and not those of a second
run of the default engine. The reference builds and tests one commit alone.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from testevo.analysis.engine_agreement import compare
from testevo.analysis.output.tables import Cell, Column, Table, to_markdown
from testevo.analysis.paper.fidelity import MinedRepository, Reasons
from testevo.config.load import merge
from testevo.config.snapshot.layout import RepositoryFiles
from testevo.packaging.dataset.served import by_whom
from testevo.records.repository import slug_of
from testevo.records.snapshots.fidelity import EngineAgreement, RevisionAgreement
from testevo.runtime.files.files import url_safe_name

DIRECT = "direct"
REVISIONS = 2
"""Drawn of each repository."""


def draw_revisions(mined: MinedRepository, seed: int) -> list[str]:
    """Two usable commits of the repository, or as many as there are."""
    usable = sorted(revision for revision, reason in Reasons(mined).unusable.items() if reason is None)
    return random.Random(seed).sample(usable, min(REVISIONS, len(usable)))


def alone(given: Mapping[str, Any], name: str, revision: str) -> dict[str, Any]:
    """The configuration of a mined snapshot that lists a repository by name, for one commit of this repository alone.

    Without a neighbour it would be too isolated to be built and change no Java file, so these rules are lifted.
    """
    [listed] = [one for one in given["sources"]["repositories"] if one["name"] == name]
    return merge(
        dict(given),
        {
            "snapshot": f"{given['snapshot']}-{url_safe_name(slug_of(name))}-{revision[:7]}",
            "sources": {"repositories": [{**listed, "start": revision}]},
            "rules": {"walk": {"limit": 1, "collapse": "none"}, "pairs": {"gap_hours": None}},
        },
    )


def revision_agreement(
    mined: MinedRepository, files: RepositoryFiles, reference: RepositoryFiles, revision: str
) -> RevisionAgreement:
    """How far the mining of a commit agrees with the reference.

    Args:
        mined: the records of the mining.
        files: where they lie.
    """
    build = next(one for one in mined.builds if one.revision == revision)
    found = compare(files, reference, of=revision[:7])
    return RevisionAgreement(
        revision=revision,
        served=by_whom(build) if build.fallback else DIRECT,
        tests=found.compared.get("tests of suites", 0),
        differences=tuple(found.differences),
    )


def engines_part(name: str, found: Sequence[EngineAgreement]) -> str:
    """The table in Markdown, and every difference below it."""
    rows: list[tuple[Cell, ...]] = [
        (one.repository, part.revision[:7], part.served, part.tests, len(part.differences))
        for one in found
        for part in one.revisions
    ]
    parts = [part for one in found for part in one.revisions]
    sums = (sum(part.tests for part in parts), sum(len(part.differences) for part in parts))
    rows.append(("all", str(len(parts)), None, *sums))
    counts = (Column("tests compared", "count"), Column("differences", "count"))
    columns = (Column("repository"), Column("revision"), Column("served"), *counts)
    told = tuple(f"{one.repository}: {line}" for one in found for part in one.revisions for line in part.differences)
    return to_markdown(Table(name, "Drawn revisions against Maven and Surefire", columns, tuple(rows), told))
