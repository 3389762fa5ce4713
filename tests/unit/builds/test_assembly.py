"""From a build model to the built tree that runners take: its key, and what Surefire's settings do to it."""

import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from testevo.builds.assembly import built_tree
from testevo.builds.classes.session_listeners import SERVICE
from testevo.builds.engine import BuiltTree, Checkout
from testevo.builds.model.model import (
    BuildModel,
    Compilation,
    ModuleModel,
    Places,
    ResourceFolder,
    RunSettings,
    SideModel,
)
from testevo.builds.project.jdks import Jdk


def tree(checkout: Path = Path("/checkout"), *, arguments: tuple[str, ...] = (), **settings: Any) -> BuiltTree:
    """The tree of one module, none of whose folders is compiled, with settings of Surefire."""
    module = ModuleModel(
        path="",
        production=SideModel(output="{checkout}/target/classes"),
        test=SideModel(output="{checkout}/target/test-classes"),
        framework="platform",
        jvm_arguments=arguments,
        settings=RunSettings(**settings),
    )
    model = BuildModel(fingerprint="f", modules=(module,))
    places = Places(checkout, Path("/repository"), Path("/jdk"))
    revision = Checkout("some/project", "1a2b3c4d", checkout, "key")
    return built_tree(revision, Jdk(places.jdk, 17, "17"), model, places, lambda _: None, engine="direct")


def test_who_runs_the_tests_of_which_module_is_part_of_the_key() -> None:
    side = SideModel(output="{checkout}/target/classes")
    places = Places(Path("/checkout"), Path("/repository"), Path("/jdk"))
    revision, jdk = Checkout("some/project", "1a2b3c4d", places.checkout, "key"), Jdk(places.jdk, 17, "17")

    def made(**reasons: str) -> BuiltTree:
        modules = tuple(
            ModuleModel(path=path, production=side, test=side, framework="junit4", needs_surefire=reasons.get(path))
            for path in ("a", "b")
        )
        model = BuildModel(fingerprint="f", modules=modules)
        return built_tree(revision, jdk, model, places, lambda _: None, engine="direct")

    trees = [made(), made(a="x"), made(b="x"), made(a="x", b="y")]
    assert len({one.key for one in trees}) == len(trees)
    assert [[module.path for module in one.launched] for one in trees] == [["a", "b"], ["b"], ["a"], []]
    assert [one.why_surefire for one in trees] == [None, "x", "x", "x"]
    assert trees[3].surefire == {"a": "x", "b": "y"}
    assert made(a="another text").key == trees[1].key


def test_each_setting_of_the_tests_has_a_key_of_its_own() -> None:
    """One that went into no key would take verdicts over from a tree without it."""
    settings: list[dict[str, Any]] = [
        {},
        {"included_tags": ("quick",)},
        {"included_tags": ("quick", "quick")},
        {"excluded_tags": ("quick",)},
        {"excluded_tags": ("quick",), "older_categories": True},
        {"configuration_parameters": ("quick",)},
        {"configuration_parameters": ("quick", "")},
        {"jvm_per_class": True},
        {"older_start": True},
        {"working_directory": "quick"},
        {"arguments": ("quick",)},
    ]
    assert len({tree(**one).key for one in settings}) == len(settings)
    assert [tree(**one).key for one in settings] == [tree(**one).key for one in settings]


def test_settings_reach_the_built_module() -> None:
    given = RunSettings(included_tags=("a",), older_categories=True, configuration_parameters=("b",))
    assert tree(**dict(given)).modules[0].settings == given


def test_folders_of_test_resources_are_those_without_production_files() -> None:
    folders = ("src/test/resources", "samples", "src", "conf", "src/main/java", "src/test/resources")
    test, production = (
        SideModel(output=f"{{checkout}}/{name}", resources=tuple(ResourceFolder(folder=one) for one in own))
        for name, own in (("test-classes", folders), ("classes", ("conf/main",)))
    )
    production = production.model_copy(
        update={"compilations": (Compilation(execution="default-compile", roots=("src/main/java",)),)}
    )
    model = BuildModel(
        fingerprint="f", modules=(ModuleModel(path="", production=production, test=test, framework="platform"),)
    )
    places = Places(Path("/checkout"), Path("/repository"), Path("/jdk"))
    revision = Checkout("some/project", "1a2b3c4d", places.checkout, "key")
    made = built_tree(revision, Jdk(places.jdk, 17, "17"), model, places, lambda _: None, engine="direct")
    assert made.modules[0].test_resource_folders == ("src/test/resources", "samples")


def test_the_key_without_settings_stays() -> None:
    assert tree().key == "f8b0e748b09f3702c6b41d46d12e81d169cf96cb1481c231eb2492c8117e3402"


@pytest.mark.parametrize(
    ("path", "is_served"),
    [("target/new", True), ("data", True), ("data/file", False), pytest.param("n" * 300, False, id="too long")],
)
def test_tests_whose_working_directory_is_no_folder_need_surefire(
    tmp_path: Path, path: str, *, is_served: bool
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/file").write_text("")
    found = tree(tmp_path, working_directory=path)
    assert found.modules[0].start_folder == tmp_path / path
    assert found.surefire == ({} if is_served else {"": f"the working directory {path} is no folder"})


ON = b"# quick\njunit.jupiter.execution.parallel.enabled = true\n"


@pytest.mark.parametrize(
    ("own", "in_jar", "is_parallel"),
    [
        (None, None, False),
        (ON, None, True),
        (None, ON, True),
        (b"junit.jupiter.execution.parallel.enabled: True", None, True),
        (b"junit.jupiter.execution.parallel.enabled=false\n#junit.jupiter.execution.parallel.enabled=true", ON, False),
        (b"", ON, False),
        (b"junit.jupiter.params.displayname.default={displayName}", None, False),
        (b"a={b}\njunit.jupiter.execution.parallel.enabled = false", None, True),
        (b"junit.jupiter.execution.par\\u0061llel.enabled=true", None, True),
    ],
)
def test_tests_that_a_file_runs_in_parallel_need_surefire(
    tmp_path: Path, own: bytes | None, in_jar: bytes | None, *, is_parallel: bool
) -> None:
    """The first `junit-platform.properties` of the class path counts; one that cannot be read simply may say so."""
    needed = surefire_of(tmp_path, "junit-platform.properties", own, in_jar)
    assert needed("platform") == ({"": "junit-platform.properties runs tests in parallel"} if is_parallel else {})
    assert needed("junit4") == {}


def surefire_of(
    folder: Path, name: str, own: bytes | None, in_jar: bytes | None, **settings: Any
) -> Callable[[str], Mapping[str, str]]:
    """Why Surefire runs the tests of a module, by framework, with a file among its test classes, or in a jar."""
    tests = SideModel(output="{checkout}/target/test-classes")
    classes, jar = folder / "test-classes", folder / "a.jar"
    (classes / name).parent.mkdir(parents=True)
    if own is not None:
        (classes / name).write_bytes(own)
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("a.txt" if in_jar is None else name, in_jar or b"")
    entries = {tests.output: (classes, "1"), "{repository}/a": (jar, "2")}
    places = Places(folder, Path("/repository"), Path("/jdk"))
    revision, jdk = Checkout("some/project", "1a2b3c4d", folder, "key"), Jdk(places.jdk, 17, "17")

    def needed(framework: str) -> Mapping[str, str]:
        module = ModuleModel(
            path="",
            production=SideModel(output="{checkout}/target/classes"),
            test=tests,
            framework=framework,
            run_class_path=("{repository}/a",),
            settings=RunSettings(**settings),
        )
        model = BuildModel(fingerprint="f", modules=(module,))
        return built_tree(revision, jdk, model, places, entries.get, engine="direct").surefire

    return needed


@pytest.mark.parametrize("files", [(b"Sessions", None), (None, b"Sessions")])
@pytest.mark.parametrize("is_older", [False, True])
def test_tests_that_listen_to_sessions_need_a_surefire_that_opens_several(
    tmp_path: Path, files: tuple[bytes | None, bytes | None], *, is_older: bool
) -> None:
    needed = surefire_of(tmp_path, SERVICE, *files, older_start=is_older)
    assert list(needed("platform")) == ([""] if is_older else [])
    assert all("opens several sessions of the JUnit Platform" in why for why in needed("platform").values())
    assert needed("junit4") == {}
