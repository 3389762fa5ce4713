"""Versions of Surefire, and engines beside each other, of which the launcher runs what Surefire runs."""

import pytest

from tests.unit.builds.model.reasons_of_surefire import (
    API_ALONE,
    JUNIT_4,
    JUPITER,
    OLD_JUNIT_4,
    RUNNER,
    TESTNG,
    VINTAGE,
    reason,
)


def test_a_version_that_does_not_know_the_parameter_needs_surefire() -> None:
    plugin = "<configuration><reuseForks>false</reuseForks></configuration>"
    assert reason(plugin, version="<version>2.12.4</version>") == "maven-surefire-plugin 2.12.4 sets reuseForks"


@pytest.mark.parametrize(
    ("version", "class_path", "said"),
    [
        ("2.22.0", (*JUPITER, *JUNIT_4), None),
        ("3.5.6", (*JUPITER, *JUNIT_4), None),
        ("3.2.5", (*JUPITER, *VINTAGE, *JUNIT_4), None),
        ("3.2.5", (*API_ALONE, *JUNIT_4), None),
        ("3.0.0-M4", (*API_ALONE, *OLD_JUNIT_4), None),
        (
            "3.0.0-M5",
            (*API_ALONE, *OLD_JUNIT_4),
            "junit:junit 4.11 is too old for the vintage engine, which maven-surefire-plugin 3.0.0-M5 adds",
        ),
        ("3.6.1", (*JUPITER, *VINTAGE, *JUNIT_4), None),
        ("3.6.1", (*JUPITER, *JUNIT_4), "maven-surefire-plugin 3.6.1 adds the vintage engine for JUnit 4"),
    ],
)
def test_junit_4_beside_the_platform_has_the_engine_that_surefire_gives_it(
    version: str, class_path: tuple[str, ...], said: str | None
) -> None:
    assert reason(version=f"<version>{version}</version>", class_path=class_path, framework="platform") == said


@pytest.mark.parametrize(
    ("version", "class_path", "said"),
    [
        ("2.12.4", JUPITER, "maven-surefire-plugin 2.12.4 does not run the JUnit Platform"),
        ("2.22.0", JUPITER, None),
        ("2.22.2", API_ALONE, "maven-surefire-plugin 2.22.2 adds no engine of JUnit"),
        ("3.0.0-M4", API_ALONE, None),
        ("2.22.2", (*API_ALONE, *VINTAGE), "maven-surefire-plugin 2.22.2 adds no engine of JUnit"),
        ("2.22.2", (*API_ALONE, *JUPITER, *VINTAGE), None),
        ("3.0.0-M5", (*JUPITER, *RUNNER), None),
        (
            "3.0.0-M6",
            (*JUPITER, *RUNNER),
            "maven-surefire-plugin 3.0.0-M6 leaves tests to JUnit 4 beside org.junit.platform:junit-platform-runner",
        ),
    ],
)
def test_old_versions_do_not_run_what_the_launcher_runs(
    version: str, class_path: tuple[str, ...], said: str | None
) -> None:
    found = reason(version=f"<version>{version}</version>", class_path=class_path, framework="platform")
    assert found == said


@pytest.mark.parametrize("name", ["useSystemClassLoader", "useManifestOnlyJar"])
def test_old_versions_bring_the_class_path_otherwise(name: str) -> None:
    written = f"<configuration><{name}>false</{name}></configuration>"
    said = f"maven-surefire-plugin 2.14.1 sets {name}"
    assert reason(written, version="<version>2.14.1</version>") == said
    assert reason(properties=f"<surefire.{name}>false</surefire.{name}>", version="<version>2.14.1</version>") == said
    assert reason(written, version="<version>2.15</version>") is None
    assert reason(version="<version>2.14.1</version>") is None


def test_testng_needs_surefire_and_a_module_without_tests_nothing() -> None:
    assert reason(class_path=TESTNG, framework="none") == "TestNG is on the class path"
    assert reason("<configuration><groups>fast</groups></configuration>", class_path=(), framework="none") is None


@pytest.mark.parametrize(
    ("version", "framework", "said"),
    [
        ("3.5.6", "junit4", None),
        ("3.5.6", "junit3", None),
        ("3.6.0-M1", "junit4", "runs JUnit 3 and 4 on the JUnit Platform"),
        ("3.6.1", "junit3", "runs JUnit 3 and 4 on the JUnit Platform"),
        ("3.6.1", "platform", None),
        ("3.7.0", "platform", "is newer than those that the launcher was compared with"),
        ("4.0.0-beta-1", "junit4", "is newer than those that the launcher was compared with"),
    ],
)
def test_new_versions_need_surefire_until_they_were_compared(version: str, framework: str, said: str | None) -> None:
    class_path = ("{repository}/org/junit/jupiter/junit-jupiter-engine/5.10.2/junit-jupiter-engine-5.10.2.jar",)
    found = reason(version=f"<version>{version}</version>", class_path=class_path, framework=framework)
    assert found == (said and f"maven-surefire-plugin {version} {said}")


@pytest.mark.parametrize(
    ("version", "platform", "said"),
    [
        ("3.0.0-M3", "1.14.1", None),
        ("3.0.0-M3", "6.1.3", "maven-surefire-plugin 3.0.0-M3 does not run JUnit 6"),
        ("2.22.2", "6.0.0", "maven-surefire-plugin 2.22.2 does not run JUnit 6"),
        ("3.0.0-M4", "6.0.0", None),
        ("3.6.1", "6.1.3", None),
        ("3.6.1", "7.0.0-M1", "JUnit Platform 7 is not known"),
    ],
)
def test_versions_of_the_platform_are_those_that_were_compared(version: str, platform: str, said: str | None) -> None:
    class_path = (
        "{repository}/org/junit/jupiter/junit-jupiter-engine/5.10.2/junit-jupiter-engine-5.10.2.jar",
        f"{{repository}}/org/junit/platform/junit-platform-engine/{platform}/junit-platform-engine-{platform}.jar",
    )
    assert reason(version=f"<version>{version}</version>", class_path=class_path, framework="platform") == said
