"""Files beside the classes are processors' or goals', or nobody knows whose."""

import zipfile
from pathlib import Path

import pytest
from pydantic import JsonValue

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.build_record import BuildRecord, Goal, Project
from testevo.builds.model.maven_model import ModelRun, read_maven_model
from testevo.builds.model.model import Compilation, Places, SavedFile, SideModel
from testevo.builds.model.resources.plugin_files import PluginFiles, runs_processors
from testevo.builds.project.processors import OFFERS

OUTPUT = "{checkout}/target/classes"


def goal(plugin: str, name: str, settings: dict[str, JsonValue]) -> Goal:
    return Goal(plugin=plugin, goal=name, execution="e", settings=settings)


@pytest.mark.parametrize(
    ("written_by", "path", "is_known"),
    [
        (goal("spring-boot-maven-plugin", "build-info", {"outputFile": f"{OUTPUT}/META-INF/i.txt"}), "i.txt", True),
        (goal("spring-boot-maven-plugin", "build-info", {"outputFile": f"{OUTPUT}/META-INF/i.txt"}), "j.txt", False),
        (goal("maven-bundle-plugin", "manifest", {"manifestLocation": f"{OUTPUT}/META-INF"}), "MANIFEST.MF", True),
        (goal("maven-bundle-plugin", "manifest", {"manifestLocation": f"{OUTPUT}/META-INF"}), "a.xml", False),
        (goal("other-plugin", "write", {"files": [f"{OUTPUT}/META-INF/a.txt"]}), "a.txt", True),
        (goal("other-plugin", "write", {"folder": f"{OUTPUT}/META-INF"}), "MANIFEST.MF", False),
        (goal("maven-resources-plugin", "resources", {"x": f"{OUTPUT}/META-INF/a.txt"}), "a.txt", False),
    ],
)
def test_a_goal_says_which_file_it_writes(written_by: Goal, path: str, is_known: bool) -> None:
    files = PluginFiles.of(Project(folder="{checkout}", goals=(written_by,)), OUTPUT)
    assert files.has(f"META-INF/{path}") is is_known
    unexplained = files.unexplained([SavedFile(path=f"META-INF/{path}", digest="d")])
    assert unexplained == (None if is_known else f"META-INF/{path}")
    assert files.has("META-INF/jpms.args"), "the compiler plugin writes it"


def test_processors_run_where_a_library_offers_one(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "p.jar", "w") as jar:
        jar.writestr(OFFERS[0], "p.P")

    def runs(*options: str, jdk: int = 17) -> bool:
        compilation = Compilation(execution="e", roots=(), options=options, class_path=("{repository}/p.jar", OUTPUT))
        side = SideModel(output=OUTPUT, compilations=(compilation,))
        return runs_processors(side, Places(tmp_path / "c", tmp_path, tmp_path / "j"), jdk)

    assert runs() and not runs("-proc:none")
    assert not runs(jdk=23), "javac wants to be asked since"
    assert runs("-proc:full", jdk=23) and runs("-processor", "p.P", jdk=23)


@pytest.mark.parametrize("made", ["made.txt", "META-INF/services/a.S"])
@pytest.mark.parametrize("offers", [True, False])
def test_a_file_that_neither_explains_is_the_processors_or_needs_maven(offers: bool, made: str, tmp_path: Path) -> None:
    classes = tmp_path / "target/classes"
    (tmp_path / "src").mkdir()
    (classes / made).parent.mkdir(parents=True)
    (classes / made).write_text("made")
    (tmp_path / "p.jar").write_bytes(b"")
    with zipfile.ZipFile(tmp_path / "p.jar", "w") as jar:
        jar.writestr(OFFERS[0] if offers else "a.txt", "p.P")
    settings: dict[str, JsonValue] = {
        "compileSourceRoots": ["{checkout}/src"],
        "outputDirectory": OUTPUT,
        "compilePath": ["{repository}/p.jar"],
    }
    record = BuildRecord(
        projects=(Project(folder="{checkout}", goals=(goal("maven-compiler-plugin", "compile", settings),)),)
    )
    places = Places(tmp_path, tmp_path / ".", tmp_path / "jdk")
    model = read_maven_model(
        ModelRun(tmp_path, record, places, compiled=True), "f", 17, None, plugin_skips(), tmp_path / "saved"
    )
    extra = [file.path for file in model.modules[0].production.extra]
    reason = f"{made} lies beside the classes, and no goal is known to have written it"
    assert (extra, model.needs_maven) == (([], None) if offers else ([made], reason))
