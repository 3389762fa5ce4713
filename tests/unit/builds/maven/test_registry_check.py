"""Nothing answers: said at once. Whatever Maven could use passes."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lxml import etree

from testevo.builds.maven.registry_check import require_any_registry
from testevo.builds.project.settings import settings_xml
from testevo.builds.project.user_settings import user_proxies
from testevo.runtime.errors import ExitStatus, MachineError

SILENT = "https://127.0.0.1:1/maven2"
"""Nobody listens there."""


@contextmanager
def server(answer: str = "") -> Iterator[str]:
    """The address of something that listens on loopback, and gives an answer to a request if there is one."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        if answer:

            def serve() -> None:
                connected, _ = listening.accept()
                with connected:
                    connected.recv(4096)
                    connected.sendall(f"HTTP/1.1 {answer}\r\n\r\n".encode())

            threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project of a user without settings."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("https_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "home" / ".m2").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def check(project: Path, default: str | None = SILENT, mirror: str | None = None) -> None:
    """What happens before a run of Maven, with the settings that are made for it."""
    settings = project.parent / "settings.xml"
    settings.write_text(settings_xml(mirror, default, user_proxies()))
    require_any_registry(project, settings, default)


def user_settings(project: Path, inside: str) -> None:
    (project.parent / "home" / ".m2" / "settings.xml").write_text(f"<settings>{inside}</settings>")


def proxy(address: str, more: str = "") -> str:
    host, port = address.split(":")
    return f"<proxies><proxy><protocol>http</protocol><host>{host}</host><port>{port}</port>{more}</proxy></proxies>"


def test_a_registry_that_refuses_is_named_with_the_next_step(project: Path) -> None:
    says = rf"The artifact registry {SILENT} cannot be reached: Connection refused\. Check the network and build"
    with pytest.raises(MachineError, match=says) as caught:
        check(project)
    assert caught.value.status is ExitStatus.MACHINE
    assert "build.offline" in str(caught.value)


def test_a_host_without_an_address_is_named(project: Path) -> None:
    with pytest.raises(MachineError, match=r"https://registry\.invalid/m cannot be reached: \w+"):
        check(project, "https://registry.invalid/m")


def test_a_registry_that_listens_is_enough(project: Path) -> None:
    with server() as address:
        check(project, f"https://{address}/maven2")
        check(project, SILENT, mirror=f"http://{address}/all?a&b")


def test_with_a_mirror_nothing_else_counts(project: Path) -> None:
    with server() as address, pytest.raises(MachineError, match=r"127\.0\.0\.1:1/all"):
        check(project, f"https://{address}/maven2", mirror="http://127.0.0.1:1/all")


def test_a_registry_of_the_project_is_enough(project: Path) -> None:
    """A company's own one, where the default one is out of reach."""
    (project / "part").mkdir()
    with server() as address:
        pom = (
            f"<project><repositories><repository><id>x</id><url>https://{address}/m2</url></repository></repositories>"
        )
        (project / "part" / "pom.xml").write_text(pom)
        check(project)


@pytest.mark.parametrize(
    "address", [None, "file:///srv/maven", "s3://bucket/maven", "https://host:port/x", "https://[x"]
)
def test_what_cannot_be_asked_is_no_fault(project: Path, address: str | None) -> None:
    check(project, address)


def test_options_of_the_project_that_may_lead_elsewhere_are_left_to_maven(project: Path) -> None:
    (project / ".mvn").mkdir()
    (project / ".mvn" / "jvm.config").write_text("-Xmx1g -Dhttps.proxyHost=proxy.example")
    check(project)


def test_the_users_proxy_is_asked_for_a_tunnel_and_builds_use_it(project: Path) -> None:
    with server("200 Connection established") as address:
        user_settings(project, proxy(address, "<nonProxyHosts>localhost|*.example</nonProxyHosts>"))
        check(project, "https://registry.invalid/m")
        settings = etree.fromstring(settings_xml(None, None, user_proxies()).encode())
    [used] = settings.findall("proxies/proxy")
    assert f"{used.findtext('host')}:{used.findtext('port')}" == address
    assert (used.findtext("protocol"), used.findtext("nonProxyHosts")) == ("http", "localhost|*.example")


def test_a_host_that_is_reached_beside_the_proxy_is_asked_itself(project: Path) -> None:
    user_settings(project, proxy("127.0.0.1:1", "<nonProxyHosts>127.*</nonProxyHosts>"))
    with server() as address:
        check(project, f"https://{address}/maven2")


def test_a_proxy_that_refuses_is_named(project: Path) -> None:
    with server("407 Proxy Authentication Required") as address:
        user_settings(project, proxy(address))
        with pytest.raises(MachineError, match=rf"the proxy {address} refuses: 407 Proxy Authentication Required"):
            check(project, "https://registry.invalid/m")


@pytest.mark.parametrize(
    ("inside", "advice"),
    [
        (
            "<mirrors><mirror><mirrorOf>*</mirrorOf><url>https://m.example</url></mirror></mirrors>",
            "set build.mirror to it",
        ),
        (proxy("127.0.0.1:1", "<username>u</username><password>p</password>"), "a proxy with a user name"),
    ],
)
def test_what_the_user_settings_say_beside_is_told(project: Path, inside: str, advice: str) -> None:
    """Names and passwords stay where they are."""
    user_settings(project, inside)
    with pytest.raises(MachineError, match=advice):
        check(project)
    assert "<password>" not in (project.parent / "settings.xml").read_text()


def test_a_proxy_that_only_the_environment_names_is_told(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy.example:3128")
    with pytest.raises(MachineError, match="Maven does not read the variable https_proxy"):
        check(project)
