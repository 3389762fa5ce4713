"""Configuration parameters of the JUnit Platform in a POM."""

import pytest

from testevo.builds.model.parameters.platform import configuration_parameters
from testevo.builds.model.surefire_settings import read_test_run, surefire_configuration
from tests.unit.builds.model.recorded_project import recorded_project


@pytest.mark.parametrize(
    ("inside", "lines"),
    [
        ("", ()),
        ("<configurationParameters>a = 1\n # no\n\n b c</configurationParameters>", ("a = 1", " # no", "", " b c")),
        ("<property><name>configurationParameters</name><value>a=1</value></property>", ("a=1",)),
        ("<configurationParameters/>", None),
        ("<configurationParameters>a = \\u0061</configurationParameters>", None),
        ("<configurationParameters>a = ${late}</configurationParameters>", None),
        ("<configurationParameters>junit.jupiter.execution.Parallel.enabled</configurationParameters>", None),
        ("<configurationParameters>a = 1\n = 2</configurationParameters>", None),
        ("<configurationParameters some='a'>a = 1</configurationParameters>", None),
        ("<configurationParameters><a>1</a></configurationParameters>", None),
        ("<configurationParameters>a=1</configurationParameters><includeTags>quick</includeTags>", None),
        ("<property><name>listener</name><value>a.B</value></property>", None),
        ("<property><value>a=1</value></property>", None),
    ],
)
def test_the_text_of_parameters_is_read_where_properties_holds_nothing_else(
    inside: str, lines: tuple[str, ...] | None
) -> None:
    pom = (
        "<project><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>"
        f"<configuration><properties>{inside}</properties></configuration></plugin></plugins></build></project>"
    )
    project = recorded_project(pom)
    assert configuration_parameters(surefire_configuration(project).find("properties")) == lines
    assert read_test_run(project).settings.configuration_parameters == (lines or ())


def test_a_pom_without_properties_has_no_parameters() -> None:
    assert configuration_parameters(None) == ()
