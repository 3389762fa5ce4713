"""Gemini: the fields, parts and tools of a request that are forwarded, in both spellings of names."""

import re
from collections.abc import Mapping

from testevo.agents.gateway.allowed.forms import HOSTED_TOOL, Form, anything, items, one_of, plain
from testevo.agents.gateway.allowed.forms import fields as fields_of

_UNDERSCORE = re.compile(r"_(\w)")


def fields(allowed: Mapping[str, Form]) -> Form:
    """An object; the API reads `inlineData` and `inline_data` alike."""
    return fields_of(allowed, name_of=lambda name: _UNDERSCORE.sub(lambda match: match[1].upper(), name))


_INLINE = fields({"mimeType": plain, "data": plain, "displayName": plain})
_PART = fields(
    {
        "text": plain,
        "thought": plain,
        "thoughtSignature": plain,
        "inlineData": _INLINE,
        "functionCall": fields({"id": plain, "name": plain, "args": anything}),
        "functionResponse": fields(
            {"id": plain, "name": plain, "response": anything, "parts": items(fields({"inlineData": _INLINE}))}
        ),
    }
)
_CONTENT = fields({"role": plain, "parts": items(_PART)})
_FUNCTION = fields(
    {
        "name": plain,
        "description": plain,
        "parameters": anything,
        "parametersJsonSchema": anything,
        "response": anything,
        "responseJsonSchema": anything,
        "behavior": plain,
    }
)


def _tool(value: object, place: str) -> str | None:
    if isinstance(value, dict):
        hosted = [name for name in value if name not in ("functionDeclarations", "function_declarations")]
        if hosted:
            return f"{place}: {HOSTED_TOOL.format(hosted[0][:100])}"
    return _OWN_TOOL(value, place)


_OWN_TOOL = fields({"functionDeclarations": items(_FUNCTION)})
_GENERATION = dict.fromkeys(
    (
        *("temperature", "topP", "topK", "maxOutputTokens", "stopSequences", "seed", "presencePenalty"),
        *("frequencyPenalty", "responseMimeType", "responseLogprobs", "logprobs", "mediaResolution"),
    ),
    plain,
)
REQUEST = fields(
    {
        "contents": items(_CONTENT),
        "systemInstruction": _CONTENT,
        "tools": items(_tool),
        "toolConfig": fields({"functionCallingConfig": fields({"mode": plain, "allowedFunctionNames": plain})}),
        "generationConfig": fields(
            {
                **_GENERATION,
                "candidateCount": one_of(1),
                "responseModalities": one_of(["TEXT"]),
                "responseSchema": anything,
                "responseJsonSchema": anything,
                "thinkingConfig": fields({"includeThoughts": plain, "thinkingBudget": plain, "thinkingLevel": plain}),
            }
        ),
        "safetySettings": items(fields({"category": plain, "threshold": plain})),
    }
)
COUNT = fields(
    {"contents": items(_CONTENT), "generateContentRequest": fields({"model": plain, "contents": items(_CONTENT)})}
)
