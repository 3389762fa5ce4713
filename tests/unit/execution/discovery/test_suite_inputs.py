"""What counts as an input of a test class, and what does not ("Test selection")."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from testevo.builds.compilation.project_classes import ProjectClass, ProjectClasses
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.model.model import RunSettings
from testevo.builds.project.jdks import Jdk
from testevo.execution.discovery.suite_inputs import CheckoutFiles, dynamically_loaded, suite_inputs
from testevo.execution.jvms.class_loading import arguments, read
from testevo.execution.runner import ModuleRun
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.verdicts import Outcome
from tests.java_versions import JDKS

MakeTree = Callable[..., BuiltTree]

CLASSES = ProjectClasses(
    {
        "a.OneTest": ProjectClass("t1", ("a.OneTest$In", "a.Used")),
        "a.OneTest$In": ProjectClass("t2", ()),
        "a.OtherTest": ProjectClass("t3", ()),
        "a.LooksAtCodeTest": ProjectClass("t4", (), reads_code=True),
        "a.Used": ProjectClass("p1", ("a.Deep",)),
        "a.Deep": ProjectClass("p2", ("a.Used",)),
        "a.Unused": ProjectClass("p3", ()),
    },
    "resources",
)
FILES = CheckoutFiles("data", "code")


def with_class(name: str, digest: str) -> ProjectClasses:
    return replace(CLASSES, classes={**CLASSES.classes, name: replace(CLASSES.classes[name], digest=digest)})


@pytest.fixture
def tree(make_tree: MakeTree) -> BuiltTree:
    names = ("OneTest", "OtherTest", "LooksAtCodeTest")
    sources = {f"a/{name}.java": f"package a; class {name} {{}}" for name in names}
    built = make_tree(sources, framework="junit4")
    keys = tuple(f"key {number}" for number in range(len(built.modules[0].class_path)))
    return replace(built, modules=(replace(built.modules[0], class_path_keys=keys),))


def inputs(
    tree: BuiltTree,
    classes: ProjectClasses = CLASSES,
    files: CheckoutFiles = FILES,
    runner: str = "runner",
    **module: Any,
) -> dict[str, str]:
    changed: BuiltModule = replace(tree.modules[0], **module)
    return suite_inputs(tree, changed, classes, files, runner)


def changed(tree: BuiltTree, *others: Any, **more: Any) -> set[str]:
    """The test classes whose inputs differ from the plain ones."""
    one, other = inputs(tree), inputs(tree, *others, **more)
    assert one.keys() == other.keys() == {"a.OneTest", "a.OtherTest", "a.LooksAtCodeTest"}
    return {name for name in one if one[name] != other[name]}


EVERY = {"a.OneTest", "a.OtherTest", "a.LooksAtCodeTest"}


@pytest.mark.parametrize("name", ["a.OneTest", "a.OneTest$In", "a.Used", "a.Deep"])
def test_a_change_of_a_class_concerns_the_test_classes_that_reach_it(tree: BuiltTree, name: str) -> None:
    assert changed(tree, with_class(name, "changed")) == {"a.OneTest", "a.LooksAtCodeTest"}


def test_a_class_that_looks_at_code_has_all_code_as_input(tree: BuiltTree) -> None:
    assert changed(tree, with_class("a.Unused", "changed")) == {"a.LooksAtCodeTest"}
    assert changed(tree, files=CheckoutFiles("data", "changed")) == {"a.LooksAtCodeTest"}


def test_everything_around_is_an_input_of_all_test_classes(tree: BuiltTree) -> None:
    module = tree.modules[0]
    jar = module.class_path_keys[-1]
    assert changed(tree, replace(CLASSES, resources="changed")) == EVERY
    assert changed(tree, files=CheckoutFiles("changed", "code")) == EVERY
    assert changed(tree, runner="other limits") == EVERY
    assert changed(tree, class_path_keys=(*module.class_path_keys[:-1], f"{jar} changed")) == EVERY
    assert changed(tree, jvm_arguments=("-Dswitch=on",)) == EVERY
    assert changed(tree, environment={"SWITCH": "on"}) == EVERY
    assert changed(tree, engine_jars=(Path("engine-5.9.jar"),)) == EVERY
    other_jdk = replace(tree, jdk=replace(tree.jdk, version="17.0.99"))
    assert inputs(other_jdk).items().isdisjoint(inputs(tree).items())


def test_what_a_build_tells_junit_is_an_input_of_all_test_classes(tree: BuiltTree) -> None:
    settings = [
        RunSettings(included_tags=("quick",)),
        RunSettings(excluded_tags=("quick",)),
        RunSettings(older_categories=True),
        RunSettings(configuration_parameters=("a", "b")),
        RunSettings(configuration_parameters=("a", "", "b")),
        RunSettings(jvm_per_class=True),
        RunSettings(working_directory="target"),
    ]
    assert all(changed(tree, settings=one) == EVERY for one in settings)
    assert len({tuple(inputs(tree, settings=one).values()) for one in settings}) == len(settings)


def test_where_a_checkout_lies_is_no_input(tree: BuiltTree) -> None:
    module = tree.modules[0]
    elsewhere = module.folder.parent / "elsewhere"
    moved = replace(tree, checkout=replace(tree.checkout, revision="other", folder=elsewhere))
    option = "-Dfile={}/data.txt"
    here = inputs(tree, jvm_arguments=(option.format(module.folder),))
    assert here == inputs(moved, jvm_arguments=(option.format(elsewhere),), folder=elsewhere)
    assert here != inputs(tree)


SUITES = {
    "a/OneTest.java": "package a; public class OneTest {}",
    "a/Helper.java": "package a; public class Helper {}",
    "a/TestAll.java": """package a;
import org.junit.runners.Suite;
@org.junit.runner.RunWith(Suite.class) @Suite.SuiteClasses(OneTest.class) public class TestAll {}
""",
    "a/TestPrepared.java": """package a;
import org.junit.runners.Suite;
@org.junit.runner.RunWith(Suite.class) @Suite.SuiteClasses(OneTest.class) public class TestPrepared {
  @org.junit.BeforeClass public static void prepare() {}
}
""",
    "a/TestMore.java": """package a;
import org.junit.runners.Suite;
@org.junit.runner.RunWith(Suite.class) @Suite.SuiteClasses({OneTest.class, Helper.class}) public class TestMore {}
""",
}


def test_a_bare_suite_of_classes_that_run_by_themselves_has_none_of_their_inputs(make_tree: MakeTree) -> None:
    """Else every change would run all classes, twice; suites with code or with other classes keep their inputs."""
    built = make_tree(SUITES, framework="junit4")
    module = replace(built.modules[0], class_path_keys=("key",) * len(built.modules[0].class_path))
    references = {
        "a.OneTest": (),
        "a.TestAll": ("a.OneTest",),
        "a.TestPrepared": ("a.OneTest",),
        "a.TestMore": ("a.OneTest", "a.Helper"),
        "a.Helper": (),
    }

    def known(digest: str) -> ProjectClasses:
        found = {name: ProjectClass("same", names) for name, names in references.items()}
        return ProjectClasses({**found, "a.OneTest": ProjectClass(digest, ())}, "")

    one, other = (suite_inputs(built, module, known(digest), FILES, "runner") for digest in ("old", "new"))
    assert {name for name in one if one[name] != other[name]} == {"a.OneTest", "a.TestPrepared", "a.TestMore"}


BLOBS = {"pom.xml": "1", "src/main/java/A.java": "1", "src/test/resources/data.csv": "1", "README.md": "1"}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("README.md", False),
        ("docs/guide/index.html", False),
        ("core/LICENSE.txt", False),
        (".github/ci.yml", False),
        ("pom.xml", False),
        ("core/pom.xml", False),
        (".mvn/jvm.config", False),
        ("src/main/java/B.java", False),
        ("src/test/resources/data.csv", True),
        ("src/test/inputs/B.java", True),
        ("samples/B.java", True),
        ("src/test/resources/pom.xml", True),
        ("src/test/docs/notes.md", True),
        ("data.txt", True),
        ("core/model.conf", True),
    ],
)
def test_files_are_data_or_code(path: str, data: bool) -> None:
    before, after = (CheckoutFiles.of(blobs, ["src/main/java"]) for blobs in (BLOBS, {**BLOBS, path: "2"}))
    assert (before.data != after.data) is data
    assert (before.code != after.code) is not data


def test_paths_that_are_no_text_can_be_inputs() -> None:
    assert CheckoutFiles.of({"data-\udcff": "1"}, []) != CheckoutFiles.of({"data-\udcfe": "1"}, [])


REFLECTIVE = {
    "a/NamedTest.java": """package a;
public class NamedTest {
  @org.junit.Test public void finds() throws Exception {
    String suffix = System.getProperty("no.such", "Hidden");
    Class.forName(getClass().getPackage().getName() + "." + suffix).getDeclaredConstructor().newInstance();
  }
}
""",
    "a/PlainTest.java": "package a; public class PlainTest { @org.junit.Test public void runs() {} }",
}
HIDDEN = {
    "a/Hidden.java": "package a; class Hidden { Hidden() { new Helper(); } }",
    "a/Helper.java": "package a; class Helper {}",
    "a/Idle.java": "package a; class Idle {}",
}


@pytest.mark.usefixtures("launcher")
def test_classes_found_by_names_put_together_at_run_time_are_unexplained(make_tree: MakeTree, tmp_path: Path) -> None:
    built = make_tree(REFLECTIVE, HIDDEN, framework="junit4")
    known = ProjectClasses(
        {name: ProjectClass("d", ()) for name in ("a.NamedTest", "a.PlainTest", "a.Hidden", "a.Helper", "a.Idle")}, ""
    )
    runner = OneShotRunner(tmp_path / "runs")
    (named,) = runner.run_classes(built, {"": ["a.NamedTest"]}, watch_loading=True)
    assert [test.outcome for test in named.tests] == [Outcome.PASSED]
    assert dynamically_loaded(named, known) == ("a.Helper", "a.Hidden")
    (plain,) = runner.run_classes(built, {"": ["a.PlainTest"]}, watch_loading=True)
    assert dynamically_loaded(plain, known) == ()
    assert [test.test.type_name for test in plain.tests] == ["a.PlainTest"]


def test_classes_reached_by_name_are_explained() -> None:
    run = ModuleRun("", ("a.OneTest",), (), loaded=frozenset({"a.Deep", "a.Unused", "java.lang.Object"}))
    assert dynamically_loaded(run, CLASSES) == ("a.Unused",)


def test_a_log_of_loaded_classes_names_no_class_made_at_run_time(tmp_path: Path) -> None:
    log = tmp_path / "loading"
    assert read(log.parent, log.name) is None
    log.write_text("a.B source: file:/x/\na.B$$Lambda/0x0001 source: a.B\n\n")
    assert read(log.parent, log.name) == {"a.B"}


def test_a_log_of_loaded_classes_by_jdk_8_is_read_too(tmp_path: Path) -> None:
    log = tmp_path / "loading"
    log.write_text(
        "<vm_arguments>\n<command>\na.Main\n</command>\n<writer thread='1'/>\n"
        "[Loaded a.B from file:/x/]\n[Loaded a.B$1]\n[Loaded a.B$$Lambda$1/2504 from a.B]\n<tty_done stamp='0.3'/>\n"
    )
    assert read(log.parent, log.name) == {"a.B", "a.B$1"}


@pytest.mark.parametrize("jdk", JDKS)
def test_every_jdk_tells_what_it_loads_and_leaves_the_output_to_the_program(jdk: Jdk, tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text(
        "public class A { public static void main(String[] a) { new Object() {}; System.out.print(a[0]); } }"
    )
    subprocess.run([jdk.home / "bin" / "javac", "A.java"], cwd=tmp_path, check=True)
    log = tmp_path / "load ing"
    command = [jdk.home / "bin" / "java", *arguments(jdk, log), "-cp", ".", "A", "said"]
    finished = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert (finished.stdout, finished.stderr) == ("said", "")
    loaded = read(log.parent, log.name)
    assert loaded is not None and {"A", "A$1", "java.lang.Object"} <= loaded
