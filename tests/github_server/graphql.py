"""A subset of GraphQL: one query of nodes by id, with fragments, aliases, literal arguments and nested fields."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.github_server.repositories import Repository, State
from tests.github_server.representation import fields

TOKENS = re.compile(r'\.\.\.|"[^"]*"|\$?\w+|[{}():!\[\]]')


class BadGraphqlError(Exception):
    """What GitHub answers with `errors` and without data."""


@dataclass
class Selection:
    """A selected field: its name in the answer, its own name, arguments, what is selected below it."""

    alias: str
    name: str
    arguments: dict[str, Any] = field(default_factory=dict)
    below: list["Selection"] = field(default_factory=list)


def answer(query: str, variables: dict[str, Any], repositories: dict[str, Repository]) -> dict[str, Any]:
    """The answer to a question about nodes.

    Args:
        repositories: by node id.

    Raises:
        BadGraphqlError: it is of another form, or asks for more than 100 nodes or for a field that is not known.
    """
    tokens = iter(TOKENS.findall(query[query.index("{") :]))
    next(tokens)
    (asked,) = list(_selections(tokens))
    ids = variables.get(str(asked.arguments.get("ids", "")).removeprefix("$"))
    if asked.name != "nodes" or not isinstance(ids, list) or len(ids) > 100:
        raise BadGraphqlError("only nodes(ids: [...]) of at most 100 ids is known here")
    nodes = []
    errors = []
    for at, one in enumerate(ids):
        repository = repositories.get(one)
        gone = repository is None or repository.state is not State.THERE
        nodes.append(None if gone else _resolved(asked.below, fields(repository)))  # type: ignore[arg-type]
        if gone:
            message = f"Could not resolve to a node with the global id of '{one}'."
            errors.append({"type": "NOT_FOUND", "path": ["nodes", at], "message": message})
    return {"data": {asked.alias: nodes}, **({"errors": errors} if errors else {})}


def without_a_part(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, with errors in place of the nested fields of its last node that is there."""
    (nodes,) = answer["data"].values()
    at = max((number for number, node in enumerate(nodes) if node is not None), default=None)
    if at is None:
        return answer
    lost = [name for name, value in nodes[at].items() if isinstance(value, dict)]
    nodes[at] |= dict.fromkeys(lost)
    errors = [{"message": "Something went wrong.", "path": ["nodes", at, name]} for name in lost]
    return answer | {"errors": [*answer.get("errors", ()), *errors]}


def _selections(tokens: Iterator[str]) -> Iterator[Selection]:
    """The fields up to the closing brace; a fragment's count as fields of the node."""
    last: Selection | None = None
    for token in tokens:
        if token == "}":
            break
        if token == "...":
            next(tokens), next(tokens), next(tokens)  # on Repository {
            yield from _selections(tokens)
        elif token == "(" and last is not None:
            last.arguments = _arguments(tokens)
        elif token == "{" and last is not None:
            last.below = list(_selections(tokens))
        elif token == ":" and last is not None:
            last.name = next(tokens)
        else:
            if last is not None:
                yield last
            last = Selection(token, token)
    if last is not None:
        yield last


def _arguments(tokens: Iterator[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in tokens:
        if name == ")":
            break
        next(tokens)  # the colon
        value = next(tokens)
        found[name] = value if value.startswith("$") else json.loads(value)
    return found


def _resolved(selections: list[Selection], value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, list):
        return [_resolved(selections, one) for one in value]
    found = {}
    for one in selections:
        if one.name not in value:
            raise BadGraphqlError(f"Field '{one.name}' doesn't exist on type '{value.get('__typename', '?')}'")
        inner = value[one.name]
        inner = inner(**one.arguments) if callable(inner) else inner
        if bool(one.below) != isinstance(inner, dict | list) and inner is not None:
            raise BadGraphqlError(f"Field '{one.name}' must have selections, or may have none")
        found[one.alias] = _resolved(one.below, inner) if one.below else inner
    return found
