"""Reasons for Surefire hold for the module that has them, and for all where the tests of any module may feel them."""

from pathlib import Path

from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.model.build_record import BuildRecord, Goal, Project
from testevo.builds.model.maven_model import ModelRun, read_maven_model
from testevo.builds.model.model import BuildModel, ModuleModel, Places, SideModel
from tests.unit.builds.model.recorded_project import recorded_project

JUNIT = ("{repository}/junit/junit/4.13.2/junit-4.13.2.jar",)
TESTNG = ("{repository}/org/testng/testng/7.8.0/testng-7.8.0.jar",)
SUREFIRE = "<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version>{}</plugin>"
IN_PARALLEL = SUREFIRE.format("<configuration><parallel>classes</parallel></configuration>")
USUAL = SUREFIRE.format("")
LATE = (
    "<plugin><artifactId>an-enhancer</artifactId><executions><execution><phase>test</phase>"
    "<goals><goal>{}</goal></goals></execution></executions></plugin>"
)
PARALLEL = "maven-surefire-plugin sets parallel"
WEAVES = "an-enhancer:weave runs in the phase test"


def project(path: str, plugins: str, *, class_path: tuple[str, ...] = JUNIT, is_compiled: bool = True) -> Project:
    pom = f"<project><build><plugins>{plugins}</plugins></build></project>"
    goal = Goal(plugin="maven-compiler-plugin", goal="testCompile", execution="default-testCompile")
    found = recorded_project(pom, path=path, class_path=class_path)
    return found.model_copy(update={"goals": (goal,) if is_compiled else ()})


def model_of(folder: Path, *projects: Project) -> BuildModel:
    places = Places(folder, folder / "repository", folder / "jdk")
    run = ModelRun(folder, BuildRecord(projects=projects), places, compiled=False)
    return read_maven_model(run, "fingerprint", 17, None, plugin_skips(), folder / "saved")


def test_a_parameter_is_the_reason_of_its_module_alone(tmp_path: Path) -> None:
    model = model_of(tmp_path, project("a", IN_PARALLEL), project("b", USUAL))
    assert model.surefire == {"a": f"{PARALLEL} in module a"}
    assert model.needs_surefire is None


def test_where_no_module_with_tests_is_left_to_the_launcher_surefire_runs_all(tmp_path: Path) -> None:
    without_tests = project("c", USUAL, class_path=())
    model = model_of(tmp_path, project("a", IN_PARALLEL), project("b", IN_PARALLEL), without_tests)
    assert list(model.surefire) == ["a", "b"]
    assert model.needs_surefire == f"{PARALLEL} in module a"


def test_a_late_goal_is_the_reason_of_every_module_and_names_one(tmp_path: Path) -> None:
    """A module with one of its own keeps its text; so does one with another reason."""
    own = project("c", USUAL + LATE.format("weave"))
    model = model_of(tmp_path, project("a", IN_PARALLEL), project("b", USUAL), own, project("d", LATE.format("wrap")))
    assert model.surefire == {
        "a": f"{PARALLEL} in module a",
        "b": f"{WEAVES} in module c",
        "c": f"{WEAVES} in module c",
        "d": "no version of maven-surefire-plugin is known in module d",
    }


def test_a_late_goal_of_a_module_without_tests_counts_too(tmp_path: Path) -> None:
    aggregator = project("", LATE.format("weave"), class_path=(), is_compiled=False)
    without_tests = project("b", LATE.format("wrap"), class_path=())
    assert model_of(tmp_path, project("a", USUAL), without_tests).surefire == {
        "a": "an-enhancer:wrap runs in the phase test in module b"
    }
    assert model_of(tmp_path, aggregator, project("a", USUAL), without_tests).surefire == {"a": WEAVES}


def test_a_parent_that_only_compiles_has_no_tests_to_run(tmp_path: Path) -> None:
    """The executions of the compiler for its modules run in itself, too; Surefire is not bound there."""
    goal = Goal(plugin="maven-compiler-plugin", goal="compile", execution="base-compile")
    for class_path in (JUNIT, TESTNG):
        parent = project("", "", class_path=class_path).model_copy(update={"goals": (goal,)})
        model = model_of(tmp_path, parent, project("a", USUAL))
        assert model.surefire == {}
        assert [one.framework for one in model.modules] == ["none", "junit4"]
        late = model_of(tmp_path, parent, project("a", IN_PARALLEL), project("b", LATE.format("weave")))
        assert (list(late.surefire), late.needs_surefire) == (["a", "b"], f"{PARALLEL} in module a")


def test_a_module_that_surefire_tests_without_the_compiler_of_maven_has_tests(tmp_path: Path) -> None:
    goal = Goal(plugin="maven-compiler-plugin", goal="compile", execution="default-compile")
    tested = "<executions><execution><id>default-test</id><goals><goal>test</goal></goals></execution></executions>"
    other = project("a", SUREFIRE.format(tested)).model_copy(update={"goals": (goal,)})
    assert [one.framework for one in model_of(tmp_path, other).modules] == ["junit4"]


def test_a_reason_from_elsewhere_takes_no_place_of_an_own_one() -> None:
    side = SideModel(output="{checkout}/target/classes")
    tested = ModuleModel(path="a", production=side, test=side, framework="junit4")
    assert tested.with_surefire(None) == tested
    assert tested.with_surefire("said").needs_surefire == "said"
    assert tested.with_surefire("own").with_surefire("said").needs_surefire == "own"
    assert tested.model_copy(update={"framework": "none"}).with_surefire("said").needs_surefire is None
