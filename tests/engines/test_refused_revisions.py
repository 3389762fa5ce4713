"""A revision in which the compiler of `direct` finds errors, by a model that was read from another revision."""

from pathlib import Path

import pytest

from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven.resident_maven import ResidentMaven
from testevo.builds.model.model import BuildModel, read_model, write_model
from testevo.records.verdicts import BuildOutcome
from tests.engines.small_projects import direct_engine, pom, write_project

pytestmark = pytest.mark.maven

TEST = "src/test/java/g/OneTest.java"
SOURCE = "package g;\nclass OneTest {{ @org.junit.jupiter.api.Test void one() {{ {} }} }}\n"
REASON = "the compiler of direct finds errors in the sources, and Maven does not"


def without_libraries(model: BuildModel) -> BuildModel:
    """A model that does not fit: the compiler of tests sees no library."""
    [module] = model.modules
    [compilation] = module.test.compilations
    test = module.test.model_copy(update={"compilations": (compilation.model_copy(update={"class_path": ()}),)})
    return model.model_copy(update={"modules": (module.model_copy(update={"test": test}),)})


def test_maven_has_the_last_word_on_each_revision_and_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, broken = (
        write_project(tmp_path / name, {"pom.xml": pom(), TEST: SOURCE.format(text)})
        for name, text in (("first", ""), ("second", "int i;"), ("broken", "int i"))
    )
    with direct_engine(tmp_path / "work", tmp_path / "cache") as engine:
        assert engine.build(first).fallback is None
        [file] = (tmp_path / "cache" / "models").glob("*/worlds@*.json")
        model = read_model(file)
        assert model is not None
        write_model(file, without_libraries(model))
        served = engine.build(second)
        assert served.tree is not None and served.fallback == REASON, served
        variant = engine.build_variant(served.tree, {TEST: SOURCE.format("int j;").encode()})
        assert variant.built and variant.fallback == REASON, "no less than its revision"
        write_model(file, model)
        refused = engine.build(broken)
        assert (refused.outcome, refused.fallback) == (BuildOutcome.TEST_COMPILE_ERROR, None)
    for one in (Maven, ResidentMaven):
        monkeypatch.setattr(one, "run", lambda *_, **__: pytest.fail("Maven is asked again"))
    with direct_engine(tmp_path / "other work", tmp_path / "cache") as engine:
        assert engine.build(broken) == refused
        tree = engine.build(first).tree
        assert tree is not None
        variant = engine.build_variant(tree, {TEST: SOURCE.format("int i").encode()})
        assert variant.outcome is BuildOutcome.TEST_COMPILE_ERROR, "it is no revision"
