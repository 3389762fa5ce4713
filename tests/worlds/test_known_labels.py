"""Mining the embedded histories finds what their authors know: a diagonal matrix under each preset."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from testevo.config.resolved import read_resolved
from testevo.config.snapshot.layout import Layout
from testevo.packaging.dataset.confusion_page import MinedWorld, WorldComparison, compare_worlds
from testevo.records.base import read_records
from testevo.records.labels import Label
from testevo.records.repository import Commit, Repository
from testevo.records.tasks import Task, Track
from testevo.records.verdicts import BuildVerdict, SuiteVerdict
from testevo.runtime.files.project import PROJECT

SNAPSHOT = PROJECT / "config" / "snapshots" / "demo.yaml"
"""Its limits, and no certificates: other tests compare both engines on these histories."""
CACHE = PROJECT / "results" / "cache"
"""Kept between runs: the second one compiles nothing that the first has compiled."""

DEMO = "TESTEVO_DEMO"
"""Environment variable with the snapshot folder of a finished `make demo`: all worlds by the preset `strict`."""

pytestmark = [pytest.mark.maven, pytest.mark.long]


@pytest.mark.parametrize("preset", ["strict", "released"])
def test_every_label_build_suite_and_task_count_is_as_expected(preset: str, tmp_path: Path) -> None:
    """TEB-M08, M09, M13, M14, X05 to X12, K01 to K04; the rejected history too (TEB-M02)."""
    demo = os.environ.get(DEMO)
    layout = Layout(Path(demo)) if demo and preset == "strict" else mined(preset, tmp_path)
    comparison = compared(layout)
    assert comparison.differences == (), "\n".join(["not as expected:", *comparison.differences])
    assert sum(comparison.matrix.values()) > 0
    assert [pair for pair in comparison.matrix if pair[0] != pair[1]] == []


def mined(preset: str, folder: Path) -> Layout:
    """All worlds, up to their tasks; on one core, so that two presets share a machine of two."""
    configuration = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))
    configuration |= {"preset": preset, "results": str(folder / "results"), "sources": {"worlds": ["all"]}}
    configuration["build"] |= {"cache": str(CACHE)}
    file = folder / "worlds.yaml"
    file.write_text(yaml.safe_dump(configuration))
    command = [sys.executable, "-m", "snakemake", "search", "tasks", "--configfile", str(file), "--cores", "1"]
    finished = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-3000:]
    return Layout(folder / "results" / configuration["snapshot"])


def compared(layout: Layout) -> WorldComparison:
    """What lies in the result files against `worlds/*/world.yaml`."""
    worlds = []
    for repository in read_records(layout.repositories, Repository):
        if not repository.name.startswith("worlds/"):
            continue
        files = layout.of_repository(repository.slug)
        world = MinedWorld(
            repository=read_records(files.repository, Repository)[0],
            commits=read_records(files.commits, Commit),
            builds=read_records(files.builds, BuildVerdict),
            suites=read_records(files.suites, SuiteVerdict),
            labels=read_records(files.labels, Label),
            tasks=read_records(files.tasks, Task),
        )
        worlds.append(world)
    assert len(worlds) == len(list((PROJECT / "worlds").glob("*/world.yaml")))
    return compare_worlds(worlds, read_resolved(layout.config))


@pytest.mark.skipif(DEMO not in os.environ, reason=f"{DEMO} names no snapshot of `make demo`; .ci/run makes one")
def test_the_demo_finds_generation_tasks_in_its_real_releases() -> None:
    layout = Layout(Path(os.environ[DEMO]))
    assert read_resolved(layout.config).preset == "strict"
    releases = [one for one in read_records(layout.repositories, Repository) if not one.name.startswith("worlds/")]
    tasks = [task for one in releases for task in read_records(layout.of_repository(one.slug).tasks, Task)]
    assert {task.track for task in tasks} == {Track.GENERATION}
