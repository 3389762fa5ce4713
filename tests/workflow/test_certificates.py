"""Each way of building is compared with plain Maven once, and Surefire serves where they differ."""

from pathlib import Path

import pytest
from histories import POM, git_folder
from snapshots import Snapshot, warm_cache

from testevo.records.base import read_records
from testevo.records.evidence.certificates import Certificate
from testevo.records.verdicts import BuildVerdict, Outcome, SuiteOutcome, SuiteVerdict

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("bad histories")]

JUNIT = "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version></dependency>"
PLAIN = POM.replace("<properties>", f"<dependencies>{JUNIT}</dependencies><properties>")
OTHER = PLAIN.replace("</properties>", "<some.thing>1</some.thing></properties>")
TEST = """import org.junit.*;
public class ThingTest {{
  @Test public void passes() {{ Assert.assertNotNull(new Thing()); }}
  {more}
}}
"""
SEES_SUREFIRE = """@Test public void runsBySurefire() {
    Assert.assertNotNull(System.getProperty("surefire.real.class.path"));
  }"""


def tree(pom: str, more: str = "") -> dict[str, str]:
    return {"pom.xml": pom, "src/test/java/ThingTest.java": TEST.format(more=more)}


def test_a_difference_that_no_list_names_is_found_and_served_by_surefire(tmp_path: Path, shared_cache: Path) -> None:
    """The newer commit is built in another way, and its suite is green below Surefire alone."""
    history = git_folder(tmp_path / "history", [tree(PLAIN), tree(OTHER, SEES_SUREFIRE)])
    snapshot = Snapshot.made(
        tmp_path,
        warm_cache(shared_cache, tmp_path / "cache"),
        {"repositories": [{"name": "some/thing", "address": str(history)}]},
        rules={"walk": {"collapse": "none"}},
        execution={"sandbox": "none"},
    )
    finished = snapshot.run(snapshot.workflow("results/small/build_check/some+thing/builds.jsonl"))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    files = snapshot.files("some+thing")
    certificates = read_records(files.certificates, Certificate)
    found = {one.comparison.verdict.value: one.comparison for one in certificates}
    assert {one: found[one].tests for one in found} == {"certified": 1, "differs": 2}, certificates
    assert "runsBySurefire" in found["differs"].reason

    builds = {one.revision: one for one in read_records(files.builds, BuildVerdict)}
    suites = {one.revision: one for one in read_records(files.suites, SuiteVerdict)}
    differs, certified = (found[one].revision for one in ("differs", "certified"))
    assert builds[certified].surefire is None and builds[certified].fallback is None
    reason = builds[differs].surefire
    assert reason is not None and reason.startswith("certificate_differs: ") and builds[differs].fallback == reason
    assert {one.outcome for one in suites.values()} == {SuiteOutcome.GREEN}
    assert {one.test.name: one.outcome for one in suites[differs].tests} == {
        "passes": Outcome.PASSED,
        "runsBySurefire": Outcome.PASSED,
    }
