"""The allow-list by which the launcher, or only Surefire, runs the tests of a module as Maven does."""

from collections.abc import Mapping

import pytest

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.surefire_needs import TestedModule, late_goals, why_surefire
from testevo.builds.model.surefire_settings import read_test_run
from tests.unit.builds.model.recorded_project import recorded_project

JUNIT_4 = ("{repository}/junit/junit/4.13.2/junit-4.13.2.jar",)
JUPITER = ("{repository}/org/junit/jupiter/junit-jupiter-engine/5.10.2/junit-jupiter-engine-5.10.2.jar",)
API_ALONE = ("{repository}/org/junit/jupiter/junit-jupiter-api/5.10.2/junit-jupiter-api-5.10.2.jar",)
VINTAGE = ("{repository}/org/junit/vintage/junit-vintage-engine/5.10.2/junit-vintage-engine-5.10.2.jar",)
RUNNER = ("{repository}/org/junit/platform/junit-platform-runner/1.10.2/junit-platform-runner-1.10.2.jar",)
TESTNG = ("{repository}/org/testng/testng/7.8.0/testng-7.8.0.jar",)


def reason(
    plugin: str = "",
    *,
    version: str = "<version>3.2.5</version>",
    properties: str = "",
    class_path: tuple[str, ...] = JUNIT_4,
    framework: str = "junit4",
    given: dict[str, str] | None = None,
    others: str = "",
    from_file: Mapping[str, str] | None = None,
    is_named: bool = False,
    jdk: int = 17,
    usual_phases: Mapping[str, str] | None = None,
) -> str | None:
    pom = _pom(version + plugin, properties=properties, others=others)
    project = recorded_project(pom, path="core", class_path=class_path, usual_phases=usual_phases)
    run = read_test_run(project, given, from_file)
    own = why_surefire(TestedModule(project, run, framework, given or {}, is_named, jdk))
    return own or next(late_goals(project, plugin_skips()), None)


def _pom(plugin: str, *, properties: str = "", others: str = "") -> str:
    return (
        f"<project><properties>{properties}</properties>"
        f"<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>{plugin}</plugin>{others}"
        "</plugins></build></project>"
    )


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
    assert read_test_run(recorded_project(_pom(plugin), path="core")).settings.jvm_per_class is is_apart


def test_a_version_that_does_not_know_the_parameter_needs_surefire() -> None:
    plugin = "<configuration><reuseForks>false</reuseForks></configuration>"
    assert reason(plugin, version="<version>2.12.4</version>") == "maven-surefire-plugin 2.12.4 sets reuseForks"


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


def test_a_named_module_is_tested_on_the_module_path() -> None:
    on_module_path = "maven-surefire-plugin runs the tests of a named module on the module path"
    class_path = "<configuration><useModulePath>false</useModulePath></configuration>"
    assert reason(is_named=True) == on_module_path
    assert reason(is_named=True, version="<version>2.20.1</version>") is None
    assert reason(class_path, is_named=True) is None
    assert reason(is_named=True, given={"surefire.useModulePath": "false"}) is None


def test_a_late_property_that_nothing_sets_is_left_to_surefire() -> None:
    late = "<configuration><argLine>@{argLine}</argLine></configuration>"
    agent = "<plugin><artifactId>jacoco-maven-plugin</artifactId></plugin>"
    assert reason(late) == "maven-surefire-plugin uses ${argLine}, which is set while Maven runs"
    assert reason(late, others=agent) is None


def test_junit_4_beside_the_platform_runs_where_its_engine_is() -> None:
    beside = "JUnit 4 lies beside the JUnit Platform without the vintage engine"
    assert reason(class_path=(*JUPITER, *JUNIT_4), framework="platform") == beside
    assert reason(class_path=(*JUPITER, *VINTAGE, *JUNIT_4), framework="platform") is None


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
        ("%regex[.*Fast.*]", "2.18.1", False),
        ("%regex[.*Fast.*|.*/slow/C.Test\\.class]", "2.19", True),
    ],
)
@pytest.mark.parametrize("kind", ["include", "exclude"])
def test_patterns_from_the_root_need_surefire(kind: str, pattern: str, version: str, is_direct: bool) -> None:
    written = f"<configuration><{kind}s><{kind}>{pattern}</{kind}></{kind}s></configuration>"
    said = reason(written, version=f"<version>{version}</version>")
    assert said == (None if is_direct else f"maven-surefire-plugin includes or excludes {pattern}")


@pytest.mark.parametrize(
    ("version", "class_path", "said"),
    [
        ("2.12.4", JUPITER, "maven-surefire-plugin 2.12.4 does not run the JUnit Platform"),
        ("2.22.0", JUPITER, None),
        ("2.22.2", API_ALONE, "maven-surefire-plugin 2.22.2 adds no engine of JUnit"),
        ("3.0.0-M4", API_ALONE, None),
        ("2.22.2", (*API_ALONE, *VINTAGE), "maven-surefire-plugin 2.22.2 adds no engine of JUnit"),
        ("2.22.2", (*API_ALONE, *JUPITER, *VINTAGE), None),
        ("3.0.0-M5", (*JUPITER, *RUNNER), None),
        (
            "3.0.0-M6",
            (*JUPITER, *RUNNER),
            "maven-surefire-plugin 3.0.0-M6 leaves tests to JUnit 4 beside org.junit.platform:junit-platform-runner",
        ),
    ],
)
def test_old_versions_do_not_run_what_the_launcher_runs(
    version: str, class_path: tuple[str, ...], said: str | None
) -> None:
    found = reason(version=f"<version>{version}</version>", class_path=class_path, framework="platform")
    assert found == said


@pytest.mark.parametrize("name", ["useSystemClassLoader", "useManifestOnlyJar"])
def test_old_versions_bring_the_class_path_otherwise(name: str) -> None:
    written = f"<configuration><{name}>false</{name}></configuration>"
    said = f"maven-surefire-plugin 2.14.1 sets {name}"
    assert reason(written, version="<version>2.14.1</version>") == said
    assert reason(properties=f"<surefire.{name}>false</surefire.{name}>", version="<version>2.14.1</version>") == said
    assert reason(written, version="<version>2.15</version>") is None
    assert reason(version="<version>2.14.1</version>") is None


@pytest.mark.parametrize(
    ("value", "surefire"),
    [
        ("fast", False),
        ("fast, a.b.Net,x-y", False),
        ("", False),
        ("${unset}", False),
        ("fast & !net", True),
        ("fast | net", True),
        ("!net", True),
        ("${unset}, fast", True),
    ],
)
@pytest.mark.parametrize("name", ["groups", "excludedGroups"])
def test_lists_of_tags_go_to_the_junit_platform_and_expressions_to_surefire(
    name: str, value: str, surefire: bool
) -> None:
    text = value.replace("&", "&amp;")
    said = reason(f"<configuration><{name}>{text}</{name}></configuration>", class_path=JUPITER, framework="platform")
    assert said == (f"maven-surefire-plugin sets {name}" if surefire else None)


@pytest.mark.parametrize(
    ("value", "version", "junit", "surefire"),
    [
        ("a.Quick", "3.2.5", "4.13.2", False),
        ("Quick, a.Outer$Slow , b.C.class", "3.2.5", "4.13.2", False),
        ("Quick", "2.22.0", "4.8", False),
        ("Quick", "2.21.0", "4.13.2", True),
        ("Quick", "3.2.5", "4.7", True),
        ("Quick,", "3.2.5", "4.13.2", True),
        ("Quick Slow", "3.2.5", "4.13.2", True),
        ("Or", "3.2.5", "4.13.2", True),
        ("!Quick", "3.2.5", "4.13.2", True),
        ("a-b", "3.2.5", "4.13.2", True),
        ("a.*", "3.2.5", "4.13.2", True),
    ],
)
@pytest.mark.parametrize("name", ["groups", "excludedGroups"])
def test_categories_of_junit_4_are_names_of_classes(
    name: str, value: str, version: str, junit: str, surefire: bool
) -> None:
    said = reason(
        f"<configuration><{name}>{value}</{name}></configuration>",
        version=f"<version>{version}</version>",
        class_path=(f"{{repository}}/junit/junit/{junit}/junit-{junit}.jar",),
    )
    assert said == (f"maven-surefire-plugin sets {name}" if surefire else None)


def test_categories_need_junit_itself_and_no_junit_3() -> None:
    plugin = "<configuration><groups>Quick</groups></configuration>"
    dep = ("{repository}/junit/junit-dep/4.11/junit-dep-4.11.jar",)
    old = ("{repository}/junit/junit/3.8.2/junit-3.8.2.jar",)
    assert reason(plugin, class_path=dep) == "maven-surefire-plugin sets groups"
    assert reason(plugin, class_path=old, framework="junit3") == "maven-surefire-plugin sets groups"


@pytest.mark.parametrize(
    ("provider", "groups", "surefire"),
    [
        ("surefire-junit47", "Quick", False),
        ("surefire-junit4", "Quick", True),
        ("surefire-junit47", "", True),
        ("surefire-junit4", "", False),
    ],
)
def test_a_provider_that_surefire_would_not_choose_needs_surefire(provider: str, groups: str, surefire: bool) -> None:
    """The provider for JUnit 4 alone runs the tests of all categories."""
    named = f"<dependency><groupId>org.apache.maven.surefire</groupId><artifactId>{provider}</artifactId></dependency>"
    chosen = f"<configuration><groups>{groups}</groups></configuration>" if groups else ""
    said = reason(f"<dependencies>{named}</dependencies>{chosen}")
    assert said == (f"maven-surefire-plugin depends on org.apache.maven.surefire:{provider}" if surefire else None)


@pytest.mark.parametrize(
    ("version", "before"), [("2.22.2", True), ("3.0.0-M4", True), ("3.0.0-M5", False), ("3.0.0", False)]
)
def test_the_rules_of_categories_follow_the_version_of_surefire(version: str, before: bool) -> None:
    plugin = f"<version>{version}</version><configuration><groups>a.Quick</groups></configuration>"
    assert read_test_run(recorded_project(_pom(plugin))).settings.older_categories == before
    assert not read_test_run(recorded_project(_pom(f"<version>{version}</version>"))).settings.older_categories


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


def test_testng_needs_surefire_and_a_module_without_tests_nothing() -> None:
    assert reason(class_path=TESTNG, framework="none") == "TestNG is on the class path"
    assert reason("<configuration><groups>fast</groups></configuration>", class_path=(), framework="none") is None


@pytest.mark.parametrize(
    ("plugin", "why"),
    [
        ("<argLine>-da</argLine>", "argLine with -da"),
        ("<argLine>-Da=b\\c</argLine>", "argLine with escapes or signs of a shell"),
        (
            "<systemPropertyVariables><user.language>de</user.language></systemPropertyVariables>",
            "the property user.language of a running JVM",
        ),
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


@pytest.mark.parametrize(
    ("version", "framework", "said"),
    [
        ("3.5.6", "junit4", None),
        ("3.5.6", "junit3", None),
        ("3.6.0-M1", "junit4", "runs JUnit 3 and 4 on the JUnit Platform"),
        ("3.6.1", "junit3", "runs JUnit 3 and 4 on the JUnit Platform"),
        ("3.6.1", "platform", None),
        ("3.7.0", "platform", "is newer than those that the launcher was compared with"),
        ("4.0.0-beta-1", "junit4", "is newer than those that the launcher was compared with"),
    ],
)
def test_new_versions_need_surefire_until_they_were_compared(version: str, framework: str, said: str | None) -> None:
    class_path = ("{repository}/org/junit/jupiter/junit-jupiter-engine/5.10.2/junit-jupiter-engine-5.10.2.jar",)
    found = reason(version=f"<version>{version}</version>", class_path=class_path, framework=framework)
    assert found == (said and f"maven-surefire-plugin {version} {said}")


@pytest.mark.parametrize(
    ("version", "platform", "said"),
    [
        ("3.0.0-M3", "1.14.1", None),
        ("3.0.0-M3", "6.1.3", "maven-surefire-plugin 3.0.0-M3 does not run JUnit 6"),
        ("2.22.2", "6.0.0", "maven-surefire-plugin 2.22.2 does not run JUnit 6"),
        ("3.0.0-M4", "6.0.0", None),
        ("3.6.1", "6.1.3", None),
        ("3.6.1", "7.0.0-M1", "JUnit Platform 7 is not known"),
    ],
)
def test_versions_of_the_platform_are_those_that_were_compared(version: str, platform: str, said: str | None) -> None:
    class_path = (
        "{repository}/org/junit/jupiter/junit-jupiter-engine/5.10.2/junit-jupiter-engine-5.10.2.jar",
        f"{{repository}}/org/junit/platform/junit-platform-engine/{platform}/junit-platform-engine-{platform}.jar",
    )
    assert reason(version=f"<version>{version}</version>", class_path=class_path, framework="platform") == said
