"""A repository as GitHub's REST API describes it: the documented fields that are read, and no others."""

from pydantic import BaseModel, ConfigDict


class Licence(BaseModel):
    """GitHub's reading of the licence file; `NOASSERTION` when it does not know."""

    spdx_id: str | None = None


class Item(BaseModel):
    """A repository in the results of a search, or asked for by its name."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: int
    node_id: str
    full_name: str
    html_url: str
    clone_url: str
    private: bool
    fork: bool
    archived: bool
    stargazers_count: int
    forks_count: int
    size: int
    """In KiB."""
    language: str | None
    license: Licence | None
    default_branch: str
    created_at: str
    pushed_at: str | None
