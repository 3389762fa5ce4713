"""Maven in a JVM that stays finds what Maven in a process of its own finds, again and again."""

import contextlib
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import psutil
import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven.resident_maven import ResidentMaven
from testevo.builds.model_source import ModelSource
from testevo.builds.project.jdks import find_jdks
from testevo.builds.project.local_repository import local_repository
from testevo.builds.project.settings import maven_command
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.project import PROJECT

pytestmark = pytest.mark.maven

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
  <groupId>g</groupId><artifactId>{artifact}</artifactId><version>1</version>
  <properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies>{dependencies}</dependencies>
</project>
"""
JUNIT = (
    "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>"
    "<scope>test</scope></dependency>"
)
SOUND, BROKEN = "public class A { int one() { return 1; } }", "public class A { int one() { return true; } }"


class Runs:
    """Builds projects with the direct engine and knows which Maven ran for it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.earlier = psutil.Process().children()
        self.resident: list[bool] = []
        """Of each run in a JVM that stays, whether it succeeded."""
        self.own = 0
        self.engine = self._engine()
        run, run_resident = Maven.run, ResidentMaven.run

        def counted(maven: Maven, place: Path, goals: Sequence[str], **more: object) -> object:
            self.own += 1
            return run(maven, place, goals, **more)  # type: ignore[arg-type]

        def counted_resident(place: ResidentMaven, maven: Maven, goals: Sequence[str], **more: object) -> object:
            finished = run_resident(place, maven, goals, **more)  # type: ignore[arg-type]
            if finished is not None:
                self.resident.append(finished.ok)
            return finished

        monkeypatch.setattr(Maven, "run", counted)
        monkeypatch.setattr(ResidentMaven, "run", counted_resident)

    def _engine(self) -> DirectEngine:
        local = local_repository(PROJECT / "results" / "cache", "worlds", None)  # warm after the first run
        return DirectEngine(BuildContext(local, self.folder / "cache", self.folder / "work", find_jdks()))

    def start_anew(self) -> None:
        """Go on with another engine, as the next job does."""
        self.engine.close()
        self.engine = self._engine()

    def build(
        self,
        name: str,
        source: str,
        *,
        artifact: str | None = None,
        dependencies: str = JUNIT,
        files: Mapping[str, str] | None = None,
    ) -> BuildResult:
        folder = self.folder / name
        (folder / "src/main/java").mkdir(parents=True)
        (folder / "src/main/java/A.java").write_text(source)
        (folder / "pom.xml").write_text(POM.format(artifact=artifact or name, dependencies=dependencies))
        for path, text in (files or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        self.resident, self.own = [], 0
        return self.engine.build(Checkout("owner/repo", name * 10, folder, name))

    def jvms(self) -> list[psutil.Process]:
        found = []
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.NoSuchProcess):  # one of another test that has ended
                found += [child] if child not in self.earlier and "testevo.maven.Main" in child.cmdline() else []
        return found


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    runs = Runs(tmp_path, monkeypatch)
    runs.build("warm", SOUND)  # downloads, where this machine has built nothing yet
    yield runs
    runs.engine.close()
    assert runs.jvms() == []


def test_one_jvm_makes_model_after_model(runs: Runs) -> None:
    [jvm] = runs.jvms()
    for name in ("one", "two"):
        result = runs.build(name, SOUND)
        assert result.built, result.reason
        assert (runs.resident, runs.own) == ([True], 0)
    assert runs.jvms() == [jvm]


def test_a_model_is_the_same_as_one_by_maven_of_its_own(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Read from the output of a run, which must say the same."""
    one = runs.build("one", SOUND)
    assert one.built and runs.own == 0
    [model] = (tmp_path / "cache" / "models" / str(one.fingerprint)).glob("*.json")
    by_resident = model.read_bytes()
    model.unlink()
    shutil.rmtree(tmp_path / "cache" / "models" / "equivalent", ignore_errors=True)
    monkeypatch.setattr(ResidentMaven, "run", lambda *_, **__: None)
    again = runs.build("again", SOUND, artifact="one")
    assert again.built and runs.own == 1
    assert model.read_bytes() == by_resident


def test_what_javac_refuses_is_believed_and_every_other_failure_is_asked_again(runs: Runs) -> None:
    refused = runs.build("refused", BROKEN)
    assert refused.outcome is BuildOutcome.PRODUCTION_COMPILE_ERROR
    assert "A.java:1" in refused.reason
    assert (runs.resident, runs.own) == ([False, True], 0), "a second run, without compiling, for the model"
    absent = "<dependency><groupId>no.such</groupId><artifactId>thing</artifactId><version>1</version></dependency>"
    unavailable = runs.build("unavailable", SOUND, dependencies=absent)
    assert unavailable.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE
    assert (runs.resident, runs.own) == ([False, False], 1), "without the network, with it, and the one that counts"


@pytest.mark.parametrize(
    ("path", "text"), [(".mvn/jvm.config", "-Xmx512m\n"), (".mvn/extensions.xml", "<extensions/>\n")]
)
def test_a_project_that_changes_maven_itself_gets_a_maven_of_its_own(runs: Runs, path: str, text: str) -> None:
    result = runs.build("optioned", SOUND, files={path: text})
    assert result.built, result.reason
    assert (runs.resident, runs.own) == ([], 1)


def test_a_jvm_that_died_is_started_again(runs: Runs) -> None:
    [jvm] = runs.jvms()
    jvm.kill()
    jvm.wait()
    assert runs.build("after", SOUND).built
    assert (runs.resident, runs.own) == ([True], 0), "by a new one"
    assert runs.jvms() != [jvm]


def test_an_installation_of_another_layout_is_started_as_it_is(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """For example a script of a cluster that calls Maven somewhere else."""
    elsewhere = tmp_path / "elsewhere" / "bin" / "mvn"
    monkeypatch.setattr("testevo.builds.maven.resident_maven.maven_command", lambda: elsewhere)
    assert runs.build("elsewhere", SOUND).built
    assert (runs.resident, runs.own) == ([], 1)


def test_the_source_of_models_leaves_no_checkout_behind(runs: Runs) -> None:
    source: ModelSource = runs.engine.context.source
    assert list(source.resident.folder.iterdir()) == []


def test_what_one_maven_has_told_is_not_believed_of_another(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """It chooses the versions that a POM leaves open, such as that of Surefire."""
    checkout = Checkout("owner/repo", "one" * 10, runs.folder / "one", "one")
    assert runs.build("one", SOUND).built and runs.resident == [True]
    assert runs.engine.build(checkout).built and runs.resident == [True]
    monkeypatch.setenv("PATH", f"{another_maven(runs.folder / 'other')}:{os.environ['PATH']}")
    runs.start_anew()
    assert runs.engine.build(checkout).built and runs.resident == [True, True]
    assert runs.engine.build(checkout).built and runs.resident == [True, True]


def another_maven(folder: Path) -> Path:
    """The programs of a copy of the installed Maven that calls itself by another version."""
    shutil.copytree(maven_command().parent.parent, folder)
    [core] = (folder / "lib").glob("maven-core*.jar")
    with zipfile.ZipFile(core) as archive:
        entries = {one: archive.read(one) for one in archive.infolist()}
    core.unlink()
    with zipfile.ZipFile(core, "w") as archive:
        for one, content in entries.items():
            version = b"version=9.9.9\n" if one.filename.endswith("/maven-core/pom.properties") else content
            archive.writestr(one, version)
    return folder / "bin"
