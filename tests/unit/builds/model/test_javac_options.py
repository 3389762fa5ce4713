"""javac's part of what Maven records of the compiler plugin (TEB-M18)."""

import pytest
from pydantic import JsonValue

from testevo.builds.model.build_record import Goal
from testevo.builds.model.javac_options import lost_option, read_compilation

COMMAND_LINE = (
    "-d {checkout}/core/target/classes -classpath {checkout}/core/target/classes:{repository}/x/y/1/y-1.jar: "
    "-sourcepath {checkout}/core/src/main/java: -s {checkout}/core/target/generated-sources/annotations "
    "-g -nowarn -source 1.7"
)


def compiler(goal: str, settings: dict[str, JsonValue], command_line: str | None = None) -> Goal:
    return Goal(plugin="maven-compiler-plugin", goal=goal, execution="e", settings=settings, command_line=command_line)


def test_javac_options_come_from_the_command_line() -> None:
    generated = "{checkout}/core/target/generated-sources/annotations"
    settings: dict[str, JsonValue] = {
        "compileSourceRoots": ["{checkout}/core/src/main/java", generated],
        "excludes": ["**/Old*.java", "a/b.java"],
        "generatedSourcesDirectory": generated,
    }
    goal = compiler("compile", settings, COMMAND_LINE)
    found = read_compilation(goal, "{checkout}/core/target/classes", is_test=False)
    assert found.options == ("-g", "-nowarn", "-source", "1.7")
    assert found.class_path == ("{repository}/x/y/1/y-1.jar",)
    assert found.roots == ("core/src/main/java",), "the annotation folder is javac's own output"
    assert found.excludes == ("**/Old*.java", "a/b.java")


def test_sources_on_the_command_line_are_no_options() -> None:
    """Versions 2 of the plugin name them, in an order that depends on the folder of the checkout."""
    words = (
        "-d {checkout}/target/classes {checkout}/src/main/java/B.java {checkout}/src/main/java/A.java -g -Akey=x.java"
    )
    found = read_compilation(compiler("compile", {}, words), "{checkout}/target/classes", is_test=False)
    assert found.options == ("-g", "-Akey=x.java")


def test_a_goal_with_nothing_to_compile_yields_options_from_its_configuration() -> None:
    settings: dict[str, JsonValue] = {
        "compileSourceRoots": ["{checkout}/src/test/java"],
        "release": "11",
        "source": "1.6",
        "encoding": "UTF-8",
        "parameters": "true",
        "compilerArgs": ["-Xlint:all", "-Akey=value"],
        "testPath": ["{checkout}/target/test-classes", "/j.jar"],
    }
    found = read_compilation(compiler("testCompile", settings), "{checkout}/target/test-classes", is_test=True)
    expected = ("-g", "-parameters", "-nowarn", "--release", "11", "-encoding", "UTF-8", "-Xlint:all", "-Akey=value")
    assert found.options == expected
    assert (found.roots, found.class_path) == (("src/test/java",), ("/j.jar",))


def test_tests_of_a_named_module_are_compiled_on_the_class_path() -> None:
    """The launcher runs tests on the class path, so that both see the same packages."""
    words = (
        "-d {checkout}/target/test-classes -classpath {repository}/junit.jar: --module-path {checkout}/target/classes: "
        "--release 11 --patch-module m={checkout}/target/test-classes --add-reads m=ALL-UNNAMED -g"
    )
    found = read_compilation(compiler("testCompile", {}, words), "{checkout}/target/test-classes", is_test=True)
    assert found.options == ("--release", "11", "-g")
    assert found.class_path == ("{checkout}/target/classes", "{repository}/junit.jar")
    assert found.module_path == ()


def test_options_about_modules_stay_where_tests_are_of_no_named_module() -> None:
    words = "-d {checkout}/target/test-classes -classpath /j.jar: --add-exports java.base/sun.nio.ch=ALL-UNNAMED -g"
    goal = compiler("testCompile", {"compilerArgs": ["--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED"]}, words)
    found = read_compilation(goal, "{checkout}/target/test-classes", is_test=True)
    assert found.options == ("--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED", "-g")
    assert lost_option(goal, has_descriptor=True) is None, "the plugin has told that it uses no module path"


@pytest.mark.parametrize(
    ("settings", "lost"),
    [
        ({}, None),
        ({"compilerArgs": ["-Xlint:all"]}, None),
        ({"compilerArgs": ["--add-modules", "java.sql"]}, "--add-modules"),
        ({"compilerArgs": ["--add-reads=m=java.sql"]}, "--add-reads"),
        ({"compilerArgument": "--add-opens m/p=ALL-UNNAMED"}, "--add-opens"),
        ({"testCompilerArgument": "-g --add-exports=java.base/sun.nio.ch=m"}, "--add-exports"),
    ],
)
def test_an_own_option_about_modules_is_lost_with_those_of_the_plugin(
    settings: dict[str, JsonValue], lost: str | None
) -> None:
    words = "-d {checkout}/target/test-classes --module-path {checkout}/target/classes: --add-reads m=ALL-UNNAMED"
    for command_line, has_descriptor in ((words, False), (None, True)):
        assert lost_option(compiler("testCompile", settings, command_line), has_descriptor=has_descriptor) == lost
    assert lost_option(compiler("testCompile", settings), has_descriptor=False) is None
