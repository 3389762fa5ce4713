"""The user's own Maven settings: proxies, which builds use too, and what else may explain that nothing answers."""

import os
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from lxml import etree

from testevo.builds.project.pom_file import children, find, text_of

USER_SETTINGS = "~/.m2/settings.xml"
_MATCH_ALL = ("*", "central", "external:*")


@dataclass(frozen=True)
class Proxy:
    """A proxy that asks for no name and password."""

    protocol: str
    """Of the addresses that it serves; one for http serves https where no other does."""
    host: str
    port: int
    beside: str
    """Hosts that are reached without it, as patterns between bars; '' for none."""

    def serves(self, scheme: str, host: str) -> bool:
        passed_by = any(fnmatch(host.lower(), pattern.strip().lower()) for pattern in self.beside.split("|"))
        return self.protocol in (scheme, "http") and not passed_by


def user_proxies(settings: Path | None = None) -> tuple[Proxy, ...]:
    """The active proxies in the user's settings that builds can use: without credentials and placeholders."""
    read = (_proxy(element) for element in children(find(_root(settings), "proxies"), "proxy"))
    return tuple(proxy for proxy in read if proxy is not None)


def proxy_for(scheme: str, host: str, proxies: tuple[Proxy, ...]) -> Proxy | None:
    """The proxy that Maven takes for an address: the first of its protocol, then the first for http."""
    fitting = [proxy for proxy in proxies if proxy.serves(scheme, host)]
    return min(fitting, key=lambda proxy: proxy.protocol != scheme, default=None)


def network_advice(settings: Path | None = None) -> str:
    """Sentences on what the user's settings and environment say of the network and builds do not use; '' for none."""
    root, said = _root(settings), ""
    for mirror in children(find(root, "mirrors"), "mirror"):
        if text_of(mirror, "mirrorOf") in _MATCH_ALL and (url := text_of(mirror, "url")):
            said += f" {USER_SETTINGS} names the mirror {url}, which builds do not use: set build.mirror to it."
    if any(_is_active(one) and _proxy(one) is None for one in children(find(root, "proxies"), "proxy")):
        said += f" {USER_SETTINGS} names a proxy with a user name or placeholders, which builds do not use."
    elif not user_proxies(settings) and any(os.environ.get(name) for name in ("https_proxy", "HTTPS_PROXY")):
        said += f" Maven does not read the variable https_proxy: name that proxy in {USER_SETTINGS} (<proxies>)."
    return said


def _root(settings: Path | None) -> etree._Element | None:
    """None where there are no settings, or none that Maven could read."""
    file = settings or Path(USER_SETTINGS).expanduser()
    try:
        return etree.parse(file, etree.XMLParser(resolve_entities=False, no_network=True)).getroot()
    except (OSError, etree.XMLSyntaxError):
        return None


def _is_active(element: etree._Element) -> bool:
    return (text_of(element, "active") or "true").lower() == "true"


def _proxy(element: etree._Element) -> Proxy | None:
    host, port = text_of(element, "host") or "", text_of(element, "port") or "8080"
    usable = _is_active(element) and text_of(element, "username") is None and "${" not in host and port.isdigit()
    if not usable or not host:
        return None
    protocol = (text_of(element, "protocol") or "http").lower()
    return Proxy(protocol, host, int(port), text_of(element, "nonProxyHosts") or "")
