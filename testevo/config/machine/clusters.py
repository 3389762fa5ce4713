"""Published limits of clusters: data from `config/clusters.yaml`, for `testevo plan`."""

from pathlib import Path
from typing import Generic, Literal, TypeVar

from pydantic import ValidationError

from testevo.config.base import Section
from testevo.config.load import read_yaml
from testevo.runtime.errors import UsageError
from testevo.runtime.files.project import PROJECT
from testevo.runtime.refused_input import reason

CLUSTERS = PROJECT / "config" / "clusters.yaml"
Value = TypeVar("Value", int, float, bool)


class Limit(Section, Generic[Value]):
    """A limit and the page that says so."""

    value: Value
    page: str


class Cluster(Section):
    """The limits of a site for one user; a limit that is not published is None and not checked."""

    name: str
    jobs: Limit[int] | None = None
    """Waiting and running at the same time."""
    running: Limit[int] | None = None
    node_cores: Limit[int] | None = None
    """Jobs get whole nodes of so many cores; None: single cores can be had."""
    shortest_minutes: Limit[int] | None = None
    longest_hours: Limit[int] | None = None
    early_hours: Limit[int] | None = None
    """Jobs up to this length are the ones that start earliest."""
    interval_seconds: Limit[float] | None = None
    scratch_gb: Limit[int] | None = None
    scratch_files: Limit[int] | None = None
    project_gb: Limit[int] | None = None
    project_files: Limit[int] | None = None
    local_gb: Limit[int] | None = None
    """Node-local disk of a whole node."""
    purge_days: Limit[int] | None = None
    network: Limit[bool] | None = None
    """Compute nodes reach the internet."""


class _File(Section):
    version: Literal[1]
    clusters: tuple[Cluster, ...]


def read_clusters(path: Path = CLUSTERS) -> tuple[Cluster, ...]:
    """All clusters of the file, in its order.

    Raises:
        UsageError: unreadable, an unknown limit, or a value of the wrong kind.
    """
    try:
        return _File.model_validate(read_yaml(path)).clusters
    except ValidationError as error:
        raise UsageError(f"{path}: {reason(error)}. Fix the file.") from error
