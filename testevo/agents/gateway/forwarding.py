"""Send a request to the model's address with the real key, and hand its answer on piece by piece."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import requests
from requests.auth import AuthBase

from testevo.agents.gateway.protocols import KEY_HEADERS, ModelRequest

_CONNECT_SECONDS = 30
_SILENT_SECONDS = 600
"""Longest silence of an answer; hidden reasoning may take minutes."""
_ANSWER_HEADERS = ("content-type", "retry-after", "retry-after-ms", "x-should-retry", "request-id", "x-request-id")
_FORWARDED = frozenset(
    {"accept", "user-agent", "anthropic-beta", "anthropic-version", "openai-beta", "originator", "x-app"}
    | {"x-client-request-id", "x-goog-api-client"}
)
"""Headers of a program that its provider sees, beside `x-stainless-*` of clients; none of them names an account."""


class NoAnswerError(Exception):
    """The model's address cannot be reached, or the connection broke; the message holds no key."""


@dataclass(frozen=True)
class UpstreamAnswer:
    """The answer of the model's address."""

    status: int
    headers: Mapping[str, str]
    """Those that the agent program may see."""
    events: bool
    """It is a stream of server-sent events."""
    response: requests.Response

    def pieces(self) -> Iterator[bytes]:
        """The body as it comes in.

        Raises:
            NoAnswerError: the connection broke.
        """
        try:
            yield from self.response.iter_content(None)
        except requests.RequestException as error:
            raise NoAnswerError(f"the answer of the model's address was cut ({type(error).__name__})") from error


@dataclass(frozen=True)
class Upstream:
    """The address of a model, with the key for it."""

    address: str
    """Such as `https://api.anthropic.com`; paths of requests are added to it."""
    key: str | None

    def without_key(self, text: bytes) -> bytes:
        """An error message of the provider, which may quote the key."""
        return text.replace(self.key.encode(), b"***") if self.key else text

    @contextmanager
    def answer(self, request: ModelRequest, headers: Mapping[str, str]) -> Iterator[UpstreamAnswer]:
        """Send a request; `headers` are those of the agent program.

        Raises:
            NoAnswerError: the address cannot be reached.
        """
        try:
            response = requests.post(
                self.address.rstrip("/") + request.path,
                data=request.body,
                headers=_forwarded(headers),
                auth=_Key(*KEY_HEADERS[request.protocol], self.key),
                timeout=(_CONNECT_SECONDS, _SILENT_SECONDS),
                stream=True,
                allow_redirects=False,
            )
        except requests.RequestException as error:
            raise NoAnswerError(f"the model's address cannot be reached ({type(error).__name__})") from error
        with response:
            kind = response.headers.get("content-type", "")
            shown = {name: response.headers[name] for name in _ANSWER_HEADERS if name in response.headers}
            yield UpstreamAnswer(response.status_code, shown, kind.startswith("text/event-stream"), response)


@dataclass(frozen=True)
class _Key(AuthBase):
    """Adds the key. It is no header of the request before, so that `requests` takes none from the user's .netrc."""

    header: str
    form: str
    key: str | None

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self.key is not None:
            request.headers[self.header] = self.form.format(self.key)
        return request


def _forwarded(headers: Mapping[str, str]) -> dict[str, str]:
    kept = {
        name: value
        for name, value in headers.items()
        if name.lower() in _FORWARDED or name.lower().startswith("x-stainless-")
    }
    return kept | {"accept-encoding": "identity", "content-type": "application/json"}
