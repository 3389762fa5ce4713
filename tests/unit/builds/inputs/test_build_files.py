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


@pytest.mark.parametrize("path", ["README.md", "src/main/java/A.java", "conf/style.xml", "src/main/resources/a.txt"])
def test_other_files_are_not(checkouts: Checkouts, path: str) -> None:
    pom = {"pom.xml": f"{PROJECT}{CHECKSTYLE}<x>src/main/java/A.java **/*.txt</x></project>"}
    without, one = checkouts.prepared(pom), checkouts.prepared(pom | {path: "1"})
    assert without.fingerprint == one.fingerprint
    assert not one.files.holds(path)
