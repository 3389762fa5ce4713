"""Build models are kept by fingerprint, and believed as long as their jars are there."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from testevo.builds.model.model import BuildModel, Places, missing_jars, write_model
from testevo.builds.model_source import MavenBuild, ModelSource
from testevo.runtime.files.files import file_digest


def test_a_kept_model_is_believed_for_a_checkout_with_its_system_jar(tmp_path: Path) -> None:
    checkout, local = tmp_path / "checkout", tmp_path / "local"
    (checkout / "lib").mkdir(parents=True)
    (checkout / "lib" / "x.jar").write_bytes(b"PK")
    jar = "{checkout}/lib/x.jar"
    model = BuildModel(fingerprint="f", modules=(), jars={jar: file_digest(checkout / "lib" / "x.jar")})
    write_model(tmp_path / "cache" / "models" / "f" / "local.json", model)
    prepared = SimpleNamespace(fingerprint="f", checkout=SimpleNamespace(folder=checkout))
    places = SimpleNamespace(folder=local, artifacts=local / "artifacts")
    maven = SimpleNamespace(local=places, jdk=SimpleNamespace(home=tmp_path / "jdk"))
    source = ModelSource(tmp_path / "cache", offline=True, resident=cast(Any, None))
    assert source.model(cast(Any, prepared), cast(Any, maven)) == MavenBuild(model, None)
    (checkout / "lib" / "x.jar").write_bytes(b"PK of a later commit")
    assert missing_jars(model, Places(checkout, local, local)) == [jar]
