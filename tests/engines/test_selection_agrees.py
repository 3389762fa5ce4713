"""Selection on is held to the verdicts of whole suites (design section 5, "Test selection")."""

import shutil
from pathlib import Path

import pytest

from testevo.cli.compare_engines import run_engine
from testevo.ground.jars import PROJECT
from testevo.records.base import read_records
from testevo.records.verdicts import SuiteVerdict

pytestmark = [
    pytest.mark.maven,
    pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed"),
]

WORLDS = {"kitchen-timer": False, "orchard": True, "theatre": True}
"""Tests and a suite that hang, end the JVM or overflow the stack; JUnit 3, 4 and Jupiter at once; two test classes over
nine commits. Whether some test class has the inputs of another commit."""


def suites(name: str, results: Path, *, selection: bool, cores: int = 1) -> list[SuiteVerdict]:
    """The suites of an embedded history."""
    given = {
        "snapshot": f"selection-{selection}-{cores}", "results": str(results), "sources": {"worlds": [name]},
        "build": {"cache": str(PROJECT / "results" / "cache")},
        "execution": {"method_seconds": 10, "suite_seconds": 120, "repeats": 1, "selection": selection},
    }  # fmt: skip
    return read_records(run_engine(given, "direct", "builds", cores).suites, SuiteVerdict)


def without_sources(verdicts: list[SuiteVerdict]) -> list[SuiteVerdict]:
    return [
        verdict.model_copy(update={
            "tests": tuple(test.model_copy(update={"reused_from": None}) for test in verdict.tests)})
        for verdict in verdicts
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "reuses"), WORLDS.items())
def test_selection_changes_no_verdict(name: str, reuses: bool, tmp_path: Path) -> None:
    selected, whole = (suites(name, tmp_path, selection=selection) for selection in (True, False))
    assert without_sources(selected) == whole
    sources = {test.reused_from for verdict in selected for test in verdict.tests} - {None}
    assert sources <= {verdict.revision for verdict in selected}
    assert bool(sources) is reuses


def test_what_is_reused_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    assert suites("theatre", tmp_path, selection=True, cores=2) == suites("theatre", tmp_path, selection=True)
