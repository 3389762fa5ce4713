"""An installed wheel works from any folder, without the checkout it was built from. Nothing is downloaded."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
import yaml
from snapshots import LONGEST_RUN, PROJECT, warm_cache

import testevo
from testevo.packaging.dataset.dataset_folder import open_dataset, verify_dataset

pytestmark = [pytest.mark.long, pytest.mark.maven]
NOT_COPIED = shutil.ignore_patterns(
    ".git",
    ".venv",
    ".*_cache",
    ".snakemake",
    ".hypothesis",
    "__pycache__",
    "results",
    "target",
    "built",
    "tests",
    "docs",
    "*.egg-info",
)
WHERE = "from testevo.runtime.files.project import PROJECT; print(PROJECT)"


def run(folder: Path, *command: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a command with no way to the modules of the checkout but its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_RUN,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the project, so that nothing is written into the project itself."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(PROJECT, folder / "copy", ignore=NOT_COPIED, symlinks=True)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    built = run(folder, *pip, "--wheel-dir", folder, folder / "copy")
    assert built.returncode == 0, built.stdout + built.stderr
    shutil.rmtree(folder / "copy")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that has the wheel, and the libraries of this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    installing = run(
        folder,
        sys.executable,
        "-m",
        "pip",
        "--python",
        folder / "bin" / "python",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--ignore-installed",
        wheel,
    )
    assert installing.returncode == 0, installing.stdout + installing.stderr
    return folder / "bin"


def test_the_wheel_holds_what_the_workflow_reads(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.removeprefix("testevo/_project/") for name in archive.namelist() if "/_project/" in name}
    tracked = (
        "Snakefile",
        "rules",
        "scripts",
        "config",
        "profiles",
        "worlds",
        "envs/stages.yaml",
        "jvm/pit/jars.sha256",
    )
    listed = subprocess.run(
        ["git", "ls-files", *tracked], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    assert {name for name in listed if name} <= names
    assert {"jvm/lib/worker.jar", "jvm/lib/launcher.jar"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith(("jvm/worker", "tests"))]


def test_it_knows_itself_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    where = run(tmp_path, installed / "python", "-c", WHERE)
    assert Path(where.stdout.strip()).is_relative_to(installed.parent)
    version = run(tmp_path, installed / "testevo", "--version")
    assert version.stdout == f"testevo {testevo.__version__}\n"
    found = run(tmp_path, installed / "testevo", "doctor", "--json")
    assert found.returncode == 0, found.stdout + found.stderr
    assert {one["name"]: one["version"] for one in json.loads(found.stdout)}["worker.jar"]


def test_it_mines_from_an_empty_folder(installed: Path, tmp_path: Path, shared_cache: Path) -> None:
    cache = warm_cache(shared_cache, tmp_path / "cache")
    given = {
        "snapshot": "small",
        "sources": {"worlds": ["savings"]},
        "build": {"cache": str(cache)},
        "execution": {"method_seconds": 20, "suite_seconds": 120},
        "evaluation": {"gold_runs": 1},
    }
    (tmp_path / "snapshot.yaml").write_text(yaml.safe_dump(given))
    mined = run(tmp_path, installed / "testevo", "mine", "--configuration", "snapshot.yaml", "--cores", "2")
    assert mined.returncode == 0, mined.stdout[-3000:] + mined.stderr[-3000:]
    dataset = tmp_path / "results" / "small" / "package" / "dataset"
    verify_dataset(dataset)
    assert open_dataset(dataset).tasks


def test_jobs_in_other_environments_are_refused(installed: Path, tmp_path: Path) -> None:
    """Its folder holds libraries too, which must not come into an environment of another Python."""
    where = run(tmp_path, installed / "python", "-c", WHERE)
    snakefile = Path(where.stdout.strip()) / "Snakefile"
    snakemake = (installed / "python", "-m", "snakemake", "--snakefile", snakefile)
    refused = run(tmp_path, *snakemake, "--sdm", "conda", "--cores", "1", "--dry-run")
    assert refused.returncode == 2, refused.stdout + refused.stderr
    assert "need a checkout of testevo" in refused.stdout + refused.stderr
