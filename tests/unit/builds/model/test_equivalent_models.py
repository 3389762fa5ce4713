"""POMs that differ in nothing a build can see share one run of Maven, and no others do."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven.resident_maven import ResidentMaven
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.builds.project.normalised_pom import normalised_pom
from testevo.builds.project.pom import read_pom
from testevo.runtime.files.project import PROJECT

POM = """<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"><!-- {comment} -->
  <modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>core</artifactId>
  <version>{version}</version>
  <scm><tag>{tag}</tag></scm>
  <properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>{properties}</properties>
  <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>{junit}</version>
    <scope>test</scope></dependency></dependencies>
  {more}
</project>"""
DEFAULTS = {"version": "5.1.7-SNAPSHOT", "comment": "", "tag": "HEAD", "properties": "", "junit": "4.13.2", "more": ""}
TEST = """package g;
import org.junit.*;
public class CoreTest { @Test public void passes() { Assert.assertTrue(true); } }
"""


def project(folder: Path, **values: str) -> Path:
    (folder / "src/test/java/g").mkdir(parents=True)
    (folder / "src/test/java/g/CoreTest.java").write_text(TEST)
    (folder / "pom.xml").write_text(POM.format(**(DEFAULTS | values)))
    return folder


def normalised(folder: Path, **values: str) -> bytes:
    project(folder, **values)
    return normalised_pom(folder, "pom.xml", read_pom(folder))


@pytest.mark.parametrize(
    "values",
    [
        {"version": "5.1.7"},
        {"tag": "v5.1.7", "comment": "prepared for release"},
        {"properties": "\n    <project.build.outputTimestamp>2026-01-01</project.build.outputTimestamp>"},
        {"more": "<description>does things</description><developers><developer><id>x</id></developer></developers>"},
    ],
    ids=["version", "release", "timestamp", "description"],
)
def test_what_only_describes_a_release_is_left_out(tmp_path: Path, values: dict[str, str]) -> None:
    assert normalised(tmp_path / "one") == normalised(tmp_path / "other", **values)


@pytest.mark.parametrize(
    "values",
    [
        {"junit": "4.13.1"},
        {"properties": "<argLine>-Xss2m</argLine>"},
        {"more": "<build><testSourceDirectory>tests</testSourceDirectory></build>"},
        {"tag": "v5.1.7", "properties": "<label>${project.scm.tag}</label>"},
    ],
    ids=["dependency", "property", "folder", "referred to"],
)
def test_what_a_build_may_read_stays(tmp_path: Path, values: dict[str, str]) -> None:
    assert normalised(tmp_path / "one") != normalised(tmp_path / "other", **values)


def test_a_described_value_counts_once_something_refers_to_it(tmp_path: Path) -> None:
    label = {"properties": "<label>${project.scm.tag}</label>"}
    assert normalised(tmp_path / "one", **label, tag="a") != normalised(tmp_path / "other", **label, tag="b")


def test_versions_of_modules_are_left_out_and_those_of_others_stay(tmp_path: Path) -> None:
    """A release of a reactor changes the parents and dependencies of all its modules."""
    child = (
        "<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>root</artifactId>"
        "<version>{0}</version></parent><artifactId>{1}</artifactId><dependencies>"
        "<dependency><groupId>g</groupId><artifactId>core</artifactId><version>{0}</version></dependency>"
        "<dependency><groupId>other</groupId><artifactId>core</artifactId><version>{2}</version></dependency>"
        "</dependencies></project>"
    )
    root = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>root</artifactId>"
        "<version>{0}</version><packaging>pom</packaging><modules><module>core</module><module>app</module></modules>"
        "</project>"
    )

    def of_reactor(name: str, own: str, others: str) -> list[bytes]:
        for module in ("core", "app"):
            (tmp_path / name / module).mkdir(parents=True)
            (tmp_path / name / module / "pom.xml").write_text(child.format(own, module, others))
        (tmp_path / name / "pom.xml").write_text(root.format(own))
        read = read_pom(tmp_path / name)
        return [normalised_pom(tmp_path / name, path, read) for path in read.pom_files]

    assert of_reactor("one", "1.0", "7") == of_reactor("release", "1.1", "7")
    assert of_reactor("again", "1.0", "7") != of_reactor("upgrade", "1.0", "8")


class Builds:
    """Builds projects with one engine and counts how often Maven runs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
        self.folder = folder
        self.runs = 0
        self.engine = DirectEngine(BuildContext(local, folder / "cache", folder / "work", find_jdks()))
        monkeypatch.setattr(Maven, "run", self._counted(Maven.run))
        monkeypatch.setattr(ResidentMaven, "run", self._counted(ResidentMaven.run))

    def _counted(self, run: Callable[..., object]) -> Callable[..., object]:
        def counted(*arguments: object, **more: object) -> object:
            self.runs += 1
            return run(*arguments, **more)

        return counted

    def build(self, name: str, **values: str) -> tuple[BuildResult, int]:
        """The result, and how many times Maven has run for it."""
        before = self.runs
        result = self.engine.build(Checkout("owner/repo", name * 10, project(self.folder / name, **values), name))
        return result, self.runs - before


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Builds]:
    builds = Builds(tmp_path, monkeypatch)
    yield builds
    builds.engine.close()


@pytest.mark.maven
def test_a_release_costs_no_run_of_maven_and_a_new_dependency_does(builds: Builds) -> None:
    first, runs = builds.build("a")
    assert first.built and runs >= 1, first.reason
    release, runs = builds.build("b", version="5.1.7", tag="v5.1.7")
    assert release.built and runs == 0, release.reason
    assert release.fingerprint != first.fingerprint, "records name the POMs as they are"
    assert release.tree is not None and first.tree is not None
    assert release.tree.modules[0].class_path_keys == first.tree.modules[0].class_path_keys
    upgrade, runs = builds.build("c", junit="4.13.1")
    assert upgrade.built and runs >= 1, upgrade.reason


@pytest.mark.maven
def test_a_version_within_the_version_of_a_library_is_no_trace_of_the_project(builds: Builds) -> None:
    """JUnit is 4.13.2 here; the versions of small libraries often stand in those of others."""
    first, runs = builds.build("a", version="4.13")
    assert first.built and runs >= 1, first.reason
    release, runs = builds.build("b", version="4.14")
    assert release.built and runs == 0, release.reason


@pytest.mark.maven
def test_a_version_that_is_that_of_a_library_may_have_come_from_the_project(builds: Builds) -> None:
    first, runs = builds.build("a", version="4.13.2")
    assert first.built and runs >= 1, first.reason
    _, runs = builds.build("b", version="4.13.3")
    assert runs >= 1


@pytest.mark.maven
def test_a_version_that_reaches_the_tests_is_asked_for_again(builds: Builds) -> None:
    """Here it is a system property of the test JVM; a filtered resource or a generated file would do the same."""
    surefire = (
        "<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version><configuration>"
        "<systemPropertyVariables><v>${project.version}</v></systemPropertyVariables></configuration></plugin>"
        "</plugins></build>"
    )
    _, runs = builds.build("a", more=surefire)
    assert runs >= 1
    release, runs = builds.build("b", more=surefire, version="5.1.7")
    assert runs >= 1
    assert release.tree is not None
    assert "-Dv=5.1.7" in release.tree.modules[0].jvm_arguments


PARSED = """<build><plugins>
<plugin><groupId>org.codehaus.mojo</groupId><artifactId>build-helper-maven-plugin</artifactId><version>3.6.0</version><executions><execution><id>parse</id><goals><goal>parse-version</goal></goals></execution>
<execution><id>add</id><goals><goal>add-source</goal></goals><configuration><sources>
<source>src/v${parsedVersion.majorVersion}</source></sources></configuration></execution></executions></plugin></plugins>
</build>"""


@pytest.mark.maven
def test_a_plugin_that_makes_properties_of_the_version_is_asked_again(builds: Builds) -> None:
    """The version itself stands nowhere in the model: only its first number, in the name of a source folder."""

    def build(name: str, version: str) -> tuple[BuildResult, int]:
        for major in ("5", "6"):
            sources = builds.folder / name / f"src/v{major}/g"
            sources.mkdir(parents=True)
            (sources / f"Of{major}.java").write_text(f"package g; public class Of{major} {{ }}")
        return builds.build(name, more=PARSED, version=version)

    first, _ = build("a", "5.1.7")
    release, runs = build("b", "6.0.0")
    assert first.tree is not None and release.tree is not None, first.reason or release.reason
    classes = [
        sorted(path.name for path in tree.modules[0].production_classes.rglob("*.class"))
        for tree in (first.tree, release.tree)
    ]
    assert classes == [["Of5.class"], ["Of6.class"]]
    assert runs >= 1
