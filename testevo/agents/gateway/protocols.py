"""The four protocols of language models: which request belongs to which, and how each carries key and error."""

import json
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from testevo.records.agents.usage import Protocol
from testevo.runtime.files.json_and_yaml import parsed_json

_METERED: tuple[tuple[re.Pattern[str], Protocol], ...] = (
    (re.compile(r"/v1/messages"), "anthropic"),
    (re.compile(r"(?:/v1)?/chat/completions"), "openai_chat"),
    (re.compile(r"(?:/v1)?/responses"), "openai_responses"),
    (re.compile(r"/v1(?:alpha|beta)?/models/(?P<model>[\w.-]+):(?:streamG|g)enerateContent"), "gemini"),
)
_FREE: tuple[tuple[re.Pattern[str], Protocol], ...] = (
    (re.compile(r"/v1/messages/count_tokens"), "anthropic"),
    (re.compile(r"/v1(?:alpha|beta)?/models/(?P<model>[\w.-]+):countTokens"), "gemini"),
)
"""Requests that providers answer without a charge."""

KEY_HEADERS: dict[Protocol, tuple[str, str]] = {
    "anthropic": ("x-api-key", "{}"),
    "openai_chat": ("authorization", "Bearer {}"),
    "openai_responses": ("authorization", "Bearer {}"),
    "gemini": ("x-goog-api-key", "{}"),
}

_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens")
_USUAL_LIMIT, _HIGHEST_LIMIT = 32_000, 200_000


class BadRequestError(Exception):
    """A request that is not forwarded; the message says why."""


@dataclass(frozen=True)
class ModelRequest:
    """A request of an agent as the gateway understands it."""

    protocol: Protocol
    path: str
    """Path and query without a key."""
    model: str
    streamed: bool
    metered: bool
    content: dict[str, Any]

    @property
    def most_output(self) -> int:
        """The tokens that the answer may have at most, as the request says; where it does not, a usual limit."""
        generation = self.content.get("generationConfig") or self.content.get("generation_config")
        for fields in (self.content, generation if isinstance(generation, dict) else {}):
            for name in _LIMITS:
                if isinstance(limit := fields.get(name), int) and limit > 0:
                    return min(limit, _HIGHEST_LIMIT)
        return _USUAL_LIMIT if self.metered else 0

    @property
    def body(self) -> bytes:
        """What is sent upstream."""
        content = self.content
        if self.protocol == "openai_chat" and self.streamed:
            # Without this option the stream tells no usage.
            options = content.get("stream_options") or {}
            content = content | {"stream_options": options | {"include_usage": True}}
        if self.protocol == "openai_responses":
            content = content | {"store": False}  # else the provider keeps the conversation
        return json.dumps(content, ensure_ascii=False).encode()


def understood(target: str, body: bytes) -> ModelRequest:
    """The request for a model that a POST holds.

    Raises:
        BadRequestError: the path belongs to no protocol, or the body is not a JSON object.
    """
    parts = urlsplit(target)
    for patterns, metered in ((_METERED, True), (_FREE, False)):
        for pattern, protocol in patterns:
            if match := pattern.fullmatch(parts.path):
                content = _object(body)
                query = "&".join(one for one in parts.query.split("&") if one and not one.startswith("key="))
                return ModelRequest(
                    protocol,
                    parts.path + (f"?{query}" if query else ""),
                    str(match.groupdict().get("model") or content.get("model", "")),
                    content.get("stream") is True or ":stream" in parts.path,
                    metered,
                    content,
                )
    raise BadRequestError(f"the gateway forwards no requests for {parts.path}, only calls of models")


def error_body(protocol: Protocol | None, status: int, message: str) -> bytes:
    """An error in the words of a protocol, so that the agent program shows it."""
    match protocol:
        case "anthropic":
            content: dict[str, Any] = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
        case "gemini":
            content = {"error": {"code": status, "message": message, "status": "FAILED_PRECONDITION"}}
        case _:
            content = {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}
    return json.dumps(content).encode()


def _object(body: bytes) -> dict[str, Any]:
    try:
        content = parsed_json(body)
    except ValueError as error:
        raise BadRequestError("the body of the request is not JSON") from error
    if not isinstance(content, dict):
        raise BadRequestError("the body of the request is not a JSON object")
    return content
