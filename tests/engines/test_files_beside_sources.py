"""Files that an annotation processor reads beside sources take part in what is compiled, also in variants."""

import shutil
from pathlib import Path

import pytest

from testevo.records.verdicts import BuildOutcome
from tests.engines.small_projects import direct_engine, pom, write_project

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

LOMBOK = """<dependency><groupId>org.projectlombok</groupId><artifactId>lombok</artifactId><version>1.18.32</version>
<scope>provided</scope></dependency>"""
CODE_FILE = "src/main/java/g/A.java"
CODE = "package g; @lombok.Getter public class A { private int size = 1; }"
FILES = {
    "pom.xml": pom(dependencies=LOMBOK),
    CODE_FILE: CODE,
    "src/test/java/g/ATest.java": "package g; class ATest { @org.junit.jupiter.api.Test void a() { new A().size(); } }",
}
FLUENT = {"lombok.config": "import lombok.txt", "lombok.txt": "lombok.accessors.fluent = true"}


def test_the_configuration_of_lombok_is_in_the_key_and_beside_replaced_sources(tmp_path: Path) -> None:
    fluent = write_project(tmp_path / "fluent", FILES | FLUENT)
    beans = write_project(tmp_path / "beans", FILES | FLUENT | {"lombok.txt": ""})
    with direct_engine(tmp_path / "work", tmp_path / "cache") as engine:
        built = engine.build(fluent)
        assert built.tree is not None and built.fallback is None, built
        variant = engine.build_variant(built.tree, {CODE_FILE: CODE.replace("1", "2").encode()})
        assert variant.tree is not None and variant.fallback is None, variant
        assert engine.build(beans).outcome is BuildOutcome.TEST_COMPILE_ERROR
        other = engine.build_variant(built.tree, {"lombok.txt": b""})
    assert other.fallback == "lombok.txt is replaced, which Lombok reads beside sources that are not"
    assert other.outcome is BuildOutcome.TEST_COMPILE_ERROR
