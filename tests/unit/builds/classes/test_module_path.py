"""Which entries of a class path are on the module path, by descriptors that javac has compiled and names of jars."""

import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from testevo.builds.classes.module_descriptors import Requirement, automatic_name, descriptor_of, read_descriptor
from testevo.builds.classes.module_path import named_module
from testevo.builds.engine import BuiltModule
from testevo.builds.model.model import ModulePathRules
from testevo.execution.jvms.module_options import module_options

NEW = ModulePathRules(opens=True, with_providers=True, all_modules=True)
OLD = ModulePathRules(opens=False, with_providers=False, all_modules=False)


def compiled(folder: Path, descriptor: str, needed: Mapping[str, str]) -> Path:
    """The folder of classes of a module; `needed` are descriptors of modules that javac must see."""
    sources = folder / "sources"
    for name, text in {"the.own": descriptor, **needed}.items():
        source = sources / name
        for package in ("a", "b"):
            below = source / name.replace(".", "/") / package
            below.mkdir(parents=True, exist_ok=True)
            (below / "S.java").write_text(f"package {name}.{package}; public interface S {{}}")
            (below / "Made.java").write_text(f"package {name}.{package}; public class Made implements S {{}}")
        (source / "module-info.java").write_text(text)
    command = ["javac", "-d", folder / "classes", "--module-source-path", sources, "--module", "the.own"]
    subprocess.run(command, check=True)
    return folder / "classes" / "the.own"


def module(production: Path, tests: Path, *others: Path) -> BuiltModule:
    tests.mkdir(exist_ok=True)
    path = (tests, production, *others)
    return BuiltModule("", production, production, tests, path, "junit4", (), (), {}, (), (), (), ())


def jar(path: Path, files: Mapping[str, bytes] | None = None) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in (files or {"p/A.class": b""}).items():
            made.writestr(name, content)
    return path


def manifest(line: str) -> dict[str, bytes]:
    return {"META-INF/MANIFEST.MF": f"Manifest-Version: 1.0\r\n{line}\r\n\r\n".encode()}


def names_on_path(found: BuiltModule, rules: ModulePathRules) -> list[str]:
    named = named_module(found, rules, 17)
    assert named is not None
    assert f"--patch-module=the.own={found.test_classes}" in module_options(found, named, [])
    return [entry.name for entry in named.module_path]


def test_a_descriptor_is_read(tmp_path: Path) -> None:
    text = (
        "module the.own { requires static other.one; requires transitive java.sql; exports the.own.a; "
        "opens the.own.b to other.one; uses the.own.a.S; provides the.own.b.S with the.own.b.Made; }"
    )
    classes = compiled(tmp_path, text, {"other.one": "module other.one {}"})
    found = read_descriptor((classes / "module-info.class").read_bytes())
    assert found.name == "the.own"
    assert set(found.requires) == {
        Requirement("java.base", is_static=False, is_transitive=False),
        Requirement("other.one", is_static=True, is_transitive=False),
        Requirement("java.sql", is_static=False, is_transitive=True),
    }
    assert (found.uses, found.provides) == (("the.own.a.S",), ("the.own.b.S",))


def test_what_is_no_descriptor_is_an_error(tmp_path: Path) -> None:
    classes = compiled(tmp_path, "module the.own {}", {})
    for data in (b"", b"\xca\xfe\xba\xbe", (classes / "the/own/a/Made.class").read_bytes()):
        with pytest.raises(ValueError, match="not a"):
            read_descriptor(data)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("commons-codec-1.9.jar", "commons.codec"),
        ("slf4j-api-2.0.0-alpha1.jar", "slf4j.api"),
        ("guava.jar", "guava"),
        ("a__b-c-12.jar", "a.b.c"),
        ("x-1y.jar", None),
        ("new-lib-1.0.jar", None),
        ("3d-1.0.jar", None),
    ],
)
def test_a_jar_without_a_descriptor_is_named_as_the_jdk_names_it(file: str, name: str | None, tmp_path: Path) -> None:
    made = jar(tmp_path / file)
    said = subprocess.run(
        ["java", "--module-path", made, "--list-modules"], capture_output=True, text=True, check=False
    ).stdout
    listed = [line.split()[0].split("@")[0] for line in said.splitlines() if "automatic" in line]
    assert listed == ([name] if name else [])
    assert automatic_name(file) == name


def test_a_jar_is_named_by_its_descriptor_before_its_manifest(tmp_path: Path) -> None:
    data = (compiled(tmp_path, "module the.own {}", {}) / "module-info.class").read_bytes()
    versions = {"META-INF/versions/11/module-info.class": data}
    cases = {
        "own": ({"module-info.class": data} | manifest("Automatic-Module-Name: written"), "the.own"),
        "named": (manifest("Automatic-Module-Name: writ\r\n ten"), "written"),
        "several": (versions | manifest("Multi-Release: true"), "the.own"),
        "one": (versions, "one"),
    }
    for stem, (files, name) in cases.items():
        found = descriptor_of(jar(tmp_path / f"{stem}.jar", files), 17)
        assert found is not None
        assert found.name == name
    older = descriptor_of(tmp_path / "several.jar", 9)
    assert older is not None
    assert older.name == "several"


def test_a_damaged_jar_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.jar").write_bytes(b"PK")
    with pytest.raises(ValueError, match=r"bad\.jar cannot be read"):
        descriptor_of(tmp_path / "bad.jar", 17)


def test_the_module_path_holds_what_the_module_requires(tmp_path: Path) -> None:
    needed = {
        "direct.one": "module direct.one { requires behind; requires static behind.only; exports direct.one.a; }",
        "behind": "module behind { exports behind.a; }",
        "behind.only": "module behind.only { exports behind.only.a; }",
        "optional": "module optional { exports optional.a; }",
    }
    own = compiled(tmp_path / "own", "module the.own { requires direct.one; requires static optional; }", needed)
    others = [own.parent / name for name in needed if (own.parent / name).is_dir()]
    assert {one.name for one in others} == {"direct.one", "behind", "behind.only", "optional"}
    beside = jar(tmp_path / "beside-1.0.jar")
    built = module(own, tmp_path / "tests", *others, beside)
    assert names_on_path(built, OLD) == ["the.own", "direct.one", "behind", "optional"]


def test_providers_of_a_service_are_modules_where_surefire_asks_for_them(tmp_path: Path) -> None:
    needed = {"the.maker": "module the.maker { requires the.own; provides the.own.a.S with the.maker.b.Maker; }"}
    own = compiled(tmp_path / "own", "module the.own { exports the.own.a; uses the.own.a.S; }", {})
    maker = tmp_path / "maker-classes"
    sources = tmp_path / "maker"
    (sources / "the/maker/b").mkdir(parents=True)
    (sources / "module-info.java").write_text(needed["the.maker"])
    (sources / "the/maker/b/Maker.java").write_text("package the.maker.b; public class Maker implements the.own.a.S {}")
    files = [str(one) for one in sources.rglob("*.java")]
    subprocess.run(["javac", "-d", maker, "--module-path", own, *files], check=True)
    built = module(own, tmp_path / "tests", maker)
    assert names_on_path(built, NEW) == ["the.own", "maker-classes"]
    assert names_on_path(built, OLD) == ["the.own"]


def test_where_nothing_is_a_module_the_class_path_serves(tmp_path: Path) -> None:
    own = compiled(tmp_path, "module the.own {}", {})
    built = module(own, tmp_path / "tests")
    assert named_module(built, None, 17) is None
    assert named_module(built, NEW, 8) is None
    (own / "module-info.class").unlink()
    assert named_module(built, NEW, 17) is None


def test_what_cannot_be_told_is_an_error(tmp_path: Path) -> None:
    own = compiled(tmp_path, "module the.own { requires twice; }", {"twice": "module twice {}"})
    first, second = (jar(tmp_path / f"{name}.jar", manifest("Automatic-Module-Name: twice")) for name in "ab")
    built = module(own, tmp_path / "tests", first, second)
    with pytest.raises(ValueError, match=r"b\.jar and a\.jar are the module twice"):
        named_module(built, NEW, 17)
    (built.test_classes / "module-info.class").write_bytes(b"")
    with pytest.raises(ValueError, match="descriptor of their own"):
        named_module(built, NEW, 17)
