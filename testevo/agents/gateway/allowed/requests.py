"""Whether a request is one that a run may make: its model, its query, and everything in it.

Through a tool of the provider, a conversation it keeps, a file or an address it reads, or a model that searches by
itself, an agent without a network would read the network, where the answer to its task is.
"""

import re
from collections.abc import Collection
from urllib.parse import parse_qsl, urlsplit

from testevo.agents.gateway.allowed import anthropic, gemini, openai
from testevo.agents.gateway.allowed.forms import Form
from testevo.agents.gateway.prices import without_date
from testevo.agents.gateway.protocols import ModelRequest
from testevo.records.agents.usage import Protocol

_FORMS: dict[Protocol, Form] = {
    "anthropic": anthropic.REQUEST,
    "openai_chat": openai.CHAT,
    "openai_responses": openai.RESPONSES,
    "gemini": gemini.REQUEST,
}
_QUERY = frozenset({("beta", "true"), ("alt", "sse"), ("alt", "json")})
_SEARCHES = re.compile(r":online\b|\bsearch\b|deep-research|\bsonar\b", re.IGNORECASE)
"""Names of models that look things up by themselves."""


def refusal_of(request: ModelRequest, models: Collection[str]) -> str | None:
    """Why a request is not one that a run may make; None where it is.

    Args:
        models: the names of the models of the run, as the configuration has them.
    """
    asked = request.model
    if not any(is_model(asked, name) for name in models):
        return (
            f"the model {asked[:100] or '(none)'} is none of this run ({', '.join(models)}); if its program needs it, "
            "name it in `further_models` of the system"
        )
    if _SEARCHES.search(asked):
        return f"the model {asked[:100]} searches the network by itself; this run has none"
    for pair in parse_qsl(urlsplit(request.path).query, keep_blank_values=True):
        if pair not in _QUERY:
            return f"the query {pair[0][:100]} is not on the list of what a run may ask of its model"
    form = gemini.COUNT if request.protocol == "gemini" and not request.metered else _FORMS[request.protocol]
    return form(request.content, "")


def is_model(asked: str, configured: str) -> bool:
    """Whether a program asks for a model of the configuration: with or without provider before it and day behind it."""
    names = {configured, without_date(configured)}
    return any(
        asked and (name == one or name.endswith(f"/{one}")) for name in names for one in (asked, without_date(asked))
    )
