"""Tokens for GitHub: read from the environment, sent to GitHub alone, never printed."""

import os
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import SecretStr
from requests import PreparedRequest
from requests.auth import AuthBase

from testevo.runtime.errors import UsageError
from testevo.runtime.network import is_on_this_machine

VARIABLES = ("TESTEVO_GITHUB_TOKENS", "GITHUB_TOKEN", "GH_TOKEN")
"""The first that is set counts; several tokens are separated by commas or blanks."""


class Bearer(AuthBase):
    """Sign a request with a token; without one it goes out unsigned, also where `.netrc` names the host."""

    def __init__(self, token: SecretStr | None) -> None:
        self._token = token

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        if self._token is not None:
            request.headers["Authorization"] = f"Bearer {self._token.get_secret_value()}"
        return request


def read_tokens(environment: Mapping[str, str] = os.environ) -> tuple[SecretStr, ...]:
    """The tokens of the environment, each once; none is fine for a small search."""
    given = next((environment[name] for name in VARIABLES if environment.get(name, "").strip()), "")
    return tuple(SecretStr(token) for token in dict.fromkeys(re.split(r"[,\s]+", given.strip())) if token)


def require_safe(api: str, tokens: tuple[SecretStr, ...]) -> None:
    """Refuse to send tokens where others can read them.

    Raises:
        UsageError: the address is not https and not this machine, and there are tokens; or it is not an address.
    """
    parts = urlsplit(api)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"`sources.github.api` is {api!r}, which is not an address. Leave it out to ask GitHub.")
    if tokens and parts.scheme != "https" and not is_on_this_machine(api):
        raise UsageError(f"`sources.github.api` is {api}: tokens are sent by https only. Use https, or unset them.")
