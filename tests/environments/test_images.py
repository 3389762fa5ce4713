"""Container images: definitions, lock, and where rules find them. Nothing is built here."""

import json
import re
from pathlib import Path

import pytest

from testevo.deployment.images import LOCK, debian_packages, definition_digest, image_names, python_requirements
from testevo.deployment.stages import container_address, read_table
from testevo.runtime.errors import UsageError

PROJECT = Path(__file__).resolve().parents[2]
CONTAINERS = PROJECT / "envs" / "containers"
IMAGES = image_names(PROJECT)


@pytest.mark.parametrize("image", IMAGES)
def test_the_lock_is_of_this_definition(image: str) -> None:
    """When this fails, the image has to be built again: `envs/containers/build.sh`."""
    locked = json.loads((PROJECT / LOCK).read_text())["images"][image]
    assert locked["definition"] == definition_digest(PROJECT, image)
    for name in ("definition", "image_id", "manifest"):
        assert re.fullmatch(r"sha256:[0-9a-f]{64}", locked[name])
    assert list(locked["packages"]) == sorted(locked["packages"])
    assert set(debian_packages(PROJECT, image)) <= set(locked["packages"])


def test_every_image_is_used_and_every_stage_has_one() -> None:
    assert {one.image for one in read_table(PROJECT).stages.values()} == set(IMAGES)
    assert set(json.loads((PROJECT / LOCK).read_text())["images"]) == set(IMAGES)


def test_the_image_for_reports_has_no_jvm() -> None:
    packages = set(json.loads((PROJECT / LOCK).read_text())["images"]["report"]["packages"])
    assert not [name for name in packages if name.startswith(("openjdk", "maven", "bubblewrap")) or name == "git"]
    assert "snakemake==" not in python_requirements(PROJECT, "report")
    assert "snakemake==" in python_requirements(PROJECT, "jvm")


@pytest.mark.parametrize("image", IMAGES)
def test_both_definitions_of_an_image_are_of_the_same_image(image: str) -> None:
    """Apptainer's starts from the archive that Podman has built; it was never run here."""
    apptainer = (CONTAINERS / f"{image}.def").read_text()
    podman = (CONTAINERS / f"{image}.containerfile").read_text()
    header = dict(re.findall(r"^(\w+): (\S+)$", apptainer.partition("%")[0], re.MULTILINE))
    assert header == {"Bootstrap": "docker-archive", "From": f"built/{image}.tar"}
    assert set(re.findall(r"^%(\w+)", apptainer, re.MULTILINE)) == {"environment", "test", "help"}
    path = re.search(r"^ENV PATH=(\S+) LANG=(\S+)$", podman, re.MULTILINE)
    assert path and f"export PATH={path[1]} LANG={path[2]}" in apptainer


def test_no_definition_names_a_host() -> None:
    for file in CONTAINERS.iterdir():
        if file.is_file() and file.name != Path(LOCK).name:
            assert not re.search(r"https?://|docker://|\b[a-z0-9-]+\.(org|com|io|net)\b", file.read_text()), file.name


def test_rules_find_images_beside_their_definitions_or_where_they_are_said_to_be(tmp_path: Path) -> None:
    assert container_address(PROJECT, "clone", {}).endswith("/envs/containers/built/jvm.sif")
    folder = {"TESTEVO_IMAGES": str(tmp_path)}
    assert container_address(PROJECT, "aggregate", folder) == f"{tmp_path}/report.sif"
    registry = {"TESTEVO_IMAGES": "docker://registry.example/group/"}
    assert container_address(PROJECT, "clone", registry) == "docker://registry.example/group/testevo-jvm"


def test_a_path_that_snakemake_cannot_hand_on_is_refused() -> None:
    with pytest.raises(UsageError, match="white space"):
        container_address(PROJECT, "clone", {"TESTEVO_IMAGES": "/a b"})
