"""Build models are kept by fingerprint, and believed as long as their jars are there."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from testevo.builds.model.model import BuildModel, Places, missing_jars, write_model
from testevo.builds.model_source import MavenBuild, ModelSource, copy_checkout
from testevo.runtime.files.files import file_digest


def test_a_kept_model_is_believed_for_a_checkout_with_its_system_jar(tmp_path: Path) -> None:
    checkout, local = tmp_path / "checkout", tmp_path / "local"
    (checkout / "lib").mkdir(parents=True)
    (checkout / "lib" / "x.jar").write_bytes(b"PK")
    jar = "{checkout}/lib/x.jar"
    model = BuildModel(fingerprint="f", modules=(), jars={jar: file_digest(checkout / "lib" / "x.jar")})
    write_model(tmp_path / "cache" / "models" / "f" / "local.json", model)
    prepared = SimpleNamespace(fingerprint="f", checkout=SimpleNamespace(folder=checkout))
    places = SimpleNamespace(key="local", artifacts=local / "artifacts")
    maven = SimpleNamespace(local=places, jdk=SimpleNamespace(home=tmp_path / "jdk"))
    source = ModelSource(tmp_path / "cache", offline=True, resident=cast(Any, None))
    assert source.model(cast(Any, prepared), cast(Any, maven)) == MavenBuild(model, None)
    (checkout / "lib" / "x.jar").write_bytes(b"PK of a later commit")
    assert missing_jars(model, Places(checkout, local, local)) == [jar]


def test_files_are_replaced_inside_the_copy_whatever_stands_where_their_folder_must_be(tmp_path: Path) -> None:
    """Links that lead to themselves or to elsewhere, and files, go; a link to a folder of the checkout is followed."""
    checkout, copy, elsewhere = tmp_path / "checkout", tmp_path / "copy", tmp_path / "elsewhere"
    (checkout / "src").mkdir(parents=True)
    (checkout / "file").write_text("")
    for name, leads_to in (("loop", "loop"), ("out", str(elsewhere)), ("broken", "missing"), ("inside", "src")):
        (checkout / name).symlink_to(leads_to)
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("kept")
    names = ("loop", "out", "broken", "inside", "file", "new")
    removed = {f"{name}/kept": None for name in (*names, "missing/folder")}
    copy_checkout(checkout, copy, {**removed, **{f"{name}/a/T.java": name.encode() for name in names}})
    assert {name: (copy / name / "a/T.java").read_text() for name in names} == {name: name for name in names}
    assert (copy / "src/a/T.java").read_text() == "inside"
    assert [(path.name, path.read_text()) for path in elsewhere.iterdir()] == [("kept", "kept")]
    assert (copy / "out").is_dir() and not (copy / "out").is_symlink()
