"""What the resources plugin copies beside classes, and why Maven is needed, told by what Maven has recorded."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.build_record import BuildRecord, Goal, Project
from testevo.builds.model.maven_model import ModelRun, read_maven_model
from testevo.builds.model.model import BuildModel, Places, ResourceFolder

CORE = "{checkout}/core"
CLASSES, TEST_CLASSES = f"{CORE}/target/classes", f"{CORE}/target/test-classes"
COMPILE = Goal(
    plugin="maven-compiler-plugin", goal="compile", execution="default-compile", settings={"outputDirectory": CLASSES}
)
TEST_COMPILE = Goal(
    plugin="maven-compiler-plugin",
    goal="testCompile",
    execution="default-testCompile",
    settings={"outputDirectory": TEST_CLASSES},
)
NAME = "maven-resources-plugin:copy-resources"


def resource(folder: str = "data", target: str | None = None) -> JsonValue:
    return {"folder": folder, "target": target, "filtered": False, "includes": [], "excludes": []}


def copying(output: str, folder: JsonValue = None, goal: str = "copy-resources", **settings: JsonValue) -> Goal:
    told = {"outputDirectory": output, "resources": [folder or resource()], **settings}
    return Goal(plugin="maven-resources-plugin", goal=goal, execution="copy", settings=told)


def model_of(folder: Path, *goals: Goal, made: tuple[str, ...] = ()) -> BuildModel:
    record = BuildRecord(projects=(Project(folder=CORE, goals=goals),))
    places = Places(folder, folder / "repository", folder / "jdk")
    run = ModelRun(folder, record, places, compiled=False, is_made=lambda path: path in made)
    return read_maven_model(run, "fingerprint", 17, None, plugin_skips(), folder / "saved")


def why_maven(folder: Path, *goals: Goal, made: tuple[str, ...] = ()) -> str | None:
    said = model_of(folder, *goals, made=made).needs_maven
    return said and said.removesuffix(" in module core")


def test_what_goes_into_a_class_folder_or_below_it_is_served(tmp_path: Path) -> None:
    goals = (copying(f"{CLASSES}/META-INF"), copying(TEST_CLASSES, resource(target="t/")), COMPILE, TEST_COMPILE)
    model = model_of(tmp_path, *goals)
    assert model.needs_maven is None
    assert model.modules[0].production.resources == (ResourceFolder(folder="core/data", target="META-INF"),)
    assert model.modules[0].test.resources == (ResourceFolder(folder="core/data", target="t"),)


def test_all_that_is_copied_comes_in_the_order_of_the_goals(tmp_path: Path) -> None:
    usual = copying(CLASSES, resource(f"{CORE}/src/main/resources"), "resources")
    model = model_of(tmp_path, copying(CLASSES), usual, COMPILE, copying(f"{CLASSES}/a", resource(target="b")))
    found = [(one.folder, one.target, one.after_compiling) for one in model.modules[0].production.resources]
    assert found == [("core/data", "", False), ("core/src/main/resources", "", False), ("core/data", "a/b", True)]


@pytest.mark.parametrize(
    "output",
    [
        f"{CORE}/target/docker",
        f"{CORE}/target",
        f"{CORE}/target/classes2",
        f"{CLASSES}/../x",
        "{checkout}/app/target/classes",
        "/opt/classes",
    ],
)
def test_a_copy_elsewhere_may_be_read_by_tests(output: str, tmp_path: Path) -> None:
    assert why_maven(tmp_path, copying(output), COMPILE, TEST_COMPILE) == f"{NAME} copies to {output}"


def test_a_copy_into_documentation_is_not(tmp_path: Path) -> None:
    assert why_maven(tmp_path, copying(f"{CORE}/target/site/css"), COMPILE, TEST_COMPILE) is None


def test_a_module_that_compiles_nothing_has_no_class_folders(tmp_path: Path) -> None:
    assert why_maven(tmp_path, copying(CLASSES)) == f"{NAME} copies to {CLASSES}"


def test_one_folder_for_the_classes_of_both_sides_needs_maven(tmp_path: Path) -> None:
    both = TEST_COMPILE.model_copy(update={"settings": {"outputDirectory": CLASSES}})
    assert why_maven(tmp_path, copying(CLASSES), COMPILE, both) == f"{NAME} copies to {CLASSES}"


def test_a_copy_that_is_skipped_copies_nothing(tmp_path: Path) -> None:
    model = model_of(tmp_path, copying("/opt", skip="true"), copying(CLASSES, skip="true"), COMPILE, TEST_COMPILE)
    assert (model.needs_maven, model.modules[0].production.resources) == (None, ())


def test_a_parameter_is_judged_as_that_of_any_other_copy(tmp_path: Path) -> None:
    known: dict[str, JsonValue] = {"overwrite": "true", "escapeString": "\\", "nonFilteredFileExtensions": ["png"]}
    assert why_maven(tmp_path, copying(CLASSES, **known), COMPILE) is None
    said = why_maven(tmp_path, copying(CLASSES, delimiters=["#{*}"]), COMPILE)
    assert said == "maven-resources-plugin sets delimiters"


@pytest.mark.parametrize(
    ("goals", "reason"),
    [
        ((copying(CLASSES), COMPILE, TEST_COMPILE), None),
        ((COMPILE, copying(CLASSES), TEST_COMPILE), None),
        ((COMPILE, TEST_COMPILE, copying(TEST_CLASSES)), None),
        ((COMPILE, copying(CLASSES), COMPILE, TEST_COMPILE), "runs between two compilations"),
        ((COMPILE, TEST_COMPILE, copying(CLASSES)), f"copies to {CLASSES} behind the compilation of tests"),
        ((COMPILE, copying(CLASSES, goal="resources"), COMPILE), "runs between two compilations"),
    ],
)
def test_a_copy_that_some_compilations_see_and_some_do_not_needs_maven(
    goals: tuple[Goal, ...], reason: str | None, tmp_path: Path
) -> None:
    said = why_maven(tmp_path, *goals)
    assert (said and said.split(" ", 1)[1]) == reason


@pytest.mark.parametrize("goal", ["resources", "copy-resources"])
@pytest.mark.parametrize(
    ("folder", "read"),
    [
        ("data", "core/data"),
        ("./data/", "core/data"),
        (CORE, "core"),
        ("{checkout}", ""),
        (f"{CORE}/../app/src", "app/src"),
        ("../app/src", "app/src"),
        (f"{CORE}/../..cache", "..cache"),
        ("/etc/data", None),
        ("{checkout}-2/data", None),
        ("{checkout}/../data", None),
        (f"{CORE}/../../data", None),
        ("../..", None),
        ("{repository}/data", None),
    ],
)
def test_folders_are_read_where_they_lie(goal: str, folder: str, read: str | None, tmp_path: Path) -> None:
    model = model_of(tmp_path, copying(CLASSES, resource(folder), goal), COMPILE)
    if read is None:
        assert model.needs_maven == f"maven-resources-plugin:{goal} copies from {folder} in module core"
    else:
        assert model.needs_maven is None
        assert model.modules[0].production.resources == (ResourceFolder(folder=read),)


def test_nothing_outside_the_checkout_is_read(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x.txt").write_text("x")
    (tmp_path / "checkout").mkdir()
    for folder in (str(tmp_path / "outside"), "../../outside", "{repository}/data", "{checkout}/../outside"):
        model = model_of(tmp_path / "checkout", copying(CLASSES, resource(folder)), COMPILE)
        assert model.needs_maven == f"{NAME} copies from {folder} in module core"
        assert model.modules[0].production.resources == ()


@pytest.mark.parametrize("leads_to", ["../other/inner", "link", "missing"])
def test_a_folder_beyond_a_link_needs_maven(leads_to: str, tmp_path: Path) -> None:
    (tmp_path / "other/inner").mkdir(parents=True)
    (tmp_path / "core").mkdir()
    (tmp_path / "core/link").symlink_to(leads_to)
    folder = "link/../data"
    assert why_maven(tmp_path, copying(CLASSES, resource(folder)), COMPILE) == f"{NAME} copies from {folder}"


@pytest.mark.parametrize("goal", ["resources", "copy-resources"])
def test_what_the_build_has_made_needs_maven(goal: str, tmp_path: Path) -> None:
    folder = f"{CORE}/target/made"
    copy = copying(CLASSES, resource(folder), goal)
    assert why_maven(tmp_path, copy, COMPILE) is None, "no goal has made anything"
    (tmp_path / "core/target/made").mkdir(parents=True)
    (tmp_path / "core/target/made/x.txt").write_text("x")
    said = why_maven(tmp_path, copy, COMPILE, made=("core/target/made/x.txt",))
    assert said == f"maven-resources-plugin:{goal} copies from {folder}"
