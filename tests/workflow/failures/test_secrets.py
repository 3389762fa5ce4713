"""Tokens come from the environment alone, and go nowhere (TEB-E14)."""

import os
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import yaml
from snapshots import Snapshot, one_message, warm_cache

pytestmark = [pytest.mark.maven, pytest.mark.xdist_group("secrets")]

CANARY = "canary-5f1c9be2d7"
NAMES = ("GITHUB_TOKEN", "GH_TOKEN", "MAVEN_PASSWORD", "OPENAI_API_KEY", "SBATCH_ACCOUNT")


def contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, also what is packed in archives."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield str(file.relative_to(folder)), file.read_bytes()
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as archive:
                yield from ((f"{file.name}!{name}", archive.read(name)) for name in archive.namelist())


def test_no_file_and_no_command_line_holds_a_token_of_the_environment(tmp_path: Path, shared_cache: Path) -> None:
    """A world mined from nothing, graded and aggregated: all results, logs, caches, notes of Snakemake, processes."""
    snapshot = Snapshot.made(
        tmp_path,
        warm_cache(shared_cache, tmp_path / "cache"),
        {"worlds": ["savings"]},
        evaluation={"controls": ["gold"]},
    )
    environment = os.environ | dict.fromkeys(NAMES, CANARY)
    ended = threading.Event()
    seen: list[str] = []

    def look() -> None:
        while not ended.wait(0.1):
            for process in psutil.process_iter():
                try:
                    seen.extend(word for word in process.cmdline() if CANARY in word)
                except psutil.Error:
                    continue

    looking = threading.Thread(target=look)
    looking.start()
    try:
        finished = subprocess.run(
            snapshot.workflow("package", "aggregate", cores=2),
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        ended.set()
        looking.join()
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert CANARY not in finished.stdout + finished.stderr
    assert seen == []
    files = dict(contents(tmp_path))
    assert len(files) > 100
    assert [name for name, content in files.items() if CANARY.encode() in content] == []


@pytest.mark.parametrize(
    ("section", "key"),
    [
        (
            {"sources": {"repositories": [{"name": "o/n", "address": f"https://me:{CANARY}@example.org/o/n"}]}},
            "sources.repositories.0.address",
        ),
        (
            {"sources": {"worlds": ["savings"]}, "build": {"mirror": f"https://:{CANARY}@example.org/maven"}},
            "build.mirror",
        ),
    ],
)
def test_an_address_with_a_password_is_refused_by_its_key_alone(
    tmp_path: Path, section: dict[str, object], key: str
) -> None:
    """It would be in every record, log and command line."""
    (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump(section))
    snapshot = Snapshot(tmp_path)
    finished = snapshot.run(snapshot.mine())
    message = one_message(finished, 2)
    assert f"{key} holds a password" in message and "git help credentials" in message
    assert CANARY not in finished.stdout + finished.stderr
    assert not (tmp_path / "results").exists()
