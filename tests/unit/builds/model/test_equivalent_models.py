"""POMs that differ in nothing a build can see share one run of Maven, and no others do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven.resident_maven import ResidentMaven
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.builds.project.normalised_pom import normalised_poms, release_traces
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
    return normalised_poms(folder, read_pom(folder))["pom.xml"]


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
        return list(normalised_poms(tmp_path / name, read_pom(tmp_path / name)).values())

    assert of_reactor("one", "1.0", "7") == of_reactor("release", "1.1", "7")
    assert of_reactor("again", "1.0", "7") != of_reactor("upgrade", "1.0", "8")


ROOT = (
    "<project><modelVersion>4.0.0</modelVersion>{parent}<groupId>g</groupId><artifactId>root</artifactId>"
    "<version>{version}</version><packaging>pom</packaging><modules><module>a</module><module>b</module></modules>"
    "{more}</project>"
)
MODULE = (
    "<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>root</artifactId>"
    "<version>{parent}</version></parent><artifactId>{name}</artifactId>{more}</project>"
)
ON_A = (
    "<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>{}</version></dependency>"
    "</dependencies>"
)
FROM_REGISTRY = (
    "<parent><groupId>other</groupId><artifactId>parent</artifactId><version>3</version><relativePath/></parent>"
)


@dataclass(frozen=True)
class Reactor:
    """A project of the modules a and b; b may depend on a."""

    root: str = "1.0"
    a: str = ""
    """Of module a, where it has a version of its own."""
    parent_of_b: str = ""
    a_in_b: str = ""
    more: str = ""
    """In the top-level POM."""
    more_in_b: str = ""
    above: str = ""
    """The parent of the top-level POM."""

    def normalised(self, folder: Path) -> Mapping[str, bytes]:
        own = f"<version>{self.a}</version>" if self.a else ""
        more = self.more_in_b + (ON_A.format(self.a_in_b) if self.a_in_b else "")
        poms = {
            "pom.xml": ROOT.format(version=self.root, more=self.more, parent=self.above),
            "a/pom.xml": MODULE.format(parent=self.root, name="a", more=own),
            "b/pom.xml": MODULE.format(parent=self.parent_of_b or self.root, name="b", more=more),
        }
        for path, text in poms.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return normalised_poms(folder, read_pom(folder))


ALL_AT_ONE = Reactor(a_in_b="1.0")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ALL_AT_ONE, Reactor("1.1", a_in_b="1.1")),
        (Reactor(a_in_b="${project.version}"), Reactor("1.1", a_in_b="${project.version}")),
        (Reactor(a="5", a_in_b="5"), Reactor("1.1", a="6", a_in_b="6")),
        (Reactor(a_in_b="0.9"), Reactor("1.1", a_in_b="0.9")),
    ],
    ids=["literally", "by a property", "each with its own", "pinned"],
)
def test_a_release_of_all_modules_changes_nothing(tmp_path: Path, one: Reactor, other: Reactor) -> None:
    assert one.normalised(tmp_path / "one") == other.normalised(tmp_path / "other")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ALL_AT_ONE, Reactor("1.1", parent_of_b="1.0", a_in_b="1.1")),
        (ALL_AT_ONE, Reactor("1.1", a_in_b="1.0")),
        (ALL_AT_ONE, Reactor(a_in_b="0.9")),
        (Reactor(a_in_b="[1.0,2.0)"), Reactor("2.0", a_in_b="[1.0,2.0)")),
        (Reactor(a="5", a_in_b="1.0"), Reactor("1.1", a="5", a_in_b="1.1")),
        (Reactor(a_in_b="${project.version}"), Reactor(a="2.0", a_in_b="${project.version}")),
        *(
            (Reactor(a_in_b="${v}", more=pinned), Reactor("1.1", a_in_b="${v}", more=pinned))
            for pinned in ("<properties><v>1.0</v></properties>", "<properties><v>[1,2)</v></properties>")
        ),
        (Reactor(a_in_b="${elsewhere}"), Reactor("1.1", a_in_b="${elsewhere}")),
    ],
    ids=[
        "a parent stays behind",
        "a dependency stays behind",
        "a dependency is pinned",
        "a range may end",
        "the version of another module",
        "a property means another version",
        "a property stays behind",
        "a range in a property may end",
        "a property that nobody here sets",
    ],
)
def test_a_version_that_is_not_that_of_the_module_here_counts(tmp_path: Path, one: Reactor, other: Reactor) -> None:
    """Maven looks for it in a registry, where a release of the same module may be, or none."""
    assert one.normalised(tmp_path / "one") != other.normalised(tmp_path / "other")


TIMESTAMP = "<properties><project.build.outputTimestamp>{}-01-01</project.build.outputTimestamp></properties>"
OF_NAME = "<properties><label>${project.name}</label></properties>"


@pytest.mark.parametrize(
    ("everywhere", "one", "other"),
    [
        ({"more": OF_NAME}, {"more_in_b": "<name>Old</name>"}, {"more_in_b": "<name>New</name>"}),
        ({"more_in_b": "<properties><l>${project.parent.name}</l></properties>"}, {}, {"more": "<name>New</name>"}),
        ({"above": FROM_REGISTRY}, {"more_in_b": "<name>Old</name>"}, {"more_in_b": "<name>New</name>"}),
        ({"above": FROM_REGISTRY}, {}, {"more": "<scm><tag>v1.0</tag></scm>"}),
        (
            {"more_in_b": "<properties><l>${project.description}</l></properties>"},
            *({"more": f"<description>${{project.name}}</description><name>{name}</name>"} for name in ("Old", "New")),
        ),
        (
            {"more_in_b": "<properties><l>${project.build.outputTimestamp}</l></properties>"},
            {"more": TIMESTAMP.format(2025)},
            {"more": TIMESTAMP.format(2026)},
        ),
    ],
    ids=["a parent refers", "a child refers", "a registry may", "nor is it added", "one of them refers", "a timestamp"],
)
def test_a_described_value_counts_where_another_pom_may_refer_to_it(
    tmp_path: Path, everywhere: dict[str, str], one: dict[str, str], other: dict[str, str]
) -> None:
    first, second = Reactor(**everywhere | one), Reactor(**everywhere | other)
    assert first.normalised(tmp_path / "one") != second.normalised(tmp_path / "other")


def test_what_each_release_sets_is_looked_for_in_the_model_below_a_parent_in_a_registry(tmp_path: Path) -> None:
    """Else no release of such a project would share a model."""

    def release(name: str, tag: str, year: str) -> Mapping[str, bytes]:
        more = f"<scm><tag>{tag}</tag></scm>{TIMESTAMP.format(year)}"
        return Reactor(above=FROM_REGISTRY, more=more).normalised(tmp_path / name)

    assert release("one", "HEAD", "2025") == release("other", "v1.0", "2026")
    assert release_traces(tmp_path / "one", read_pom(tmp_path / "one")) == {"1.0", "HEAD", "2025-01-01"}
    assert release("branch", "main", "2025") != release("third", "v1.0", "2025"), "a word is everywhere"


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


ABOVE = """<project><modelVersion>4.0.0</modelVersion><groupId>testevo.tests</groupId><artifactId>asking</artifactId>
<version>1</version><packaging>pom</packaging><profiles><profile><id>by-file</id>
<activation><file><exists>${basedir}/.asked/for</exists></file></activation>
<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration><argLine>-Dasked=yes</argLine>
</configuration></plugin></plugins></build></profile></profiles></project>"""
BELOW = (
    "<parent><groupId>testevo.tests</groupId><artifactId>asking</artifactId><version>1</version><relativePath/>"
    "</parent>"
)


@pytest.mark.maven
def test_a_file_that_a_profile_of_a_parent_in_a_registry_asks_for_decides_the_model(builds: Builds) -> None:
    """No POM of the project names it."""
    above = builds.engine.context.local.artifacts / "testevo/tests/asking/1/asking-1.pom"
    above.parent.mkdir(parents=True, exist_ok=True)
    above.write_text(ABOVE)

    def arguments(result: BuildResult) -> tuple[str, ...]:
        assert result.tree is not None, result.reason
        return result.tree.modules[0].jvm_arguments

    without, _ = builds.build("a", more=BELOW)
    (builds.folder / "b/.asked").mkdir(parents=True)
    (builds.folder / "b/.asked/for").touch()
    beside, _ = builds.build("b", more=BELOW)
    assert without.fingerprint == beside.fingerprint
    assert ("-Dasked=yes" in arguments(without), "-Dasked=yes" in arguments(beside)) == (False, True)
    again, runs = builds.build("c", more=BELOW)
    assert "-Dasked=yes" not in arguments(again) and runs >= 1
    assert again.tree is not None and without.tree is not None
    added = builds.engine.build_variant(again.tree, {".asked/for": b""})
    assert "-Dasked=yes" in arguments(added)
