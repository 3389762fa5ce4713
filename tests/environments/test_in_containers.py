"""The embedded pipeline in the project's own images under Podman, without a network, against a run of this machine.

Both ways of docs/environments.md: each job in the image of its stage, as `--sdm apptainer` has it (Podman stands in for
Apptainer), and the whole workflow inside one container.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from testevo.deployment.images import LOCK, definition_digest, image_names
from testevo.deployment.rules import read_rules
from testevo.deployment.stages import read_table
from tests.workflow.snapshots import Snapshot

PROJECT = Path(__file__).resolve().parents[2]
PODMAN = PROJECT / "envs" / "containers" / "podman.sh"
STAND_IN = Path(__file__).parent / "apptainer_by_podman.sh"
WORLD = "greetings"
GRADED = ("package", "aggregate")
"""Targets; the second one needs grades, which are those of one control."""

pytestmark = [pytest.mark.podman, pytest.mark.maven, pytest.mark.xdist_group("podman")]


@pytest.fixture(scope="module", autouse=True)
def images() -> dict[str, str]:
    """The ids of the images that the lock is of, by name."""
    for program in ("podman", "runc", "git", "mvn", "javac"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    found = {}
    for image in image_names(PROJECT):
        words = ["image", "inspect", "--format", '{{.Id}} {{index .Labels "testevo.definition"}}', f"testevo-{image}"]
        asked = subprocess.run([PODMAN, *words], capture_output=True, text=True, check=False)
        identity, _, definition = asked.stdout.strip().partition(" ")
        if definition != definition_digest(PROJECT, image):
            pytest.skip(f"the image testevo-{image} is not built or out of date: run envs/containers/build.sh")
        found[image] = identity
    return found


@pytest.fixture(scope="module")
def on_this_machine(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Snapshot:
    """One world mined and graded by this machine's programs, which also brings all artifacts."""
    cache: pytest.Cache = request.config.cache  # type: ignore[assignment]
    folder = tmp_path_factory.mktemp("machine")
    artifacts = Path(cache.mkdir("workflow-builds")) / "maven"
    artifacts.mkdir(exist_ok=True)
    snapshot = snapshot_in(folder, artifacts)
    finished = snapshot.run(snapshot.workflow(*GRADED, cores=2))
    assert finished.returncode == 0, finished.stderr[-3000:]
    return snapshot


def snapshot_in(folder: Path, artifacts: Path | None = None) -> Snapshot:
    """A snapshot whose cache is inside its folder, so that a container sees it at the same place."""
    if artifacts is not None:
        shutil.copytree(artifacts, folder / "cache" / "maven", symlinks=True)
    return Snapshot.made(folder, Path("cache"), {"worlds": [WORLD]}, evaluation={"controls": ["gold"]})


def outputs(snapshot: Snapshot) -> dict[str, object]:
    """Every declared file of all stages, grades, tables and figures included.

    Grades say in which sandbox they came about, and executions and grades where their logs lie, which is named by the
    digest of all that a run depends on, JDK and sandbox included. Only these fields are left out, in these files; and
    `provenance.json`, which holds the versions of tools.
    """
    root = snapshot.layout.root
    stages = (
        "search",
        "clone",
        "build_check",
        "commit_pair",
        "instrument",
        "triple_execute",
        "refactoring_filter",
        "package",
        "evaluate",
        "aggregate",
    )
    files = [file for stage in stages for file in (root / stage).rglob("*") if file.is_file()]
    found: dict[str, object] = {}
    for file in files:
        name = file.relative_to(root)
        of_machine = name.name == "executions.jsonl" or (name.parts[0] == "evaluate" and name.suffix == ".jsonl")
        if not {"logs", "logs.zip", "provenance.json"} & {*name.parts}:
            lines = file.read_bytes().splitlines() if of_machine else []
            found[name.as_posix()] = [without_machine(json.loads(line)) for line in lines] or file.read_bytes()
    assert found
    return found


def without_machine(value: object) -> object:
    """A record without the fields that name a sandbox or the place of logs."""
    if isinstance(value, dict):
        left_out = {"logs", "key", "sandbox"}
        return {name: without_machine(one) for name, one in value.items() if name not in left_out}
    return [without_machine(one) for one in value] if isinstance(value, list) else value


def test_each_job_runs_in_the_image_of_its_stage_and_the_results_are_the_same(
    on_this_machine: Snapshot, tmp_path: Path
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "apptainer").symlink_to(STAND_IN)
    notes = tmp_path / "notes"
    snapshot = snapshot_in(tmp_path / "snapshot", on_this_machine.folder / "cache" / "maven")
    deployed = ("--sdm", "apptainer", "--apptainer-args", f"--bind {PROJECT}")
    environment = os.environ | {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "TESTEVO_STAND_IN_NOTES": str(notes),
        "TESTEVO_STAND_IN_PODMAN": str(PODMAN),
    }
    finished = subprocess.run(
        snapshot.workflow(*GRADED, *deployed, cores=2),
        cwd=snapshot.folder,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert outputs(snapshot) == outputs(on_this_machine)

    ran = [line.split("\t", 1) for line in notes.read_text().splitlines() if "\t" in line]
    image_of = {
        script: read_table(PROJECT).stages[rule.stage].image
        for rule in read_rules(PROJECT)
        if rule.stage
        for script in rule.scripts
    }
    scripts = [re.findall(r"/scripts/(\w+)\.py", command) for _, command in ran]
    assert {(script, image) for [script], (image, _) in zip(scripts, ran, strict=True)} <= set(image_of.items())
    assert {image for image, _ in ran} == {"jvm", "report"}


def test_the_whole_workflow_runs_inside_one_container_and_the_results_are_the_same(
    on_this_machine: Snapshot, tmp_path: Path
) -> None:
    snapshot = snapshot_in(tmp_path, on_this_machine.folder / "cache" / "maven")
    inside = ["python3", "-m", "snakemake", *snapshot.workflow(*GRADED, cores=2)[3:]]
    mounts = ["--volume", f"{PROJECT}:{PROJECT}:ro", "--volume", f"{tmp_path}:{tmp_path}", "--workdir", str(tmp_path)]
    confined = [PODMAN, "run", "--rm", "--network", "none", "--env", f"PYTHONPATH={PROJECT}", *mounts, "testevo-jvm"]
    finished = subprocess.run([*confined, *inside], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-3000:]
    assert outputs(snapshot) == outputs(on_this_machine)


def test_the_images_are_those_of_the_lock_in_all_their_packages(images: dict[str, str]) -> None:
    """Their ids are not: a build of another day has other times in its files."""
    for image in images:
        shown = [
            "run",
            "--rm",
            "--network",
            "none",
            f"testevo-{image}",
            "dpkg-query",
            "--show",
            "--showformat",
            "${Package}\t${Version}\n",
        ]
        asked = subprocess.run([PODMAN, *shown], capture_output=True, text=True, check=True)
        installed = dict(line.split("\t") for line in asked.stdout.splitlines())
        assert installed == json.loads((PROJECT / LOCK).read_text())["images"][image]["packages"]
