"""A JDK that appears, changes or vanishes while a run is under way: the machine's fault, never a commit's."""

import os
import shutil
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import LocalRepository
from testevo.builds.project.run_jdks import jdks_of_run, note_jdks
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.errors import MachineError

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>{level}</maven.compiler.source></properties></project>"""


@pytest.fixture(autouse=True)
def no_other_jdks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("testevo.builds.project.jdks.USUAL_FOLDERS", ())
    monkeypatch.setenv("PATH", "")
    for name in [name for name in os.environ if name.startswith("JAVA_HOME")]:
        monkeypatch.delenv(name)


def jdk(home: Path, version: str, script: str = "") -> str:
    """A folder like a JDK, whose java is a shell script."""
    shutil.rmtree(home, ignore_errors=True)
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "javac").touch()
    (home / "release").write_text(f'JAVA_VERSION="{version}"\n')
    java = home / "bin" / "java"
    names_version = f"echo 'openjdk version \"{version}\"' >&2"
    java.write_text(f"#!/bin/sh\n{script or names_version}\n")
    java.chmod(0o755)
    return str(home)


def prepared(folder: Path, level: str, extra: list[str]) -> Preparation | BuildResult:
    """What a job makes of a project of a Java level, by the note in `folder`."""
    checkout = folder / "checkout"
    checkout.mkdir(exist_ok=True)
    (checkout / "pom.xml").write_text(POM.format(level=level))
    known = jdks_of_run(folder / "jdks.json", extra)
    local = LocalRepository(folder / "local", folder / "settings.xml")
    context = BuildContext(local, folder / "cache", folder / "work", known.chosen_from, unusable=known.unusable)
    return context.prepare(Checkout("owner/repo", "1a2b3c4d", checkout, "key"))


def chosen(folder: Path, level: str, extra: list[str]) -> int:
    found = prepared(folder, level, extra)
    assert isinstance(found, Preparation)
    return found.choice.jdk.feature


def test_a_jdk_that_appears_is_not_used_until_the_next_run(tmp_path: Path) -> None:
    seventeen = jdk(tmp_path / "17", "17.0.1")
    note_jdks(tmp_path / "jdks.json", [seventeen])
    extra = [seventeen, jdk(tmp_path / "8", "1.8.0_292")]
    assert chosen(tmp_path, "8", extra) == 17
    note_jdks(tmp_path / "jdks.json", extra)
    assert chosen(tmp_path, "8", extra) == 8


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (None, "8 was there when this run began, and is gone"),
        ("echo 'openjdk version \"1.8.0_300\"' >&2", "was 1.8.0_292 when this run began, and is 1.8.0_300 now"),
        ("echo no such library >&2; exit 127", "does not now: .*exit status 127.: no such library"),
    ],
)
def test_a_jdk_that_vanishes_or_changes_is_named_where_it_is_needed(
    script: str | None, says: str, tmp_path: Path
) -> None:
    extra = [jdk(tmp_path / "17", "17.0.1"), jdk(tmp_path / "8", "1.8.0_292")]
    note_jdks(tmp_path / "jdks.json", extra)
    shutil.rmtree(tmp_path / "8")
    if script:
        jdk(tmp_path / "8", "1.8.0_300" if "300" in script else "1.8.0_292", script)
    with pytest.raises(MachineError, match=rf"(?s)owner/repo at 1a2b3c4 is built with JDK 8.*{says}.*run again"):
        prepared(tmp_path, "8", extra)
    assert chosen(tmp_path, "11", extra) == 17, "a project that does not need it goes on"


def test_a_broken_jdk_that_alone_would_fit_is_the_machines_fault(tmp_path: Path) -> None:
    extra = [jdk(tmp_path / "17", "17.0.1"), jdk(tmp_path / "8", "1.8.0_292", "exit 1")]
    with pytest.raises(MachineError, match=r"is built with JDK 8.*does not start \(exit status 1\)"):
        prepared(tmp_path, "6", extra)
    assert chosen(tmp_path, "8", extra) == 17
    found = prepared(tmp_path, "21", extra)
    assert isinstance(found, BuildResult) and found.outcome is BuildOutcome.LEVEL_UNSUPPORTED


def test_where_every_jdk_is_broken_each_is_named(tmp_path: Path) -> None:
    extra = [jdk(tmp_path / "17", "17.0.1", "exit 3")]
    assert find_jdks(extra) == []
    with pytest.raises(MachineError, match=r"(?s)No JDK was found.*17/bin/java.*exit status 3"):
        jdks_of_run(tmp_path / "jdks.json", extra)


def test_a_run_chooses_among_the_preferred_jdks_where_one_is_here(tmp_path: Path) -> None:
    extra = [jdk(tmp_path / name, version) for name, version in (("a", "8.0.1"), ("b", "17.0.1"), ("c", "21.0.1"))]
    note_jdks(tmp_path / "jdks.json", extra)
    for path in (tmp_path / "jdks.json", tmp_path / "none"):
        found = jdks_of_run(path, extra, preferred=(17, 21, 25)).chosen_from
        assert [one.feature for one in found] == [17, 21]
        assert [one.feature for one in jdks_of_run(path, extra, preferred=(11,)).chosen_from] == [8, 17, 21]
