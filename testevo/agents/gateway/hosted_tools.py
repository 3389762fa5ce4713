"""Tools that run at the provider, such as web search: through them an agent without network would read the network."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from testevo.agents.gateway.protocols import ModelRequest
from testevo.records.agents.usage import Protocol

_RUN_BY_THE_AGENT: dict[Protocol, re.Pattern[str]] = {
    "anthropic": re.compile(r"custom|(?:bash|text_editor|memory)_\d+"),
    "openai_chat": re.compile(r"function|custom"),
    "openai_responses": re.compile(r"function|custom|local_shell|apply_patch|namespace"),
}
"""Types of tools that the agent program runs itself; every other type is taken for one of the provider."""
_OPTIONS = ("mcp_servers", "web_search_options", "container", "plugins")
"""Fields of a request that bring tools of the provider."""


def hosted_tool(request: ModelRequest) -> str | None:
    """The first tool in a request that the provider would run, None where there is none."""
    option = next((name for name in _OPTIONS if request.content.get(name)), None)
    return option or next(_hosted(request.protocol, request.content.get("tools")), None)


def _hosted(protocol: Protocol, tools: object) -> Iterator[str]:
    for tool in tools if isinstance(tools, list) else []:
        if not isinstance(tool, Mapping):
            yield repr(tool)[:100]
        elif protocol == "gemini":
            yield from (name for name in tool if name not in ("functionDeclarations", "function_declarations"))
        else:
            yield from _typed(protocol, tool)


def _typed(protocol: Protocol, tool: Mapping[str, Any]) -> Iterator[str]:
    kind = str(tool.get("type") or "custom")
    if not _RUN_BY_THE_AGENT[protocol].fullmatch(kind):
        yield kind
    if kind == "namespace":
        yield from _hosted(protocol, tool.get("tools"))
