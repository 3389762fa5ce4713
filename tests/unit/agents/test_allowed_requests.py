"""What a run may ask of its model: everything that the known programs send, and nothing that reads a network."""

import json
from pathlib import Path
from typing import Any

import pytest

from testevo.agents.gateway.allowed.requests import is_model, refusal_of
from testevo.agents.gateway.protocols import BadRequestError, understood

SENT = [json.loads(line) for line in Path(__file__).with_name("program_requests.jsonl").read_text("utf-8").splitlines()]
"""Requests of the programs of docs/agents.md, each the last of a run, with words cut and schemas emptied."""
MODELS = ("claude-haiku-4-5", "openai/gpt-5-mini", "gemini-2.5-flash", "gpt-4o-search-preview", "some/model:online")
PATHS = {
    "anthropic": "/v1/messages",
    "chat": "/v1/chat/completions",
    "responses": "/v1/responses",
    "gemini": "/v1beta/models/gemini-2.5-flash:generateContent",
}
USUAL: dict[str, dict[str, Any]] = {
    "anthropic": {"model": "claude-haiku-4-5", "max_tokens": 9, "messages": [{"role": "user", "content": "x"}]},
    "chat": {"model": "gpt-5-mini", "messages": [{"role": "user", "content": "x"}]},
    "responses": {"model": "gpt-5-mini", "input": "x"},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]},
}


def refused(protocol: str, query: str = "", **fields: Any) -> str | None:
    body = json.dumps(USUAL[protocol] | fields).encode()
    return refusal_of(understood(PATHS[protocol] + query, body), MODELS)


@pytest.mark.parametrize("number", range(len(SENT)))
def test_requests_of_known_programs_are_forwarded(number: int) -> None:
    request = understood(SENT[number]["path"], json.dumps(SENT[number]["body"]).encode())
    assert refusal_of(request, [request.model]) is None, SENT[number]["program"]


@pytest.mark.parametrize("protocol", USUAL)
def test_usual_requests_are_forwarded(protocol: str) -> None:
    assert refused(protocol) is None
    assert refused(protocol, "?beta=true" if protocol == "anthropic" else "?alt=sse") is None


ANTHROPIC_BLOCKS: list[dict[str, Any]] = [
    {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
    {"type": "document", "source": {"type": "url", "url": "https://example.org/ATest.java"}},
    {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    {"type": "container_upload", "file_id": "file_1"},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_fetch", "input": {"url": "https://example.org"}},
    {"type": "mcp_tool_use", "id": "m", "name": "n", "server_name": "s", "input": {}},
    {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "web_search_tool_result", "content": []}]},
]
GEMINI_PARTS: list[dict[str, Any]] = [
    {"fileData": {"fileUri": "https://example.org/ATest.java"}},
    {"file_data": {"file_uri": "files/1"}},
    {"executableCode": {"language": "PYTHON", "code": "print()"}},
    {"functionResponse": {"name": "f", "response": {}, "parts": [{"fileData": {"fileUri": "x"}}]}},
]
RESPONSES_ITEMS: list[dict[str, Any]] = [
    {"type": "item_reference", "id": "msg_1"},
    {"type": "web_search_call", "id": "ws_1", "action": {"type": "open_page", "url": "https://example.org"}},
    {"type": "mcp_call", "id": "m", "name": "n", "server_label": "s", "arguments": "{}"},
    {"role": "user", "content": [{"type": "input_file", "file_url": "https://example.org/ATest.java"}]},
    {"role": "user", "content": [{"type": "input_file", "file_id": "file-1"}]},
    {"role": "user", "content": [{"type": "input_image", "image_url": "https://example.org/a.png"}]},
    {"role": "user", "content": [{"type": "input_image", "file_id": "file-1"}]},
    {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_file", "file_id": "file-1"}]},
    {"type": "tool_search_output", "call_id": "c", "tools": [{"type": "web_search"}]},
]
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    *[("anthropic", {"tools": [{"name": "B"}, {"type": kind, "name": "n"}]}, f"the tool {kind}") for kind in (
        "web_search_20250305", "web_fetch_20250910", "code_execution_20250825", "tool_search_tool_regex_20251119",
        "mcp_toolset", "computer_20250124", "advisor_20260301",
    )],
    *[("anthropic", {field: value}, field) for field, value in {
        "mcp_servers": [{"type": "url", "url": "https://example.org"}],
        "container": "container_1",
        "speed": "fast",
        "a_field_of_next_year": {"any": "thing"},
        "service_tier": "priority",
    }.items()],
    *[("anthropic", {"messages": [{"role": "user", "content": [block]}]}, "messages[0].content[0]")
      for block in ANTHROPIC_BLOCKS],
    ("anthropic", {"system": [{"type": "document", "source": {"type": "url", "url": "x"}}]}, "system[0]"),
    ("anthropic", {"messages": [{"role": "user", "content": {"type": "text"}}]}, "messages[0].content is no list"),
    ("anthropic", {"tools": [{"name": "f", "allowed_callers": ["code_execution_20250825"]}]}, "allowed_callers"),
    *[("chat", {field: value}, field) for field, value in {
        "web_search_options": {"search_context_size": "low"},
        "plugins": [{"id": "web"}],
        "models": ["gpt-5-mini", "gpt-5"],
        "route": "fallback",
        "extra_body": {"search": True},
        "search_parameters": {"mode": "on"},
        "store": True,
        "n": 5,
        "service_tier": "priority",
        "audio": {"voice": "a", "format": "wav"},
    }.items()],
    ("chat", {"tools": [{"type": "web_search"}]}, "the tool web_search"),
    ("chat", {"tools": [{"type": "function", "function": {"name": "f"}}, {"type": "mcp"}]}, "the tool mcp"),
    *[("chat", {"messages": [{"role": "user", "content": [part]}]}, "messages[0].content[0]") for part in (
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "video_url", "video_url": {"url": "https://example.org"}},
    )],
    *[("responses", {field: value}, field) for field, value in {
        "previous_response_id": "resp_1",
        "conversation": "conv_1",
        "prompt": {"id": "pmpt_1"},
        "background": True,
        "store": True,
        "include": ["web_search_call.action.sources"],
        "service_tier": "flex",
    }.items()],
    *[("responses", {"tools": [tool]}, f"the tool {tool['type']}") for tool in (
        {"type": "web_search"}, {"type": "web_search_preview"}, {"type": "file_search", "vector_store_ids": ["vs_1"]},
        {"type": "code_interpreter", "container": {"type": "auto"}}, {"type": "mcp", "server_url": "https://x.org"},
        {"type": "image_generation"}, {"type": "computer_use_preview"},
        {"type": "shell", "environment": {"type": "container_auto"}},
    )],
    ("responses", {"tools": [{"type": "namespace", "name": "n", "tools": [{"type": "mcp"}]}]}, "the tool mcp"),
    ("responses", {"tools": [{"type": "tool_search", "execution": "server"}]}, "execution"),
    *[("responses", {"input": [item]}, "input[0]") for item in RESPONSES_ITEMS],
    *[("gemini", {"tools": [{"functionDeclarations": []}, {name: {}}]}, f"the tool {name}") for name in (
        "googleSearch", "google_search", "googleSearchRetrieval", "urlContext", "url_context", "codeExecution",
        "fileSearch", "googleMaps", "mcpServers",
    )],
    *[("gemini", {"contents": [{"role": "user", "parts": [part]}]}, "contents[0].parts[0]") for part in GEMINI_PARTS],
    ("gemini", {"cachedContent": "cachedContents/1"}, "cachedContent"),
    ("gemini", {"cached_content": "cachedContents/1"}, "cached_content"),
    ("gemini", {"generationConfig": {"candidateCount": 8}}, "candidateCount"),
    ("gemini", {"toolConfig": {"retrievalConfig": {}}}, "retrievalConfig"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_reads_a_network_or_is_kept_or_unknown_is_refused_by_name(number: int) -> None:
    protocol, fields, named = REFUSED[number]
    assert named in (refused(protocol, **fields) or ""), fields


@pytest.mark.parametrize(
    ("protocol", "fields"),
    [
        ("anthropic", {"tools": [{"type": "bash_20250124", "name": "bash"}], "metadata": None}),
        (
            "anthropic",
            {"messages": [{"role": "user", "content": [{"type": "text", "text": "see https://example.org"}]}]},
        ),
        ("chat", {"store": False, "n": 1, "tools": [{"type": "custom", "custom": {"name": "f"}}]}),
        ("chat", {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:x"}}]}]}),
        ("responses", {"store": False, "background": False, "tools": [{"type": "apply_patch"}]}),
        ("responses", {"input": [{"type": "tool_search_call", "execution": "client", "arguments": {}}]}),
        ("gemini", {"tools": [{"function_declarations": [{"name": "f", "parameters_json_schema": {}}]}]}),
        ("gemini", {"system_instruction": {"parts": [{"text": "x"}]}, "generation_config": {"max_output_tokens": 9}}),
    ],
)
def test_what_the_agent_program_runs_itself_is_forwarded(protocol: str, fields: dict[str, Any]) -> None:
    assert refused(protocol, **fields) is None


def test_only_the_models_of_the_run_are_asked() -> None:
    for asked, configured in (
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-haiku-4-5", "anthropic/claude-haiku-4-5-20251001"),
        ("gpt-5-mini", "openai/gpt-5-mini"),
        ("anthropic/claude-5", "openrouter/anthropic/claude-5"),
    ):
        assert is_model(asked, configured)
    for asked, configured in (("gpt-5", "gpt-5-mini"), ("mini", "gpt-5-mini"), ("", "gpt-5"), ("x/gpt-5", "gpt-5")):
        assert not is_model(asked, configured)
    assert "`further_models`" in str(refused("chat", model="gpt-5"))
    for searching in ("gpt-4o-search-preview", "model:online"):
        assert "searches the network by itself" in str(refused("chat", model=searching))


def test_unknown_queries_and_bottomless_bodies_are_refused() -> None:
    assert "the query fields" in str(refused("gemini", "?fields=x"))
    with pytest.raises(BadRequestError):
        understood(PATHS["chat"], b'{"a":' * 100_000)
