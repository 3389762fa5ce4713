"""Facts about a repository beyond a search: its top-level pom.xml, head, languages, whether it still exists.

With a token one GraphQL question asks about 50 repositories; without, and where GraphQL gives nothing, REST is asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from testevo.records.snapshots.search import SearchRejection
from testevo.runtime.errors import UserError
from testevo.sources.github.api.answers import Answer
from testevo.sources.github.api.client import Client, NoAnswerError
from testevo.sources.github.items import Item

BATCH = 50
"""Repositories of one GraphQL question; GitHub takes up to 100, and fails more often with many."""
QUERY = """
query($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Repository {
      id
      nameWithOwner
      defaultBranchRef { target { oid } }
      pom: object(expression: "HEAD:pom.xml") { __typename }
      languages(first: 100) { totalSize edges { size node { name } } }
    }
  }
}
"""


@dataclass(frozen=True)
class Details:
    """The answers about one repository."""

    name: str
    """`owner/name` that it has now."""
    head: str | None = None
    has_pom: bool = False
    java_share: float | None = None
    missing: SearchRejection | None = None
    """Why nothing else is known."""
    reason: str | None = None
    """GitHub's own words for it."""


def details_of(client: Client, items: Sequence[Item]) -> Iterator[tuple[Item, Details]]:
    """The details of each repository, in their order.

    Raises:
        UserError: the budget is used up, or GitHub answers in another form than documented.
        MachineError: GitHub does not answer.
    """
    for start in range(0, len(items), BATCH):
        batch = items[start : start + BATCH]
        nodes = _nodes(client, batch) if client.signed else [None] * len(batch)
        for item, node in zip(batch, nodes, strict=True):
            yield item, (_by_rest(client, item) if node is None else _by_node(node))


def look_up(client: Client, name: str) -> Item | Details:
    """A repository by its name, or why there is none."""
    answer = client.get(f"/repos/{name}")
    missing = _missing(name, answer)
    return missing or Item.model_validate(answer.body)


def _nodes(client: Client, batch: Sequence[Item]) -> Sequence[Mapping[str, Any] | None]:
    """A node per repository, null where GitHub gives none or not all of it; what takes it too long is halved."""
    try:
        answer = client.graphql(QUERY, {"ids": [item.node_id for item in batch]})
    except NoAnswerError:
        if len(batch) == 1:
            return [None]
        middle = len(batch) // 2
        return [*_nodes(client, batch[:middle]), *_nodes(client, batch[middle:])]
    nodes: Sequence[Mapping[str, Any] | None] = answer["data"]["nodes"]
    if len(nodes) != len(batch):
        raise UserError(f"GitHub describes {len(nodes)} of {len(batch)} repositories. Search again later.")
    paths = [error.get("path", []) for error in answer.get("errors", ())]
    if any(len(path) < 2 for path in paths):
        return [None] * len(batch)
    failed = {path[1] for path in paths}
    return [None if at in failed else node for at, node in enumerate(nodes)]


def _by_node(node: Mapping[str, Any]) -> Details:
    branch = node["defaultBranchRef"]
    languages = node["languages"]
    return Details(
        name=node["nameWithOwner"],
        head=branch["target"]["oid"] if branch else None,
        has_pom=(node["pom"] or {}).get("__typename") == "Blob",
        java_share=java_share({edge["node"]["name"]: edge["size"] for edge in languages["edges"]}),
    )


def _by_rest(client: Client, item: Item) -> Details:
    found = look_up(client, item.full_name)
    if isinstance(found, Details):
        return found
    if found.id != item.id:  # another repository has taken the name
        return Details(item.full_name, missing=SearchRejection.GONE, reason=f"{item.full_name} is another one now")
    place = f"/repos/{found.full_name}"
    commits = client.get(f"{place}/commits", {"per_page": "1"})
    pom = client.get(f"{place}/contents/pom.xml")
    languages = client.get(f"{place}/languages")
    for answer, documented in ((commits, (200, 409)), (pom, (200, 404)), (languages, (200,))):
        if answer.status not in documented and (missing := _missing(found.full_name, answer)) is not None:
            return missing
    return Details(
        name=found.full_name,
        head=commits.body[0]["sha"] if commits.status == 200 and commits.body else None,  # 409: it is empty
        has_pom=pom.status == 200 and isinstance(pom.body, dict) and pom.body.get("type") == "file",
        java_share=java_share(languages.body),
    )


def java_share(sizes: Mapping[str, int]) -> float | None:
    """Bytes of Java by bytes of all languages, to four places; None where GitHub counts none."""
    total = sum(sizes.values())
    return round(sizes.get("Java", 0) / total, 4) if total else None


def _missing(name: str, answer: Answer) -> Details | None:
    if answer.status == 200:
        return None
    body = answer.body if isinstance(answer.body, dict) else {}
    block = body.get("block") or {}
    missing = SearchRejection.GONE if answer.status in (404, 410) else SearchRejection.BLOCKED
    said = [f"status {answer.status}:", body.get("message"), block.get("reason") and f"({block['reason']})"]
    return Details(name, missing=missing, reason=" ".join(filter(None, said)).rstrip(":"))
