"""Parameters of the compiler and the resources plugin that only Maven implements."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from testevo.builds.model.build_record import Goal
from testevo.builds.model.model import ResourceFolder, SideModel
from testevo.builds.model.parameters.build import not_implemented, unread_option
from testevo.builds.model.resources.saved_files import place_resources
from testevo.builds.model.sources import SourceView

COMPILE = Goal(plugin="maven-compiler-plugin", goal="compile", execution="default-compile")
RESOURCES = Goal(plugin="maven-resources-plugin", goal="resources", execution="default-resources")


def told(goal: Goal, settings: dict[str, JsonValue], command_line: str | None = None) -> Goal:
    return goal.model_copy(update={"settings": settings, "command_line": command_line})


@pytest.mark.parametrize(
    ("goal", "name", "value"),
    [
        (COMPILE, "compilerId", "eclipse"),
        (COMPILE, "failOnError", "false"),
        (COMPILE, "multiReleaseOutput", "true"),
        (COMPILE, "executable", "/opt/jdk/bin/javac"),
        (COMPILE, "jdkToolchain", {"version": "8"}),
        (COMPILE, "aParameterOfALaterVersion", "1"),
        (RESOURCES, "delimiters", ["#{*}"]),
        (RESOURCES, "filters", ["src/main/filters/values.properties"]),
        (RESOURCES, "fileNameFiltering", "true"),
        (RESOURCES, "includeEmptyDirs", "true"),
        (RESOURCES, "addDefaultExcludes", "false"),
        (RESOURCES, "mavenFilteringHints", ["own"]),
    ],
)
def test_what_the_direct_engine_does_not_implement_is_named(goal: Goal, name: str, value: JsonValue) -> None:
    assert list(not_implemented(told(goal, {name: value}))) == [f"{goal.plugin} sets {name}"]


def test_what_every_build_sets_and_what_changes_nothing_is_allowed() -> None:
    compiler: dict[str, JsonValue] = {
        "compilerId": "javac",
        "failOnError": "true",
        "fork": "true",
        "maxmem": "1g",
        "release": "17",
    }
    resources: dict[str, JsonValue] = {"delimiters": ["@"], "buildFilters": [], "encoding": "UTF-8"}
    assert not list(not_implemented(told(COMPILE, compiler)))
    assert not list(not_implemented(told(RESOURCES, resources)))


def test_options_are_unknown_where_nothing_was_compiled_and_the_configuration_is_no_plain_one() -> None:
    plain: dict[str, JsonValue] = {"release": "17", "enablePreview": "false", "compilerArgs": ["-Xlint"]}
    processors = {**plain, "annotationProcessorPaths": ["org.example.DependencyCoordinate"]}
    assert unread_option(told(COMPILE, plain)) is None
    assert unread_option(told(COMPILE, processors)) == "annotationProcessorPaths"
    assert unread_option(told(COMPILE, processors, "-g")) is None


@pytest.mark.parametrize(
    ("content", "is_copied"), [(b"plain", True), (b"${version}", False), (b"@version@", False), (b"caf\xe9", False)]
)
def test_a_new_filtered_file_is_copied_where_filtering_changes_nothing(
    content: bytes, is_copied: bool, tmp_path: Path
) -> None:
    (tmp_path / "res").mkdir()
    (tmp_path / "res" / "x.txt").write_bytes(content)
    side = SideModel(output="{checkout}/target/classes", resources=(ResourceFolder(folder="res", filtered=True),))
    placed = place_resources(SourceView(tmp_path), side, tmp_path / "saved")
    assert (list(placed.files) == ["x.txt"], placed.unsolved is None) == (is_copied, is_copied)
