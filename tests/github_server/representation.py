"""A repository in the JSON of REST and in the fields of GraphQL, both as documented."""

import base64
from datetime import datetime
from typing import Any

from tests.github_server.repositories import Repository

POM = b"<project/>\n"


def rest(one: Repository, address: str, site: str, *, listed: bool = False) -> dict[str, Any]:
    """A repository as `GET /repos/{owner}/{repo}` or a search describes it.

    Args:
        address: of the server.
        site: of its pages and clones.
        listed: whether a search shows it, under the name that it knows.
    """
    name = one.listed_as or one.full_name if listed else one.full_name
    owner, _, short = name.partition("/")
    return {
        "id": one.id,
        "node_id": one.node_id,
        "name": short,
        "full_name": name,
        "owner": {"login": owner, "type": "User"},
        "private": False,
        "visibility": "public",
        "html_url": f"{site}/{name}",
        "url": f"{address}/repos/{name}",
        "clone_url": f"{site}/{name}.git",
        "description": None,
        "fork": one.fork,
        "archived": one.archived,
        "disabled": False,
        "is_template": False,
        "created_at": _time(one.created),
        "updated_at": _time(one.pushed),
        "pushed_at": _time(one.pushed),
        "size": one.size,
        "stargazers_count": one.stars,
        "watchers_count": one.stars,
        "forks_count": one.forks,
        "open_issues_count": 0,
        "language": one.language,
        "license": licence(one),
        "default_branch": "main",
        "topics": [],
        **({"score": 1.0} if listed else {}),
    }


def licence(one: Repository) -> dict[str, Any] | None:
    """The licence object; GitHub calls a licence that it does not know `other`."""
    if one.licence is None:
        return None
    unknown = one.licence == "NOASSERTION"
    return {
        "key": "other" if unknown else one.licence.lower(),
        "name": "Other" if unknown else one.licence,
        "spdx_id": one.licence,
        "url": None,
        "node_id": "L_1",
    }


def content(one: Repository, path: str) -> dict[str, Any] | None:
    """A file of the default branch; None where there is none."""
    if path != "pom.xml" or not one.has_pom or one.empty:
        return None
    return {
        "type": "file",
        "name": path,
        "path": path,
        "sha": "0" * 40,
        "size": len(POM),
        "encoding": "base64",
        "content": base64.b64encode(POM).decode(),
    }


def fields(one: Repository) -> dict[str, Any]:
    """What GraphQL can be asked about a repository; a callable takes the arguments of its field."""
    sizes = one.languages if not one.empty else {}

    def languages(first: int) -> dict[str, Any]:
        edges = [{"size": size, "node": {"name": name}} for name, size in list(sizes.items())[:first]]
        return {"totalCount": len(sizes), "totalSize": sum(sizes.values()), "edges": edges}

    def blob(expression: str) -> dict[str, Any] | None:
        found = content(one, expression.removeprefix("HEAD:"))
        return None if found is None else {"__typename": "Blob", "oid": found["sha"], "byteSize": found["size"]}

    branch = {"name": "main", "target": {"__typename": "Commit", "oid": one.head}}
    return {
        "__typename": "Repository",
        "id": one.node_id,
        "databaseId": one.id,
        "nameWithOwner": one.full_name,
        "isArchived": one.archived,
        "stargazerCount": one.stars,
        "defaultBranchRef": None if one.empty else branch,
        "object": blob,
        "languages": languages,
    }


def _time(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
