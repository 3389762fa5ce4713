"""Tests find and may change Maven's output folder in their working folder, whichever engine built the tree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import Checkout, Engine
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.verdicts import Outcome
from testevo.runtime.files.files import folder_digest
from testevo.runtime.files.jars import PROJECT

pytestmark = pytest.mark.maven

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>{properties}</properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
<scope>test</scope></dependency></dependencies>{build}</project>"""
CODE = "package g;\npublic class Code { public static int one() { return 1; } }\n"
TEST = """package g;
import static org.junit.Assert.*;
import java.io.File;
import java.nio.file.*;
import org.junit.Test;
public class TargetTest {
  private static String read(String path) throws Exception { return new String(Files.readAllBytes(Paths.get(path))); }
  private static String here(Class<?> type, String name) throws Exception {
    return Paths.get(type.getResource(name).toURI()).toRealPath().toString();
  }
  @Test public void readsAResource() throws Exception {
    assertEquals("test data", read("OUT/test-classes/x.txt"));
    assertEquals("main data", read("OUT/classes/y.txt"));
  }
  @Test public void findsClasses() {
    assertTrue(new File("OUT/classes/g/Code.class").isFile());
    assertTrue(new File("OUT/test-classes/g/TargetTest.class").isFile());
  }
  @Test public void writesAFile() throws Exception {
    assertFalse(new File("OUT/out.txt").exists());
    Files.write(Paths.get("OUT/out.txt"), "out".getBytes());
    assertEquals("out", read("OUT/out.txt"));
  }
  @Test public void writesAmongClasses() throws Exception {
    assertNull(TargetTest.class.getResource("/written.txt"));
    Files.write(Paths.get("OUT/test-classes/written.txt"), "seen".getBytes());
    assertNotNull(TargetTest.class.getResource("/written.txt"));
    Files.write(Paths.get("OUT/test-classes/x.txt"), "test data".getBytes());
  }
  @Test public void theClassPathLeadsThere() throws Exception {
    String base = new File("OUT").getCanonicalPath();
    assertEquals(base + "/test-classes", here(TargetTest.class, "/"));
    assertEquals(base + "/classes/y.txt", here(TargetTest.class, "/y.txt"));
    assertEquals(base + "/classes", new File(
        Code.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getCanonicalPath());
    assertTrue(System.getProperty("java.class.path").contains("OUT/test-classes"));
  }
  @Test public void theArgumentLeadsThere() throws Exception {
    assertEquals(new File("OUT/some").getCanonicalPath(), new File(System.getProperty("some")).getCanonicalPath());
    File made = File.createTempFile("some", "file");
    assertEquals(new File("OUT").getCanonicalPath(), made.getParentFile().getCanonicalPath());
  }
}
"""
ARGUMENTS = "<argLine>-Dsome=${project.build.directory}/some -Djava.io.tmpdir=${project.build.directory}</argLine>"
ELSEWHERE = "<build><directory>build/made</directory></build>"

TESTS = (
    "readsAResource",
    "findsClasses",
    "writesAFile",
    "writesAmongClasses",
    "theClassPathLeadsThere",
    "theArgumentLeadsThere",
)


def project(folder: Path, output: str, build: str = "") -> Path:
    files = {
        "pom.xml": POM.format(properties=ARGUMENTS, build=build),
        "src/main/java/g/Code.java": CODE,
        "src/test/java/g/TargetTest.java": TEST.replace("OUT", output),
        "src/test/resources/x.txt": "test data",
        "src/main/resources/y.txt": "main data",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture(params=["direct", "maven"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
    context = BuildContext(local, tmp_path / "cache", tmp_path / "work", find_jdks())
    engine: Engine = DirectEngine(context) if request.param == "direct" else MavenEngine(context)
    yield engine
    engine.close()


@pytest.mark.parametrize(("output", "build"), [("target", ""), ("build/made", ELSEWHERE)])
def test_all_runs_see_the_output_folder_as_below_maven(engine: Engine, tmp_path: Path, output: str, build: str) -> None:
    folder = project(tmp_path / "checkout", output, build)
    before = folder_digest(folder)
    result = engine.build(Checkout("owner/repo", "1a2b3c4d5e", folder, "key"))
    assert result.tree is not None, result.reason
    assert result.fallback is None
    tree, classes = result.tree, result.tree.modules[0].test_classes
    built = folder_digest(classes)
    runner = OneShotRunner(tmp_path / "runs")
    for _ in range(2):
        suite = runner.run_suite(tree)
        assert {entry.test.name: entry.outcome for entry in suite.tests} == dict.fromkeys(TESTS, Outcome.PASSED)
    for entry in suite.tests:
        assert runner.run_method(tree, entry.test).outcome is Outcome.PASSED
    maps = runner.call_maps(tree)
    assert {entry.outcome for entry in maps} == {Outcome.PASSED}
    assert folder_digest(classes) == built
    assert folder_digest(folder) == before
    if engine.name == "maven":
        reference = SurefireRunner(runner).run_suite(tree)
        assert {entry.outcome for entry in reference.tests} == {Outcome.PASSED}
