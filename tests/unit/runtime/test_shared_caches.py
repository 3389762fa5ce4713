"""Processes that start at once on an empty cache and make the same entries: all succeed, and nothing is replaced.

A file that one of them has found in the cache may be open, mapped or watched from then on.
"""

import multiprocessing
import os
import traceback
import zipfile
from collections.abc import Callable, Mapping
from multiprocessing.synchronize import Barrier
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from testevo.builds.compilation.class_trees import ClassTreeStore, TreeOutcome
from testevo.builds.compilation.jar_packages import JarPackages
from testevo.builds.compilation.project_classes import ProjectClassReader
from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.maven import engine_jars, maven_run
from testevo.builds.maven.engine_jars import resolve_engine_jars
from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.equivalent_models import EquivalentModels
from testevo.builds.model.model import BuildModel, ModuleModel, Places, SideModel, read_model, write_model
from testevo.builds.model.resources.saved_files import save_outputs
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.local_repository import local_repository
from testevo.execution.jvms.archives import ClassArchive, ClassArchives
from testevo.grading.result_store import ResultStore, StoredGrade
from testevo.runtime.files.whole_files import copy_once, write_once

PROCESSES, ROUNDS = 4, 10
JDK = Jdk(Path("/jdk"), 17, "17.0.1")
CLASS = bytes.fromhex("cafebabe00000034")
MODEL = BuildModel(fingerprint="f", modules=())

Make = Callable[[Path, Path, Barrier], None]
"""Makes entries; given the cache, a folder with inputs, and the point where all processes meet."""


def jar(path: Path, name: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(f"{name}.class"), CLASS + f"{name}/Other".encode())
    return path


def whole_files(cache: Path, inputs: Path, together: Barrier) -> None:
    write_once(cache / "written", b"x" * 100_000)
    copy_once(inputs / "a.jar", cache / "copied")


def class_trees(cache: Path, inputs: Path, together: Barrier) -> None:
    def compile_into(classes: Path, scratch: Path) -> TreeOutcome:
        (classes / "A.class").write_bytes(CLASS)
        together.wait()  # nobody is done before everybody has begun
        return TreeOutcome(success=True)

    tree = ClassTreeStore(cache / "classes").make("0123", compile_into)
    assert (tree.folder / "A.class").read_bytes() == CLASS


def models(cache: Path, inputs: Path, together: Barrier) -> None:
    write_model(cache / "models" / "f" / "local.json", MODEL)
    EquivalentModels(cache / "models").keep("normalised", "local", MODEL, ["1.0"])
    assert read_model(cache / "models" / "f" / "local.json") == MODEL
    assert EquivalentModels(cache / "models").find("normalised", "local") == MODEL


def saved_files(cache: Path, inputs: Path, together: Barrier) -> None:
    side = SideModel(output="{checkout}/target/classes")
    _, extra = save_outputs(inputs, inputs / "output", side, cache / "models" / "files", compiled=True)
    assert len(extra) == 20
    for one in extra:
        content = (inputs / "output" / one.path).read_bytes()
        assert (cache / "models" / "files" / one.digest).read_bytes() == content


def jar_packages(cache: Path, inputs: Path, together: Barrier) -> None:
    assert JarPackages(cache / "jar-packages").speaks_of(inputs / "a.jar", "0123", "a")


def local_repositories(cache: Path, inputs: Path, together: Barrier) -> None:
    local = local_repository(cache, "owner/name", "https://mirror.example")
    Maven(local, JDK, plugin_skips()).command(offline=True)
    local.mark_proven("f")
    assert local.proven("f")
    assert b"mirror.example" in local.settings.read_bytes()


def engines(cache: Path, inputs: Path, together: Barrier) -> None:
    local = local_repository(cache, "owner/name", "https://mirror.example")
    side = SideModel(output="o")
    module = ModuleModel(path="", production=side, test=side, engine_jars=("g:engine:1",))
    places = Places(inputs, inputs, inputs)
    maven = Maven(local, JDK, plugin_skips())
    found = resolve_engine_jars(MODEL.model_copy(update={"modules": (module,)}), maven, places, offline=True)
    assert found.modules[0].engine_jars == (str(inputs / "a.jar"),)


def references(cache: Path, inputs: Path, together: Barrier) -> None:
    module: Any = SimpleNamespace(class_path=(inputs,), class_path_keys=("key",))
    worker: Any = SimpleNamespace(references=lambda folders: {"classes": [], "resources": "r" * 10_000})
    assert ProjectClassReader(cache / "references").read(module, lambda: worker).classes == {}


def grades(cache: Path, inputs: Path, together: Barrier) -> None:
    store = ResultStore(cache / "graded")
    store.put("0123", StoredGrade(methods=()))
    assert store.get("0123") == StoredGrade(methods=())


KINDS: Mapping[str, Make] = {
    make.__name__: make
    for make in (
        whole_files,
        class_trees,
        models,
        saved_files,
        jar_packages,
        local_repositories,
        engines,
        references,
        grades,
    )
}


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "inputs"
    jar(folder / "a.jar", "a")
    for number in range(20):
        (folder / "output").mkdir(exist_ok=True)
        (folder / "output" / f"{number}.txt").write_bytes(f"{number}".encode() * 10_000)
    monkeypatch.setattr(maven_run, "maven_command", lambda: Path("/usr/bin/mvn"))
    monkeypatch.setattr(engine_jars, "_asked", lambda *_, **__: (str(folder / "a.jar"),))
    return folder


def inodes(cache: Path) -> dict[str, int]:
    """Of all files but those that are being made."""
    found = {}
    for place, folders, files in os.walk(cache):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = [Path(place, name) for name in files if not name.startswith(".")]
        found |= {path.relative_to(cache).as_posix(): path.stat().st_ino for path in paths}
    return found


def at_once(make: Make, cache: Path, inputs: Path, rounds: int) -> list[dict[str, int]]:
    """What each process has found in the cache when it was done, by round and process; all have succeeded."""
    fork = multiprocessing.get_context("fork")
    together, said = fork.Barrier(PROCESSES), fork.Queue()

    def work() -> None:
        try:
            for number in range(rounds):
                together.wait(60)
                make(cache / str(number), inputs, together)
                said.put({f"{number}/{path}": inode for path, inode in inodes(cache / str(number)).items()})
        except Exception:  # noqa: BLE001 - told to the parent, which fails
            together.abort()
            said.put(traceback.format_exc())

    children = [fork.Process(target=work) for _ in range(PROCESSES)]
    for child in children:
        child.start()
    found: list[dict[str, int]] = []
    try:
        while len(found) < PROCESSES * rounds:
            answer = said.get(timeout=120)
            assert not isinstance(answer, str), answer
            found.append(answer)
    finally:
        for child in children:
            child.join(60)
    assert [child.exitcode for child in children] == [0] * PROCESSES
    return found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_nothing_that_a_process_has_found_is_replaced(kind: str, tmp_path: Path, inputs: Path) -> None:
    found = at_once(KINDS[kind], tmp_path / "cache", inputs, ROUNDS)
    at_the_end = inodes(tmp_path / "cache")
    assert at_the_end
    for one in found:
        assert one.items() <= at_the_end.items()
    names = {path.name for path in (tmp_path / "cache").rglob("*")}
    assert not [name for name in names if name.startswith(".")], "nothing is left of those that came second"


def test_archives_that_share_jars_are_made_at_once(tmp_path: Path) -> None:
    """Jobs of projects with another JUnit each share the launcher's jar; all of them watch that no test changes it."""
    launcher = jar(tmp_path / "inputs" / "launcher.jar", "launcher")
    junits = [jar(tmp_path / "inputs" / f"junit-{number}.jar", f"junit{number}") for number in range(PROCESSES)]
    turns = multiprocessing.get_context("fork").Value("i", 0)

    def make(cache: Path, inputs: Path, together: Barrier) -> None:
        with turns:
            mine = turns.value % PROCESSES
            turns.value += 1

        class Maker:
            def make(self, archive: ClassArchive) -> str:
                before = [path.stat().st_ino for path in archive.jars]
                together.wait(60)  # all have their jars in place
                archive.file.write_bytes(b"".join(path.read_bytes() for path in archive.jars))
                together.wait(60)
                assert [path.stat().st_ino for path in archive.jars] == before
                return ""

        archive = ClassArchives(cache).archive(JDK, [launcher, junits[mine]], Maker())
        assert archive is not None
        assert archive.file.read_bytes() == launcher.read_bytes() + junits[mine].read_bytes()
        same = ClassArchives(cache).archive(JDK, [launcher, junits[mine]], Maker())
        assert same == archive, "it is not made again"

    found = at_once(make, tmp_path / "cache", tmp_path / "inputs", 2)
    at_the_end = inodes(tmp_path / "cache")
    assert len([path for path in at_the_end if path.startswith("0/jars/") and path.endswith(".jar")]) == PROCESSES + 1
    for one in found:
        assert one.items() <= at_the_end.items()


def test_one_archive_asked_for_by_all_is_made_once(tmp_path: Path) -> None:
    given = [jar(tmp_path / "inputs" / "launcher.jar", "launcher")]

    class Maker:
        def make(self, archive: ClassArchive) -> str:
            with (tmp_path / "made").open("a") as stream:
                stream.write("once\n")
            archive.file.write_bytes(CLASS)
            return ""

    def make(cache: Path, inputs: Path, together: Barrier) -> None:
        assert ClassArchives(cache).archive(JDK, given, Maker()) is not None

    found = at_once(make, tmp_path / "cache", tmp_path / "inputs", 1)
    assert (tmp_path / "made").read_text() == "once\n"
    assert all(one.items() <= inodes(tmp_path / "cache").items() for one in found)
