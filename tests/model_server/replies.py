"""The four protocols from the model's side: requests understood, answers as a document and as events."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.model_server.script import Script
from tests.model_server.tools import ToolCall

Event = tuple[str | None, dict[str, Any] | str]
"""Name (None where the protocol names none) and data of a server-sent event."""


@dataclass(frozen=True)
class Asked:
    """A request to the model."""

    protocol: str
    streamed: bool
    tools: tuple[str, ...]
    messages: tuple[tuple[bool, str], ...]
    """Whether the model said it, and the text or call, in order."""

    def turn(self, name: str) -> int | None:
        """Answers of the model since a task's name was first said; None where it never was."""
        first = next((place for place, (_, text) in enumerate(self.messages) if name in text), None)
        return None if first is None else sum(by_model for by_model, _ in self.messages[first:])


@dataclass(frozen=True)
class Reply:
    """What the model answers; `usage` is None where it tells none."""

    text: str
    call: ToolCall | None
    usage: Script | None
    number: int


def asked(path: str, content: Mapping[str, Any]) -> Asked | None:
    """The request, None where the path belongs to no protocol."""
    plain = path.partition("?")[0]
    tools = [tool for tool in content.get("tools") or [] if isinstance(tool, dict)]
    streamed = content.get("stream") is True
    if plain == "/v1/messages":
        names = [str(tool.get("name")) for tool in tools]
        return Asked("anthropic", streamed, tuple(names), _messages(content["messages"], "role", ("assistant",)))
    if plain.endswith("/chat/completions"):
        names = [str(tool["function"]["name"]) for tool in tools if "function" in tool]
        return Asked("openai_chat", streamed, tuple(names), _messages(content["messages"], "role", ("assistant",)))
    if plain.endswith("/responses"):
        names = [str(tool["name"]) for tool in tools if tool.get("name")]
        calls = ("function_call", "custom_tool_call")
        return Asked("openai_responses", streamed, tuple(names), _messages(content["input"], "type", calls))
    if re.search(r":(streamG|g)enerateContent$", plain):
        declared = [tool.get("functionDeclarations") or tool.get("function_declarations") or () for tool in tools]
        names = [str(one["name"]) for ones in declared for one in ones]
        return Asked("gemini", ":stream" in plain, tuple(names), _messages(content["contents"], "role", ("model",)))
    return None


def _messages(items: list[dict[str, Any]], field: str, values: tuple[str, ...]) -> tuple[tuple[bool, str], ...]:
    return tuple((item.get(field) in values, json.dumps(item, ensure_ascii=False)) for item in items)


def document(protocol: str, reply: Reply) -> dict[str, Any]:
    """The answer as one JSON document."""
    return _DOCUMENTS[protocol](reply)


def events(protocol: str, reply: Reply) -> list[Event]:
    """The answer as a stream of events."""
    return _EVENTS[protocol](reply)


# Anthropic


def _anthropic_blocks(reply: Reply) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    if reply.call:
        identifier = f"toolu_{reply.number:06}"
        blocks.append({"type": "tool_use", "id": identifier, "name": reply.call.name, "input": reply.call.arguments})
    return blocks


def _anthropic_usage(script: Script) -> dict[str, Any]:
    plain = script.input_tokens - script.cached_tokens
    return {"input_tokens": plain, "cache_read_input_tokens": script.cached_tokens, "cache_creation_input_tokens": 0}


def _anthropic_document(reply: Reply) -> dict[str, Any]:
    usage = _anthropic_usage(reply.usage) | {"output_tokens": reply.usage.output_tokens} if reply.usage else None
    return {
        "id": f"msg_{reply.number:06}",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": _anthropic_blocks(reply),
        "stop_reason": "tool_use" if reply.call else "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }


def _anthropic_events(reply: Reply) -> list[Event]:
    whole = _anthropic_document(reply)
    started = whole | {"content": [], "stop_reason": None}
    if reply.usage:
        started["usage"] = _anthropic_usage(reply.usage) | {"output_tokens": 1}
    found: list[Event] = [("message_start", {"type": "message_start", "message": started})]
    for index, block in enumerate(whole["content"]):
        empty = block | ({"text": ""} if block["type"] == "text" else {"input": {}})
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if block["type"] == "text"
            else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        )
        found += [
            ("content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}),
            ("content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": index}),
        ]
    ended: dict[str, Any] = {
        "type": "message_delta",
        "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
    }
    if reply.usage:
        ended["usage"] = {"output_tokens": reply.usage.output_tokens}
    return [*found, ("message_delta", ended), ("message_stop", {"type": "message_stop"})]


# OpenAI chat completions


def _chat_usage(script: Script) -> dict[str, Any]:
    return {
        "prompt_tokens": script.input_tokens,
        "completion_tokens": script.output_tokens,
        "total_tokens": script.input_tokens + script.output_tokens,
        "prompt_tokens_details": {"cached_tokens": script.cached_tokens},
    }


def _chat_message(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.call:
        function = {"name": reply.call.name, "arguments": json.dumps(reply.call.arguments)}
        message["tool_calls"] = [{"id": f"call_{reply.number:06}", "type": "function", "function": function}]
    return message


def _chat_document(reply: Reply) -> dict[str, Any]:
    choice = {"index": 0, "message": _chat_message(reply), "finish_reason": "tool_calls" if reply.call else "stop"}
    whole = {
        "id": f"chatcmpl-{reply.number}",
        "object": "chat.completion",
        "created": 0,
        "model": "scripted",
        "choices": [choice],
    }
    return whole | ({"usage": _chat_usage(reply.usage)} if reply.usage else {})


def _chat_events(reply: Reply) -> list[Event]:
    head = {"id": f"chatcmpl-{reply.number}", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    delta = _chat_message(reply)
    if reply.call:
        delta["tool_calls"] = [call | {"index": 0} for call in delta["tool_calls"]]
    reason = "tool_calls" if reply.call else "stop"
    found: list[Event] = [
        (None, head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}),
        (None, head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
    ]
    usage: list[Event] = [(None, head | {"choices": [], "usage": _chat_usage(reply.usage)})] if reply.usage else []
    return [*found, *usage, (None, "[DONE]")]


# OpenAI responses


def _response_items(reply: Reply) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        items.append(
            {
                "type": "message",
                "id": f"msg_{reply.number}",
                "role": "assistant",
                "status": "completed",
                "content": content,
            }
        )
    if reply.call:
        items.append(
            {
                "type": "function_call",
                "id": f"fc_{reply.number}",
                "call_id": f"call_{reply.number:06}",
                "name": reply.call.name,
                "arguments": json.dumps(reply.call.arguments),
                "status": "completed",
            }
        )
    return items


def _response_document(reply: Reply) -> dict[str, Any]:
    usage = reply.usage and {
        "input_tokens": reply.usage.input_tokens,
        "input_tokens_details": {"cached_tokens": reply.usage.cached_tokens},
        "output_tokens": reply.usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.usage.input_tokens + reply.usage.output_tokens,
    }
    return {
        "id": f"resp_{reply.number}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "scripted",
        "output": _response_items(reply),
        "usage": usage,
    }


def _response_events(reply: Reply) -> list[Event]:
    whole = _response_document(reply)
    begun = whole | {"status": "in_progress", "output": [], "usage": None}
    found: list[dict[str, Any]] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(whole["output"]):
        found.append(
            {"type": "response.output_item.added", "output_index": index, "item": item | {"status": "in_progress"}}
        )
        found.append({"type": "response.output_item.done", "output_index": index, "item": item})
    found.append({"type": "response.completed", "response": whole})
    return [(event["type"], event | {"sequence_number": number}) for number, event in enumerate(found)]


# Gemini


def _gemini_document(reply: Reply) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": reply.text}] if reply.text else []
    if reply.call:
        parts.append({"functionCall": {"name": reply.call.name, "args": reply.call.arguments}})
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    whole: dict[str, Any] = {"candidates": [candidate], "modelVersion": "scripted", "responseId": f"r{reply.number}"}
    if reply.usage:
        whole["usageMetadata"] = {
            "promptTokenCount": reply.usage.input_tokens,
            "cachedContentTokenCount": reply.usage.cached_tokens,
            "candidatesTokenCount": reply.usage.output_tokens,
            "totalTokenCount": reply.usage.input_tokens + reply.usage.output_tokens,
        }
    return whole


def _gemini_events(reply: Reply) -> list[Event]:
    whole = _gemini_document(reply)
    candidate = {name: value for name, value in whole["candidates"][0].items() if name != "finishReason"}
    ended = whole | {"candidates": [{"content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP"}]}
    return [(None, {"candidates": [candidate], "modelVersion": "scripted"}), (None, ended)]


_DOCUMENTS = {
    "anthropic": _anthropic_document,
    "openai_chat": _chat_document,
    "openai_responses": _response_document,
    "gemini": _gemini_document,
}
_EVENTS = {
    "anthropic": _anthropic_events,
    "openai_chat": _chat_events,
    "openai_responses": _response_events,
    "gemini": _gemini_events,
}
