"""Maven's debug output of Maven 3.8 and 3.9, compiler plugin 2.x and 3.x (TEB-M18)."""

from testevo.builds.model.debug_log import Goal, read_goals, read_resources
from testevo.builds.model.javac_options import read_compilation

LOG = """\
[INFO] -------------------------< g:core >-------------------------
[INFO] Building core 1.0                                       [2/3]
[INFO] --- maven-compiler-plugin:3.1:compile (default-compile) @ core ---
[DEBUG] Configuring mojo org.apache.maven.plugins:maven-compiler-plugin:3.1:compile from plugin realm ClassRealm[x]
[DEBUG] Configuring mojo 'org.apache.maven.plugins:maven-compiler-plugin:3.1:compile' with basic configurator -->
[DEBUG]   (f) basedir = {checkout}/core
[DEBUG]   (f) compileSourceRoots = [{checkout}/core/src/main/java, {checkout}/core/target/generated-sources/annotations]
[DEBUG]   (f) compilerId = javac
[DEBUG]   (f) compilerArgument = -Xlint
 -Werror
[DEBUG]   (f) excludes = [**/Old*.java, a/b.java]
[DEBUG]   (f) generatedSourcesDirectory = {checkout}/core/target/generated-sources/annotations
[DEBUG]   (f) outputDirectory = {checkout}/core/target/classes
[DEBUG]   (f) project = MavenProject: g:core:1.0 @ {checkout}/core/pom.xml
[DEBUG]   (s) target = 1.7
[DEBUG] -- end configuration --
[DEBUG] Using compiler 'javac'.
[DEBUG] Command line options:
[DEBUG] -d {checkout}/core/target/classes -classpath {checkout}/core/target/classes:{repository}/x/y/1/y-1.jar: \
-sourcepath {checkout}/core/src/main/java: -s {checkout}/core/target/generated-sources/annotations \
-g -nowarn -source 1.7
[INFO] --- resources:3.3.1:testResources (default-testResources) @ core ---
[DEBUG] Configuring mojo execution \
'org.apache.maven.plugins:maven-resources-plugin:3.3.1:testResources:default-testResources' with basic configurator -->
[DEBUG]   (s) resources = [Resource {targetPath: null, filtering: true, \
FileSet {directory: {checkout}/core/src/test/resources, PatternSet [includes: {**/*.yml, *.txt}, excludes: {}]}}, \
Resource {targetPath: META-INF, filtering: false, \
FileSet {directory: {checkout}/core, PatternSet [includes: {LICENSE}, excludes: {x}]}}]
[DEBUG] -- end configuration --
"""


def goals() -> list[Goal]:
    return read_goals(LOG)


def test_goals_belong_to_modules_also_when_their_configuration_names_none() -> None:
    assert [(goal.module, goal.plugin, goal.goal, goal.execution) for goal in goals()] == [
        ("core", "maven-compiler-plugin", "compile", "default-compile"),
        ("core", "maven-resources-plugin", "testResources", "default-testResources"),
    ]


def test_settings_over_several_lines_are_kept_whole() -> None:
    assert goals()[0].settings["compilerArgument"] == "-Xlint\n -Werror"


def test_resource_folders_carry_filtering_target_and_patterns() -> None:
    filtered, licence = read_resources(goals()[1])
    assert (filtered.folder, filtered.filtered) == ("core/src/test/resources", True)
    assert filtered.includes == ("**/*.yml", "*.txt")
    assert (licence.folder, licence.target, licence.excludes) == ("core", "META-INF", ("x",))


def test_javac_options_come_from_the_printed_command_line() -> None:
    found = read_compilation(goals()[0], "{checkout}/core/target/classes", is_test=False)
    assert found.options == ("-g", "-nowarn", "-source", "1.7")
    assert found.class_path == ("{repository}/x/y/1/y-1.jar",)
    assert found.roots == ("core/src/main/java",), "the annotation folder is javac's own output"
    assert found.excludes == ("**/Old*.java", "a/b.java")


def test_a_goal_with_nothing_to_compile_yields_options_from_its_configuration() -> None:
    settings = {
        "compileSourceRoots": "[{checkout}/src/test/java]",
        "release": "11",
        "source": "1.6",
        "encoding": "UTF-8",
        "parameters": "true",
        "compilerArgs": "[-Xlint:all, -Akey=value]",
        "testPath": "[{checkout}/target/test-classes, /j.jar]",
    }
    goal = Goal("", "maven-compiler-plugin", "3.11.0", "testCompile", "default-testCompile", settings)
    found = read_compilation(goal, "{checkout}/target/test-classes", is_test=True)
    expected = ("-g", "-parameters", "-nowarn", "--release", "11", "-encoding", "UTF-8", "-Xlint:all", "-Akey=value")
    assert found.options == expected
    assert (found.roots, found.class_path) == (("src/test/java",), ("/j.jar",))


def test_tests_of_a_named_module_are_compiled_on_the_class_path() -> None:
    """The launcher runs tests on the class path, so that both see the same packages."""
    words = (
        "-d {checkout}/target/test-classes -classpath {repository}/junit.jar: --module-path {checkout}/target/classes: "
        "--release 11 --patch-module m={checkout}/target/test-classes --add-reads m=ALL-UNNAMED -g"
    )
    goal = Goal("", "maven-compiler-plugin", "3.11.0", "testCompile", "t", {}, tuple(words.split()))
    found = read_compilation(goal, "{checkout}/target/test-classes", is_test=True)
    assert found.options == ("--release", "11", "-g")
    assert found.class_path == ("{checkout}/target/classes", "{repository}/junit.jar")
    assert found.module_path == ()
