"""Java or Maven that cannot start, memory or disk gone: never a verdict about a commit.

Maven is a shell script here that fails as a machine makes it fail.
"""

import shutil
from pathlib import Path

import pytest

from testevo.builds.compilation.javac_step import JavacStep
from testevo.builds.compilation.worker import Compilation as Done
from testevo.builds.compilation.worker import CompilerError, Worker
from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.machine_failures import require_space_for, without_quotations
from testevo.builds.model.model import Compilation
from testevo.builds.model.sources import SourceView
from testevo.builds.project.jdks import Jdk
from testevo.builds.project.local_repository import LocalRepository
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.errors import ExitStatus, MachineError

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source></properties></project>"""
HEALTHY = "case \"$*\" in -version) echo 'Apache Maven 3.9.9'; exit 0;; esac"
SPEAKS = "echo '[INFO] Scanning for projects...'"
GOAL = "echo '[ERROR] Failed to execute goal x:some-plugin:1:go (default) on project a: {} -> [Help 1]'; exit 1"
NO_HEAP = "echo 'Error occurred during initialization of VM'; echo 'Could not reserve enough space for heap'; exit 1"


def program(file: Path, script: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "pom.xml").write_text(POM)
    return Checkout("owner/repo", "1a2b3c4d", folder, "key")


class Machine:
    """A machine with these programs, and what a build on it comes to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.java = program(folder / "jdk" / "bin" / "java", "echo 'openjdk version \"17.0.1\"' >&2")
        monkeypatch.setenv("PATH", f"{folder / 'programs'}:/usr/bin:/bin")

    def build(
        self, checkout: Checkout, maven: str, *, direct: bool = True, offline: bool = True, first: bool = False
    ) -> BuildResult:
        program(self.folder / "programs" / "mvn", maven)
        local = LocalRepository(self.folder / "local", self.folder / "settings.xml")
        for part in (local.artifacts, local.home):
            part.mkdir(parents=True, exist_ok=True)
        if not first:
            local.mark_proven("an earlier revision")
        jdk = Jdk(self.folder / "jdk", 17, "17.0.1")
        context = BuildContext(local, self.folder / "cache", self.folder / "work", [jdk], offline=offline)
        engine = DirectEngine(context) if direct else MavenEngine(context)
        try:
            return engine.build(checkout)
        finally:
            engine.close()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
@pytest.mark.parametrize(
    ("maven", "says"),
    [
        (f"{HEALTHY}; {NO_HEAP}", "exit status 1: Could not reserve enough space for heap.*memory"),
        (NO_HEAP, r"mvn -version` does not start \(exit status 1\): .*Could not reserve"),
        ("echo 'no libjli.so' >&2; exit 127", r"mvn -version` does not start \(exit status 127\): no libjli.so"),
        ("kill -9 $$", r"Maven was killed \(exit status -9\).*memory"),
        (f"{SPEAKS}; kill -9 $$", r"Maven was killed \(exit status -9\).*memory"),
        (f"{SPEAKS}; exit 137", r"Maven was killed \(exit status 137\).*memory"),
        (f"{HEALTHY}; {SPEAKS}; {GOAL.format('Foo.class: No space left on device')}", "no space left on the disk"),
        (f"{HEALTHY}; {SPEAKS}; {GOAL.format('/x/Foo.java: No space left on device')}", "no space left on the disk"),
        (f"{HEALTHY}; echo 'cp: No space left on device' >&2; exit 1", "no space left on the disk"),
        (f"{HEALTHY}; {SPEAKS}; {GOAL.format('unable to create native thread')}", "exit status 1"),
        (f"{HEALTHY}; echo 'There is insufficient memory for the Java Runtime Environment'; exit 1", "memory"),
    ],
)
def test_what_the_machine_did_is_no_verdict(
    machine: Machine, checkout: Checkout, maven: str, says: str, direct: bool
) -> None:
    """The message names the program, how it ended, what it said, and what to do."""
    with pytest.raises(MachineError, match=f"(?s){says}.*run again") as caught:
        machine.build(checkout, maven, direct=direct)
    assert caught.value.status is ExitStatus.MACHINE


def test_a_disk_that_fills_up_while_javac_writes_is_no_compile_error(machine: Machine, checkout: Checkout) -> None:
    file = machine.folder / "work" / "maven" / "A.java"
    said = f"echo '[ERROR] {file}:[1,8] error while writing A: No space left on device'"
    goal = "echo '[ERROR] Failed to execute goal o:maven-compiler-plugin:3:compile (d) on project a: Failure'"
    with pytest.raises(MachineError, match="no space left on the disk"):
        machine.build(checkout, f"{HEALTHY}; {SPEAKS}; {said}; {goal}; exit 1")


@pytest.mark.parametrize(
    "words",
    [
        "No space left on device",
        "Cannot allocate memory",
        "unable to create native thread",
        "Could not transfer artifact x:y:jar:1 from/to central (https://registry.example): Connection refused",
    ],
)
@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
def test_what_a_compiler_quotes_from_sources_is_no_word_of_the_machine(
    machine: Machine, checkout: Checkout, words: str, direct: bool
) -> None:
    """Also in lines that continue a message, and with line ends of its own."""
    file = machine.folder / "work" / "maven" / "ATest.java"
    placed = (
        f"echo '[ERROR] {file}:[1,8] \"{words}\" is no name'; echo '[ERROR]   near {words}'; echo '[ERROR] {words}'"
    )
    goal = "echo '[ERROR] Failed to execute goal o:maven-compiler-plugin:3:testCompile (d) on project a: Failure'"
    maven = f"{HEALTHY}; {SPEAKS}; echo '[ERROR] COMPILATION ERROR : '; {placed}; {goal}; exit 1"
    assert machine.build(checkout, maven, direct=direct).outcome is BuildOutcome.TEST_COMPILE_ERROR


def test_quoted_words_of_a_message_without_a_place_are_none_either() -> None:
    said = '[ERROR] COMPILATION ERROR : \n[ERROR] processor: bad name "No space left on device"\n'
    require_space_for(without_quotations(said))
    with pytest.raises(MachineError, match="no space"):
        require_space_for(without_quotations(said.replace('"', "")))


def _javac_step(folder: Path) -> JavacStep:
    sources = Compilation(execution="default", roots=("src/test/java",))
    program(folder / "bin" / "java", "exit 1")
    place = ("17", "", "test")
    return JavacStep(place, SourceView(folder, {}, folder), sources, (), (), (), (), Worker(folder), ends=0.0)


@pytest.mark.parametrize(
    ("code", "has_place"),
    [("compiler.err.proc.messager", True), ("compiler.err.proc.messager", False), ("compiler.err.other", True)],
)
def test_what_javac_and_its_processors_quote_is_no_full_disk(tmp_path: Path, code: str, has_place: bool) -> None:
    path = tmp_path / "src" / "test" / "java" / "ATest.java" if has_place else None
    error = CompilerError(path, 1, code, "No space left on device is no identifier")
    assert not _javac_step(tmp_path).outcome(Done(False, (error,), {})).success


@pytest.mark.parametrize(
    ("code", "has_place"), [("compiler.err.class.cant.write", True), ("compiler.err.error.writing.file", False)]
)
def test_what_javac_cannot_write_is_a_full_disk(tmp_path: Path, code: str, has_place: bool) -> None:
    error = CompilerError(tmp_path / "A.java" if has_place else None, 1, code, "error while: No space left on device")
    with pytest.raises(MachineError, match="no space left"):
        _javac_step(tmp_path).outcome(Done(False, (error,), {}))


def test_a_jdk_that_vanishes_under_a_build_is_named(machine: Machine, checkout: Checkout) -> None:
    gone = f"{HEALTHY}; rm -r '{machine.folder / 'jdk'}'; echo 'Error: JAVA_HOME is not defined correctly.'; exit 1"
    with pytest.raises(MachineError, match=r"The JDK .*/jdk is not there any more.*Put it back"):
        machine.build(checkout, gone)


def test_a_missing_maven_is_the_machines_fault(
    machine: Machine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, **_: None)
    with pytest.raises(MachineError, match="mvn is not installed"):
        machine.build(checkout, HEALTHY)


@pytest.mark.parametrize(
    ("maven", "options"),
    [
        (f"{HEALTHY}; {SPEAKS}; {GOAL.format('a test of the project failed')}", ""),
        (f"{HEALTHY}; {SPEAKS}; {GOAL.format('java.lang.OutOfMemoryError: Java heap space')}", ""),
        (f"{HEALTHY}; {NO_HEAP}", "-Xmx9999g"),
        (f"{HEALTHY}; echo 'Could not create the Java Virtual Machine'; exit 1", "-XX:x"),
    ],
)
def test_what_the_commit_did_stays_a_verdict(machine: Machine, checkout: Checkout, maven: str, options: str) -> None:
    """Also a JVM that does not start for the project's own options: without the project, Maven starts."""
    if options:
        (checkout.folder / ".mvn").mkdir()
        (checkout.folder / ".mvn" / "jvm.config").write_text(options)
    assert machine.build(checkout, maven).outcome is BuildOutcome.BUILD_TOOL_FAILED


REGISTRY = "https://registry.example/all"


def not_brought(name: str, address: str, why: str) -> str:
    """A Maven that fails for lack of an artifact; without the network it says so in other words."""
    said = f"Could not resolve dependencies: Could not transfer artifact x:y:jar:1 from/to {name} ({address}): {why}"
    offline = "case \"$*\" in *' -o '*) echo '[ERROR] Could not resolve dependencies: offline mode'; exit 1;; esac"
    return f"{HEALTHY}; {SPEAKS}; {offline}; echo '[ERROR] {said} -> [Help 1]'; exit 1"


@pytest.mark.parametrize(
    ("name", "address", "why"),
    [
        ("central", REGISTRY, "Unknown host registry.example: Temporary failure in name resolution"),
        ("central", REGISTRY, "Connect to registry.example:443 failed: Connection refused"),
        ("configured-mirror", "http://mirror.example/m", "Connect to mirror.example failed: connect timed out"),
        ("https-instead-of-http", REGISTRY, "PKIX path building failed"),
    ],
)
def test_a_registry_that_cannot_be_reached_is_no_verdict(
    machine: Machine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch, name: str, address: str, why: str
) -> None:
    """Its address, why, and both ways on."""
    monkeypatch.setattr("testevo.builds.maven.maven_run.default_registry", lambda: REGISTRY)
    says = f"(?s)registry {address} cannot be reached: .*{why[-20:]}. Check the network.*run again.*build.offline: true"
    with pytest.raises(MachineError, match=says):
        machine.build(checkout, not_brought(name, address, why), offline=False)


@pytest.mark.parametrize(
    ("name", "address", "why"),
    [
        ("central", REGISTRY, "status code: 403, reason phrase: Forbidden (403)"),
        ("dead", "http://gone.example/m2", "Unknown host gone.example"),
    ],
)
def test_what_a_registry_refuses_and_a_dead_one_of_the_project_are_verdicts(
    machine: Machine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch, name: str, address: str, why: str
) -> None:
    monkeypatch.setattr("testevo.builds.maven.maven_run.default_registry", lambda: REGISTRY)
    monkeypatch.setattr("testevo.builds.machine_failures.has_network", lambda: True)
    result = machine.build(checkout, not_brought(name, address, why), offline=False)
    assert result.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE
    assert "Check the network" in result.reason


def test_on_a_machine_without_any_network_no_address_is_to_blame(
    machine: Machine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("testevo.builds.maven.maven_run.default_registry", lambda: REGISTRY)
    monkeypatch.setattr("testevo.builds.machine_failures.has_network", lambda: False)
    with pytest.raises(MachineError, match=r"other\.example/m2 cannot be reached"):
        machine.build(
            checkout, not_brought("other", "https://other.example/m2", "Unknown host other.example"), offline=False
        )


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
def test_where_no_registry_answers_maven_is_not_started_with_the_network(
    machine: Machine, checkout: Checkout, monkeypatch: pytest.MonkeyPatch, direct: bool
) -> None:
    monkeypatch.setattr("testevo.builds.maven.maven_run.default_registry", lambda: "http://127.0.0.1:1/maven2")
    asked = machine.folder / "asked"
    maven = not_brought("central", "http://127.0.0.1:1/maven2", f"timed out'; touch '{asked}'; echo '")
    with pytest.raises(MachineError, match=r"http://127.0.0.1:1/maven2 cannot be reached: Connection refused"):
        machine.build(checkout, maven, direct=direct, offline=False, first=True)
    assert not asked.exists()
