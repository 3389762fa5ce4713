"""Options of javac that name files of the project, whose content no key of classes holds."""

from pathlib import Path

import pytest

from testevo.builds.model.parameters.javac import reads_files


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for folder in ("stubs", "core/conf"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "core" / "conf" / "a.properties").touch()
    return tmp_path


@pytest.mark.parametrize(
    "word",
    [
        "-Astubs=stubs",
        "-Astubs=none:stubs",
        "-Aconf=conf/a.properties",
        "-Aconf={checkout}/elsewhere",
        "{checkout}/tools/target/classes",
        "conf/a.properties",
    ],
)
def test_a_file_of_the_project_is_named(word: str, checkout: Path) -> None:
    said = list(reads_files(["-g", word], checkout, "core"))
    assert said == [f"the option {word} of javac names a file of the project"]


def test_files_of_arguments_and_plugins_are_named(checkout: Path) -> None:
    said = list(reads_files(["@more.args", "-Xplugin:ErrorProne"], checkout, ""))
    assert said == ["javac reads options from more.args", "javac plugins"]


@pytest.mark.parametrize(
    "word",
    [
        "-g",
        "1.8",
        "-Xlint:all,-processing",
        "-Aproject=g/a",
        "-Averbose=true",
        "-parameters",
        "{repository}/p/p/1/p-1.jar",
        "-Adot=.",
        pytest.param(f"-AskipDefs=^({'|'.join(f'org.Some{n}' for n in range(99))})$", id="a long expression"),
        "--add-exports=java.base/sun.security=ALL-UNNAMED",
        "stubs",
    ],
)
def test_others_name_none(word: str, checkout: Path) -> None:
    assert not list(reads_files([word], checkout, "core"))
