"""Why Surefire runs the tests of a module, asked of a POM; shared by the tests of that list."""

from collections.abc import Mapping

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.surefire_needs import TestedModule, late_goals, why_surefire
from testevo.builds.model.surefire_settings import read_test_run
from tests.unit.builds.model.recorded_project import recorded_project

JUNIT_4 = ("{repository}/junit/junit/4.13.2/junit-4.13.2.jar",)
OLD_JUNIT_4 = ("{repository}/junit/junit/4.11/junit-4.11.jar",)
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
    jdk: int = 17,
    usual_phases: Mapping[str, str] | None = None,
) -> str | None:
    pom = surefire_pom(version + plugin, properties=properties, others=others)
    project = recorded_project(pom, path="core", class_path=class_path, usual_phases=usual_phases)
    run = read_test_run(project, given, from_file)
    own = why_surefire(TestedModule(project, run, framework, given or {}, jdk))
    return own or next(late_goals(project, plugin_skips()), None)


def surefire_pom(plugin: str, *, properties: str = "", others: str = "") -> str:
    return (
        f"<project><properties>{properties}</properties>"
        f"<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>{plugin}</plugin>{others}"
        "</plugins></build></project>"
    )
