"""Read the token usage from an answer while it passes through, streamed or not."""

from collections.abc import Callable, Mapping
from typing import Any

from testevo.records.agents.usage import Protocol, Tokens
from testevo.runtime.files.json_and_yaml import parsed_json

Fields = Mapping[str, Any]
BYTES_PER_TOKEN = 4
"""Of an estimate, for answers that tell no usage."""


class Answer:
    """The usage of one answer, from its bytes as they come in."""

    def __init__(self, protocol: Protocol, *, events: bool) -> None:
        """`events`: the answer is a stream of server-sent events, not one JSON document."""
        self._read = _READERS[protocol]
        self._events = events
        self._rest = b""
        self._told: dict[str, Any] = {}
        self._size = 0
        self.whole = False
        """The model finished its answer."""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self._size += len(piece)
        self._rest += piece
        if self._events:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._line(line)

    def close(self) -> None:
        """Take the end of the answer."""
        if self._events:
            self._line(self._rest)
        else:
            self._document(self._rest)

    def tokens(self, request_bytes: int) -> tuple[Tokens, bool]:
        """Tokens, and whether they are estimated because the answer did not tell them to its end."""
        told = _tokens(self._told)
        if self.whole and self._told:
            return told, False
        return told.model_copy(
            update={
                "input": told.input or request_bytes // BYTES_PER_TOKEN,
                "output": max(told.output, self._size // BYTES_PER_TOKEN),
            }
        ), True

    def _line(self, line: bytes) -> None:
        name, _, data = line.strip().partition(b":")
        if name == b"data":
            self.whole |= data.strip() == b"[DONE]"
            self._document(data)

    def _document(self, text: bytes) -> None:
        try:
            content = parsed_json(text)
        except ValueError:  # such as [DONE], or what is no answer of a model: then usage stays untold
            return
        for event in content if isinstance(content, list) else [content]:
            if isinstance(event, dict):
                told, finished = self._read(event)
                self._told |= {name: value for name, value in told.items() if value is not None}
                self.whole |= finished


def _anthropic(event: Fields) -> tuple[Fields, bool]:
    message = event.get("message")
    usage = _fields(event.get("usage") or (message.get("usage") if isinstance(message, dict) else None))
    written = _fields(usage.get("cache_creation"))
    told = {
        "uncached": usage.get("input_tokens"),
        "cached": usage.get("cache_read_input_tokens"),
        "written": usage.get("cache_creation_input_tokens"),
        "written_hour": written.get("ephemeral_1h_input_tokens"),
        "output": usage.get("output_tokens"),
    }
    return told, event.get("type") in ("message", "message_stop")


def _openai_chat(event: Fields) -> tuple[Fields, bool]:
    usage = _fields(event.get("usage"))
    cached = _fields(usage.get("prompt_tokens_details")).get("cached_tokens")
    told = {"input": usage.get("prompt_tokens"), "cached": cached, "output": usage.get("completion_tokens")}
    return told, event.get("object") == "chat.completion"


def _openai_responses(event: Fields) -> tuple[Fields, bool]:
    finished = event.get("type") in ("response.completed", "response.incomplete")
    response = _fields(event.get("response")) if "response" in event else event
    usage = _fields(response.get("usage"))
    cached = _fields(usage.get("input_tokens_details")).get("cached_tokens")
    told = {"input": usage.get("input_tokens"), "cached": cached, "output": usage.get("output_tokens")}
    return told, finished or event.get("object") == "response"


def _gemini(event: Fields) -> tuple[Fields, bool]:
    usage = _fields(event.get("usageMetadata"))
    candidates = event.get("candidates")
    finished = any(_fields(one).get("finishReason") for one in candidates) if isinstance(candidates, list) else False
    told = {
        "input": usage.get("promptTokenCount"),
        "tools": usage.get("toolUsePromptTokenCount"),
        "cached": usage.get("cachedContentTokenCount"),
        "output": usage.get("candidatesTokenCount"),
        "thoughts": usage.get("thoughtsTokenCount"),
    }
    return told, finished or bool(_fields(event.get("promptFeedback")).get("blockReason"))


_READERS: dict[Protocol, Callable[[Fields], tuple[Fields, bool]]] = {
    "anthropic": _anthropic,
    "openai_chat": _openai_chat,
    "openai_responses": _openai_responses,
    "gemini": _gemini,
}


def _tokens(told: Fields) -> Tokens:
    count = {name: value for name, value in told.items() if isinstance(value, int) and value > 0}
    cached, written = count.get("cached", 0), count.get("written", 0)
    counted_apart = count.get("uncached", 0) + cached + written if "uncached" in told else 0
    return Tokens(
        input=max(count.get("input", 0) + count.get("tools", 0), counted_apart),
        cached_input=cached,
        cache_write=written,
        cache_write_hour=min(count.get("written_hour", 0), written),
        output=count.get("output", 0) + count.get("thoughts", 0),
    )


def _fields(value: object) -> Fields:
    return value if isinstance(value, dict) else {}
