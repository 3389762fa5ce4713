"""Why the direct engine leaves a build to Maven, told by what Maven has recorded of it."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.build_record import (
    BoundGoal,
    BuildPlugin,
    BuildRecord,
    Element,
    Goal,
    PluginExecution,
    Project,
)
from testevo.builds.model.maven_model import ModelRun, read_maven_model
from testevo.builds.model.model import BuildModel, Places


def why_maven(folder: Path, plugin: str, name: str, settings: dict[str, JsonValue]) -> str | None:
    goal = Goal(plugin=plugin, goal=name, execution="e", settings=settings)
    return why(folder, Project(folder="{checkout}/core", goals=(goal,)))


def why(folder: Path, project: Project) -> str | None:
    return model_of(folder, project).needs_maven


def model_of(folder: Path, project: Project) -> BuildModel:
    record = BuildRecord(projects=(project,))
    places = Places(folder, folder / "repository", folder / "jdk")
    run = ModelRun(folder, record, places, compiled=False, is_keyed=lambda path: path == "core/a.properties")
    return read_maven_model(run, "fingerprint", 17, None, plugin_skips(), folder / "saved")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"files": ["{checkout}/core/a.properties"]}, None),
        ({"files": ["{checkout}/b.properties"]}, "reads {checkout}/b.properties, which no key holds in module core"),
        ({"files": ["/etc/a.properties"]}, "reads /etc/a.properties, which no key holds in module core"),
        ({"urls": ["classpath:a.properties"]}, "sets urls in module core"),
    ],
)
def test_a_file_of_properties_is_in_the_key(settings: dict[str, JsonValue], reason: str | None, tmp_path: Path) -> None:
    said = why_maven(tmp_path, "properties-maven-plugin", "read-project-properties", settings)
    assert said == (reason and f"properties-maven-plugin {reason}")


@pytest.mark.parametrize(
    ("plugin", "goal", "reason"),
    [
        ("maven-plugin-plugin", "descriptor", "takes part in the build in module core"),
        ("asciidoctor-maven-plugin", "process-asciidoc", None),
        ("maven-javadoc-plugin", "javadoc", None),
        ("maven-bundle-plugin", "cleanVersions", None),
        ("sonar-packaging-maven-plugin", "check", None),
        ("sonar-packaging-maven-plugin", "sonar-plugin", "takes part in the build in module core"),
    ],
)
def test_what_is_made_of_sources_needs_maven_and_documentation_does_not(
    plugin: str, goal: str, reason: str | None, tmp_path: Path
) -> None:
    assert why_maven(tmp_path, plugin, goal, {}) == (reason and f"{plugin}:{goal} {reason}")


@pytest.mark.parametrize(
    ("plugin", "goal", "is_direct"),
    [
        ("build-helper-maven-plugin", "add-test-source", True),
        ("build-helper-maven-plugin", "parse-version", True),
        ("build-helper-maven-plugin", "regex-property", True),
        ("build-helper-maven-plugin", "bsh-property", False),
        ("build-helper-maven-plugin", "uptodate-property", False),
        ("build-helper-maven-plugin", "reserve-network-port", False),
        ("build-helper-maven-plugin", "timestamp-property", False),
        ("build-helper-maven-plugin", "cpu-count", False),
        ("bnd-maven-plugin", "bnd-process", False),
        ("bnd-baseline-maven-plugin", "baseline", True),
    ],
)
def test_a_goal_whose_results_follow_from_more_than_poms_needs_maven(
    plugin: str, goal: str, is_direct: bool, tmp_path: Path
) -> None:
    """From files, times, ports or the machine; and those of `bnd-process` from annotations of classes."""
    said = f"{plugin}:{goal} takes part in the build in module core"
    assert why_maven(tmp_path, plugin, goal, {}) == (None if is_direct else said)


def test_a_manifest_is_made_without_maven_but_for_descriptions_of_components(tmp_path: Path) -> None:
    said = "maven-bundle-plugin sets exportScr, which writes what follows from annotations in module core"
    assert why_maven(tmp_path, "maven-bundle-plugin", "manifest", {"exportScr": "true"}) == said
    assert why_maven(tmp_path, "maven-bundle-plugin", "manifest", {"exportScr": "false"}) is None


def test_options_that_name_files_leave_the_build_to_maven(tmp_path: Path) -> None:
    settings: dict[str, JsonValue] = {"compilerArgs": ["-Astubs={checkout}/stubs"]}
    said = why_maven(tmp_path, "maven-compiler-plugin", "compile", settings)
    assert said == "the option -Astubs={checkout}/stubs of javac names a file of the project in module core"


@pytest.mark.parametrize(
    ("version", "value", "second", "reason"),
    [
        ("3.13.0", "true", "compile", None),
        ("3.13.0", "false", "testCompile", None),
        ("3.13.0", "false", "compile", "sets useIncrementalCompilation beside another compilation"),
        ("2.5.1", None, "compile", "2.5.1 runs beside another compilation"),
        ("2.5.1", None, "testCompile", None),
    ],
)
def test_a_compilation_that_leaves_out_what_another_has_made_needs_maven(
    version: str, value: str | None, second: str, reason: str | None, tmp_path: Path
) -> None:
    settings: dict[str, JsonValue] = {"useIncrementalCompilation": value} if value else {}
    goals = [
        Goal(plugin="maven-compiler-plugin", goal=name, execution=str(number), settings=settings)
        for number, name in enumerate(("compile", second))
    ]
    plugin = BuildPlugin(artifact="maven-compiler-plugin", version=version)
    said = why(tmp_path, Project(folder="{checkout}/core", plugins=(plugin,), goals=tuple(goals)))
    assert said == (reason and f"maven-compiler-plugin {reason} in module core")


def test_classes_that_no_goal_has_compiled_leave_the_build_to_maven(tmp_path: Path) -> None:
    """As an extension of Maven leaves them that restores what an earlier build made."""
    classes = tmp_path / "core/target/classes"
    classes.mkdir(parents=True)
    assert why_maven(tmp_path, "maven-resources-plugin", "resources", {}) is None
    (classes / "A.class").write_bytes(b"")
    said = why_maven(tmp_path, "maven-resources-plugin", "resources", {})
    assert said == "target holds classes that no goal of the build has compiled in module core"


@pytest.mark.parametrize(
    ("target", "is_direct"),
    [("META-INF", True), (None, True), ("/etc", False), ("{checkout}/core/target/data", False), ("../data", False)],
)
def test_resources_go_into_the_output_folder(target: str | None, is_direct: bool, tmp_path: Path) -> None:
    resource: JsonValue = {
        "folder": "{checkout}/core/data",
        "target": target,
        "filtered": False,
        "includes": [],
        "excludes": [],
    }
    said = why_maven(tmp_path, "maven-resources-plugin", "testResources", {"resources": [resource]})
    reason = f"maven-resources-plugin:testResources copies to {target} in module core"
    assert said == (None if is_direct else reason)


@pytest.mark.parametrize(
    ("file", "is_direct"),
    [("{checkout}/core/target/site/path.txt", True), ("{checkout}/core/target/path.txt", False), (None, True)],
)
def test_a_file_that_a_goal_writes_may_be_read_by_tests(file: str | None, is_direct: bool, tmp_path: Path) -> None:
    said = why_maven(tmp_path, "maven-dependency-plugin", "build-classpath", {"outputFile": file} if file else {})
    reason = f"maven-dependency-plugin:build-classpath writes {file} in module core"
    assert said == (None if is_direct else reason)


def test_the_report_that_a_check_writes_is_for_people(tmp_path: Path) -> None:
    file = {"outputFile": "{checkout}/core/target/checkstyle-result.xml"}
    assert why_maven(tmp_path, "maven-checkstyle-plugin", "check", file) is None


TEST_COMPILATION = Goal(
    plugin="maven-compiler-plugin",
    goal="testCompile",
    execution="default-testCompile",
    settings={
        "compileSourceRoots": ["{checkout}/core/checks"],
        "outputDirectory": "{checkout}/core/target/test-classes",
    },
)


@pytest.mark.parametrize(
    ("phase", "setting", "written", "is_of_tests"),
    [
        ("process-classes", "", "", False),
        ("validate", "{checkout}/core/src/main/java", "", False),
        ("generate-test-sources", "", "", True),
        ("test-compile", "", "", True),
        (None, "", "", True),
        ("process-classes", "{checkout}/other/src/test/java", "", True),
        ("process-classes", "{checkout}/core/checks", "", True),
        ("process-classes", "{checkout}/core/target/test-classes", "", True),
        ("process-classes", "", "src/test/resources/data.txt", True),
    ],
)
def test_goals_that_work_on_production_code_alone_leave_tests_to_the_compiler(
    phase: str | None, setting: str, written: str, is_of_tests: bool, tmp_path: Path
) -> None:
    configuration = Element(name="configuration", children=(Element(name="copy", attributes={"file": written}),))
    bound = PluginExecution(id="e", goals=(BoundGoal(name="run", phase=phase),), configuration=configuration)
    goal = Goal(plugin="some-maven-plugin", goal="run", execution="e", settings={"folder": setting})
    plugin = BuildPlugin(artifact="some-maven-plugin", executions=(bound,))
    project = Project(folder="{checkout}/core", plugins=(plugin,), goals=(goal, TEST_COMPILATION))
    model = model_of(tmp_path, project)
    assert model.needs_maven == "some-maven-plugin:run takes part in the build in module core"
    assert model.tests_need_maven == (model.needs_maven if is_of_tests else None)


@pytest.mark.parametrize(("goal", "is_of_tests"), [("compile", False), ("testCompile", True)])
def test_options_of_a_compilation_concern_its_own_side(goal: str, is_of_tests: bool, tmp_path: Path) -> None:
    settings: dict[str, JsonValue] = {"compilerArgs": ["-Astubs={checkout}/stubs"]}
    compilation = Goal(plugin="maven-compiler-plugin", goal=goal, execution="e", settings=settings)
    model = model_of(tmp_path, Project(folder="{checkout}/core", goals=(compilation,)))
    assert model.needs_maven is not None
    assert model.tests_need_maven == (model.needs_maven if is_of_tests else None)
