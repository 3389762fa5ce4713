"""Drawn revisions of a mined repository are held against Maven, and the page says what differs."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from testevo.cli.inspecting.compare_engines import run_engine
from testevo.config.snapshot.layout import RepositoryFiles
from testevo.records.base import read_records, write_records
from testevo.records.snapshots.fidelity import EngineAgreement
from testevo.records.verdicts import Outcome, SuiteVerdict
from testevo.runtime.files.project import PROJECT
from tests.bench.synthetic_history import Shape, make_history

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]


def mined(folder: Path) -> RepositoryFiles:
    address = make_history(folder / "made", Shape(classes=2, commits=4))
    given: dict[str, Any] = {
        "snapshot": "made",
        "results": str(folder),
        "sources": {"repositories": [{"name": "made/history", "address": str(address), "start": "main"}]},
        "build": {"cache": str(PROJECT / "results" / "cache"), "certify": False},
        "execution": {"sandbox": "none"},  # Surefire knows none
    }
    return run_engine(given, "direct", "builds", 1)


def held_against_maven(files: RepositoryFiles, docs: Path) -> EngineAgreement:
    command = [sys.executable, str(PROJECT / "tools/fidelity_engines.py"), "--snapshot", str(files.root)]
    done = subprocess.run([*command, "--docs", str(docs)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    [found] = read_records(docs / "fidelity/engines.jsonl", EngineAgreement)
    return found


def test_equal_verdicts_are_counted_and_another_one_is_told(tmp_path: Path) -> None:
    files = mined(tmp_path)
    docs = tmp_path / "docs"
    docs.mkdir()
    page = docs / "fidelity.md"
    page.write_text("# Page\n<!-- generated: engines -->\n<!-- end of engines -->\nThe end.\n")
    found = held_against_maven(files, docs)
    assert [part.differences for part in found.revisions] == [(), ()]
    assert all(part.tests > 0 and part.served == "direct" for part in found.revisions)
    assert "| all | 2 |" in page.read_text()

    drawn = found.revisions[0].revision
    suites = read_records(files.suites, SuiteVerdict)
    wrong = [with_a_skipped_test(one) if one.revision == drawn else one for one in suites]
    write_records(files.suites, wrong)
    [first, second] = held_against_maven(files, docs).revisions
    assert (first.revision, len(first.differences), second.differences) == (drawn, 1, ())
    assert "direct skipped; maven passed" in first.differences[0] and first.differences[0] in page.read_text()


def with_a_skipped_test(suite: SuiteVerdict) -> SuiteVerdict:
    skipped = suite.tests[0].model_copy(update={"outcome": Outcome.SKIPPED})
    return suite.model_copy(update={"tests": (skipped, *suite.tests[1:])})
