"""The choice of a JDK."""

import os
import re
from pathlib import Path

import pytest

from testevo.builds.project.java_demand import Declared, JavaDemand, feature_of
from testevo.builds.project.jdks import Jdk, NoSuitableJdkError, broken_jdks, choose_jdk, find_jdks
from testevo.config.model import BuildOverrides
from testevo.records.verdicts import BuildOutcome

JDKS = [Jdk(Path(f"/jdk{feature}"), feature, f"{feature}.0.1") for feature in (8, 11, 17, 25)]


def demand(lowest: str, highest: str | None = None, jdk: str | None = None) -> JavaDemand:
    def declared(text: str) -> Declared:
        return Declared(feature_of(text) or 0, text, "pom.xml")

    return JavaDemand(declared(lowest), declared(highest or lowest), declared(jdk) if jdk else None)


@pytest.mark.parametrize(
    ("text", "feature"),
    [("1.8", 8), ("8", 8), ("[1.8,)", 8), ("1.8.0_292", 8), ("17.0.2", 17), ("[11,17)", 11), ("x", None), (None, None)],
)
def test_a_level_is_read_as_a_feature_version(text: str | None, feature: int | None) -> None:
    assert feature_of(text) == feature


@pytest.mark.parametrize(
    ("asked", "feature"),
    [
        (demand("1.5"), 8),
        (demand("1.7"), 8),
        (demand("8"), 8),
        (demand("9"), 11),
        (demand("11", "17"), 17),
        (demand("8", jdk="17"), 17),
        (demand("21"), 25),
        (JavaDemand(), 8),
    ],
)
def test_the_smallest_fitting_jdk_is_chosen(asked: JavaDemand, feature: int) -> None:
    assert choose_jdk(asked, JDKS).jdk.feature == feature


def test_the_reason_says_what_was_declared_where() -> None:
    choice = choose_jdk(demand("8", jdk="17"), JDKS)
    assert choice.reason == (
        "JDK 17: Java 8 declared by pom.xml, JDK 17 demanded by pom.xml; the smallest installed JDK that fits"
    )
    assert choice.level == "8"


def test_a_level_that_no_jdk_compiles_any_more_is_a_named_outcome() -> None:
    """TEB-M07; the message names thing, reason and next step."""
    with pytest.raises(NoSuitableJdkError) as error:
        choose_jdk(demand("6"), [JDKS[2]], where="pom.xml of owner/repo at 1a2b3c4")
    assert str(error.value) == (
        "pom.xml of owner/repo at 1a2b3c4 declares Java 6; this JDK compiles 7 or newer. "
        "Install JDK 8 and name it in build.java_homes, or set build.level_override."
    )
    assert error.value.outcome is BuildOutcome.LEVEL_UNSUPPORTED


def test_modules_of_levels_no_single_jdk_spans_are_refused() -> None:
    with pytest.raises(NoSuitableJdkError, match="declares Java 7"):
        choose_jdk(demand("7", "21"), [JDKS[3]])


def test_a_level_newer_than_every_jdk_is_refused() -> None:
    said = r"asks for Java 21; only JDK 17 is installed\. Install JDK 21 or newer"
    with pytest.raises(NoSuitableJdkError, match=said):
        choose_jdk(demand("21"), [JDKS[2]])


def test_overrides_win_and_are_recorded() -> None:
    choice = choose_jdk(demand("6"), JDKS, BuildOverrides(level="8", jdk=17, reason="no JDK 6"))
    assert (choice.jdk.feature, choice.level, choice.overridden) == (17, "8", True)
    assert "no JDK 6" in choice.reason
    assert choose_jdk(demand("6"), JDKS[2:3], level_override="8").level == "8"


def test_a_jdk_override_that_is_not_installed_is_refused() -> None:
    with pytest.raises(NoSuitableJdkError, match="asks for JDK 21, but only JDK 8, 11, 17 and 25 are installed"):
        choose_jdk(demand("8"), JDKS, BuildOverrides(jdk=21, reason="x"))


def test_a_project_that_declares_nothing_is_compiled_for_the_default_only_without_a_parent_elsewhere() -> None:
    assert choose_jdk(JavaDemand(), JDKS).assumed
    assert not choose_jdk(JavaDemand(complete=False), JDKS).assumed


def fake_jdk(home: Path, version: str, script: str = "") -> Path:
    """A folder like a JDK, whose java is a shell script."""
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "javac").touch()
    (home / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
    java = home / "bin" / "java"
    names_version = f"echo 'openjdk version \"{version}\"' >&2"
    java.write_text(f"#!/bin/sh\n{script or names_version}\n")
    java.chmod(0o755)
    return home


def test_jdks_are_found_by_their_release_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("testevo.builds.project.jdks.USUAL_FOLDERS", (str(tmp_path / "usual"),))
    eleven = fake_jdk(tmp_path / "usual" / "jdk-11", "11.0.2")
    (tmp_path / "usual" / "jre").mkdir()
    (tmp_path / "usual" / "link").symlink_to(eleven)
    eight = fake_jdk(tmp_path / "eight", "1.8.0_292")
    given = fake_jdk(tmp_path / "given", "17.0.1")
    found = find_jdks([str(given)], {"JAVA_HOME_8": str(eight), "PATH": ""})
    assert [(jdk.home, jdk.feature) for jdk in found] == [(eight, 8), (eleven, 11), (given, 17)]


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("echo 'Could not reserve enough space' >&2; exit 1", r"exit status 1\): Could not reserve enough space"),
        ("kill -9 $$", r"exit status -9\): it said nothing"),
        ("exit 0", "names no version"),
        ("echo 'openjdk version \"17.0.1\"' >&2", "says 11.0.2, its java says 17.0.1"),
    ],
)
def test_a_jdk_is_not_believed_by_its_release_file(
    script: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is started first; what happened is kept for messages."""
    monkeypatch.setattr("testevo.builds.project.jdks.USUAL_FOLDERS", ())
    home = str(fake_jdk(tmp_path / "broken", "11.0.2", script))
    assert find_jdks([home], {"PATH": ""}) == []
    [broken] = broken_jdks([home], {"PATH": ""})
    assert re.search(says, broken.fault)
    assert broken.jdk is not None and broken.jdk.feature == 11


def test_a_jdk_without_or_with_a_foreign_java_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("testevo.builds.project.jdks.USUAL_FOLDERS", ())
    lacking, foreign = fake_jdk(tmp_path / "lacking", "11.0.2"), fake_jdk(tmp_path / "foreign", "17.0.1")
    (lacking / "bin" / "java").unlink()
    (foreign / "bin" / "java").write_bytes(b"\x7fELF of another machine")
    faults = [broken.fault for broken in broken_jdks([str(lacking), str(foreign)], {"PATH": ""})]
    assert "has no bin/java" in faults[0] and "cannot be started: Exec format error" in faults[1]


def test_a_jvm_is_started_once_while_its_file_stays_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("testevo.builds.project.jdks.USUAL_FOLDERS", ())
    count = f"echo 'openjdk version \"11.0.2\"' >&2; echo x >> '{tmp_path}/starts'"
    home = fake_jdk(tmp_path / "jdk", "11.0.2", count)
    for _ in range(3):
        assert len(find_jdks([str(home)], {"PATH": ""})) == 1
    assert (tmp_path / "starts").read_text() == "x\n"
    os.utime(home / "bin" / "java", (1, 1))
    assert len(find_jdks([str(home)], {"PATH": ""})) == 1
    assert (tmp_path / "starts").read_text() == "x\nx\n"
