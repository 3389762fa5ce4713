"""Detect the JUnit of a module's tests, and the engine jars its launcher needs besides the project's own.

Which engines Surefire adds, `JUnitPlatformProviderInfo` of its module `maven-surefire-common` decides: that of Jupiter
beside its API alone, and then, since 3.0.0-M5, the vintage engine beside JUnit 4, too. Beside an engine of Jupiter it
adds none, and JUnit 4 runs no test.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from testevo.builds.model.build_record import version_key
from testevo.builds.model.model import Framework

JUPITER_API = "org.junit.jupiter:junit-jupiter-api"
JUPITER = "org.junit.jupiter:junit-jupiter-engine"
VINTAGE = "org.junit.vintage:junit-vintage-engine"
JUNIT_4 = ("junit:junit", "junit:junit-dep")
FIRST_WITH_VINTAGE = (3, 0, 0, 5)
"""3.0.0-M5 adds the vintage engine where it adds that of Jupiter."""
_JAR = re.compile(r"(?P<group>.+)/(?P<artifact>[^/]+)/(?P<version>[^/]+)/(?P=artifact)-(?P=version)[^/]*\.jar$")


@dataclass(frozen=True)
class JarCoordinates:
    """Where a jar lies in a repository, as coordinates."""

    group: str
    artifact: str
    version: str

    @property
    def name(self) -> str:
        return f"{self.group}:{self.artifact}"


@dataclass(frozen=True)
class TestFramework:
    """The framework, its version, and coordinates of engines that the class path lacks."""

    __test__ = False

    name: Framework
    version: str = ""
    engines: tuple[str, ...] = ()


def jar_coordinates(jar: str) -> JarCoordinates | None:
    """Coordinates of `{repository}/group/artifact/version/artifact-version.jar`; None for any other file."""
    match = _JAR.match(jar.split("}/", 1)[-1])
    return JarCoordinates(match["group"].replace("/", "."), match["artifact"], match["version"]) if match else None


def detect_framework(class_path: Sequence[str], surefire: str) -> TestFramework:
    """Read the framework from a test class path.

    Jupiter or anything else on the JUnit Platform beats JUnit 4, which runs JUnit 3 classes too.

    Args:
        surefire: version of Surefire; '' where none is known.
    """
    known = [found for found in map(jar_coordinates, class_path) if found is not None]
    versions = {jar.name: jar.version for jar in known}
    jupiter = versions.get(JUPITER_API)
    platform = versions.get("org.junit.platform:junit-platform-engine")
    if jupiter or platform:
        return _on_platform(versions, jupiter, platform, surefire)
    junit = next((versions[name] for name in JUNIT_4 if name in versions), None)
    if junit:
        return TestFramework("junit3" if junit.startswith("3.") else "junit4", junit)
    return TestFramework("none")


def adds_vintage(names: Collection[str], surefire: str) -> bool:
    """Whether this version of Surefire, up to 3.5, adds the vintage engine.

    Args:
        names: of the artifacts on the test class path, as `group:artifact`.
    """
    adds_jupiter = JUPITER_API in names and JUPITER not in names
    lacks_vintage = VINTAGE not in names and any(name in names for name in JUNIT_4)
    return adds_jupiter and lacks_vintage and version_key(surefire) >= FIRST_WITH_VINTAGE


def runs_on_vintage(junit: str) -> bool:
    """Whether the vintage engine takes this version of JUnit: 4.12 or newer."""
    match = re.match(r"4\.(\d+)", junit)
    return bool(match and int(match.group(1)) >= 12)


def _on_platform(versions: dict[str, str], jupiter: str | None, platform: str | None, surefire: str) -> TestFramework:
    commons = versions.get("org.junit.platform:junit-platform-commons")
    own_platform = platform or commons or _platform_of(jupiter or "5.0.0")
    wanted = {"org.junit.platform:junit-platform-launcher": own_platform}
    if jupiter:
        wanted[JUPITER] = jupiter
    if jupiter and adds_vintage(versions, surefire):
        wanted[VINTAGE] = jupiter
    engines = tuple(f"{name}:{version}" for name, version in sorted(wanted.items()) if name not in versions)
    return TestFramework("platform", jupiter or own_platform, engines)


def _platform_of(jupiter: str) -> str:
    """Jupiter 5.x.y belongs to Platform 1.x.y; from 6 on both carry one number."""
    return re.sub(r"^5\.", "1.", jupiter)
