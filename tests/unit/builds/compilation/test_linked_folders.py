"""Sources below links to folders, into which Maven looks."""

from pathlib import Path
from typing import Any, cast

import pytest

from testevo.builds.compilation.compiling import ModuleCompiler, NeedsMaven
from testevo.builds.model.model import BuildModel, Compilation, ModuleModel, Places, SideModel
from testevo.builds.model.sources import SourceView


def test_a_root_of_sources_with_a_link_to_a_folder_needs_maven(tmp_path: Path) -> None:
    (tmp_path / "generated").mkdir()
    (tmp_path / "generated" / "A.java").write_text("class A {}")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "p").symlink_to("../generated")
    compilation = Compilation(execution="default-compile", roots=("none", "src"))
    production = SideModel(output="{checkout}/target/classes", compilations=(compilation,))
    test = SideModel(output="{checkout}/target/test-classes")
    module = ModuleModel(path="", production=production, test=test)
    nothing = cast(Any, None)
    compiler = ModuleCompiler(
        model=BuildModel(fingerprint="f", modules=(module,)),
        places=Places(tmp_path, tmp_path, tmp_path),
        jdk=nothing,
        level=None,
        store=nothing,
        saved=tmp_path,
        worker=nothing,
        ends=0,
        jars=nothing,
        recent=None,
    )
    with pytest.raises(NeedsMaven, match="the sources hold src/p, a link to a folder"):
        compiler.compile(SourceView(tmp_path))
