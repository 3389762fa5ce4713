"""Plugins that builds switch off, and that a usable commit must pass all the same."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.inputs.plugin_skips import plugin_skips
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.config.rules import CheckPlugin
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.project import PROJECT
from tests.engines.small_projects import pom, write_project

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

ENFORCER = "maven-enforcer-plugin"
DEMANDS_NOTICE = (
    f"<plugin><artifactId>{ENFORCER}</artifactId><version>3.4.1</version><executions><execution>{{}}"
    "<goals><goal>enforce</goal></goals><configuration><rules><requireFilesExist><files><file>NOTICE</file></files>"
    "</requireFilesExist></rules></configuration></execution></executions></plugin>"
)
SOURCES = {
    "src/main/java/g/A.java": "package g; public class A {}",
    "src/test/java/g/ATest.java": "package g; class ATest { @org.junit.jupiter.api.Test void runs() {} }",
}
BUILT, CHECK_FAILED = BuildOutcome.BUILT, BuildOutcome.CHECK_FAILED


@pytest.fixture(scope="module", params=[DirectEngine, MavenEngine])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> DirectEngine | MavenEngine:
    folder = tmp_path_factory.mktemp(request.param.name)
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)
    made = request.param(BuildContext(local, folder / "cache", folder / "work", find_jdks()))
    request.addfinalizer(made.close)
    return made


def project(folder: Path, plugins: str, files: Mapping[str, str]) -> Checkout:
    return write_project(folder, {"pom.xml": pom(plugins=plugins), **SOURCES, **files})


@pytest.mark.parametrize(
    ("plugins", "files", "outcome"),
    [
        pytest.param(DEMANDS_NOTICE.format(""), {}, CHECK_FAILED, id="refused"),
        pytest.param(DEMANDS_NOTICE.format(""), {"NOTICE": ""}, BUILT, id="passed"),
        pytest.param(DEMANDS_NOTICE.format("<phase>verify</phase>"), {}, BUILT, id="bound to a later phase"),
        pytest.param("", {}, BUILT, id="no part of the build"),
    ],
)
def test_a_commit_that_is_built_must_pass_the_plugins_that_are_asked_for(
    engine: DirectEngine | MavenEngine, tmp_path: Path, plugins: str, files: Mapping[str, str], outcome: BuildOutcome
) -> None:
    checkout = project(tmp_path / f"{engine.name}-{len(plugins)}-{len(files)}", plugins, files)
    built = engine.build(checkout)
    assert built.built, built.reason
    assert engine.check(built, ()) is built
    assert engine.check(built, ("apache-rat-plugin",)) is built, "another plugin"
    checked = engine.check(built, (ENFORCER,))
    assert (checked.outcome, checked.built) == (outcome, outcome is BUILT), checked.reason
    assert (checked.fingerprint, checked.modules) == (built.fingerprint, built.modules)
    if outcome is CHECK_FAILED:
        assert ENFORCER in checked.reason and "owner/repo at 1a2b3c4" in checked.reason
        assert checked.tree is None


def test_what_is_not_built_is_not_checked(engine: DirectEngine | MavenEngine, tmp_path: Path) -> None:
    refused = engine.build(project(tmp_path / f"{engine.name}-refused", "", {"src/main/java/g/B.java": "class"}))
    assert refused.outcome is BuildOutcome.PRODUCTION_COMPILE_ERROR
    assert engine.check(refused, (ENFORCER,)) is refused


@pytest.mark.parametrize("plugin", get_args(CheckPlugin))
def test_each_plugin_that_may_be_asked_for_is_one_that_builds_switch_off(plugin: str) -> None:
    skips = plugin_skips()
    on = skips.without([plugin])
    off = {argument.removeprefix("-D").partition("=")[0] for argument in {*skips.arguments} - {*on.arguments}}
    assert off and all("skip" in name for name in off)
