"""The command line of Apptainer, which cannot be executed where these tests run."""

import os
import shutil
from pathlib import Path

import pytest

from testevo.runtime.errors import MachineError
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.sandbox_apptainer import Apptainer
from testevo.sandboxes.sandboxes import Images, sandbox_named
from testevo.sandboxes.watching import ProcessLimits

STAND_IN = """#!/bin/sh
# Apptainer's options, then the image, then the program: runs the program, and says what it was given.
printf '%s\\n' "$@" >"$0.said"
env >"$0.environment"
while [ "$1" != "{image}" ]; do shift; done
shift
exec "$@"
"""


@pytest.fixture
def confinement(tmp_path: Path) -> Confinement:
    for name in ("tree", "copy", "private", "a,b"):
        (tmp_path / name).mkdir()
    return Confinement(
        tmp_path / "tree",
        (tmp_path / "tree", tmp_path / "a,b"),
        (tmp_path / "private",),
        64,
        tmp_path / "copy",
        tmp_path / "tree",
        disk_mb=16,
    )


@pytest.fixture
def apptainer(tmp_path: Path) -> Apptainer:
    image, program = tmp_path / "jdk.sif", tmp_path / "apptainer"
    image.write_bytes(b"image")
    program.write_text(STAND_IN.format(image=image))
    program.chmod(0o755)
    return Apptainer(str(image), str(program))


def test_nothing_of_the_machine_is_seen_but_what_is_named(
    apptainer: Apptainer, confinement: Confinement, tmp_path: Path
) -> None:
    command = apptainer.command(["java", "-version"], confinement)
    start = command.index(str(tmp_path / "apptainer"))
    options = command[start + 1 :]
    assert options[0] == "exec"
    assert {"--containall", "--cleanenv", "--no-home", "--no-privs"} <= set(options)
    assert options[options.index("--net") + 1 :][:2] == ["--network", "none"]
    assert options[options.index("--pwd") + 1] == str(tmp_path / "tree")
    mounts = [options[place + 1] for place, word in enumerate(options) if word == "--mount"]
    own = [mount for mount in mounts if str(tmp_path) in mount]
    assert own == [
        f'type=bind,"source={tmp_path}/a,b","destination={tmp_path}/a,b",ro',
        f"type=bind,source={tmp_path}/copy,destination={tmp_path}/tree",
        f"type=bind,source={tmp_path}/private,destination={tmp_path}/private",
    ]
    assert all(mount.endswith(",ro") for mount in mounts if mount not in own)
    assert options[-3:] == [str(tmp_path / "jdk.sif"), "java", "-version"]


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
def test_the_limits_are_set_outside(apptainer: Apptainer, confinement: Confinement) -> None:
    """No image need have the program that sets them."""
    command = apptainer.command(["java"], confinement)
    assert command[0].endswith("prlimit")
    assert f"--fsize={16 * 2**20}" in command[: command.index("--")]


def test_the_channel_is_a_named_pipe_and_the_environment_exact(
    apptainer: Apptainer, confinement: Confinement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("APPTAINERENV_LEAK", "leaks")
    watched = apptainer.run(
        lambda channel: ["/bin/sh", "-c", 'echo ready >"$1"; cat; env', "sh", channel],
        confinement,
        {"PATH": os.environ["PATH"], "SPACED": "two words"},
        ProcessLimits(20, 10_000),
        b"key ",
    )
    assert (watched.status, watched.channel) == (0, b"ready\n")
    assert watched.stdout.startswith(b"key ")
    assert b"SPACED=two words" in watched.stdout
    said = (tmp_path / "apptainer.said").read_text()
    assert f"type=bind,source={tmp_path}/channel-" in said
    assert "leaks" not in (tmp_path / "apptainer.environment").read_text()
    assert not list(tmp_path.glob("channel-*"))


def test_a_missing_program_or_image_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="image of the sandbox `apptainer` is missing"):
        Apptainer(None, "/usr/bin/apptainer")
    with pytest.raises(MachineError, match="image of the sandbox `apptainer` is missing"):
        Apptainer(str(tmp_path / "jdk.sif"), "/usr/bin/apptainer")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MachineError, match="module load apptainer"):
        sandbox_named("apptainer", Images(apptainer=str(tmp_path)))


def test_the_image_is_part_of_what_decides(apptainer: Apptainer, tmp_path: Path) -> None:
    before = apptainer.identity
    (tmp_path / "jdk.sif").write_bytes(b"another image")
    assert apptainer.identity != before
