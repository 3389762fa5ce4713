"""Framework jars come first where nobody can tell, else nothing moves (one-shot JVMs)."""

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from testevo.execution.jvms.class_path_order import class_path_order, fits

JUNIT = ("org/junit/Test.class", "junit/framework/TestCase.class", "LICENSE-junit.txt")


class Places:
    """Jars and folders for a class path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.classes = self.new_folder("classes", "a/A.class")

    def jar(self, name: str, *names: str, manifest: str = "") -> Path:
        path = self.folder / name
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", f"Manifest-Version: 1.0\r\n{manifest}\r\n")
            for entry in names:
                archive.writestr(entry, b"")
        return path

    def new_folder(self, name: str, *names: str) -> Path:
        for entry in names:
            (self.folder / name / entry).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name / entry).write_bytes(b"")
        return self.folder / name


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path)


def moved(class_path: Sequence[Path], engine_jars: Sequence[Path] = ()) -> list[str]:
    """Names of what was moved; everything is still there, in its order."""
    order = class_path_order(class_path, engine_jars)
    given = [*class_path, *engine_jars]
    for part in (order.front, order.rest):
        assert list(part) == [entry for entry in given if entry in part]
    assert sorted((*order.front, *order.rest)) == sorted(given)
    return [path.name for path in order.front]


def test_framework_jars_move_to_the_front(places: Places) -> None:
    common = ("META-INF/services/x", "META-INF/LICENSE.md", "META-INF/maven/a/b/pom.xml", "module-info.class")
    library = places.jar("library.jar", "b/B.class", *common)
    junit = places.jar("junit.jar", *JUNIT, *common, "META-INF/versions/9/module-info.class")
    hamcrest = places.jar("hamcrest.jar", "org/hamcrest/Matcher.class")
    engine = places.jar("engine.jar", "org/junit/platform/engine/TestEngine.class")
    assert moved([places.classes, library, junit, hamcrest], [engine]) == ["junit.jar", "hamcrest.jar", "engine.jar"]


@pytest.mark.parametrize(
    "name", ["org/junit/Test.class", "junit/framework/TestCase.class", "LICENSE-junit.txt", "META-INF/a/b"]
)
def test_a_jar_stays_behind_a_folder_that_has_a_file_of_its_own(places: Places, name: str) -> None:
    """JUnit's own sources, and projects that bend a class of it."""
    junit = places.jar("junit.jar", *JUNIT, "META-INF/a/b")
    bent = places.new_folder("bent", name)
    assert moved([bent, junit]) == []
    assert moved([places.classes, junit, bent]) == ["junit.jar"]


def test_a_jar_stays_behind_another_with_the_same_classes(places: Places) -> None:
    mocks = places.jar("mocks.jar", "org/mocks/Mock.class", "org/hamcrest/Matcher.class")
    junit = places.jar("junit.jar", *JUNIT)
    hamcrest = places.jar("hamcrest.jar", "org/hamcrest/Matcher.class")
    assert moved([mocks, junit, hamcrest]) == ["junit.jar"]
    assert moved([junit, hamcrest, mocks]) == ["junit.jar", "hamcrest.jar"]
    versioned = places.jar("versioned.jar", "META-INF/versions/11/org/hamcrest/Matcher.class", "c/C.class")
    assert moved([versioned, junit, hamcrest]) == ["junit.jar"]


def test_a_jar_that_stays_holds_back_those_behind_it_that_share_its_classes(places: Places) -> None:
    first = places.jar("first.jar", "org/hamcrest/Matcher.class", "org/mocks/Mock.class")
    second = places.jar("second.jar", "org/hamcrest/Matcher.class", "org/junit/Test.class")
    third = places.jar("third.jar", "org/junit/Test.class")
    assert moved([first, second, third]) == []
    assert moved([second, third, first]) == ["second.jar", "third.jar"]


def test_nothing_moves_past_what_cannot_be_read_or_pulls_in_other_jars(places: Places) -> None:
    junit = places.jar("junit.jar", *JUNIT)
    broken = places.folder / "broken.jar"
    broken.write_bytes(b"no jar")
    assert moved([broken, junit]) == []
    assert moved([junit, broken]) == ["junit.jar"]
    assert moved([places.folder / "absent.jar", junit]) == ["junit.jar"]
    absent = places.jar("one.jar", "b/B.class", manifest="Class-Path: not-there.jar\r\n")
    assert moved([absent, junit]) == ["junit.jar"]
    by_commas = ",".join(f"{number}.jar" for number in range(99))
    endless = places.jar("commas.jar", "b/B.class", manifest=f"Class-Path: {by_commas}\r\n")
    assert moved([endless, junit]) == ["junit.jar"], "longer than a path may be, so no file"
    pulling = places.jar("two.jar", "b/B.class", manifest="Class-Path: not-there.jar ju\r\n nit.jar\r\n")
    assert moved([pulling, junit]) == []
    indexed = places.jar("three.jar", "b/B.class", "META-INF/INDEX.LIST")
    assert moved([indexed, junit]) == []


def test_a_jar_with_anything_else_in_it_is_no_framework_jar(places: Places) -> None:
    for number, name in enumerate(("org/junitpioneer/A.class", "A.class", "some/resource.txt")):
        assert moved([places.classes, places.jar(f"{number}.jar", "org/junit/Test.class", name)]) == []
    assert moved([places.jar("empty.jar")]) == []


def test_a_jar_that_changes_is_read_again(places: Places) -> None:
    path = places.jar("junit.jar", *JUNIT)
    assert moved([path]) == ["junit.jar"]
    places.jar("junit.jar", *JUNIT, "b/B.class")
    assert moved([path]) == []


def test_a_class_path_that_one_option_cannot_hold_is_known(tmp_path: Path) -> None:
    assert fits([tmp_path / "a.jar"])
    assert not fits([tmp_path / "a:b.jar"])
    assert not fits([tmp_path / "*"])
    assert not fits([tmp_path / ("a" * 200)] * 1000)
