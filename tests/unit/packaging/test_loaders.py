"""Other libraries load the published folder without a network, and find the rows of the JSON lines.

They are 0.8 GB and no part of testevo: `python3.11 -m venv V && V/bin/pip install --require-hashes -r
envs/loaders/requirements.txt`, then `TESTEVO_LOADERS=V`.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest
from loaders_program import LOADERS, PARTS
from task_factories import example

from testevo.packaging.dataset.dataset_folder import open_dataset
from testevo.packaging.dataset_writer import write_dataset
from testevo.packaging.publication.published_folder import publish

LOADERS_AT = os.environ.get("TESTEVO_LOADERS")
PROGRAM = Path(__file__).with_name("loaders_program.py")
LONG = 300
"""Seconds: the first import of these libraries takes long on a busy machine."""

pytestmark = pytest.mark.skipif(LOADERS_AT is None, reason="TESTEVO_LOADERS names no virtual environment of loaders")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("published")
    write_dataset(place / "dataset", example())
    publish(open_dataset(place / "dataset"), place / "published")
    return place / "published"


@pytest.mark.parametrize("library", LOADERS)
def test_a_library_finds_the_rows_of_the_json_lines(published: Path, tmp_path: Path, library: str) -> None:
    offline = dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"), "1")
    homes = {"HF_HOME": str(tmp_path), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(
        [f"{LOADERS_AT}/bin/python", PROGRAM, published, library],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
        env={**offline, **homes, "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    for part in PARTS:
        rows = [json.loads(line) for line in (published / f"{part}.jsonl").read_text().splitlines()]
        assert sorted(map(ordered, found[part])) == sorted(map(ordered, rows)), part
    assert found["tasks/update"] and found["answers/generation"]


def ordered(row: dict[str, object]) -> str:
    return json.dumps(row, sort_keys=True)
