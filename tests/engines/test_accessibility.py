"""Test JVMs load no assistive technologies, whatever the JDK's `accessibility.properties` asks for.

Debian's JDK 8 asks for one that its headless package lacks, so that the first use of AWT fails.
"""

from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import Checkout
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.execution.runners.surefire import SurefireRunner
from testevo.records.verdicts import Outcome
from testevo.runtime.files.jars import PROJECT

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>
<scope>test</scope></dependency></dependencies></project>"""
TEST = """package g;
import static org.junit.Assert.*;
import org.junit.Test;
public class AwtTest {
  @Test public void loadsNoAssistiveTechnologies() {
    assertEquals("", System.getProperty("javax.accessibility.assistive_technologies"));
    assertNotNull(java.awt.Toolkit.getDefaultToolkit());
  }
}
"""


@pytest.mark.maven
@pytest.mark.parametrize("feature", [8, 17])
def test_awt_starts_in_both_runners(tmp_path: Path, feature: int) -> None:
    jdks = [jdk for jdk in find_jdks() if jdk.feature == feature]
    if not jdks:
        pytest.skip(f"JDK {feature} is not installed (JAVA_HOME_{feature} can name it)")
    folder = tmp_path / "checkout"
    (folder / "src/test/java/g").mkdir(parents=True)
    (folder / "src/test/java/g/AwtTest.java").write_text(TEST)
    (folder / "pom.xml").write_text(POM)
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
    engine = MavenEngine(BuildContext(local, tmp_path / "cache", tmp_path / "work", jdks))
    try:
        result = engine.build(Checkout("owner/repo", "1a2b3c4d5e", folder, "key"))
        assert result.tree is not None, result.reason
        direct = OneShotRunner(tmp_path / "runs")
        for runner in (direct, SurefireRunner(direct)):
            suite = runner.run_suite(result.tree)
            assert [entry.outcome for entry in suite.tests] == [Outcome.PASSED], (runner.name, suite.reason)
    finally:
        engine.close()
