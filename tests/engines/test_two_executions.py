"""Two executions of Surefire run the same tests: the reports of the later one lie where those of the first were."""

import shutil
from pathlib import Path

import pytest

from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.verdicts import SuiteOutcome
from tests.engines.both_engines import engines
from tests.engines.small_projects import pom, write_project

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

EXECUTION = (
    "<execution><id>{}</id><phase>test</phase><goals><goal>test</goal></goals><configuration><systemPropertyVariables>"
    "<mode>{}</mode></systemPropertyVariables></configuration></execution>"
)
SUREFIRE = "<artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>"
TEST = """package g; class ATest {
  @org.junit.jupiter.api.Test void runs() { if (!"good".equals(System.getProperty("mode"))) throw new Error(); }
  @org.junit.jupiter.api.Test void passes() {}
}"""


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [("good", "good", SuiteOutcome.GREEN), ("bad", "good", SuiteOutcome.CRASHED), ("good", "bad", SuiteOutcome.RED)],
)
def test_what_the_first_one_found_is_not_taken_for_what_the_second_found(
    first: str, second: str, outcome: SuiteOutcome, tmp_path: Path
) -> None:
    executions = EXECUTION.format("default-test", first) + EXECUTION.format("again", second)
    text = pom().replace(SUREFIRE, f"{SUREFIRE}<executions>{executions}</executions>")
    checkout = write_project(tmp_path / f"{first}-{second}", {"pom.xml": text, "src/test/java/g/ATest.java": TEST})
    with engines(tmp_path / "scratch") as both:
        built = both.maven.build(checkout)
        assert built.tree is not None, built.reason
        suite = SurefireRunner(both.runs).run_suite(built.tree)
        reasons = both.reasons(checkout.folder)
    assert suite.outcome is outcome, suite.reason
    assert reasons == {"": "maven-surefire-plugin has the execution again"}
