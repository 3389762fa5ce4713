"""Ant scripts that a build can do without."""

import pytest

from testevo.builds.model.ant_runs import is_aside
from testevo.builds.model.build_record import Project
from tests.unit.builds.model.recorded_project import recorded_project


def project(script: str, module: str = "") -> Project:
    return recorded_project(
        "<project><build><plugins><plugin><artifactId>maven-antrun-plugin</artifactId><executions><execution>"
        f"<id>x</id><configuration><target>{script.replace('TARGET', f'{{checkout}}/{module}target')}</target>"
        "</configuration></execution></executions></plugin></plugins></build></project>",
        path=module,
    )


@pytest.mark.parametrize(
    "script",
    [
        '<copy todir="TARGET/apidocs/META-INF"><fileset dir="."><include name="LICENSE.txt"/></fileset></copy>',
        '<echo message="hello"/><mkdir dir="TARGET/reports"/>',
        '<echo file="TARGET/site/notes.txt">text</echo>',
        "",
    ],
)
def test_scripts_that_write_beside_the_build_are_left_out(script: str) -> None:
    """The licence beside the API pages, as parents of Apache projects have it."""
    assert is_aside(project(script), "x")
    assert is_aside(project(script, "core/"), "x")


@pytest.mark.parametrize(
    "script",
    [
        '<copy todir="TARGET/classes/META-INF"/>',
        '<copy todir="TARGET/generated-sources/x"/>',
        '<copy todir="TARGET/test-data"><fileset dir="src/test/fixtures"/></copy>',
        '<mkdir dir="TARGET/tmp"/>',
        '<echo file="TARGET/notes.txt">text</echo>',
        '<copy tofile="src/main/java/A.java"/>',
        '<copy todir="TARGET/a/../classes"/>',
        '<copy todir="TARGET/${somewhere}"/>',
        '<copy todir="TARGET/"/>',
        '<copy><fileset dir="."/></copy>',
        '<java classname="Generator"/>',
        '<echo file="src/main/java/A.java">class A {}</echo>',
        '<echo message="hello"/><exec executable="make"/>',
    ],
)
def test_scripts_that_may_change_what_is_built_need_maven(script: str) -> None:
    assert not is_aside(project(script), "x")


def test_scripts_of_other_executions_say_nothing() -> None:
    assert not is_aside(project(""), "y")
    assert not is_aside(recorded_project("<project/>"), "x")
