"""Resources that can be executed end as Maven has them, which depends on the version of its plugin."""

import shutil
from pathlib import Path

import pytest

from tests.engines.both_engines import engines

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
<scope>test</scope></dependency></dependencies>
<build><testResources><testResource><directory>src/test/resources</directory></testResource>
<testResource><directory>src/test/filtered</directory><filtering>true</filtering></testResource></testResources>
<plugins><plugin><artifactId>maven-resources-plugin</artifactId><version>{version}</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>
"""
TEST = """
public class RunsTest {
  private static void run(String name) throws Exception {
    String file = new java.io.File(RunsTest.class.getResource("/" + name).toURI()).getPath();
    org.junit.Assert.assertEquals(0, new ProcessBuilder(file).start().waitFor());
  }
  @org.junit.Test public void plain() throws Exception { run("plain.sh"); }
  @org.junit.Test public void filtered() throws Exception { run("filtered.sh"); }
  @org.junit.Test public void notExecutable() throws Exception { run("other.sh"); }
}
"""
SCRIPTS = {"resources/plain.sh": 0o755, "filtered/filtered.sh": 0o755, "resources/other.sh": 0o644}


@pytest.mark.parametrize(("version", "outcome"), [("3.1.0", "exception"), ("3.3.1", "passed")])
def test_scripts_run_where_maven_lets_them(tmp_path: Path, version: str, outcome: str) -> None:
    project = tmp_path / "project"
    for name, mode in SCRIPTS.items():
        file = project / "src/test" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n# ${project.version}\nexit 0\n")
        file.chmod(mode)
    (project / "src/test/java").mkdir()
    (project / "src/test/java/RunsTest.java").write_text(TEST)
    (project / "pom.xml").write_text(POM.format(version=version))
    with engines(tmp_path) as both:
        direct, reference = both.both(project)
    assert direct.result.fallback is None and direct.result.tree is not None, direct.result
    expected = {"RunsTest#plain": outcome, "RunsTest#filtered": outcome, "RunsTest#notExecutable": "exception"}
    assert reference.outcomes == {"": expected}
    assert direct.outcomes == reference.outcomes
