"""Lines that Maven itself writes in another order each time are compared in any order, and no other lines are."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.model_source import ModelSource
from testevo.execution.runner import Limits
from testevo.records.evidence.certificates import CertificateVerdict, Comparison
from testevo.revisions.suites.certification import compared
from tests.engines.small_projects import direct_engine, pom, runner_by_tree, write_project

pytestmark = pytest.mark.maven

LIMITS = Limits(method_seconds=60, suite_seconds=300)
JMH = "".join(
    f"<dependency><groupId>org.openjdk.jmh</groupId><artifactId>{name}</artifactId><version>1.21</version>"
    "<scope>test</scope></dependency>"
    for name in ("jmh-core", "jmh-generator-annprocess")
)
BENCHMARK = "package g;\npublic class B%s { @org.openjdk.jmh.annotations.Benchmark public void runs() { } }\n"
TEST = """package g;
import static org.junit.jupiter.api.Assertions.*;
class CodeTest { @org.junit.jupiter.api.Test void isNamed() { assertEquals("Code", Code.class.getSimpleName()); } }
"""
FILES = {
    "pom.xml": pom(dependencies=JMH),
    "src/main/java/g/Code.java": "package g;\npublic class Code { }\n",
    "src/test/java/g/CodeTest.java": TEST,
    **{f"src/test/java/g/B{number}.java": BENCHMARK % number for number in range(8)},
    "src/test/resources/order.txt": "first\nsecond\n",
}
LIST = "META-INF/BenchmarkList"
"""JMH's processor writes a line for each benchmark class, in the order of a table of objects without a hash code."""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectEngine]:
    scratch = tmp_path_factory.mktemp("any-order")
    with direct_engine(scratch / "work", scratch / "cache", certifies=True) as engine:
        yield engine


@pytest.fixture(scope="module")
def tree(engine: DirectEngine, tmp_path_factory: pytest.TempPathFactory) -> BuiltTree:
    result = engine.build(write_project(tmp_path_factory.mktemp("projects") / "checkout", FILES))
    assert result.tree is not None, result.reason
    assert result.fallback is None
    return result.tree


@pytest.fixture
def builds(engine: DirectEngine, tree: BuiltTree, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders in which Maven builds, but for the first build, whose tests a certificate runs."""
    assert engine.by_maven(tree).built
    folders: list[Path] = []
    build = ModelSource.build

    def noted(source: ModelSource, *given: Any) -> object:
        folders.append(given[2])
        return build(source, *given)

    monkeypatch.setattr(ModelSource, "build", noted)
    return folders


@contextmanager
def written(file: Path, change: Callable[[bytes], bytes]) -> Iterator[None]:
    """What `direct` has made, with a file changed; it may be a link to one of other trees."""
    text = file.read_bytes()
    changed = change(text)
    assert changed != text
    file.unlink()
    file.write_bytes(changed)
    yield
    file.write_bytes(text)


def backwards(text: bytes) -> bytes:
    return b"".join(reversed(text.splitlines(keepends=True)))


def found(engine: DirectEngine, tree: BuiltTree, tmp_path: Path) -> Comparison:
    return compared(engine, runner_by_tree(engine, tmp_path / "runs", LIMITS), tree)


def test_a_file_that_maven_orders_anew_is_no_difference(
    engine: DirectEngine, tree: BuiltTree, builds: list[Path], tmp_path: Path
) -> None:
    with written(tree.modules[0].test_classes / LIST, backwards):
        comparison = found(engine, tree, tmp_path)
    assert comparison.verdict is CertificateVerdict.CERTIFIED, comparison.reason
    assert comparison.tests == 1
    assert len(builds) == 1
    assert not builds[0].exists()


def test_another_line_is_a_difference(
    engine: DirectEngine, tree: BuiltTree, builds: list[Path], tmp_path: Path
) -> None:
    with written(tree.modules[0].test_classes / LIST, lambda text: text.replace(b"B7", b"B6")):
        comparison = found(engine, tree, tmp_path)
    assert comparison.verdict is CertificateVerdict.DIFFERS
    assert LIST in comparison.reason
    assert not builds, "no order can explain it"


def test_an_order_that_maven_keeps_is_compared(
    engine: DirectEngine, tree: BuiltTree, builds: list[Path], tmp_path: Path
) -> None:
    with written(tree.modules[0].test_classes / "order.txt", backwards):
        comparison = found(engine, tree, tmp_path)
    assert comparison.verdict is CertificateVerdict.DIFFERS
    assert [one.split(":")[0] for one in comparison.differences] == ["files /target/test-classes/order.txt"]
    assert len(builds) == 1
