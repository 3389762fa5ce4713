"""What annotation processors read beside the sources."""

from pathlib import Path

import pytest

from testevo.builds.compilation.lombok_config import UnknownImportError, lombok_files
from testevo.builds.compilation.own_processors import own_processor
from testevo.builds.model.sources import SourceView
from testevo.builds.project.processors import OFFERS


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def test_lombok_files_are_those_of_the_name_and_their_imports(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "lombok.config": "import conf/common.txt\nlombok.copyableAnnotations += a.B\n",
            "conf/common.txt": "  import ../core/more.config\n",
            "core/more.config": "import ../lombok.config\n",
            "core/src/main/java/lombok.config": "",
            "other.config": "",
        },
    )
    found = ["conf/common.txt", "core/more.config", "core/src/main/java/lombok.config", "lombok.config"]
    assert lombok_files(SourceView(tmp_path)) == found


@pytest.mark.parametrize("name", ["../x.config", "/etc/x.config", "~/x.config", "<HOME>/x", "a.jar", "a.jar!b", "none"])
def test_an_import_from_elsewhere_is_named(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"lombok.config": f"import {name}", "a.jar": ""})
    with pytest.raises(UnknownImportError, match=r"lombok.config imports .*, which is no file of the project"):
        lombok_files(SourceView(tmp_path))


def test_replaced_sources_have_them_around(tmp_path: Path) -> None:
    write(tmp_path / "checkout", {"lombok.config": "old", "core/lombok.config": "core", "A.java": "class A {}"})
    replaced = {"core/A.java": b"class A { }", "lombok.config": b"new"}
    view = SourceView(tmp_path / "checkout", replaced, tmp_path / "overlay")
    view.show_beside_replaced(lombok_files(view))
    assert (tmp_path / "overlay/lombok.config").read_text() == "new"
    assert (tmp_path / "overlay/core/lombok.config").read_text() == "core"


def test_a_processor_of_the_project_is_told_from_one_in_a_library(tmp_path: Path) -> None:
    own, library = tmp_path / "own", tmp_path / "library"
    write(library, {OFFERS[0]: "l.P"})
    write(own, {"o/P.class": ""})
    path = [own, library]
    assert own_processor((), path, [own]) is None
    assert own_processor(("-processor", "l.P"), path, [own]) is None
    assert own_processor(("-processor", "l.P,o.P"), path, [own]) == "o.P"
    assert own_processor(("-processor", "x" * 300), path, [own]) is None
    write(own, {OFFERS[0]: "o.P"})
    assert own_processor((), path, [own]) == OFFERS[0]
    assert own_processor(("-proc:none",), path, [own]) is None
    assert own_processor((), [library], [own]) is None
