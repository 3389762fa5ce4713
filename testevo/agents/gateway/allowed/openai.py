"""OpenAI chat completions and responses: the fields, messages, items and tools of a request that are forwarded."""

from testevo.agents.gateway.allowed.forms import (
    HOSTED_TOOL,
    PART,
    Form,
    anything,
    by_type,
    data_address,
    fields,
    items,
    one_of,
    plain,
    text_or,
)

_SAMPLING: dict[str, Form] = {
    "model": plain,
    "stream": plain,
    "temperature": plain,
    "top_p": plain,
    "top_k": plain,
    "min_p": plain,
    "top_logprobs": plain,
    "parallel_tool_calls": plain,
    "user": plain,
    "safety_identifier": plain,
    "prompt_cache_key": plain,
    "prompt_cache_retention": plain,
    "metadata": anything,
    "service_tier": one_of("auto", "default"),
    "store": one_of(False),
    "stream_options": fields({"include_usage": plain, "include_obfuscation": plain}),
}
_CACHE = fields({"type": plain, "ttl": plain})

# Chat completions

_CHAT_PARTS = {
    "text": fields({"type": plain, "text": plain, "cache_control": _CACHE}),
    "refusal": fields({"type": plain, "refusal": plain}),
    "image_url": fields({"type": plain, "image_url": fields({"url": data_address, "detail": plain})}),
}
_FUNCTION = fields({"name": plain, "arguments": plain})
_CHAT_CALLS = {
    "function": fields(
        {"id": plain, "type": plain, "index": plain, "function": _FUNCTION, "provider_specific_fields": anything}
    ),
    "custom": fields({"id": plain, "type": plain, "index": plain, "custom": fields({"name": plain, "input": plain})}),
}
_CHAT_MESSAGE = fields(
    {
        "role": one_of("system", "developer", "user", "assistant", "tool", "function"),
        "content": text_or(items(by_type(_CHAT_PARTS, PART))),
        "name": plain,
        "refusal": plain,
        "annotations": one_of([]),
        "reasoning": plain,
        "reasoning_content": plain,
        "reasoning_details": anything,
        "thinking_blocks": anything,
        "provider_specific_fields": anything,
        "cache_control": _CACHE,
        "tool_call_id": plain,
        "function_call": _FUNCTION,
        "tool_calls": items(by_type(_CHAT_CALLS, "calls of the type {} are not allowed", default="function")),
    }
)
_DECLARED = fields({"name": plain, "description": plain, "parameters": anything, "strict": plain})
_CHAT_TOOLS = {
    "function": fields({"type": plain, "function": _DECLARED, "cache_control": _CACHE}),
    "custom": fields(
        {
            "type": plain,
            "custom": fields({"name": plain, "description": plain, "format": anything}),
            "cache_control": _CACHE,
        }
    ),
}
CHAT = fields(
    {
        **_SAMPLING,
        "messages": items(_CHAT_MESSAGE),
        "max_tokens": plain,
        "max_completion_tokens": plain,
        "n": one_of(1),
        "stop": plain,
        "seed": plain,
        "presence_penalty": plain,
        "frequency_penalty": plain,
        "repetition_penalty": plain,
        "logit_bias": anything,
        "logprobs": plain,
        "modalities": one_of(["text"]),
        "response_format": anything,
        "reasoning_effort": plain,
        "verbosity": plain,
        "thinking": fields({"type": plain, "budget_tokens": plain}),
        "reasoning": fields({"effort": plain, "max_tokens": plain, "exclude": plain, "enabled": plain}),
        "prediction": fields({"type": one_of("content"), "content": text_or(items(by_type(_CHAT_PARTS, PART)))}),
        "tools": items(by_type(_CHAT_TOOLS, HOSTED_TOOL, default="function")),
        "tool_choice": text_or(
            fields({"type": one_of("function", "custom"), "function": anything, "custom": anything})
        ),
        "functions": items(_DECLARED),
        "function_call": text_or(fields({"name": plain})),
    }
)

# Responses

_TEXT = fields({"type": plain, "text": plain, "annotations": one_of([]), "logprobs": anything})
_RESPONSE_PARTS = {
    **dict.fromkeys(("input_text", "output_text", "text", "summary_text", "reasoning_text"), _TEXT),
    "refusal": fields({"type": plain, "refusal": plain}),
    "input_image": fields({"type": plain, "image_url": data_address, "detail": plain}),
}
_CONTENT = text_or(items(by_type(_RESPONSE_PARTS, PART)))
_ITEM: dict[str, Form] = {"type": plain, "id": plain, "status": plain}
_CALL: dict[str, Form] = {**_ITEM, "call_id": plain, "execution": one_of("client")}
_OUTPUT = fields({**_CALL, "output": _CONTENT, "max_output_length": plain})
_NAMED: dict[str, Form] = {**_CALL, "name": plain, "namespace": plain}


def _own_tools(value: object, place: str) -> str | None:
    return _TOOL_LIST(value, place)


_ITEMS = {
    "message": fields({**_ITEM, "role": plain, "content": _CONTENT, "phase": plain}),
    "reasoning": fields({**_ITEM, "summary": _CONTENT, "content": _CONTENT, "encrypted_content": plain}),
    "function_call": fields({**_NAMED, "arguments": plain}),
    "function_call_output": _OUTPUT,
    "custom_tool_call": fields({**_NAMED, "input": plain}),
    "custom_tool_call_output": _OUTPUT,
    "local_shell_call": fields({**_CALL, "action": anything}),
    "local_shell_call_output": _OUTPUT,
    "apply_patch_call": fields({**_CALL, "operation": anything}),
    "apply_patch_call_output": _OUTPUT,
    "tool_search_call": fields({**_CALL, "arguments": anything}),
    "tool_search_output": fields({**_CALL, "tools": _own_tools}),
}
_NAME: dict[str, Form] = {"type": plain, "name": plain, "description": plain, "defer_loading": plain}
_RESPONSE_TOOLS: dict[str, Form] = {
    "function": fields({**_NAME, "parameters": anything, "strict": plain}),
    "custom": fields({**_NAME, "format": anything}),
    "local_shell": fields({"type": plain}),
    "apply_patch": fields({"type": plain}),
    "tool_search": fields({**_NAME, "execution": one_of("client"), "parameters": anything}),
}
"""Tools that the agent program runs itself."""
_IN_NAMESPACE = items(by_type(_RESPONSE_TOOLS, HOSTED_TOOL))
_TOOL_LIST = items(by_type({**_RESPONSE_TOOLS, "namespace": fields({**_NAME, "tools": _IN_NAMESPACE})}, HOSTED_TOOL))
RESPONSES = fields(
    {
        **_SAMPLING,
        "input": text_or(items(by_type(_ITEMS, PART, default="message"))),
        "instructions": plain,
        "include": items(one_of("reasoning.encrypted_content", "message.output_text.logprobs")),
        "reasoning": fields({"effort": plain, "summary": plain, "generate_summary": plain}),
        "text": fields({"format": anything, "verbosity": plain}),
        "tools": _TOOL_LIST,
        "tool_choice": text_or(fields({"type": plain, "name": plain, "mode": plain, "tools": anything})),
        "max_output_tokens": plain,
        "max_tool_calls": plain,
        "truncation": plain,
        "background": one_of(False),
        "client_metadata": anything,
    }
)
