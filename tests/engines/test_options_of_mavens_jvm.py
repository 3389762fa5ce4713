"""A project's own options for Maven's JVM (`.mvn/jvm.config`) stand beside ours: it starts, and within our heap."""

import shutil
from pathlib import Path

import pytest

from tests.engines.both_engines import engines
from tests.engines.small_projects import pom, write_project

TEST = "package g; class ATest { @org.junit.jupiter.api.Test void runs() {} }"

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]


@pytest.mark.parametrize("options", ["-XX:+UseParallelGC\n-Xss2m\n", "-Xms3g -Xmx4g", "-XX:InitialHeapSize=3g"])
def test_a_project_chooses_its_collector_and_asks_for_a_heap(options: str, tmp_path: Path) -> None:
    files = {"pom.xml": pom(), ".mvn/jvm.config": options, "src/test/java/g/ATest.java": TEST}
    checkout = write_project(tmp_path / "project", files)
    with engines(tmp_path / "work") as both:
        direct, maven = both.both(checkout.folder)
    assert direct.outcomes == maven.outcomes == {"": {"g.ATest#runs": "passed"}}, (direct.result, maven.result)
