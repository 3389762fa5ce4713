"""The allow-list by which the launcher, or only Surefire, runs the tests of a module as Maven does."""

import pytest

from testevo.builds.model.surefire_settings import read_test_run
from tests.unit.builds.model.reasons_of_surefire import JUPITER, reason, surefire_pom
from tests.unit.builds.model.recorded_project import recorded_project


@pytest.mark.parametrize(
    "parameter",
    [
        "<groups>fast and !slow</groups>",
        "<parallel>methods</parallel>",
        "<reuseForks>maybe</reuseForks>",
        "<forkMode>perthread</forkMode>",
        "<forkMode>never</forkMode>",
        "<forkCount>2</forkCount>",
        "<rerunFailingTestsCount>1</rerunFailingTestsCount>",
        "<properties><property><name>configurationParameters</name><value>a = b</value></property></properties>",
        "<dependenciesToScan><dependency>g:other</dependency></dependenciesToScan>",
        "<skipTests>true</skipTests>",
        "<jvm>/opt/java</jvm>",
        "<workingDirectory>{checkout}/elsewhere</workingDirectory>",
        "<workingDirectory>../elsewhere</workingDirectory>",
        "<workingDirectory>target/jvm-${surefire.forkNumber}</workingDirectory>",
        "<jvm>${env.SOME_JAVA}</jvm>",
        "<groups>${unset}, fast</groups>",
        "<forkedProcessTimeoutInSeconds>5</forkedProcessTimeoutInSeconds>",
        "<aParameterOfALaterVersion>1</aParameterOfALaterVersion>",
    ],
)
def test_what_the_launcher_does_not_implement_needs_surefire(parameter: str) -> None:
    name = parameter[1:].partition(">")[0]
    assert reason(f"<configuration>{parameter}</configuration>") == f"maven-surefire-plugin sets {name}"


@pytest.mark.parametrize(
    "parameter",
    [
        "<argLine>-Xss2m</argLine>",
        "<trimStackTrace>false</trimStackTrace>",
        "<jvm/>",
        "<workingDirectory>{checkout}/core</workingDirectory>",
        "<workingDirectory>{checkout}/core/target</workingDirectory>",
        "<workingDirectory>target/elsewhere</workingDirectory>",
        "<reuseForks>false</reuseForks>",
        "<forkMode>always</forkMode>",
        "<forkMode>pertest</forkMode>",
        "<enableAssertions>false</enableAssertions>",
        "<jvm>${commons.surefire.java}</jvm>",
        "<forkCount>1</forkCount><reuseForks>true</reuseForks>",
        "<threadCount>4</threadCount>",
        "<runOrder>random</runOrder>",
        "<skipTests>false</skipTests>",
        "<includes><include>**/*Spec.java</include></includes>",
    ],
)
def test_what_is_implemented_or_changes_no_outcome_does_not(parameter: str) -> None:
    assert reason(f"<configuration>{parameter}</configuration>") is None


@pytest.mark.parametrize(
    ("parameter", "version", "is_apart"),
    [
        ("<reuseForks>false</reuseForks>", "3.2.5", True),
        ("<reuseForks>${unset}</reuseForks>", "3.2.5", False),
        ("<forkMode>always</forkMode>", "2.12.4", True),
        ("<forkMode>pertest</forkMode><reuseForks>true</reuseForks>", "3.0.0-M7", True),
        ("<forkMode>always</forkMode>", "3.0.0", False),
        ("<forkMode>once</forkMode>", "2.12.4", False),
        ("", "3.2.5", False),
    ],
)
def test_each_class_has_a_jvm_of_its_own_where_surefire_knows_the_parameter(
    parameter: str, version: str, *, is_apart: bool
) -> None:
    plugin = f"<version>{version}</version><configuration>{parameter}</configuration>"
    assert read_test_run(recorded_project(surefire_pom(plugin), path="core")).settings.jvm_per_class is is_apart


def test_assertions_that_argline_sets_too_need_surefire() -> None:
    plugin = (
        "<configuration><enableAssertions>false</enableAssertions><argLine>-Xss2m -ea:a...</argLine></configuration>"
    )
    assert reason(plugin) == "maven-surefire-plugin sets enableAssertions beside an argLine that does"


def test_properties_of_the_project_and_of_its_command_line_count() -> None:
    by_project = reason(properties="<excludedGroups>!slow</excludedGroups>")
    assert by_project == "the property excludedGroups sets excludedGroups of maven-surefire-plugin"
    by_options = reason(given={"surefire.runOrder": "hourly"})
    assert by_options == "the property surefire.runOrder sets runOrder of maven-surefire-plugin"


def test_a_property_counts_where_the_configuration_is_empty() -> None:
    """Maven then takes the default of the parameter, which is its property."""
    plugin = "<configuration><groups/></configuration>"
    said = reason(plugin, properties="<groups>Quick and !Slow</groups>")
    assert said == "the property groups sets groups of maven-surefire-plugin"
    assert reason(plugin, properties="<groups>Quick</groups>") is None


def test_a_further_execution_runs_tests_again() -> None:
    further = "<executions><execution><id>again</id><goals><goal>test</goal></goals></execution></executions>"
    assert reason(further) == "maven-surefire-plugin has the execution again"
    assert reason(further.replace("<goals>", "<phase>none</phase><goals>")) is None
    assert reason(further.replace("<goals>", "<phase>integration-test</phase><goals>")) is None
    late = "<phase>process-test-classes</phase><goals>"
    assert reason(further.replace("<goals>", late)) == "maven-surefire-plugin has the execution again"


@pytest.mark.parametrize("phase", ["process-test-classes", "test"])
def test_goals_behind_the_compilation_of_tests_run_before_surefire(phase: str) -> None:
    other = (
        "<plugin><artifactId>{}</artifactId><executions><execution><id>e</id><phase>{}</phase><goals><goal>{}</goal>"
        "</goals></execution></executions></plugin>"
    )
    assert reason(others=other.format("an-enhancer", phase, "weave")) == f"an-enhancer:weave runs in the phase {phase}"
    assert reason(others=other.format("jacoco-maven-plugin", phase, "report")) is None
    assert reason(others=other.format("an-enhancer", "verify", "weave")) is None


def test_a_late_goal_that_writes_what_tests_may_read_needs_surefire() -> None:
    other = (
        "<plugin><artifactId>maven-dependency-plugin</artifactId><executions><execution><phase>process-test-classes"
        "</phase><goals><goal>build-classpath</goal></goals><configuration><outputFile>{}</outputFile></configuration>"
        "</execution></executions></plugin>"
    )
    said = "maven-dependency-plugin:build-classpath runs in the phase process-test-classes"
    assert reason(others=other.format("{checkout}/core/target/path.txt")) == said
    assert reason(others=other.format("{checkout}/core/target/site/path.txt")) is None


@pytest.mark.parametrize(
    ("phases", "said"),
    [
        ({"weave": "process-test-classes"}, "an-enhancer:weave runs in the phase process-test-classes"),
        ({"weave": "verify"}, None),
        ({"weave": ""}, None),
        ({}, "an-enhancer:weave runs in an unknown phase"),
    ],
)
def test_a_goal_bound_without_a_phase_runs_in_the_one_of_its_plugin(phases: dict[str, str], said: str | None) -> None:
    other = (
        "<plugin><artifactId>an-enhancer</artifactId><executions><execution><goals><goal>weave</goal></goals>"
        "</execution></executions></plugin>"
    )
    assert reason(others=other, usual_phases=phases) == said


def test_a_late_property_that_nothing_sets_is_left_to_surefire() -> None:
    late = "<configuration><argLine>@{argLine}</argLine></configuration>"
    agent = "<plugin><artifactId>jacoco-maven-plugin</artifactId></plugin>"
    assert reason(late) == "maven-surefire-plugin uses ${argLine}, which is set while Maven runs"
    assert reason(late, others=agent) is None


def test_patterns_that_are_no_paths_of_ant_need_surefire() -> None:
    for pattern in (
        "a.b.CTest#runs",
        "%regex[.*(?i)fast.*]",
        "%regex[.*a.*b.*c.*]",
        "%regex[*Fast]",
        r"%regex[\p{Lu}.*]",
    ):
        written = f"<configuration><includes><include>{pattern}</include></includes></configuration>"
        assert reason(written) == f"maven-surefire-plugin includes or excludes {pattern}"


@pytest.mark.parametrize(
    ("pattern", "version", "is_direct"),
    [
        ("**/integration/**", "2.12.4", True),
        ("integration/**", "3.2.5", False),
        ("unit/*Test.java", "3.2.5", False),
        ("**/**Test.java", "3.2.5", False),
        ("com/foo/**Test.java", "3.2.5", False),
        ("**Test.java", "3.2.5", False),
        ("**\\*Test.java", "3.2.5", False),
        ("*Check.java", "2.18.1", False),
        ("*Check.java", "2.19", True),
        ("**/*IT.*", "2.12.4", True),
        ("**/*Slow*", "3.2.5", True),
        ("**/slow/", "3.2.5", False),
        ("**/*Test.j*", "3.2.5", False),
        ("a.b.*", "3.2.5", False),
        ("**/a.b/*Test.java", "3.2.5", False),
        ("%regex[.*Fast.*]", "2.18.1", False),
        ("%regex[.*Fast.*|.*/slow/C.Test\\.class]", "2.19", True),
    ],
)
@pytest.mark.parametrize("kind", ["include", "exclude"])
def test_patterns_from_the_root_need_surefire(kind: str, pattern: str, version: str, is_direct: bool) -> None:
    written = f"<configuration><{kind}s><{kind}>{pattern}</{kind}></{kind}s></configuration>"
    said = reason(written, version=f"<version>{version}</version>")
    assert said == (None if is_direct else f"maven-surefire-plugin includes or excludes {pattern}")


def test_parameters_go_to_the_junit_platform_where_properties_holds_nothing_else() -> None:
    one = "<configurationParameters>a = 1</configurationParameters>"
    plugin = f"<configuration><properties>{one}</properties></configuration>"
    more = f"<configuration><properties>{one}<includeTags>quick</includeTags></properties></configuration>"
    assert reason(plugin, class_path=JUPITER, framework="platform") is None
    assert reason(plugin) == "maven-surefire-plugin sets properties"
    assert reason(more, class_path=JUPITER, framework="platform") == "maven-surefire-plugin sets properties"


def test_a_properties_file_needs_surefire_unless_it_has_been_read() -> None:
    plugin = "<configuration><systemPropertiesFile>a.properties</systemPropertiesFile></configuration>"
    assert reason(plugin) == "maven-surefire-plugin sets systemPropertiesFile"
    assert reason(plugin, from_file={"one": "1"}) is None
    late = reason(plugin, from_file={"user.language": "de"})
    assert late == "maven-surefire-plugin sets the property user.language of a running JVM"
    by_property = reason(properties="<surefire.systemPropertiesFile>a</surefire.systemPropertiesFile>", from_file={})
    assert by_property == (
        "the property surefire.systemPropertiesFile sets systemPropertiesFile of maven-surefire-plugin"
    )


@pytest.mark.parametrize(
    ("plugin", "why"),
    [
        ("<argLine>-da</argLine>", "argLine with -da"),
        ("<argLine>-Da=b\\c</argLine>", "argLine with escapes or signs of a shell"),
        (
            "<systemPropertyVariables><user.language>de</user.language></systemPropertyVariables>",
            "the property user.language of a running JVM",
        ),
        (
            "<argLine>-Djunit.jupiter.execution.parallel.enabled=TRUE</argLine>",
            "the property junit.jupiter.execution.parallel.enabled",
        ),
        (
            "<systemPropertyVariables><junit.vintage.execution.parallel.enabled>true"
            "</junit.vintage.execution.parallel.enabled></systemPropertyVariables>",
            "the property junit.vintage.execution.parallel.enabled",
        ),
        ("<argLine>-Djunit.jupiter.execution.parallel.enabled=false</argLine>", None),
        ("<argLine>-Duser.language=de -Dn=${surefire.forkNumber}</argLine>", None),
    ],
)
def test_options_of_the_jvm_are_those_that_the_launcher_passes_on(plugin: str, why: str | None) -> None:
    assert reason(f"<configuration>{plugin}</configuration>") == (why and f"maven-surefire-plugin sets {why}")


@pytest.mark.parametrize("jdk", [8, 11, 12, 17])
def test_a_jvm_reads_at_its_start_where_temporary_files_go(jdk: int) -> None:
    late = "<systemPropertyVariables><java.io.tmpdir>target</java.io.tmpdir></systemPropertyVariables>"
    said = "maven-surefire-plugin sets the property java.io.tmpdir of a running JVM"
    assert reason(f"<configuration>{late}</configuration>", jdk=jdk) == (said if jdk >= 12 else None)
    in_time = "<argLine>-Xss2m -Djava.io.tmpdir=target</argLine>"
    assert reason(f"<configuration>{in_time}</configuration>", jdk=jdk) is None


@pytest.mark.parametrize("name", ["LC_ALL", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_OPTIONS"])
def test_environment_variables_that_a_jvm_reads_need_surefire(name: str) -> None:
    plugin = f"<configuration><environmentVariables><{name}>a</{name}></environmentVariables></configuration>"
    said = f"maven-surefire-plugin sets the environment variable {name}, which the JVM reads"
    assert reason(plugin) == (None if name == "JAVA_OPTIONS" else said)


def test_options_of_the_jvm_by_property_count_too() -> None:
    assert reason(properties="<argLine>-Xlog:gc</argLine>") == "maven-surefire-plugin sets argLine with -Xlog:gc"
    given = {"file.encoding": "US-ASCII"}
    assert reason(given=given) == "maven-surefire-plugin sets the property file.encoding of a running JVM"
