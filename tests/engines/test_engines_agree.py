"""The direct engine is held to the verdicts of Maven and Surefire.

Both engines go through the ordinary workflow on the same histories. Ordinarily on a few embedded histories;
`TESTEVO_ENGINES=all` takes all of them under both presets, which is both kinds of swap, and `TESTEVO_MIRROR`
(`<folder>/{owner}+{name}/repo`) adds twenty commits of a real history.
"""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from testevo.analysis.engine_agreement import compare
from testevo.cli.inspecting.compare_engines import both_engines
from testevo.config.snapshot.layout import Layout
from testevo.records.base import read_records, write_records
from testevo.records.verdicts import SuiteOutcome, SuiteVerdict
from testevo.runtime.files.project import PROJECT

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

ALL = os.environ.get("TESTEVO_ENGINES") == "all"
MIRROR = os.environ.get("TESTEVO_MIRROR")
NOT_MAVEN = "other-build"
"""A history that no engine is asked about: it has no POM."""
WORLDS = sorted({path.parent.name for path in (PROJECT / "worlds").glob("*/world.yaml")} - {NOT_MAVEN})
FLAKY = {"receipts": "#printsAReceiptOnce()"}
"""A test that ends as it likes, on purpose, and so its runs and its label."""

LIMITS = {"method_seconds": 10, "suite_seconds": 120, "repeats": 1}
SUITES = ("greetings", "parcels", "shapes")
"""JUnit 3, 4, Parameterized and Jupiter at once; commits that do not compile; nested, parameterised and inherited
tests. Modules are those of tests/engines/test_features.py."""
NEWEST = 8
"""Commits of each of them that are compared: as many as show each way in which a commit does not build."""


def given(results: Path, sources: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A configuration of one repository; what developers' tests cover says nothing of engines.

    No certificates: Surefire serves where one differs, and so both engines would agree.
    """
    unmeasured = {"gold_runs": 1, "coverage": False, "mutation": {"enabled": False}}
    build = {"cache": str(PROJECT / "results" / "cache"), "certify": False}
    return {"results": str(results), "sources": sources, "build": build, "evaluation": unmeasured, **more}


def world(name: str, preset: str, results: Path) -> dict[str, Any]:
    return given(results, {"worlds": [name]}, preset=preset, execution=LIMITS)


@pytest.mark.skipif(ALL, reason="TESTEVO_ENGINES=all compares more of it")
@pytest.mark.parametrize("name", SUITES)
def test_builds_and_suites_are_equal(name: str, tmp_path: Path) -> None:
    given = {**world(name, "strict", tmp_path), "rules": {"walk": {"limit": NEWEST}}}
    agreement = both_engines(given, "builds").agreement
    assert agreement.differences == [], str(agreement)
    assert agreement.compared["tests of suites"] > 0


def test_every_run_of_more_commits_than_before_is_compared_anew(tmp_path: Path) -> None:
    """JUnit 3.8. The reference must not keep the commits of the first comparison."""
    some = {**world("savings", "strict", tmp_path), "rules": {"walk": {"limit": 2}}}
    few = both_engines(some, "builds").agreement
    assert few.differences == [], str(few)
    agreement = both_engines(world("savings", "strict", tmp_path), "labels").agreement
    assert agreement.differences == [], str(agreement)
    assert few.compared["builds"] < agreement.compared["builds"]
    assert agreement.compared["runs"] > 0


@pytest.mark.skipif(not ALL, reason="set TESTEVO_ENGINES=all; takes most of an hour")
@pytest.mark.parametrize("preset", ["strict", "released"])
@pytest.mark.parametrize("name", WORLDS)
def test_every_run_of_every_history_is_equal(name: str, preset: str, tmp_path: Path) -> None:
    agreement = both_engines(world(name, preset, tmp_path), "labels").agreement
    print(name, preset, agreement)
    assert [line for line in agreement.differences if FLAKY.get(name, "\n") not in line] == [], str(agreement)


@pytest.mark.mirror
@pytest.mark.skipif(MIRROR is None, reason="TESTEVO_MIRROR names no clones of real repositories")
def test_twenty_commits_of_a_real_history_build_and_test_alike(tmp_path: Path) -> None:
    """The newest 57 commits of the walk hold twenty that are built and tested."""
    sources = {"mirror": MIRROR, "repositories": [{"name": "robert-bor/aho-corasick", "start": "v0.6.3"}]}
    rules = {"walk": {"cutoff": "2026-01-01", "limit": 57}}
    execution = {"sandbox": "none"}  # Surefire knows none
    compared = both_engines(given(tmp_path, sources, preset="released", rules=rules, execution=execution), "builds")
    print(compared.agreement)
    assert compared.agreement.differences == [], str(compared.agreement)
    suites = read_records(compared.reference.suites, SuiteVerdict)
    assert sum(suite.outcome is SuiteOutcome.GREEN for suite in suites) == 20


def test_the_command_prints_every_disagreement_with_its_cause(tmp_path: Path) -> None:
    """Two snapshots that differ in one suite, as an engine at fault would leave them."""
    both = {}
    for engine, outcome, reason in (("direct", SuiteOutcome.GREEN, ""), ("maven", SuiteOutcome.RED, "1 of 9 failed")):
        files = both[engine] = Layout(tmp_path / engine).of_repository("owner+name")
        suite = SuiteVerdict(repository="owner/name", revision="1a2b3c4" * 6, outcome=outcome, reason=reason, tests=())
        write_records(files.suites, [suite])
    agreement = compare(both["direct"], both["maven"])
    assert (agreement.compared["suites"], agreement.equal["suites"]) == (1, 0)
    assert agreement.differences == ["suites 1a2b3c4: direct green; maven red (1 of 9 failed)"]
