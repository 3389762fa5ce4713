"""Reject repositories whose build files declare an older Java level than wanted (TEB-M07)."""

from pathlib import Path

from testevo.builds.project.java_demand import Declared, feature_of
from testevo.builds.project.pom import UnreadableBuildFileError, has_pom, read_pom
from testevo.records.repository import Repository, RepositoryRejection


def declared_below(folder: Path, least: int) -> Declared | None:
    """The highest level that the POMs in a folder declare, when it is below `least`.

    None also where none is declared, which is built for the default level, and where the POMs cannot be read, which
    the build of each commit then says.
    """
    try:
        highest = read_pom(folder).demand.highest if has_pom(folder) else None
    except UnreadableBuildFileError:
        return None
    return highest if highest is not None and highest.feature < least else None


def with_level_checked(
    repository: Repository, revision: str, folder: Path, least: int | None, overriding: str | None
) -> Repository:
    """The record, rejected where the project is too old.

    Args:
        revision: whose POMs lie in `folder`.
        least: feature version, as in `rules.walk.least_java_level`; None rejects nothing.
        overriding: the level that the configuration compiles for instead of the declared one.
    """
    if least is None or (feature_of(overriding) or 0) >= least:
        return repository
    declared = declared_below(folder, least)
    if declared is None:
        return repository
    detail = (
        f"{repository.name} declares Java {declared.text} at {revision[:7]} ({declared.place}), and "
        f"rules.walk.least_java_level is {least}"
    )
    return repository.model_copy(update={"rejection": RepositoryRejection.JAVA_TOO_OLD, "detail": detail})
