"""Find the public address that anyone can clone a history from, never a place of this machine."""

import ipaddress
import re
from pathlib import Path
from urllib.parse import urlsplit

from testevo.records.repository import Repository, SourceKind
from testevo.sources.git_clone import run_git

_SCP = re.compile(r"(?:[^@/\s]+@)?(?P<host>[\w.-]+\.[\w-]+):(?!//)(?P<path>[^\s]+)")
"""The short form of an SSH address."""
_PRIVATE = (".local", ".localhost", ".internal", ".lan", ".home", ".corp", ".invalid", ".test")
_FORGES = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org")
"""Where the address of a page and of its clone differ in `.git` alone, so that both get one spelling."""
NO_ORIGIN = "the local clone has no remote called origin"


def with_clone_url(repository: Repository, place: Path) -> Repository:
    """The record with its `clone_url`, or with the reason why there is none.

    Args:
        place: the git folder or bundle that the history was read from.
    """
    if repository.source is SourceKind.WORLDS:
        return _unknown(repository, "an embedded history, which only the dataset and testevo hold")
    if repository.source is SourceKind.RELEASES:
        return _unknown(repository, f"made of the published releases of {repository.address}")
    given = public_url(repository.address)
    if given is not None:
        return repository.model_copy(update={"clone_url": given})
    if place.is_file():
        return _unknown(repository, "a bundle does not say where it comes from")
    origin = origin_of(place)
    found = public_url(origin) if origin else None
    if found is None and repository.web_url is not None:  # found in a mirror, whose clones are those of that page
        found = public_url(repository.web_url)
    if found is None:
        return _unknown(repository, "the origin of the local clone is not a public address" if origin else NO_ORIGIN)
    return repository.model_copy(update={"clone_url": found})


def origin_of(place: Path) -> str | None:
    """`remote.origin.url` of a git folder."""
    status, out = run_git(["-C", str(place), "config", "--get", "remote.origin.url"], also_fine=(1,))
    return (out.decode("utf-8", "replace").strip() or None) if status == 0 else None


def public_url(address: str) -> str | None:
    """A clone address as https, without user, password, query and fragment; None for places of one machine."""
    short = _SCP.fullmatch(address)
    if short:
        address = f"ssh://{short['host']}/{short['path'].lstrip('/')}"
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in ("https", "http", "ssh", "git", "git+ssh") or not host or not _is_public(host):
        return None
    path = parts.path.rstrip("/")
    if not path or "~" in path:
        return None
    path = f"{path.removesuffix('.git')}.git" if host in _FORGES else path
    kept = f":{port}" if port and parts.scheme in ("https", "http") else ""
    scheme = "http" if kept and parts.scheme == "http" else "https"
    return f"{scheme}://{host}{kept}{path}"


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(_PRIVATE)


def _unknown(repository: Repository, reason: str) -> Repository:
    return repository.model_copy(update={"clone_url_reason": reason})
