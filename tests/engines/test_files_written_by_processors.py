"""Files that annotation processors write beside the classes are those of the revision, as Maven leaves them."""

from pathlib import Path

import pytest

from tests.engines.both_engines import engines
from tests.engines.small_projects import pom, write_project

pytestmark = pytest.mark.maven

LOG4J = """<dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId>
<version>2.20.0</version></dependency>"""
PLUGIN = """package g;
@org.apache.logging.log4j.core.config.plugins.Plugin(name = "One", category = "Some")
public class One {}
"""
WRITTEN = "classes/META-INF/org/apache/logging/log4j/core/config/plugins/Log4j2Plugins.dat"


def test_a_file_goes_with_the_source_that_a_processor_made_it_of(tmp_path: Path) -> None:
    files = {"pom.xml": pom(dependencies=LOG4J), "src/main/java/g/Two.java": "package g; public class Two {}"}
    first = write_project(tmp_path / "first", {**files, "src/main/java/g/One.java": PLUGIN})
    second = write_project(tmp_path / "second", files)
    with engines(tmp_path) as both:
        for checkout, is_written in ((first, True), (second, False)):
            direct, reference = both.both(checkout.folder)
            assert direct.result.fallback is None
            assert direct.classes == reference.classes
            assert (WRITTEN in reference.classes[""]) is is_written
