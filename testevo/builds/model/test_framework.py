"""Detect the JUnit of a module's tests, and the engine jars its launcher needs besides the project's own."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from testevo.builds.model.model import Framework

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


def detect_framework(class_path: Sequence[str]) -> TestFramework:
    """Read the framework from a test class path.

    Jupiter or anything else on the JUnit Platform beats JUnit 4, which runs JUnit 3 classes too.
    """
    known = [found for found in map(jar_coordinates, class_path) if found is not None]
    versions = {jar.name: jar.version for jar in known}
    jupiter = versions.get("org.junit.jupiter:junit-jupiter-api")
    platform = versions.get("org.junit.platform:junit-platform-engine")
    if jupiter or platform:
        return _on_platform(versions, jupiter, platform)
    junit = versions.get("junit:junit") or versions.get("junit:junit-dep")
    if junit:
        return TestFramework("junit3" if junit.startswith("3.") else "junit4", junit)
    return TestFramework("none")


def _on_platform(versions: dict[str, str], jupiter: str | None, platform: str | None) -> TestFramework:
    commons = versions.get("org.junit.platform:junit-platform-commons")
    own_platform = platform or commons or _platform_of(jupiter or "5.0.0")
    wanted = {"org.junit.platform:junit-platform-launcher": own_platform}
    if jupiter:
        wanted["org.junit.jupiter:junit-jupiter-engine"] = jupiter
    if any(name in versions and _runs_on_vintage(versions[name]) for name in ("junit:junit", "junit:junit-dep")):
        wanted["org.junit.vintage:junit-vintage-engine"] = jupiter or _jupiter_of(own_platform)
    engines = tuple(f"{name}:{version}" for name, version in sorted(wanted.items()) if name not in versions)
    return TestFramework("platform", jupiter or own_platform, engines)


def _platform_of(jupiter: str) -> str:
    """Jupiter 5.x.y belongs to Platform 1.x.y; from 6 on both carry one number."""
    return re.sub(r"^5\.", "1.", jupiter)


def _jupiter_of(platform: str) -> str:
    return re.sub(r"^1\.", "5.", platform)


def _runs_on_vintage(junit: str) -> bool:
    """The vintage engine needs JUnit 4.12."""
    match = re.match(r"4\.(\d+)", junit)
    return bool(match and int(match.group(1)) >= 12)
