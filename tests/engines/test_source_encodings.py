"""The encoding that a build tells the compiler is the one in which its sources are read."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.readable_sources import readable
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.java.syntax import parse_java
from testevo.records.verdicts import BuildOutcome
from tests.engines.small_projects import direct_engine, pom, write_project

TEST_FILE = "src/test/java/g/ATest.java"
TEST = "package g; class ATest { @org.junit.jupiter.api.Test void δοκιμή() {} }"

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]


SET_BY = {
    "the POM": {"pom.xml": pom().replace(">UTF-8<", ">ISO-8859-7<")},
    "the JVM of Maven": {
        "pom.xml": pom().replace("<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>", ""),
        ".mvn/jvm.config": "-Xss2m -Dfile.encoding=ISO-8859-7\n",
    },
}


@pytest.mark.parametrize("set_by", SET_BY)
def test_tests_have_the_names_that_the_compiler_writes(set_by: str, tmp_path: Path) -> None:
    checkout = write_project(tmp_path / "greek", {**SET_BY[set_by], TEST_FILE: TEST.encode("ISO-8859-7")})
    with direct_engine(tmp_path / "work", tmp_path / "cache") as engine:
        built = engine.build(checkout)
        assert built.tree is not None, built.reason
        (ran,) = OneShotRunner(tmp_path / "runs").run_suite(built.tree).tests
    (module,) = built.tree.modules
    (read,) = parse_java((checkout.folder / TEST_FILE).read_bytes(), TEST_FILE, module.test_encoding).methods
    assert (module.test_encoding, module.production_encoding) == ("ISO-8859-7", "ISO-8859-7")
    assert ran.test.name == read.key.name == "δοκιμή"
    gbk = replace(built, tree=replace(built.tree, modules=(replace(module, test_encoding="GBK"),)))
    unread = readable(gbk)
    assert (unread.outcome, unread.tree) == (BuildOutcome.ENCODING_UNREAD, None)
    assert unread.reason == f"owner/repo at 1a2b3c4: {TEST_FILE} is compiled as GBK, an encoding that is not read here."
    write_project(checkout.folder, {TEST_FILE: TEST.replace("δοκιμή", "ascii")})
    assert readable(gbk).built
