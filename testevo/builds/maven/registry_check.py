"""Before the first run of Maven with the network: does any artifact registry answer at all?

Maven waits minutes for each one that does not. A registry is asked for a connection and nothing else, by the way that
Maven would take, so that whatever works for Maven passes.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from testevo.builds.machine_failures import WITHOUT_NETWORK
from testevo.builds.project.settings import settings_mirror
from testevo.builds.project.user_settings import Proxy, network_advice, proxy_for, user_proxies
from testevo.runtime import connect
from testevo.runtime.machine_faults import NETWORK
from testevo.runtime.processes.processes import run_command

ANSWER_SECONDS = 10.0
MOST_REGISTRIES = 6
_PORTS = {"http": 80, "https": 443}
_OF_THE_PROJECT = re.compile(r"<(?:pluginR|r)epository>(?:.*?<url>\s*([^<\s]+)\s*</url>|.*)", re.DOTALL)


def require_any_registry(folder: Path, settings: Path, default: str | None) -> None:
    """Refuse to start a Maven that would wait for registries none of which answers.

    Args:
        folder: the project, whose POMs may name registries of its own.
        settings: the generated settings of the run.
        default: the registry that Maven asks by itself; None where it is not known.

    Raises:
        MachineError: none answers; it names the first of them, why, and what to do.
    """
    if _decides_itself(folder):
        return
    mirror = settings_mirror(settings)
    addresses = [mirror] if mirror else [*([default] if default else []), *_named_in(folder)]
    proxies = user_proxies()
    reasons = []
    for address in list(dict.fromkeys(addresses))[:MOST_REGISTRIES]:
        reason = _silent(address, proxies)
        if reason is None:
            return
        reasons.append(f"{address} cannot be reached: {reason}")
    if reasons:
        raise NETWORK.error(f"The artifact registry {', nor '.join(reasons)}", WITHOUT_NETWORK + network_advice())


def _decides_itself(folder: Path) -> bool:
    """Whether options of the project may change how Maven reaches the network."""
    files = (folder / ".mvn" / name for name in ("maven.config", "jvm.config", "extensions.xml"))
    return any(re.search(r"proxy|settings|<extension>|^-s\b", _text(file), re.I | re.M) for file in files)


def _named_in(folder: Path) -> Iterable[str]:
    """Registries in the project's POMs; those with http addresses are asked for at the default one."""
    for pom in sorted(folder.rglob("pom.xml")):
        yield from (url for url in _OF_THE_PROJECT.findall(_text(pom)) if url and not url.startswith("http:"))


def _silent(address: str, proxies: tuple[Proxy, ...]) -> str | None:
    """Why there is no connection to an address; None where there is one, or it cannot be known."""
    try:
        parts = urlsplit(address)
        scheme, host, port = parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not host or port is None or "$" in host:
        return None
    proxy = proxy_for(scheme, host, proxies)
    tunnel = [f"{host}:{port}"] if proxy is not None and scheme == "https" else []
    nearest = (host, port) if proxy is None else (proxy.host, proxy.port)
    way = [nearest[0], str(nearest[1]), *tunnel]
    finished = run_command([sys.executable, "-I", "-S", str(connect.__file__), *way], seconds=ANSWER_SECONDS)
    if finished.ok:
        return None
    through = f" through the proxy {proxy.host}:{proxy.port}" if proxy else ""
    said = f"no answer within {ANSWER_SECONDS:g} s" if finished.timed_out else finished.tail(1)
    return f"{said}{through}"


def _text(file: Path) -> str:
    return file.read_text("utf-8", "replace") if file.is_file() else ""
