"""Files of a checkout as a build sees them; resources and files that Maven made."""

from pathlib import Path

import pytest

from testevo.builds.model.model import Compilation, ResourceFolder, SideModel
from testevo.builds.model.resources.saved_files import names_folder, place_resources, save_outputs
from testevo.builds.model.sources import SourceView, selected


@pytest.mark.parametrize(
    ("path", "pattern", "matches"),
    [
        ("a/b/FooTest.java", "**/*Test.java", True),
        ("FooTest.java", "**/*Test.java", True),
        ("a/FooTests.java", "**/*Test.java", False),
        ("a/b/c.txt", "a/**", True),
        ("a/b/c.txt", "a/", True),
        ("ab/c.txt", "a/**", False),
        ("a/b.txt", "*.txt", False),
        ("a", "a/**", True),
        ("a/b/c.txt", "**", True),
        ("a/b/c.txt", "a/**/**", True),
        ("a/b/c.txt", "a/**/c.txt", True),
        ("a/c.txt", "a/**/c.txt", True),
        ("b.xml", "**.xml", True),
        ("a/b.xml", "**.xml", False),
        ("a/b/c.xml", "a/**.xml", False),
        ("a/c.xml", "a/**.xml", True),
        ("x.txt", "?.txt", True),
        ("a/Outer$Inner.java", "**/*$*", True),
    ],
)
def test_ant_patterns(path: str, pattern: str, matches: bool) -> None:
    assert selected(path, (pattern,), ()) is matches
    assert selected(path, (), (pattern,)) is not matches


def write(folder: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def test_replaced_files_shadow_the_checkout_without_touching_it(tmp_path: Path) -> None:
    write(tmp_path / "c", {"src/A.java": "a", "src/p/B.java": "b", "src/C.txt": "c"})
    replaced = {"src/A.java": b"new", "src/p/B.java": None, "src/D.java": b"d"}
    view = SourceView(tmp_path / "c", replaced, tmp_path / "o")
    assert view.java_files(["src"], (), ()) == ["src/A.java", "src/D.java"]
    assert view.java_files(["src"], (), ("A*",)) == ["src/D.java"]
    assert view.file("src/A.java").read_bytes() == b"new"
    assert (tmp_path / "c" / "src" / "A.java").read_text() == "a"
    assert view.relative(str(tmp_path / "o" / "src" / "D.java")) == "src/D.java"


def test_the_key_of_sources_depends_on_paths_and_bytes_only(tmp_path: Path) -> None:
    for name in ("x", "y"):
        write(tmp_path / name, {"A.java": "a", "B.java": "b"})
    one, two = SourceView(tmp_path / "x"), SourceView(tmp_path / "y")
    assert one.key(["A.java", "B.java"]) == two.key(["A.java", "B.java"])
    assert one.key(["A.java"]) != one.key(["B.java"])


def side(*folders: ResourceFolder) -> SideModel:
    return SideModel(
        output="{checkout}/target/classes",
        compilations=(Compilation(execution="c", roots=("src",)),),
        resources=folders,
        default_excludes=("**/.gitignore",),
    )


def test_filtered_resources_are_mavens_own_or_need_maven(tmp_path: Path) -> None:
    """A filtered file is never guessed: equal source -> Maven's result; no placeholder -> copy; else Maven."""
    checkout, saved = tmp_path / "c", tmp_path / "saved"
    write(checkout, {"r/app.properties": "v=${v}", "r/plain.txt": "no mark", "r/.gitignore": "x"})
    made = {"app.properties": "v=1", "plain.txt": "no mark", "build-info.txt": "i", "A.class": "x"}
    write(checkout / "target/classes", made)
    model = side(ResourceFolder(folder="r", filtered=True))
    filtered, extra = save_outputs(checkout, checkout / "target/classes", model, saved, compiled=True)
    assert [item.path for item in extra] == ["build-info.txt"]
    model = model.model_copy(update={"filtered": filtered, "extra": extra})

    placed = place_resources(SourceView(checkout), model, saved)
    assert placed.unsolved is None
    assert {path: file.read_text() for path, file in placed.files.items()} == {
        "app.properties": "v=1",
        "plain.txt": "no mark",
        "build-info.txt": "i",
    }

    write(checkout, {"r/plain.txt": "still none"})
    assert place_resources(SourceView(checkout), model, saved).files["plain.txt"].read_text() == "still none"
    write(checkout, {"r/app.properties": "w=${w}"})
    assert place_resources(SourceView(checkout), model, saved).unsolved == (
        "the filtered resource r/app.properties differs from the one Maven filtered"
    )


def test_a_file_that_maven_made_may_name_the_folder_of_the_build(tmp_path: Path) -> None:
    checkout, output = tmp_path / "checkout", tmp_path / "checkout/target/classes"
    write(checkout, {"r/a.txt": "${a}", "r/b.txt": "${project.basedir}/b"})
    write(output, {"a.txt": "a", "b.txt": f"{checkout}/b", "c.txt": f"file://{output}"})
    (tmp_path / "link").symlink_to(checkout)
    for folder in (checkout, tmp_path / "link"):
        for excluded, named in (("", "b.txt"), ("b.txt", None)):
            model = side(ResourceFolder(folder="r", filtered=True, excludes=(excluded,)))
            filtered, extra = save_outputs(folder, output, model, tmp_path / "saved", compiled=True)
            model = model.model_copy(update={"filtered": filtered})
            assert names_folder(output, model, folder) == named
            assert names_folder(output, model.model_copy(update={"extra": extra}), folder) == (named or "b.txt")


def test_targets_are_kept(tmp_path: Path) -> None:
    write(tmp_path, {"one/a.txt": "1", "two/b.txt": "2", "LICENSE": "l"})
    licence = ResourceFolder(folder="", target="META-INF", includes=("LICENSE",))
    folders = (ResourceFolder(folder="one"), ResourceFolder(folder="one"), ResourceFolder(folder="two"), licence)
    placed = place_resources(SourceView(tmp_path), side(*folders), tmp_path / "s")
    assert placed.unsolved is None
    assert {path: file.read_text() for path, file in placed.files.items()} == {
        "a.txt": "1",
        "b.txt": "2",
        "META-INF/LICENSE": "l",
    }


@pytest.mark.parametrize("other", [ResourceFolder(folder="two"), ResourceFolder(folder="one", filtered=True)])
def test_one_resource_from_several_places_or_filtered_and_not_needs_maven(
    other: ResourceFolder, tmp_path: Path
) -> None:
    write(tmp_path, {"one/a.txt": "v=${v}", "two/a.txt": "2"})
    for folders in ((ResourceFolder(folder="one"), other), (other, ResourceFolder(folder="one"))):
        placed = place_resources(SourceView(tmp_path), side(*folders), tmp_path / "s")
        assert (placed.files, placed.unsolved) == ({}, "several entries of the resources plugin write a.txt")


@pytest.mark.parametrize(
    ("includes", "is_direct"),
    [((), False), (("**/*.txt",), False), (("data/a.txt",), False), (("*.txt", "LICENSE", "other/**"), True)],
)
def test_resources_below_a_link_to_a_folder_need_maven(
    includes: tuple[str, ...], is_direct: bool, tmp_path: Path
) -> None:
    write(tmp_path, {"shared/a.txt": "a", "r/LICENSE": "l"})
    (tmp_path / "r" / "data").symlink_to("../shared")
    model = side(ResourceFolder(folder="r", includes=includes))
    said = place_resources(SourceView(tmp_path), model, tmp_path / "s").unsolved
    assert said == (None if is_direct else "the resources hold r/data, a link to a folder")


def test_what_can_be_executed_is_known_where_the_plugin_keeps_it(tmp_path: Path) -> None:
    checkout, saved = tmp_path / "c", tmp_path / "saved"
    write(checkout, {"r/run.sh": "one", "r/plain.txt": "two"})
    (checkout / "r/run.sh").chmod(0o755)
    older = side(ResourceFolder(folder="r"))
    newer = older.model_copy(update={"keeps_modes": True})
    assert place_resources(SourceView(checkout), older, saved).executable == frozenset()
    assert place_resources(SourceView(checkout), newer, saved).executable == {"run.sh"}
    replaced = SourceView(checkout, {"r/run.sh": b"three", "r/new.sh": b"four"}, tmp_path / "overlay")
    assert place_resources(replaced, newer, saved).executable == {"run.sh"}


def test_what_is_copied_only_after_compiling_is_known(tmp_path: Path) -> None:
    write(tmp_path, {"one/a.txt": "1", "one/b.txt": "2"})
    late = ResourceFolder(folder="one", after_compiling=True)
    early = ResourceFolder(folder="one", includes=("a.txt",))
    for folders in ((early, late), (late, early)):
        placed = place_resources(SourceView(tmp_path), side(*folders), tmp_path / "s")
        assert (set(placed.files), placed.late, placed.unsolved) == ({"a.txt", "b.txt"}, {"b.txt"}, None)
