"""Commits that are built in one way share a certificate, and no others do."""

from pathlib import Path

import pytest

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.build_procedure import build_procedure
from testevo.builds.model.model import BuildModel, Framework, ModuleModel, SideModel
from testevo.builds.project.pom import read_pom

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>core</artifactId><version>{version}</version>
  <properties><junit.version>{junit}</junit.version><level>8</level>{properties}</properties>
  <dependencyManagement><dependencies><dependency><groupId>x</groupId><artifactId>bom</artifactId>
    <version>{junit}</version></dependency></dependencies></dependencyManagement>
  <dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>${{junit.version}}</version>
    </dependency>{dependency}</dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>{compiler}</version></plugin>
    <plugin><artifactId>maven-jar-plugin</artifactId><version>{jar}</version></plugin>{plugin}</plugins></build>
  {more}
</project>"""
USUAL = {
    "version": "1-SNAPSHOT",
    "junit": "4.12",
    "properties": "",
    "dependency": "",
    "compiler": "3.11.0",
    "jar": "3.3.0",
    "plugin": "",
    "more": "",
}


def procedure(
    folder: Path, framework: Framework = "junit4", options: str = "jdk 17", asked: bool = False, **values: str
) -> str:
    folder.mkdir()
    (folder / "pom.xml").write_text(POM.format(**USUAL | values))
    side = SideModel(output="{checkout}/target/classes")
    module = ModuleModel(path="", production=side, test=side, framework=framework)
    model = BuildModel(fingerprint="", modules=(module,), asked={"build-release-8": asked})
    return build_procedure(folder, read_pom(folder), options, model, plugin_skips())


@pytest.mark.parametrize(
    "values",
    [
        {"version": "1.0"},
        {"junit": "4.13.2"},
        {"jar": "3.4.0"},
        {"plugin": "<plugin><artifactId>maven-checkstyle-plugin</artifactId></plugin>"},
        {"more": "<reporting><plugins/></reporting><repositories/>"},
        {
            "properties": "<pmd.version>3</pmd.version>",
            "more": "<reporting><plugins><plugin><artifactId>maven-pmd-plugin</artifactId>"
            "<version>${pmd.version}</version></plugin></plugins></reporting>",
        },
    ],
    ids=["release", "library", "packaging", "switched off", "elsewhere", "version of a report"],
)
def test_it_stays_the_same(tmp_path: Path, values: dict[str, str]) -> None:
    assert procedure(tmp_path / "one") == procedure(tmp_path / "other", **values)


@pytest.mark.parametrize(
    "values",
    [
        {"compiler": "3.12.0"},
        {"properties": "<groups>fast</groups>"},
        {"dependency": "<dependency><groupId>l</groupId><artifactId>l</artifactId><version>1</version></dependency>"},
        {"plugin": "<plugin><artifactId>any</artifactId><version>1</version><executions/></plugin>"},
        {"framework": "platform"},
        {"options": "jdk 21"},
        {"asked": True},
    ],
    ids=["compiler plugin", "a property", "a library more", "a goal", "framework", "JDK", "what a profile finds"],
)
def test_it_is_another_one(tmp_path: Path, values: dict[str, str]) -> None:
    assert procedure(tmp_path / "one") != procedure(tmp_path / "other", **values)  # type: ignore[arg-type]


def test_a_version_that_something_else_reads_counts(tmp_path: Path) -> None:
    """Here resources or tests may see it, as `${junit.version}` of Surefire's system properties."""
    seen = (
        "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration><argLine>-Dj=${junit.version}</argLine>"
    )
    seen += "</configuration></plugin>"
    one, other = (procedure(tmp_path / junit, junit=junit, plugin=seen) for junit in ("4.12", "4.13"))
    assert one != other
