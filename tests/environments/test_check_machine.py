"""`envs/check_machine.sh`, which `make setup` runs first: every program that is missing, too old or broken is named."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
GOOD = {
    "python3": 'case "$2" in *version*) echo 3.11;; esac',
    "javac": "echo 'OpenJDK 64-Bit Server VM warning: x' >&2; echo 'javac 17.0.15'",
    "mvn": "printf '\\033[1mApache Maven 3.8.7\\033[m\\nJava version: 17\\n'",
    "git": "echo 'git version 2.39.5'",
}


def checked(folder: Path, programs: Mapping[str, str], **environment: str) -> tuple[int, list[str]]:
    """The status and the lines of the check on a machine with nothing but sh and these programs."""
    sh = shutil.which("sh")
    assert sh is not None
    place = folder / "programs"
    place.mkdir()
    for name, script in programs.items():
        (place / name).write_text(f"#!{sh}\n{script}\n")
        (place / name).chmod(0o755)
    finished = subprocess.run(
        [sh, str(PROJECT / "envs" / "check_machine.sh")],
        env={"PATH": str(place), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.stdout == ""
    return finished.returncode, finished.stderr.splitlines()


def test_a_machine_with_all_programs_passes_in_silence(tmp_path: Path) -> None:
    assert checked(tmp_path, GOOD) == (0, [])


def test_on_a_bare_machine_every_program_is_named_with_what_to_install(tmp_path: Path) -> None:
    status, lines = checked(tmp_path, {})
    assert status == 1
    assert [line.partition(" is missing")[0] for line in lines] == ["Python", "The JDK", "Maven", "git"]
    assert all("Install" in line and "apt-get install" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "script", "says"),
    [
        ("python3", "echo 3.9", "Python 3.9 is too old (python3). Install Python 3.11"),
        ("python3", 'case "$2" in *version*) echo 3.12;; *) exit 1;; esac', "lacks venv or ensurepip"),
        ("javac", "echo 'javac 1.8.0_292' >&2", "The JDK 1.8.0 is too old (javac). Install JDK 17"),
        ("javac", "echo 'javac 11.0.2'", "The JDK 11.0.2 is too old"),
        ("javac", "echo 'no libjli.so' >&2; exit 127", "javac ended with status 127 and said: no libjli.so"),
        ("mvn", "echo 'Apache Maven 3.6.3'", "Maven 3.6.3 is too old (mvn). Install Maven 3.8"),
        ("mvn", "exit 1", "Maven does not start: mvn ended with status 1 and said: nothing"),
        ("git", "exit 0", "git without a version is too old"),
    ],
)
def test_what_is_too_old_or_does_not_start_is_named(tmp_path: Path, name: str, script: str, says: str) -> None:
    status, [line] = checked(tmp_path, {**GOOD, name: script})
    assert status == 1 and says in line and "nstall" in line


@pytest.mark.parametrize(("maven", "status"), [("3.8", 0), ("3.9.10", 0), ("4.0.0-rc-3", 0), ("2.2.1", 1)])
def test_versions_are_compared_as_numbers(tmp_path: Path, maven: str, status: int) -> None:
    assert checked(tmp_path, {**GOOD, "mvn": f"echo 'Apache Maven {maven}'"})[0] == status


def test_the_python_and_the_jdk_that_the_user_names_are_those_that_are_checked(tmp_path: Path) -> None:
    home = tmp_path / "jdk"
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "javac").write_text("#!/bin/sh\necho 'javac 21'\n")
    (home / "bin" / "javac").chmod(0o755)
    programs = {**GOOD, "python3": "echo 3.9", "mine": GOOD["python3"], "javac": "exit 1"}
    assert checked(tmp_path, programs, PYTHON="mine", JAVA_HOME=str(home)) == (0, [])


def test_the_check_comes_before_anything_is_installed() -> None:
    planned = subprocess.run(
        ["make", "--always-make", "--dry-run", "setup"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    (check,) = (place for place, line in enumerate(planned.stdout.splitlines()) if "check_machine.sh" in line)
    later = "\n".join(planned.stdout.splitlines()[check:])
    installing = ("-m venv", "pip install", "\nmvn ")
    assert all(later.count(command) == planned.stdout.count(command) > 0 for command in installing)
