"""Which JUnit a class path holds, and which engines it lacks."""

import pytest

from testevo.builds.model.test_framework import detect_framework, jar_coordinates


def jar(coordinates: str) -> str:
    group, artifact, version = coordinates.split(":")
    return f"{{repository}}/{group.replace('.', '/')}/{artifact}/{version}/{artifact}-{version}.jar"


def test_coordinates_are_read_from_the_place_of_a_jar() -> None:
    found = jar_coordinates(jar("org.junit.jupiter:junit-jupiter-api:5.6.0"))
    assert found is not None
    assert (found.name, found.version) == ("org.junit.jupiter:junit-jupiter-api", "5.6.0")
    assert jar_coordinates("{checkout}/lib/junit.jar") is None


@pytest.mark.parametrize(
    ("jars", "name", "engines"),
    [
        ([], "none", ()),
        (["org.testng:testng:7.0"], "none", ()),
        (["junit:junit:3.8.1"], "junit3", ()),
        (["junit:junit:4.13"], "junit4", ()),
        (["junit:junit-dep:4.11"], "junit4", ()),
        (
            ["org.junit.jupiter:junit-jupiter-api:5.6.2"],
            "platform",
            ("org.junit.jupiter:junit-jupiter-engine:5.6.2", "org.junit.platform:junit-platform-launcher:1.6.2"),
        ),
        (
            [
                "org.junit.jupiter:junit-jupiter-engine:5.9.2",
                "org.junit.platform:junit-platform-engine:1.9.2",
                "org.junit.jupiter:junit-jupiter-api:5.9.2",
                "junit:junit:4.13",
            ],
            "platform",
            ("org.junit.platform:junit-platform-launcher:1.9.2",),
        ),
        (
            ["org.junit.jupiter:junit-jupiter-api:6.0.1", "junit:junit:4.11"],
            "platform",
            ("org.junit.jupiter:junit-jupiter-engine:6.0.1", "org.junit.platform:junit-platform-launcher:6.0.1"),
        ),
        (
            [
                "org.junit.vintage:junit-vintage-engine:5.7.0",
                "org.junit.platform:junit-platform-engine:1.7.0",
                "junit:junit:4.13",
            ],
            "platform",
            ("org.junit.platform:junit-platform-launcher:1.7.0",),
        ),
    ],
)
def test_the_framework_and_its_missing_engines(jars: list[str], name: str, engines: tuple[str, ...]) -> None:
    found = detect_framework([jar(coordinates) for coordinates in jars], "3.0.0-M4")
    assert (found.name, found.engines) == (name, engines)


@pytest.mark.parametrize(
    ("jars", "surefire", "added"),
    [
        (["org.junit.jupiter:junit-jupiter-api:5.9.2", "junit:junit:4.13"], "3.0.0-M5", True),
        (["org.junit.jupiter:junit-jupiter-api:5.9.2", "junit:junit-dep:4.13"], "3.5.6", True),
        (["org.junit.jupiter:junit-jupiter-api:5.9.2", "junit:junit:4.13"], "3.0.0-M4", False),
        (["org.junit.jupiter:junit-jupiter-api:5.9.2"], "3.5.6", False),
        (
            [
                "org.junit.jupiter:junit-jupiter-api:5.9.2",
                "org.junit.jupiter:junit-jupiter-engine:5.9.2",
                "junit:junit:4.13",
            ],
            "3.5.6",
            False,
        ),
        (["org.junit.platform:junit-platform-engine:1.9.2", "junit:junit:4.13"], "3.5.6", False),
    ],
)
def test_the_vintage_engine_is_added_where_surefire_adds_it(jars: list[str], surefire: str, added: bool) -> None:
    found = detect_framework([jar(coordinates) for coordinates in jars], surefire)
    assert ("org.junit.vintage:junit-vintage-engine:5.9.2" in found.engines) is added
