"""The launcher chooses tests by categories of JUnit 4 with the rules of Surefire (`tests/features` compares both)."""

from pathlib import Path

import pytest
from launched_tests import Launcher, class_path, compile_java, fetch_jars

from testevo.runtime.files.jars import JARS

pytestmark = pytest.mark.maven

QUICK, HASTY, OTHER = "c.MixedTest$Quick", "c.MixedTest$Hasty", "c.MixedTest$VeryQuick"


@pytest.fixture(scope="module")
def jars(request: pytest.FixtureRequest) -> Path:
    return fetch_jars(request.config.cache.mkdir("junit-jars"))


@pytest.fixture(scope="module")
def launcher(jdk_home: Path, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Launcher:
    if not (JARS / "launcher.jar").is_file():
        pytest.skip("jvm/lib/launcher.jar is not built (make setup)")
    folder = tmp_path_factory.mktemp("categories")
    libraries = class_path(jars, "junit-4.13.2")
    return Launcher(
        jdk_home, "junit4", (compile_java(jdk_home, ("categories",), folder / "c", libraries), *libraries), folder
    )


def chosen(launcher: Launcher, *selections: str, settings: tuple[str, ...], own_loader: bool = False) -> list[str]:
    run = launcher.run(*selections, settings=settings, own_loader=own_loader)
    assert run.ended, run.output
    assert all(event["outcome"] == "passed" for event in run.of("finished"))
    return sorted(f"{event['class']}#{event['method']}" for event in run.of("finished"))


@pytest.mark.parametrize(
    ("settings", "methods"),
    [
        ((f"include-tag {QUICK}",), ["hasty", "quick"]),
        ((f"include-tag {QUICK}.class",), ["hasty", "quick"]),
        ((f"include-tag {HASTY}",), ["hasty"]),
        (("include-tag Quick",), ["quick", "veryQuick"]),
        (("include-tag Nowhere",), []),
        ((f"exclude-tag {QUICK}",), ["none", "veryQuick"]),
        ((f"include-tag {QUICK}", f"exclude-tag {HASTY}"), ["quick"]),
        ((f"include-tag {HASTY}", f"include-tag {OTHER}", "exclude-tag Nowhere"), ["hasty", "veryQuick"]),
        ((), ["hasty", "none", "quick", "veryQuick"]),
    ],
)
@pytest.mark.parametrize("own_loader", [False, True])
def test_a_category_holds_what_extends_it_and_names_that_end_like_it(
    launcher: Launcher, settings: tuple[str, ...], methods: list[str], own_loader: bool
) -> None:
    found = chosen(launcher, "c.MixedTest", settings=settings, own_loader=own_loader)
    assert found == [f"c.MixedTest#{name}" for name in methods]


@pytest.mark.parametrize(
    ("older", "tests"),
    [((), ["c.OldTest#testOne", "c.OverTest#own"]), (("older-categories true",), ["c.OldTest#testOne"])],
)
def test_a_class_has_the_categories_above_it_by_the_newer_rules(
    launcher: Launcher, older: tuple[str, ...], tests: list[str]
) -> None:
    settings = (f"include-tag {QUICK}", *older)
    assert chosen(launcher, "c.OldTest", "c.OverTest", settings=settings) == tests


def test_a_method_that_the_categories_leave_out_is_not_found(launcher: Launcher) -> None:
    settings = (f"include-tag {QUICK}",)
    run = launcher.run("c.MixedTest#none()", "c.MixedTest#quick()", "c.OldTest#testOne()", settings=settings)
    assert [event["selection"] for event in run.of("not_found")] == ["c.MixedTest#none()"]
    assert "of the build's categories" in run.of("not_found")[0]["reason"]
    assert [event["method"] for event in run.of("finished")] == ["quick", "testOne"]


def test_an_abstract_class_runs_where_it_encloses_tests_and_others_do_not(launcher: Launcher) -> None:
    selections = ("c.OuterTest", "c.OuterTest$Numbers", "c.QuickBase")
    assert chosen(launcher, *selections, settings=(f"include-tag {HASTY}",)) == ["c.OuterTest$One#one"]


def test_an_old_junit_without_categories_is_an_error(jdk_home: Path, jars: Path, tmp_path: Path) -> None:
    """The build then needs Surefire; to run all tests would be wrong."""
    libraries = class_path(jars, "junit-4.4")
    old = Launcher(
        jdk_home, "junit4", (compile_java(jdk_home, ("junit3",), tmp_path / "c", libraries), *libraries), tmp_path
    )
    run = old.run("p.OldTest", settings=("include-tag a.B",))
    assert not run.ended
    assert "no categories" in run.of("error")[0]["message"]
