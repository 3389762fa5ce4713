"""`testevo doctor` tries what it reports: programs of this PATH that work, that fail, and that are not there."""

import json
from pathlib import Path

import pytest

from testevo.builds.project.jdks import Jdk
from testevo.cli.machines import doctor
from testevo.cli.machines.doctor import SANDBOXES, TOOLS, Finding, examine, sandbox_findings
from testevo.cli.machines.sandbox_trial import fault_of_sandbox
from testevo.config.model import Execution
from testevo.runtime.errors import ExitStatus
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.name_spaces import name_spaces_work
from testevo.sandboxes.sandbox import bubblewrap_works, ends_with_parent, process_limits

AFTER_IMAGE = 'while [ "$1" != "{0}" ]; do shift; done; shift; exec "$@"'
AFTER_OPTIONS = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
REFUSED = "echo 'creating a name space: Operation not permitted' >&2; exit 1"
PYTHON_ALONE = AFTER_OPTIONS.replace("shift; exec", "shift 8; exec")
NO_DAEMON = 'if [ "$1" = info ]; then echo Cannot connect to the daemon >&2; exit 1; fi; echo version 27.0.1'


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the only programs of the PATH."""
    process_limits(Confinement(tmp_path, (), (), 64))  # what is kept for the whole process is found on the whole PATH
    ends_with_parent()
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    return folder


def program(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def found(**execution: str) -> dict[str, Finding]:
    return {one.name: one for one in sandbox_findings(Execution.model_validate(execution))}


def tool(name: str) -> Finding:
    return examine(next(one for one in TOOLS if one.name == name))


def test_without_their_programs_sandboxes_are_not_here_and_say_what_they_need(programs: Path) -> None:
    findings = found()
    assert set(findings) == {f"sandbox {choice.name}" for choice in SANDBOXES}
    assert not [one for one in findings.values() if one.version or one.fault or one.needed]
    assert findings["sandbox bubblewrap"].advice == "needs bwrap: docs/sandboxes.md"
    assert findings["sandbox docker"].advice == "needs docker or podman: docs/sandboxes.md"


def test_a_sandbox_in_which_a_shell_runs_works(programs: Path) -> None:
    program(programs, "bwrap", AFTER_OPTIONS)
    assert found()["sandbox bubblewrap"].version == doctor.WORKS


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (REFUSED, "(exit status 1): creating a name space: Operation not permitted."),
        ("exit 7", "(exit status 7): it said nothing."),
        ("exit 0", "what it wrote was not there"),
    ],
)
def test_a_program_that_is_here_and_runs_nothing_is_no_sandbox(programs: Path, script: str, says: str) -> None:
    program(programs, "bwrap", script)
    finding = found()["sandbox bubblewrap"]
    assert finding.version is None and not finding.needed
    assert says in finding.advice and "docs/sandboxes.md" in finding.advice


def test_name_spaces_that_the_kernel_refuses_are_told_with_its_words(programs: Path) -> None:
    program(programs, "unshare", REFUSED)
    finding = found()["sandbox unshare"]
    assert finding.version is None
    assert "makes no name spaces here: creating a name space: Operation not permitted" in finding.advice
    assert "Install util-linux" in finding.advice


def test_name_spaces_that_are_not_of_its_own_are_none(programs: Path) -> None:
    program(programs, "unshare", PYTHON_ALONE)
    finding = found()["sandbox unshare"]
    assert finding.version is None and "with this machine" in finding.advice


def test_apptainer_is_tried_with_the_image_that_is_named(programs: Path, tmp_path: Path) -> None:
    image = tmp_path / "image"
    image.mkdir()
    program(programs, "apptainer", AFTER_IMAGE.format(image))
    assert "none is named" in found()["sandbox apptainer"].advice
    assert found(apptainer_image=str(image))["sandbox apptainer"].version == doctor.WORKS
    program(programs, "apptainer", "echo FATAL: no loop device >&2; exit 255")
    assert "no loop device" in found(apptainer_image=str(image))["sandbox apptainer"].advice


@pytest.mark.parametrize("name", ["docker", "podman"])
def test_a_client_without_an_engine_is_told_with_its_words(programs: Path, name: str) -> None:
    program(programs, name, NO_DAEMON)
    finding = tool(name)
    assert finding.version is None and "info` failed (exit status 1): Cannot connect to the daemon" in finding.fault
    assert "Start the engine" in finding.advice
    program(programs, name, "echo version 27.0.1")
    assert tool(name).version == "27.0.1"


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ('exec: "newuidmap": executable file not found in $PATH', "apt-get install uidmap"),
        ('no subuid ranges found for user "ann" in /etc/subuid', "usermod --add-subuids"),
    ],
)
def test_an_engine_that_lacks_something_need_not_be_started(programs: Path, said: str, advice: str) -> None:
    program(programs, "podman", f"if [ $1 = info ]; then echo 'Error: {said}' >&2; exit 125; fi; echo version 4.3.1")
    finding = tool("podman")
    assert advice in finding.advice and said in finding.advice and "Start the engine" not in finding.advice


@pytest.mark.parametrize(("version", "works"), [("3.6.3", False), ("2.2.1", False), ("3.8.7", True), ("3.10.0", True)])
def test_a_maven_that_set_up_refuses_is_too_old_here_too(programs: Path, version: str, works: bool) -> None:
    program(programs, "mvn", f"echo Apache Maven {version}")
    finding = tool("mvn")
    assert (finding.version == version) is works
    assert works or "is too old. Install Maven 3.8 or newer" in finding.advice


def test_an_engine_that_is_named_and_does_not_answer_is_told_with_its_address(programs: Path, tmp_path: Path) -> None:
    address = f"unix://{tmp_path}/no-socket"
    finding = found(container_engine=address)["sandbox docker"]
    assert finding.version is None and address in finding.advice and "Start it" in finding.advice


def test_a_sandbox_that_mining_would_use_passes_its_trial() -> None:
    for name, works in (("bubblewrap", bubblewrap_works()), ("unshare", name_spaces_work())):
        assert not works or fault_of_sandbox(name) == ""


def test_a_sandbox_that_the_configuration_names_is_needed(programs: Path) -> None:
    assert {name for name, one in found(sandbox="bubblewrap").items() if one.needed} == {"sandbox bubblewrap"}


def doctor_on(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[Finding]]:
    """Exit status and findings of `doctor --json --configuration`."""
    file = tmp_path / "configuration.yaml"
    file.write_text(text)
    status = doctor.doctor(as_json=True, configuration=file)
    return status, [Finding(**one) for one in json.loads(capsys.readouterr().out)]


def test_jdks_that_only_the_configuration_names_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Few people install the JDK 8 of one snapshot in the usual folders."""
    home = tmp_path / "jdk-99"
    for name in ("java", "javac"):
        (home / "bin").mkdir(parents=True, exist_ok=True)
        program(home / "bin", name, """echo 'openjdk version "99.0.1" 2099-01-01' >&2""")
    _, findings = doctor_on(tmp_path, f"build: {{java_homes: ['{home}']}}", capsys)
    assert ("jdk 99", "99.0.1") in {(one.name, one.version) for one in findings}


@pytest.mark.parametrize(("features", "missing"), [((8,), True), ((8, 17), False), ((21,), False), ((), True)])
def test_old_jdks_alone_are_not_enough(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, features: tuple[int, ...], missing: bool
) -> None:
    """Mining ran up to its filter of refactorings, whose detector starts on no JDK 8."""
    here = [Jdk(tmp_path, feature, f"{feature}.0.1") for feature in features]
    monkeypatch.setattr(doctor, "find_jdks", lambda extra: here)
    monkeypatch.setattr(doctor, "broken_jdks", lambda extra: [])
    lacking = [one for one in doctor.jdk_findings(()) if "openjdk-17-jdk-headless" in one.advice]
    assert bool(lacking) is missing and all(one.needed and one.version is None for one in lacking)


def test_a_named_folder_without_a_jdk_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The next best JDK would be taken in its place without a word."""
    nowhere = tmp_path / "jdk8"
    status, findings = doctor_on(tmp_path, f"build: {{java_homes: ['{nowhere}']}}", capsys)
    (missing,) = [one for one in findings if one.name == "jdk" and one.version is None]
    assert status == ExitStatus.MACHINE and missing.needed
    assert missing.advice == f"build.java_homes names {nowhere}, which has no bin/javac. Correct or remove it."


def test_a_jdk_that_a_repository_asks_for_is_missing_with_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = (
        "sources: {repositories: [{name: a/b, overrides: {jdk: 7}}, {name: c/d, overrides: {jdk: 7}}, {name: e/f}]}"
    )
    status, findings = doctor_on(tmp_path, listed, capsys)
    (missing,) = [one for one in findings if one.name == "jdk 7"]
    assert status == ExitStatus.MACHINE and missing.needed and missing.purpose == "build a/b, c/d"
    assert "build.java_homes" in missing.advice


@pytest.mark.parametrize(("name", "missing"), [("plain", []), ("with a space", ["folder cache", "folder scratch"])])
def test_folders_whose_addresses_are_written_otherwise_are_told(
    name: str, missing: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("TESTEVO_SCRATCH", "SLURM_TMPDIR"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / name)
    _, findings = doctor_on(tmp_path, "{}", capsys)
    told = [one for one in findings if one.name.startswith("folder")]
    assert [one.name for one in told] == missing
    assert all(one.needed and one.version is None and "' '" in one.advice for one in told)
