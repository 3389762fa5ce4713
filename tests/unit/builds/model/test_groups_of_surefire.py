"""Tags and categories that the launcher chooses by as Surefire does, and those left to Surefire."""

import pytest

from testevo.builds.model.surefire_settings import read_test_run
from tests.unit.builds.model.reasons_of_surefire import JUPITER, reason, surefire_pom
from tests.unit.builds.model.recorded_project import recorded_project


@pytest.mark.parametrize(
    ("value", "surefire"),
    [
        ("fast", False),
        ("fast, a.b.Net,x-y", False),
        ("", False),
        ("${unset}", False),
        ("fast & !net", True),
        ("fast | net", True),
        ("!net", True),
        ("${unset}, fast", True),
    ],
)
@pytest.mark.parametrize("name", ["groups", "excludedGroups"])
def test_lists_of_tags_go_to_the_junit_platform_and_expressions_to_surefire(
    name: str, value: str, surefire: bool
) -> None:
    text = value.replace("&", "&amp;")
    said = reason(f"<configuration><{name}>{text}</{name}></configuration>", class_path=JUPITER, framework="platform")
    assert said == (f"maven-surefire-plugin sets {name}" if surefire else None)


@pytest.mark.parametrize(
    ("value", "version", "junit", "surefire"),
    [
        ("a.Quick", "3.2.5", "4.13.2", False),
        ("Quick, a.Outer$Slow , b.C.class", "3.2.5", "4.13.2", False),
        ("Quick", "2.22.0", "4.8", False),
        ("Quick", "2.21.0", "4.13.2", True),
        ("Quick", "3.2.5", "4.7", True),
        ("Quick,", "3.2.5", "4.13.2", True),
        ("Quick Slow", "3.2.5", "4.13.2", True),
        ("Or", "3.2.5", "4.13.2", True),
        ("!Quick", "3.2.5", "4.13.2", True),
        ("a-b", "3.2.5", "4.13.2", True),
        ("a.*", "3.2.5", "4.13.2", True),
    ],
)
@pytest.mark.parametrize("name", ["groups", "excludedGroups"])
def test_categories_of_junit_4_are_names_of_classes(
    name: str, value: str, version: str, junit: str, surefire: bool
) -> None:
    said = reason(
        f"<configuration><{name}>{value}</{name}></configuration>",
        version=f"<version>{version}</version>",
        class_path=(f"{{repository}}/junit/junit/{junit}/junit-{junit}.jar",),
    )
    assert said == (f"maven-surefire-plugin sets {name}" if surefire else None)


def test_categories_need_junit_itself_and_no_junit_3() -> None:
    plugin = "<configuration><groups>Quick</groups></configuration>"
    dep = ("{repository}/junit/junit-dep/4.11/junit-dep-4.11.jar",)
    old = ("{repository}/junit/junit/3.8.2/junit-3.8.2.jar",)
    assert reason(plugin, class_path=dep) == "maven-surefire-plugin sets groups"
    assert reason(plugin, class_path=old, framework="junit3") == "maven-surefire-plugin sets groups"


@pytest.mark.parametrize(
    ("provider", "groups", "surefire"),
    [
        ("surefire-junit47", "Quick", False),
        ("surefire-junit4", "Quick", True),
        ("surefire-junit47", "", True),
        ("surefire-junit4", "", False),
    ],
)
def test_a_provider_that_surefire_would_not_choose_needs_surefire(provider: str, groups: str, surefire: bool) -> None:
    """The provider for JUnit 4 alone runs the tests of all categories."""
    named = f"<dependency><groupId>org.apache.maven.surefire</groupId><artifactId>{provider}</artifactId></dependency>"
    chosen = f"<configuration><groups>{groups}</groups></configuration>" if groups else ""
    said = reason(f"<dependencies>{named}</dependencies>{chosen}")
    assert said == (f"maven-surefire-plugin depends on org.apache.maven.surefire:{provider}" if surefire else None)


@pytest.mark.parametrize(
    ("version", "before"), [("2.22.2", True), ("3.0.0-M4", True), ("3.0.0-M5", False), ("3.0.0", False)]
)
def test_the_rules_of_categories_follow_the_version_of_surefire(version: str, before: bool) -> None:
    plugin = f"<version>{version}</version><configuration><groups>a.Quick</groups></configuration>"
    assert read_test_run(recorded_project(surefire_pom(plugin))).settings.older_categories == before
    assert not read_test_run(recorded_project(surefire_pom(f"<version>{version}</version>"))).settings.older_categories
