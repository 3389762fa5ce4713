"""The settings Maven runs with: generated, the same on every machine, never the user's."""

import re
import shutil
import zipfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape, unescape

from testevo.builds.machine_failures import start
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.user_settings import Proxy, user_proxies
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import content_key
from testevo.runtime.files.whole_files import write_once
from testevo.runtime.machine_faults import PROGRAM

HTTP_MIRROR = "https-instead-of-http"
"""Id of the mirror that stands for repositories with an http address, which Maven 3.8.1 and later refuse."""

CONFIGURED_MIRROR = "configured-mirror"
"""Id of the mirror that the configuration names; it stands for every repository."""

_SUPER_POM = "org/apache/maven/model/pom-4.0.0.xml"
_VERSION = re.compile(r"^version=([\w.-]+)", re.MULTILINE)
_SAID_VERSION = re.compile(r"Apache Maven ([\w.-]+)")
_CORE = "META-INF/maven/org.apache.maven/maven-core/pom.properties"


def settings_xml(mirror: str | None, default_registry: str | None, proxies: Iterable[Proxy] = ()) -> str:
    """The text of `settings.xml`.

    Args:
        mirror: address from the configuration; every request goes there.
        default_registry: without `mirror`, repositories with an http address are asked for at this one instead; what it
            does not hold stays unresolved, and is reported as such.
        proxies: which requests go through.
    """
    entries = ""
    if mirror:
        entries = _mirror(CONFIGURED_MIRROR, "*", mirror)
    elif default_registry:
        entries = _mirror(HTTP_MIRROR, "external:http:*", default_registry)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<settings>\n  <interactiveMode>false</interactiveMode>\n'
        f"  <mirrors>{entries}</mirrors>\n  <proxies>{''.join(map(_proxy, proxies))}</proxies>\n</settings>\n"
    )


def toolchains_xml(jdk: Jdk, demanded: str | None) -> str:
    """The text of `toolchains.xml`: the chosen JDK, under its own version and under the one that is asked for."""
    names = {str(jdk.feature), jdk.version, *([f"1.{jdk.feature}"] if jdk.feature < 10 else [])}
    if demanded:
        names.add(re.sub(r"[\[\](),\s]+.*$", "", demanded.lstrip("[( ")))
    entries = "".join(
        f"  <toolchain><type>jdk</type><provides><version>{escape(name)}</version></provides>"
        f"<configuration><jdkHome>{escape(str(jdk.home))}</jdkHome></configuration></toolchain>\n"
        for name in sorted(names)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<toolchains>\n{entries}</toolchains>\n'


def write_settings(folder: Path, mirror: str | None) -> Path:
    """Write settings into `folder` unless they are there; the file.

    It is named by its content: a Maven of another process may read other ones at the same time.

    Raises:
        MachineError: the folder cannot be written, or Maven is not installed.
    """
    text = settings_xml(mirror, None if mirror else default_registry(), user_proxies()).encode()
    path = folder / f"settings-{content_key(text)[:8]}.xml"
    write_once(path, text)
    return path


def settings_mirror(settings: Path) -> str | None:
    """The configured mirror that generated settings name."""
    text = settings.read_text("utf-8") if settings.is_file() else ""
    found = re.search(rf"<id>{CONFIGURED_MIRROR}</id>.*?<url>(.*?)</url>", text)
    return unescape(found.group(1)) if found else None


def maven_command() -> Path:
    """The installed `mvn`, links followed.

    Raises:
        MachineError: it is not on the path.
    """
    found = shutil.which("mvn")
    if found is None:
        raise MachineError("mvn is not installed. Install Maven 3.8 or newer, and run `testevo doctor` to check.")
    return Path(found).resolve()


def maven_version() -> str:
    """The version of the installed Maven.

    It decides the versions of plugins that a POM leaves open, Surefire among them: what one Maven has told of a project
    says nothing of another.

    Raises:
        MachineError: Maven is not installed, or does not tell.
    """
    return _version_of(maven_command())


@cache
def _version_of(command: Path) -> str:
    """As its own jar says, whatever its file is called; by starting it where it is laid out in another way."""
    for jar in sorted((command.parent.parent / "lib").glob("maven-core*.jar")):
        with zipfile.ZipFile(jar) as archive:
            if _CORE in archive.namelist() and (found := _VERSION.search(archive.read(_CORE).decode("utf-8"))):
                return found[1]
    started = start([str(command), "-version"])
    if started.fault:
        raise PROGRAM.error(started.fault.rstrip("."), " Free memory if it is that.")
    if found := _SAID_VERSION.search(started.said):
        return found[1]
    raise MachineError(f"`{command} -version` names no version of Maven. Run `testevo doctor` to check.")


@cache
def default_registry() -> str | None:
    """The registry that this Maven asks by itself, from the super POM inside its own jar; None if it is not there."""
    for jar in sorted((maven_command().parent.parent / "lib").glob("maven-model-builder*.jar")):
        with zipfile.ZipFile(jar) as archive:
            if _SUPER_POM in archive.namelist():
                match = re.search(r"<url>(\S+)</url>", archive.read(_SUPER_POM).decode("utf-8"))
                return match.group(1) if match else None
    return None


def _proxy(proxy: Proxy) -> str:
    beside = f"<nonProxyHosts>{escape(proxy.beside)}</nonProxyHosts>" if proxy.beside else ""
    return (
        f"\n    <proxy><id>{escape(proxy.protocol)}</id><active>true</active>"
        f"<protocol>{escape(proxy.protocol)}</protocol><host>{escape(proxy.host)}</host><port>{proxy.port}</port>"
        f"{beside}</proxy>\n  "
    )


def _mirror(name: str, of: str, address: str) -> str:
    return f"\n    <mirror><id>{name}</id><mirrorOf>{of}</mirrorOf><url>{escape(address)}</url></mirror>\n  "
