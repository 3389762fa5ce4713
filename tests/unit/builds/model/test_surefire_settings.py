"""What surefire would do: JVM arguments, properties, includes."""

import pytest

from testevo.builds.model.build_record import Project
from testevo.builds.model.model import ModulePathRules
from testevo.builds.model.surefire_settings import (
    DEFAULT_EXCLUDES,
    DEFAULT_INCLUDES,
    TestRun,
    module_path_rules,
    read_test_run,
    unread_reports,
)
from tests.unit.builds.model.recorded_project import recorded_project


def project_of(surefire: str, properties: str = "", class_path: tuple[str, ...] = ()) -> Project:
    pom = (
        f"<project><properties>{properties}</properties>"
        "<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>"
        f"{surefire}</plugin></plugins></build></project>"
    )
    return recorded_project(pom, path="core", class_path=class_path)


def run_of(surefire: str, properties: str = "", class_path: tuple[str, ...] = ()) -> TestRun:
    return read_test_run(project_of(surefire, properties, class_path))


def test_a_module_without_configuration_gets_surefires_defaults() -> None:
    run = run_of("")
    assert run.jvm_arguments == ("-ea", "-Dbasedir={checkout}/core")
    assert (run.includes, run.excludes) == (DEFAULT_INCLUDES, DEFAULT_EXCLUDES)


@pytest.mark.parametrize(
    ("line", "properties", "words"),
    [
        ("@{argLine} -Xss4m", "", ("-Xss4m",)),
        (
            "${argLine} --add-opens 'java.base/java.lang=ALL-UNNAMED'",
            "<argLine>-Xmx1g</argLine>",
            ("-Xmx1g", "--add-opens", "java.base/java.lang=ALL-UNNAMED"),
        ),
        (
            "-javaagent:${org.mockito:mockito-core:jar}",
            "",
            ("-javaagent:{repository}/org/mockito/mockito-core/5.1/mockito-core-5.1.jar",),
        ),
        ("-Dn=${surefire.forkNumber} -Dr=${settings.localRepository}", "", ("-Dn=1", "-Dr={repository}")),
    ],
)
def test_the_arg_line_is_filled_or_its_unknown_parts_vanish(line: str, properties: str, words: tuple[str, ...]) -> None:
    """A coverage agent's @{argLine} is empty here, because coverage is measured by this project."""
    jar = "{repository}/org/mockito/mockito-core/5.1/mockito-core-5.1.jar"
    run = run_of(f"<configuration><argLine>{line}</argLine></configuration>", properties, (jar,))
    assert run.jvm_arguments == ("-ea", *words, "-Dbasedir={checkout}/core")


def test_surefire_itself_knows_properties_alone() -> None:
    """Its `@{basedir}` stays as it is, where Maven fills in `${basedir}`."""
    run = run_of("<configuration><argLine>-Da=${basedir} -Db=@{basedir}</argLine></configuration>")
    assert (run.jvm_arguments[1], run.unresolved) == ("-Da={checkout}/core", ("basedir",))


def test_only_the_arg_line_is_filled_by_surefire_itself() -> None:
    """Maven fills in `${…}` everywhere, Surefire `@{…}` in `argLine` alone."""
    run = run_of(
        "<configuration><argLine>-Dp=@{one}</argLine>"
        "<systemPropertyVariables><q>@{one} ${one} @{two}</q></systemPropertyVariables>"
        "<environmentVariables><E>@{one} ${one}</E></environmentVariables></configuration>",
        "<one>1</one>",
    )
    assert run.jvm_arguments == ("-ea", "-Dp=1", "-Dbasedir={checkout}/core", "-Dq=@{one} 1 @{two}")
    assert (dict(run.environment), run.unresolved) == ({"E": "@{one} 1"}, ())


def test_the_property_arg_line_counts_without_configuration() -> None:
    assert run_of("", "<argLine>-Xss2m</argLine>").jvm_arguments[1] == "-Xss2m"


def test_properties_environment_and_patterns_are_read() -> None:
    run = run_of(
        "<configuration><systemPropertyVariables><a>1</a></systemPropertyVariables><systemProperties><property>"
        "<name>b</name><value>2</value></property></systemProperties>"
        "<environmentVariables><E>x</E></environmentVariables>"
        "<includes><include>**/A*.java, **/B*.java</include></includes>"
        "<excludes><exclude>**/*IT.java</exclude></excludes></configuration>"
    )
    assert set(run.jvm_arguments) == {"-ea", "-Da=1", "-Db=2", "-Dbasedir={checkout}/core"}
    assert dict(run.environment) == {"E": "x"}
    assert (run.includes, run.excludes) == (("**/A*.java", "**/B*.java"), ("**/*IT.java",))


def test_tags_come_from_the_configuration_before_the_property() -> None:
    properties = "<groups>slow</groups><excludedGroups>net , a.b.Db</excludedGroups>"
    run = run_of("<configuration><groups>fast</groups></configuration>", properties)
    assert (run.settings.included_tags, run.settings.excluded_tags) == (("fast",), ("net", "a.b.Db"))
    run = run_of("<configuration><groups>a.Outer$Quick, Slow</groups></configuration>")
    assert run.settings.included_tags == ("a.Outer$Quick", "Slow")
    run = run_of("<configuration><groups>${unset}</groups><excludedGroups>!net</excludedGroups></configuration>")
    assert (run.settings.included_tags, run.settings.excluded_tags) == ((), ())


def test_the_default_execution_beats_the_plugin() -> None:
    execution = (
        "<executions><execution><id>it</id><configuration><argLine>-Dit</argLine></configuration></execution>"
        "<execution><id>default-test</id><configuration><argLine>-Done</argLine></configuration></execution></executions>"
    )
    run = run_of(f"{execution}<configuration><argLine>-Dtwo</argLine></configuration>")
    assert run.jvm_arguments[1] == "-Done"


@pytest.mark.parametrize(
    ("written", "parameter"),
    [
        ("", ""),
        ("<reportsDirectory>{checkout}/core/target/surefire-reports</reportsDirectory>", ""),
        ("<reportsDirectory>build/surefire-reports/</reportsDirectory>", ""),
        ("<reportsDirectory>target/unit</reportsDirectory>", "reportsDirectory"),
        ("<reportsDirectory>{checkout}/surefire-reports</reportsDirectory>", "reportsDirectory"),
        ("<reportsDirectory>${later}/surefire-reports</reportsDirectory>", "reportsDirectory"),
        ("<reportsDirectory>/reports/surefire-reports</reportsDirectory>", "reportsDirectory"),
        ("<disableXmlReport>true</disableXmlReport>", "disableXmlReport"),
        ("<disableXmlReport>false</disableXmlReport>", ""),
    ],
)
def test_a_parameter_that_hides_reports_is_named_also_where_an_execution_sets_it(written: str, parameter: str) -> None:
    configuration = f"<configuration>{written}</configuration>"
    execution = f"<executions><execution><id>more</id>{configuration}</execution></executions>"
    assert unread_reports(project_of(configuration)) == unread_reports(project_of(execution)) == parameter


def test_a_property_hides_reports_too() -> None:
    assert unread_reports(project_of("", "<disableXmlReport>true</disableXmlReport>")) == "disableXmlReport"
    assert unread_reports(project_of("", "<disableXmlReport>false</disableXmlReport>")) == ""


@pytest.mark.parametrize(
    ("version", "is_older"), [("2.22.2", True), ("3.0.0-M5", True), ("3.0.0-M6", False), ("3.2.5", False)]
)
def test_what_stands_before_the_first_test_follows_the_version(version: str, is_older: bool) -> None:
    assert run_of(f"<version>{version}</version>").settings.older_start == is_older


@pytest.mark.parametrize(
    ("version", "rules"),
    [
        ("2.20.1", None),
        ("2.21.0", ModulePathRules(opens=False, with_providers=False, all_modules=False)),
        ("3.0.0-M5", ModulePathRules(opens=False, with_providers=False, all_modules=False)),
        ("3.0.0-M6", ModulePathRules(opens=True, with_providers=True, all_modules=False)),
        ("3.1.2", ModulePathRules(opens=True, with_providers=True, all_modules=False)),
        ("3.2.1", ModulePathRules(opens=True, with_providers=True, all_modules=True)),
    ],
)
def test_a_named_module_is_started_as_its_version_of_surefire_does(version: str, rules: ModulePathRules | None) -> None:
    project = project_of(f"<version>{version}</version>")
    assert module_path_rules(project, {}) == rules
    assert module_path_rules(project, {"surefire.useModulePath": "false"}) is None
    on_class_path = "<configuration><useModulePath>false</useModulePath></configuration>"
    assert module_path_rules(project_of(f"<version>{version}</version>{on_class_path}"), {}) is None
