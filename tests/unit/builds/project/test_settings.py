"""Generated settings, the skip list, the environment of builds (TEB-E04)."""

from pathlib import Path

import pytest
from lxml import etree

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.maven.maven_run import Maven, build_environment
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.local_repository import local_repository
from testevo.builds.project.settings import HTTP_MIRROR, settings_xml, toolchains_xml
from testevo.runtime.errors import UsageError

JDK = Jdk(Path("/jdk8"), 8, "1.8.0_292")


def test_repositories_with_http_addresses_are_asked_for_at_the_default_registry() -> None:
    """Maven 3.8.1 and later refuse http."""
    mirror = etree.fromstring(settings_xml(None, "https://registry.example/m?a&b").encode()).find("mirrors/mirror")
    assert mirror is not None
    texts = {child.tag: child.text for child in mirror}
    assert texts == {"id": HTTP_MIRROR, "mirrorOf": "external:http:*", "url": "https://registry.example/m?a&b"}


def test_a_configured_mirror_stands_for_every_repository() -> None:
    text = settings_xml("https://mirror.example/all", "https://registry.example")
    assert "<mirrorOf>*</mirrorOf>" in text
    assert "registry.example" not in text


def test_toolchains_offer_the_chosen_jdk_under_the_demanded_version() -> None:
    versions = [item.text for item in etree.fromstring(toolchains_xml(JDK, "[1.8,9)").encode()).iter("version")]
    assert set(versions) == {"8", "1.8", "1.8.0_292"}
    assert "<version>1.7</version>" in toolchains_xml(JDK, "1.7")


def test_the_environment_of_a_build_has_nothing_of_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One locale and time zone; JAVA_TOOL_OPTIONS and the like would change every JVM."""
    for name in ("JAVA_TOOL_OPTIONS", "MAVEN_OPTS", "MAVEN_ARGS", "SECRET", "LANG"):
        monkeypatch.setenv(name, "x")
    environment = build_environment(JDK, tmp_path)
    assert set(environment) <= {"PATH", "TMPDIR", "HOME", "JAVA_HOME", "LC_ALL", "TZ"}
    assert (environment["LC_ALL"], environment["TZ"], environment["HOME"]) == ("C.UTF-8", "UTC", str(tmp_path))


def test_the_command_uses_generated_files_and_the_projects_own_repository(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("testevo.builds.maven.maven_run.maven_command", lambda: Path("/usr/bin/mvn"))
    local = local_repository(tmp_path, "owner/repo", "https://mirror.example")
    command = Maven(local, JDK, plugin_skips(), level="8").command(offline=True)
    assert local.folder.name == "owner__repo"
    assert {"-B", "-T1", "-nsu", "-o", f"-Dmaven.repo.local={local.artifacts}", "-Dcheckstyle.skip=true"} <= set(
        command
    )
    assert [command[command.index(flag) + 1] for flag in ("-s", "-gs")] == [str(local.settings)] * 2
    assert "-Dmaven.build.cache.enabled=false" in command, "else an extension answers for goals from its cache"
    assert "-Dmaven.compiler.source=8" in command
    assert "-Dmaven.compiler.release=8" not in command, "the compiler of JDK 8 knows no release"
    assert "-o" not in Maven(local, JDK, plugin_skips()).command(offline=False)


def test_every_skip_says_why_and_never_skips_compilation_or_tests() -> None:
    """TEB-E04: skips must not change what is compiled."""
    skips = plugin_skips()
    assert all(skip.why and skip.set for skip in skips.properties)
    forbidden = ("maven.test.skip", "skipTests", "maven.main.skip", "maven.resources.skip")
    assert not [word for word in skips.arguments if word.startswith(tuple(f"-D{name}=" for name in forbidden))]
    assert skips.ignores("maven-enforcer-plugin", "enforce")
    assert skips.ignores("maven-dependency-plugin", "properties")
    assert not skips.ignores("maven-dependency-plugin", "unpack")
    assert not skips.ignores("maven-antrun-plugin", "run")


def test_a_broken_skip_list_is_the_users_to_fix(tmp_path: Path) -> None:
    path = tmp_path / "skips.yaml"
    path.write_text("version: one\n")
    with pytest.raises(UsageError, match="not a list of plugin skips"):
        plugin_skips(path)
