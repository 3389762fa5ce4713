"""Selection on is held to the verdicts of whole suites ("Test selection")."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from testevo.cli.inspecting.compare_engines import run_engine
from testevo.records.base import read_records
from testevo.records.verdicts import SuiteVerdict
from testevo.runtime.files.project import PROJECT
from testevo.sandboxes.sandbox import bubblewrap_works
from tests.bench.synthetic_history import Shape, make_history

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

WORLDS = {"kitchen-timer": False, "orchard": True}
"""Tests and a suite that hang, end the JVM or overflow the stack; JUnit 3, 4 and Jupiter at once. Whether some test
class has the inputs of another commit: most embedded histories have one test class, which changes at each."""


def suites(
    sources: Mapping[str, Any], results: Path, *, selection: bool, name: str = "one", processes: int = 1
) -> list[SuiteVerdict]:
    """The suites of a history, in a snapshot of that name."""
    given = {
        "snapshot": f"{name}-{selection}",
        "results": str(results),
        "sources": sources,
        "build": {"cache": str(PROJECT / "results" / "cache"), "certify": False},
        "machine": {"processes": processes},
        "execution": {
            "method_seconds": 10,
            "suite_seconds": 30,
            "repeats": 1,
            "selection": selection,
            "sandbox": "auto" if "worlds" in sources or bubblewrap_works() else "none",
        },
    }
    return read_records(run_engine(given, "direct", "builds", processes).suites, SuiteVerdict)


def without_sources(verdicts: list[SuiteVerdict]) -> list[SuiteVerdict]:
    return [
        verdict.model_copy(
            update={"tests": tuple(test.model_copy(update={"reused_from": None}) for test in verdict.tests)}
        )
        for verdict in verdicts
    ]


def sources_of(verdicts: list[SuiteVerdict]) -> set[str]:
    return {test.reused_from for verdict in verdicts for test in verdict.tests if test.reused_from is not None}


@pytest.mark.parametrize(("name", "reuses"), WORLDS.items())
def test_selection_changes_no_verdict_of_an_embedded_history(name: str, reuses: bool, tmp_path: Path) -> None:
    selected, whole = (suites({"worlds": [name]}, tmp_path, selection=selection) for selection in (True, False))
    assert without_sources(selected) == whole
    assert sources_of(selected) <= {verdict.revision for verdict in selected}
    assert bool(sources_of(selected)) is reuses


def test_selection_changes_no_verdict_where_one_class_changes_at_a_time(tmp_path: Path) -> None:
    """Nor does it depend on the number of processes what is reused."""
    address = make_history(tmp_path / "made", Shape(classes=6, commits=8))
    history = {"repositories": [{"name": "made/history", "address": str(address), "start": "main"}]}
    selected, whole = (suites(history, tmp_path, selection=selection) for selection in (True, False))
    assert without_sources(selected) == whole
    tests = [test for verdict in selected for test in verdict.tests]
    assert sum(test.reused_from is not None for test in tests) > len(tests) / 2
    assert suites(history, tmp_path, selection=True, name="two", processes=2) == selected
