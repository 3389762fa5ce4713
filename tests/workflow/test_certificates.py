"""Each way of building is compared with plain Maven once, and Surefire serves where they differ."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from histories import POM, git_folder
from snapshots import Snapshot, warm_cache

from testevo.records.base import read_records
from testevo.records.evidence.certificates import Certificate
from testevo.records.verdicts import BuildVerdict, Outcome, SuiteOutcome, SuiteVerdict
from testevo.runtime.stopwatch import read_profile
from testevo.sandboxes.sandbox import bubblewrap_works

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


MODULE = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>example</groupId>
<artifactId>thing</artifactId><version>1</version></parent><artifactId>{name}</artifactId><build><plugins>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>{more}</plugin></plugins></build></project>
"""
IN_PARALLEL = "<configuration><parallel>classes</parallel><threadCount>1</threadCount></configuration>"


def modules(pom: str, more: str = "") -> dict[str, str]:
    """A module `other` that needs Surefire, and `own`, which does not."""
    listed = "<packaging>pom</packaging><modules><module>other</module><module>own</module></modules>"
    files = {"pom.xml": pom.replace("<dependencies>", f"{listed}<dependencies>")}
    for name, configuration, method in (("other", IN_PARALLEL, SEES_SUREFIRE), ("own", "", more)):
        files[f"{name}/pom.xml"] = MODULE.format(name=name, more=configuration)
        files[f"{name}/src/test/java/ThingTest.java"] = TEST.format(more=method)
        files[f"{name}/src/main/java/Thing.java"] = "class Thing {}"
    return files


FILTERED = PLAIN.replace("</project>", "<build><filters><filter>own.properties</filter></filters></build></project>")
NEEDS_BUBBLEWRAP = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine")
SANDBOXES = ["none", pytest.param("bubblewrap", marks=NEEDS_BUBBLEWRAP)]


@dataclass(frozen=True)
class Checked:
    """What `build_check` wrote of a history."""

    certificates: dict[str, Certificate]
    """By their verdict."""
    builds: dict[str, BuildVerdict]
    suites: dict[str, SuiteVerdict]
    checkouts: int
    """How often a commit was written to a folder."""


def checked(folder: Path, shared_cache: Path, sandbox: str, *commits: dict[str, str]) -> Checked:
    snapshot = Snapshot.made(
        folder,
        warm_cache(shared_cache, folder / "cache"),
        {"repositories": [{"name": "some/thing", "address": str(git_folder(folder / "history", [*commits]))}]},
        rules={"walk": {"collapse": "none"}},
        execution={"sandbox": sandbox},
    )
    finished = snapshot.run(snapshot.workflow("results/small/build_check/some+thing/builds.jsonl"))
    assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
    files = snapshot.files("some+thing")
    certificates, profile = read_records(files.certificates, Certificate), read_profile(files.profile("build_check"))
    assert profile is not None
    found = Checked(
        {one.comparison.verdict.value: one for one in certificates},
        {one.revision: one for one in read_records(files.builds, BuildVerdict)},
        {one.revision: one for one in read_records(files.suites, SuiteVerdict)},
        profile.work["checking out"].times,
    )
    assert len(found.certificates) == len(certificates) == len(commits), certificates
    assert {one.outcome for one in found.suites.values()} == {SuiteOutcome.GREEN}
    return found


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_difference_that_no_list_names_is_found_and_served_by_surefire(
    sandbox: str, tmp_path: Path, shared_cache: Path
) -> None:
    """The newer commit is built in another way, and its suite is green below Surefire alone."""
    found = checked(tmp_path, shared_cache, sandbox, tree(PLAIN), tree(OTHER, SEES_SUREFIRE))
    # Both to be built and to be compared, one for its suite, the other for Surefire, which tests it where it was built.
    assert found.checkouts == 2 + 2 + 1 + 1
    certified, differs = (found.certificates[name] for name in ("certified", "differs"))
    assert (certified.comparison.tests, differs.comparison.tests) == (1, 2)
    assert not certified.compiled_by_maven and not differs.compiled_by_maven
    assert "runsBySurefire" in differs.comparison.reason

    build = found.builds[certified.comparison.revision]
    assert not build.surefire and build.fallback is None
    build, suite = (found_of[differs.comparison.revision] for found_of in (found.builds, found.suites))
    assert build.fallback is not None and build.fallback.startswith("certificate_differs: ")
    assert build.surefire == {"": build.fallback}
    assert {one.test.name: one.outcome for one in suite.tests} == {
        "passes": Outcome.PASSED,
        "runsBySurefire": Outcome.PASSED,
    }


def test_the_launcher_is_compared_on_what_maven_compiled(tmp_path: Path, shared_cache: Path) -> None:
    own = {"own.properties": "a=b\n", "src/main/resources/some.txt": "text\n"}
    with_more = FILTERED.replace("</properties>", "<some.thing>1</some.thing></properties>")
    commits = (tree(FILTERED) | own, tree(with_more, SEES_SUREFIRE) | own)
    found = checked(tmp_path, shared_cache, "none", *commits)
    certified, differs = (found.certificates[name] for name in ("certified", "differs"))
    assert certified.compiled_by_maven and differs.compiled_by_maven
    assert (certified.comparison.tests, differs.comparison.tests) == (1, 2)
    build = found.builds[certified.comparison.revision]
    assert not build.surefire and build.fallback is not None and "buildFilters" in build.fallback
    surefire = found.builds[differs.comparison.revision].surefire
    assert surefire[""].startswith("certificate_differs: ")


def test_a_module_that_needs_surefire_is_left_out_of_the_comparison(tmp_path: Path, shared_cache: Path) -> None:
    """Where the suites of the other modules differ, Surefire runs these, too."""
    found = checked(tmp_path, shared_cache, "none", modules(PLAIN), modules(OTHER, SEES_SUREFIRE))
    certified, differs = (found.certificates[name] for name in ("certified", "differs"))
    assert (certified.other_modules, certified.comparison.tests) == (("other",), 1)
    assert (differs.other_modules, differs.comparison.tests) == (("other",), 2)
    parallel = "maven-surefire-plugin sets parallel in module other"
    build = found.builds[certified.comparison.revision]
    assert (build.fallback, build.surefire) == (None, {"other": parallel})
    build = found.builds[differs.comparison.revision]
    assert build.surefire == {"other": parallel, "own": f"certificate_differs: {differs.comparison.reason}"}
    assert build.fallback == parallel
    assert all(one.outcome is Outcome.PASSED for suite in found.suites.values() for one in suite.tests)
    assert {len(suite.tests) for suite in found.suites.values()} == {3, 4}
