"""Anthropic Messages: the fields, blocks and tools of a request that are forwarded."""

from testevo.agents.gateway.allowed.forms import (
    HOSTED_TOOL,
    PART,
    Form,
    anything,
    by_type,
    fields,
    items,
    one_of,
    plain,
    text_or,
)

_CACHE: dict[str, Form] = {"type": plain, "cache_control": fields({"type": plain, "ttl": plain, "scope": plain})}
_GIVEN = fields({"type": plain, "media_type": plain, "data": plain})
_SOURCE = by_type(
    {"base64": _GIVEN, "text": _GIVEN}, "sources of the type {} are not allowed: the provider would fetch them"
)
_TEXT = fields({**_CACHE, "text": plain, "citations": one_of()})
_IMAGE = fields({**_CACHE, "source": _SOURCE})
_DOCUMENT = fields(
    {**_CACHE, "source": _SOURCE, "title": plain, "context": plain, "citations": fields({"enabled": plain})}
)
_RESULT_PARTS = {
    "text": _TEXT,
    "image": _IMAGE,
    "document": _DOCUMENT,
    "tool_reference": fields({**_CACHE, "tool_name": plain}),
}
_RESULT = fields(
    {**_CACHE, "tool_use_id": plain, "is_error": plain, "content": text_or(items(by_type(_RESULT_PARTS, PART)))}
)
_CALLED_BY = fields({"type": one_of("direct")})
_BLOCKS = {
    "text": _TEXT,
    "image": _IMAGE,
    "document": _DOCUMENT,
    "thinking": fields({"type": plain, "thinking": plain, "signature": plain}),
    "redacted_thinking": fields({"type": plain, "data": plain}),
    "tool_use": fields({**_CACHE, "id": plain, "name": plain, "input": anything, "caller": _CALLED_BY}),
    "tool_result": _RESULT,
}
_MESSAGE = fields({"role": one_of("user", "assistant", "system"), "content": text_or(items(by_type(_BLOCKS, PART)))})
_OWN_TOOL = {**_CACHE, "name": plain, "strict": plain, "defer_loading": plain}
_CUSTOM = fields(
    {
        **_OWN_TOOL,
        "description": plain,
        "input_schema": anything,
        "input_examples": anything,
        "eager_input_streaming": plain,
    }
)
_PREDEFINED = fields({**_OWN_TOOL, "max_characters": plain})
_TOOLS = {
    "custom": _CUSTOM,
    **dict.fromkeys(
        (
            *("bash_20241022", "bash_20250124", "memory_20250818"),
            *("text_editor_20241022", "text_editor_20250124", "text_editor_20250429", "text_editor_20250728"),
        ),
        _PREDEFINED,
    ),
}
"""Tools that the agent program runs itself."""
_EDIT = fields(
    {
        "type": one_of("clear_thinking_20251015", "clear_tool_uses_20250919"),
        "keep": anything,
        "trigger": anything,
        "clear_at_least": anything,
        "clear_tool_inputs": plain,
        "exclude_tools": plain,
    }
)
REQUEST = fields(
    {
        "model": plain,
        "messages": items(_MESSAGE),
        "system": text_or(items(by_type({"text": _TEXT}, PART))),
        "max_tokens": plain,
        "stream": plain,
        "stop_sequences": plain,
        "temperature": plain,
        "top_k": plain,
        "top_p": plain,
        "thinking": fields({"type": plain, "budget_tokens": plain, "display": plain}),
        "metadata": fields({"user_id": plain}),
        "tools": items(by_type(_TOOLS, HOSTED_TOOL, default="custom")),
        "tool_choice": fields({"type": plain, "name": plain, "disable_parallel_tool_use": plain}),
        "output_config": fields({"effort": plain, "format": anything, "task_budget": anything}),
        "output_format": anything,
        "context_management": fields({"edits": items(_EDIT)}),
        "cache_control": fields({"type": plain, "ttl": plain, "scope": plain}),
        "service_tier": one_of("auto", "standard_only"),
    }
)
