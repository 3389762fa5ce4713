"""Class folders are compared by what runs: without debug data, moments of time, and empty descriptors."""

import subprocess
from pathlib import Path

from testevo.builds.compilation.folder_comparison import folder_facts, without_descriptors
from testevo.builds.compilation.worker import Worker
from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.builds.model.model import BuildModel, ModuleModel, SavedFile, SideModel
from testevo.builds.project.jdks import Jdk

MADE = "META-INF/made"
SIDE = SideModel(output="{checkout}/target/classes", extra=(SavedFile(path=MADE, digest=""),))
MODULE = ModuleModel(path="", production=SIDE, test=SideModel(output="{checkout}/target/test-classes"))
MODEL = BuildModel(fingerprint="", modules=(MODULE,))


def facts(folder: Path, worker: Worker, source: str, *options: str, **files: str) -> dict[str, str]:
    classes = folder / "target/classes"
    classes.mkdir(parents=True)
    (folder / "A.java").write_text(source)
    subprocess.run(["javac", *options, "-d", str(classes), str(folder / "A.java")], check=True)
    for name, text in {"stamp": "", "made": "", **files}.items():
        file = classes / {"stamp": "build.properties", "made": MADE, "more": "package-info.class"}[name]
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    module = BuiltModule("", folder, classes, folder / "none", (), "none", (), (), {}, (), (), (), ())
    tree = BuiltTree(Checkout("o/r", "1a2b", folder, "k"), Jdk(folder, 17, "17"), (module,), "key")
    return folder_facts(tree, MODEL, worker)


def test_what_builds_write_by_themselves_does_not_count(tmp_path: Path, worker: Worker) -> None:
    source = "class A { int one() { return 1; } }"
    one = facts(tmp_path / "one", worker, source, "-g", stamp="at=2026-11-23T13:00:07Z", made="of a revision")
    two = facts(tmp_path / "two", worker, source, "-g:none", stamp="at=2026-11-23T14:00:00Z", made="of another")
    more = facts(tmp_path / "more", worker, source, more="not in the other")
    assert one == two
    assert more.keys() - one.keys() == {"/target/classes/package-info.class"}
    assert without_descriptors(more, one).keys() == one.keys()


def test_another_class_and_another_text_count(tmp_path: Path, worker: Worker) -> None:
    one = facts(tmp_path / "one", worker, "class A { int one() { return 1; } }", stamp="size=1")
    two = facts(tmp_path / "two", worker, "class A { int one() { return 2; } }", stamp="size=2")
    differ = {path for path in one if one[path] != two[path]}
    assert differ == {"/target/classes/A.class", "/target/classes/build.properties"}
