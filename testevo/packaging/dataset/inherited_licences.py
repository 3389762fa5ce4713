"""Licences that only the build could tell: those that a project inherits from a parent in a Maven repository."""

from collections.abc import Sequence

from testevo.records.repository import Commit, Repository
from testevo.records.verdicts import BuildVerdict
from testevo.sources.licences import NONE_DECLARED


def with_inherited_licences(
    repositories: Sequence[Repository], commits: Sequence[Commit], builds: Sequence[BuildVerdict]
) -> list[Repository]:
    """The records; where neither a file nor its own POM tells the licence, with that of the newest built commit."""
    position = {(one.repository, one.revision): one.position for one in commits}
    told = [one for one in builds if one.inherited_licence_origin is not None]
    newest_last = sorted(told, key=lambda one: position[one.repository, one.revision], reverse=True)
    newest = {one.repository: one for one in newest_last}
    return [
        one.model_copy(
            update={
                "licence": newest[one.name].inherited_licence,
                "licence_origin": newest[one.name].inherited_licence_origin,
            }
        )
        if one.licence_origin == NONE_DECLARED and one.name in newest
        else one
        for one in repositories
    ]
