"""What Maven records of a build, on every JDK found (TEB-M18)."""

import shutil
from pathlib import Path

import pytest

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.build_record import BuildRecord, Resource, read_record
from testevo.builds.model.model import Places
from testevo.builds.project.jdks import Jdk, find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.runtime.errors import MachineError
from testevo.runtime.files.project import PROJECT
from testevo.runtime.processes.processes import Finished
from tests.java_versions import JDKS

pytestmark = pytest.mark.maven

PARENT = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>parent</artifactId>
<version>1</version><packaging>pom</packaging><modules><module>app</module><module>core</module></modules>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<greeting>hello</greeting><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<profiles><profile><id>p</id><activation><file><exists>${basedir}/conf/on</exists></file></activation></profile>
</profiles></project>"""
CHILD = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>parent</artifactId>
<version>1</version></parent><artifactId>{name}</artifactId>{body}</project>"""
ON_CORE = (
    "<dependencies><dependency><groupId>g</groupId><artifactId>core</artifactId><version>1</version></dependency>"
    "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope>"
    "</dependency></dependencies>"
)
RESOURCES = (
    "<resources><resource><directory>src/main/text</directory><targetPath>t</targetPath><filtering>true</filtering>"
    "<includes><include>*.txt</include></includes></resource></resources>"
)
PLUGINS = (
    "<plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version><configuration>"
    "<compilerArgs><arg>-Xlint</arg></compilerArgs><testExcludes><exclude>b</exclude><exclude>a</exclude></testExcludes>"
    "</configuration></plugin><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>"
    "<executions><execution><id>more</id><goals><goal>test</goal></goals></execution></executions>"
    "<configuration><argLine>-Dg=${greeting}</argLine></configuration></plugin></plugins>"
)
FILES = {
    "pom.xml": PARENT,
    "core/pom.xml": CHILD.format(name="core", body=f"<build>{RESOURCES}{PLUGINS}</build>"),
    "app/pom.xml": CHILD.format(name="app", body=ON_CORE),
    "core/src/main/java/g/Core.java": "package g;\npublic class Core { }\n",
}


def built(folder: Path, jdk: Jdk, *, recorder: bool = True) -> tuple[Finished, Places]:
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
    maven = Maven(local, jdk, plugin_skips())
    file = folder / "record.json" if recorder else None
    finished = maven.run(folder, ("test-compile",), offline=True, record=file)
    if not finished.ok:
        finished = maven.run(folder, ("test-compile",), offline=False, record=file)
    return finished, Places(folder, local.artifacts, jdk.home)


@pytest.fixture(scope="module", params=JDKS)
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> BuildRecord:
    folder = tmp_path_factory.mktemp("project")
    finished, places = built(folder, request.param)
    assert finished.ok, finished.tail(20)
    return read_record(folder / "record.json", places)


def test_projects_come_in_the_order_of_the_build(record: BuildRecord) -> None:
    assert [project.path for project in record.projects] == ["", "core", "app"]
    assert [project.artifact for project in record.projects] == ["parent", "core", "app"]


def test_goals_come_in_their_order_with_evaluated_settings_and_javacs_command_line(record: BuildRecord) -> None:
    _, core, _ = record.projects
    assert [goal.goal for goal in core.goals] == ["resources", "compile", "testResources", "testCompile"]
    _, compile_goal, _, test_goal = core.goals
    assert compile_goal.listed("compileSourceRoots") == ("{checkout}/core/src/main/java",)
    assert compile_goal.listed("compilerArgs") == ("-Xlint",)
    assert (compile_goal.text("source"), compile_goal.flag("failOnError")) == ("8", True)
    assert compile_goal.command_line is not None
    assert {"-Xlint", "-source", "{checkout}/core/target/classes"} <= set(compile_goal.command_line.split())
    assert test_goal.command_line is None, "there is nothing to compile"
    assert test_goal.listed("testExcludes") == ("a", "b"), "a set, sorted"
    assert "jdkToolchain" not in compile_goal.settings, "nothing sets it"


def test_what_profiles_ask_for_is_asked_for_in_the_folder_of_each_module(record: BuildRecord) -> None:
    assert record.projects[1].asked == ("${basedir}/conf/on",)
    assert record.asked == ["app/conf/on", "conf/on", "core/conf/on"]


def test_resource_folders_carry_filtering_target_and_patterns(record: BuildRecord) -> None:
    folder = "{checkout}/core/src/main/text"
    expected = Resource(folder=folder, target="t", filtered=True, includes=("*.txt",), excludes=())
    assert record.projects[1].goals[0].resources() == (expected,)


def test_class_paths_hold_jars_and_classes_of_other_modules(record: BuildRecord) -> None:
    _, core, app = record.projects
    assert core.class_path == ()
    jars = ("junit/junit/4.13.2/junit-4.13.2.jar", "org/hamcrest/hamcrest-core/1.3/hamcrest-core-1.3.jar")
    assert app.class_path == ("{checkout}/core/target/classes", *(f"{{repository}}/{jar}" for jar in jars))


def test_plugins_carry_what_the_pom_says_and_the_phases_of_their_goals(record: BuildRecord) -> None:
    plugin = record.projects[1].plugin("maven-surefire-plugin")
    assert plugin is not None and plugin.configuration is not None
    assert plugin.configuration.text_at("argLine") == "-Dg=hello"
    more = {execution.id: execution for execution in plugin.executions}["more"]
    assert (more.phase, [(goal.name, goal.phase) for goal in more.goals]) == (None, [("test", "test")])


def test_equal_builds_give_equal_records(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    found = []
    for _ in range(2):
        finished, _ = built(folder, find_jdks()[0])
        assert finished.ok, finished.tail(20)
        found.append((folder / "record.json").read_bytes())
        shutil.rmtree(folder)
    assert found[0] == found[1]


def test_a_build_that_recorded_nothing_is_the_machines_fault(tmp_path: Path) -> None:
    finished, places = built(tmp_path, find_jdks()[0], recorder=False)
    assert finished.ok, finished.tail(20)
    with pytest.raises(MachineError, match="recorded nothing"):
        read_record(tmp_path / "record.json", places)
