"""Which files of a checkout decide how Maven builds it."""

from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import Checkout
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.local_repository import local_repository

JDK = Jdk(Path("/jdk"), 17, "17.0.1")
PROJECT = (
    "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>"
)
PROPERTIES_PLUGIN = """<build><plugins><plugin><groupId>org.codehaus.mojo</groupId>
<artifactId>properties-maven-plugin</artifactId><configuration><files><file>${basedir}/conf/build.properties</file>
</files></configuration></plugin></plugins></build>"""
ACTIVATION = (
    "<profiles><profile><id>p</id><activation><file><exists>src/main/java9</exists></file></activation>"
    "</profile></profiles>"
)
CHECKSTYLE = """<build><plugins><plugin><artifactId>maven-checkstyle-plugin</artifactId><configuration>
<configLocation>conf/style.xml</configLocation></configuration></plugin></plugins></build>"""


class Checkouts:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        local = local_repository(folder / "cache", "owner/repo", None)
        self.context = BuildContext(local, folder / "cache", folder / "work", [JDK])
        self.number = 0

    def prepared(self, files: dict[str, str]) -> Preparation:
        self.number += 1
        folder = self.folder / f"checkout-{self.number}"
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        prepared = self.context.prepare(Checkout("owner/repo", "1a2b3c4", folder, folder.name))
        assert isinstance(prepared, Preparation), prepared.reason
        return prepared


@pytest.fixture
def checkouts(tmp_path: Path) -> Checkouts:
    return Checkouts(tmp_path)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("", ".mvn/jvm.config"),
        ("", "core/src/main/java/module-info.java"),
        (PROPERTIES_PLUGIN, "conf/build.properties"),
        (ACTIVATION, "src/main/java9/A.txt"),
        ("<build><filters><filter>${conf}/filter-${env}.txt</filter></filters></build>", "x/filter-dev.txt"),
        ("<properties><args>@javac.args</args></properties>", "javac.args"),
        ("<build><x><y file='.hidden/tool.cfg'/></x></build>", ".hidden/tool.cfg"),
    ],
)
def test_a_file_that_a_pom_names_is_in_the_keys(checkouts: Checkouts, body: str, path: str) -> None:
    pom = {"pom.xml": f"{PROJECT}{body}</project>"}
    without, one, same, other = (checkouts.prepared(pom | more) for more in ({}, {path: "1"}, {path: "1"}, {path: "2"}))
    for key in ("fingerprint", "normalised", "options"):
        keys = [getattr(prepared, key) for prepared in (without, one, same, other)]
        assert keys[1] == keys[2] != keys[0]
        assert keys[3] != keys[1] or path.endswith("A.txt"), "of a folder only its presence counts"
    assert one.files.holds(path) or path.endswith("A.txt")


@pytest.mark.parametrize("parent", ["parent.xml", ".build/pom.xml", "build/parent-pom.xml"])
def test_parents_of_any_name_and_place_are_in_the_keys(checkouts: Checkouts, parent: str) -> None:
    above = f"{PROJECT.replace('<artifactId>a', '<artifactId>p')}<packaging>pom</packaging>{{}}</project>"
    child = "<project><modelVersion>4.0.0</modelVersion><artifactId>a</artifactId><parent><groupId>g</groupId>"
    child += f"<artifactId>p</artifactId><version>1</version><relativePath>{parent}</relativePath></parent></project>"
    one, other = (
        checkouts.prepared({"pom.xml": child, parent: above.format(more)})
        for more in ("", "<properties><a>1</a></properties>")
    )
    assert one.fingerprint != other.fingerprint and one.normalised != other.normalised
    assert one.options == other.options, "what of POMs decides is told from the rest"
    assert one.files.holds(parent)


ASKED = "<profiles><profile><activation><file><exists>{}</exists></file></activation></profile></profiles>"


@pytest.mark.parametrize("asked", ["src/test/java/a/SlowTest.java", "${basedir}/Slow${kind}.java"])
def test_of_a_source_that_a_profile_asks_for_only_the_presence_counts(checkouts: Checkouts, asked: str) -> None:
    pom, path = {"pom.xml": f"{PROJECT}{ASKED.format(asked)}</project>"}, "src/test/java/a/SlowTest.java"
    without, one, other = (checkouts.prepared(pom | more) for more in ({}, {path: "1"}, {path: "2"}))
    for key in ("fingerprint", "normalised", "options"):
        keys = [getattr(prepared, key) for prepared in (without, one, other)]
        assert keys[1] == keys[2] != keys[0]
    edit, removal = {path: b"2"}, {path: None}
    assert [one.files.decided_by(one.checkout.folder, files) for files in (edit, removal)] == [False, True]
    assert [without.files.decided_by(without.checkout.folder, files) for files in (edit, removal)] == [True, False]


def test_a_file_that_makes_a_folder_that_a_profile_asks_for_decides_the_build(checkouts: Checkouts) -> None:
    pom = {"pom.xml": f"{PROJECT}{ACTIVATION}</project>"}
    without, one = checkouts.prepared(pom), checkouts.prepared(pom | {"src/main/java9/A.txt": "1"})
    new = {"src/main/java9/B.txt": b"2"}
    assert without.files.decided_by(without.checkout.folder, new)
    assert not one.files.decided_by(one.checkout.folder, new)


@pytest.mark.parametrize(
    "named",
    [
        "conf/target/build.properties",
        "${project.basedir}/conf/target/build.properties",
        "../core/conf/target/build.properties",
    ],
)
def test_a_file_below_a_folder_called_target_is_in_the_keys_where_a_pom_says_its_path(
    checkouts: Checkouts, named: str
) -> None:
    root = (
        f"{PROJECT.replace('<artifactId>a', '<artifactId>p')}<packaging>pom</packaging><modules><module>core</module>"
    )
    pom = {"pom.xml": f"{root}</modules></project>", "core/pom.xml": f"{PROJECT}<x>{named}</x></project>"}
    path = "core/conf/target/build.properties"
    without, one, other = (checkouts.prepared(pom | more) for more in ({}, {path: "1"}, {path: "2"}))
    for key in ("fingerprint", "normalised", "options"):
        assert len({getattr(prepared, key) for prepared in (without, one, other)}) == 3
    assert one.files.holds(path)
    assert not one.files.holds("core/target/build.properties"), "of this name, and in no key"


def test_a_folder_called_target_that_a_profile_asks_for_is_in_the_keys(checkouts: Checkouts) -> None:
    pom = {"pom.xml": f"{PROJECT}{ASKED.format('conf/target/on')}</project>"}
    without, one = checkouts.prepared(pom), checkouts.prepared(pom | {"conf/target/on/A.txt": "1"})
    assert without.fingerprint != one.fingerprint


@pytest.mark.parametrize("folder", ["releng/target", "node_modules/a"])
def test_the_pom_of_a_module_is_in_the_keys_in_folders_of_any_name(checkouts: Checkouts, folder: str) -> None:
    root = f"{PROJECT.replace('<artifactId>a', '<artifactId>p')}<packaging>pom</packaging><modules><module>{folder}"
    one, same, other = (
        checkouts.prepared({"pom.xml": f"{root}</module></modules></project>", f"{folder}/pom.xml": f"{PROJECT}{more}"})
        for more in ("</project>", "</project>", "<properties><a>1</a></properties></project>")
    )
    for key in ("fingerprint", "normalised"):
        assert getattr(one, key) == getattr(same, key) != getattr(other, key)
    assert one.options == other.options
    assert one.files.holds(f"{folder}/pom.xml") and not one.files.holds("target/pom.xml")


def test_a_module_of_a_profile_counts_with_the_versions_that_it_names(checkouts: Checkouts) -> None:
    """Its POM is not read, so that its parent may be the project of this checkout, or one in a registry."""
    root = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>p</artifactId><version>{}</version>"
    )
    root += (
        "<packaging>pom</packaging><profiles><profile><activation><jdk>9</jdk></activation><modules><module>a</module>"
    )
    child = "<project><modelVersion>4.0.0</modelVersion><artifactId>a</artifactId><parent><groupId>g</groupId>"
    child += "<artifactId>p</artifactId><version>1.0</version></parent></project>"
    ends = "</modules></profile></profiles></project>"
    one, other = (
        checkouts.prepared({"pom.xml": root.format(own) + ends, "a/pom.xml": child}) for own in ("1.0", "1.1")
    )
    assert one.normalised != other.normalised
    assert one.options == other.options


@pytest.mark.parametrize("path", ["README.md", "src/main/java/A.java", "conf/style.xml", "src/main/resources/a.txt"])
def test_other_files_are_not(checkouts: Checkouts, path: str) -> None:
    pom = {"pom.xml": f"{PROJECT}{CHECKSTYLE}<x>src/main/java/A.java **/*.txt</x></project>"}
    without, one = checkouts.prepared(pom), checkouts.prepared(pom | {path: "1"})
    assert without.fingerprint == one.fingerprint
    assert not one.files.holds(path)
