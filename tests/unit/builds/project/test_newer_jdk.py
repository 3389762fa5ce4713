"""A build whose plugins or libraries need a newer JDK than its Java level runs on the smallest installed one that does.

Maven is a shell script in most tests, which fails as Maven fails on a JDK that is too old.
"""

import subprocess
from pathlib import Path

import pytest

from testevo.builds.context import BuildContext
from testevo.builds.engine import BuildResult, Checkout
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.jdks import BrokenJdk, Jdk, find_jdks
from testevo.builds.project.local_repository import LocalRepository, local_repository
from testevo.config.model import BuildOverrides
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.errors import MachineError
from testevo.runtime.files.project import PROJECT

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId><version>1</version>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>{more}</project>"""
MOJO = (
    "[ERROR] Failed to execute goal x:formatter-maven-plugin:2.24.1:format (default) on project a: Execution default "
    "of goal x:formatter-maven-plugin:2.24.1:format failed: Unable to load the mojo: g/FormatterMojo has been compiled "
    "by a more recent version of the Java Runtime (class file version {needed}.0), this version of the Java Runtime "
    "only recognizes class file versions up to {has}.0 -> [Help 1]"
)
FAILS = "[ERROR] Failed to execute goal x:other-maven-plugin:1:go (default) on project a: it failed -> [Help 1]"
RELEASE_9_FOR_THE_DESCRIPTOR = (
    "<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.8.1</version><executions>"
    "<execution><id>default-compile</id><configuration><excludes><exclude>module-info.java</exclude></excludes>"
    "</configuration></execution><execution><id>java9-compile</id><goals><goal>compile</goal></goals><configuration>"
    "<release>9</release><includes><include>module-info.java</include></includes></configuration></execution>"
    "</executions></plugin></plugins></build>"
)
NEEDS = {8: 52, 11: 55, 17: 61, 21: 65}


def program(file: Path, script: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


class Machine:
    """JDKs that are folders, and a Maven that needs a certain one."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        monkeypatch.setenv("PATH", f"{folder / 'programs'}:/usr/bin:/bin")

    def jdk(self, feature: int) -> Jdk:
        home = self.folder / f"jdk-{feature}"
        program(home / "bin" / "java", "exit 0")
        return Jdk(home, feature, f"{feature}.0.1")

    def needs(self, *features: int) -> None:
        """Maven's plugins want these JDKs, one after the other; on the last one another goal fails."""
        cases = []
        for feature in sorted(NEEDS):
            wanted = next((one for one in features if one > feature), None)
            said = FAILS if wanted is None else MOJO.format(needed=NEEDS[wanted], has=NEEDS[feature])
            cases.append(f"*/jdk-{feature}) echo '{said}';;")
        script = f'echo "$JAVA_HOME" >> {self.folder / "runs"}\necho "[INFO] Scanning for projects..."'
        program(self.folder / "programs" / "mvn", f'{script}\ncase "$JAVA_HOME" in {" ".join(cases)} esac; exit 1')

    def runs(self) -> list[str]:
        """The JDKs of the runs of Maven so far, by their folders."""
        path = self.folder / "runs"
        return [Path(line).name for line in path.read_text().splitlines()] if path.is_file() else []

    def context(self, *features: int, **more: object) -> BuildContext:
        local = LocalRepository(self.folder / "local", self.folder / "settings.xml")
        for part in (local.artifacts, local.home):
            part.mkdir(parents=True, exist_ok=True)
        jdks = [self.jdk(feature) for feature in features]
        values = {"jdks": jdks, "offline": True, **more}
        return BuildContext(local, self.folder / "cache", self.folder / "work", **values)  # type: ignore[arg-type]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def checkout(folder: Path, name: str = "a", more: str = "") -> Checkout:
    (folder / name).mkdir()
    (folder / name / "pom.xml").write_text(POM.format(more=more))
    return Checkout("owner/repo", name * 10, folder / name, name)


def build(context: BuildContext, what: Checkout, direct: bool = True) -> BuildResult:
    engine = DirectEngine(context) if direct else MavenEngine(context)
    try:
        return engine.build(what)
    finally:
        engine.close()


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
def test_the_smallest_jdk_that_loads_the_plugins_is_taken(machine: Machine, tmp_path: Path, direct: bool) -> None:
    machine.needs(11)
    result = build(machine.context(8, 17, 21), checkout(tmp_path), direct)
    assert (result.outcome, result.jdk_feature) == (BuildOutcome.BUILD_TOOL_FAILED, 17), "another goal failed there"
    assert result.jdk_reason == (
        "JDK 17: Java 8 declared by maven.compiler.source in pom.xml; the smallest installed JDK that fits; "
        "JDK 8 is too old: g/FormatterMojo needs JDK 11"
    )


def test_each_plugin_may_need_another_jdk(machine: Machine, tmp_path: Path) -> None:
    machine.needs(11, 21)
    assert build(machine.context(8, 11, 17, 21), checkout(tmp_path)).jdk_feature == 21


@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
def test_without_such_a_jdk_the_reason_names_the_version(machine: Machine, tmp_path: Path, direct: bool) -> None:
    machine.needs(21)
    result = build(machine.context(8, 11, 17), checkout(tmp_path), direct)
    assert (result.outcome, result.jdk_feature) == (BuildOutcome.NEWER_JDK_NEEDED, 8)
    assert result.reason == (
        "owner/repo at aaaaaaa was built with JDK 8, and g/FormatterMojo needs JDK 21 or newer. Install one that also "
        "compiles the project's Java level, name it in build.java_homes, and mine again with --retry."
    )


def test_a_newer_jdk_that_does_not_compile_the_level_is_not_taken(machine: Machine, tmp_path: Path) -> None:
    machine.needs(11)
    result = build(machine.context(8, 21, level_override="7"), checkout(tmp_path))
    assert (result.outcome, result.jdk_feature) == (BuildOutcome.NEWER_JDK_NEEDED, 8)


def test_a_jdk_of_the_configuration_is_where_the_build_begins(machine: Machine, tmp_path: Path) -> None:
    machine.needs(11)
    overrides = BuildOverrides(jdk=8, reason="as released")
    result = build(machine.context(8, 11, 17, overrides=overrides), checkout(tmp_path))
    assert result.jdk_feature == 11
    assert result.jdk_reason is not None and "JDK 8: set in the configuration (as released)" in result.jdk_reason


def test_revisions_with_the_same_poms_are_tried_on_the_older_jdk_once(machine: Machine, tmp_path: Path) -> None:
    machine.needs(11)
    first = build(machine.context(8, 11), checkout(tmp_path, "a"))
    before = machine.runs()
    second = build(machine.context(8, 11), checkout(tmp_path, "b"))
    assert "jdk-8" in before and "jdk-8" not in machine.runs()[len(before) :]
    assert (second.jdk_feature, second.jdk_reason) == (first.jdk_feature, first.jdk_reason)


def test_a_jdk_that_is_installed_later_is_taken(machine: Machine, tmp_path: Path) -> None:
    machine.needs(11)
    missing = build(machine.context(8), checkout(tmp_path, "a"))
    assert missing.outcome is BuildOutcome.NEWER_JDK_NEEDED
    again = build(machine.context(8), checkout(tmp_path, "b"))
    assert again.reason == missing.reason.replace("aaaaaaa", "bbbbbbb")
    assert build(machine.context(8, 11), checkout(tmp_path, "c")).jdk_feature == 11


def test_a_newer_jdk_that_does_not_start_is_the_machines_fault(machine: Machine, tmp_path: Path) -> None:
    machine.needs(11)
    broken = BrokenJdk(tmp_path / "jdk-11", "It does not start.", machine.jdk(11))
    with pytest.raises(MachineError, match=r"is built with JDK 11\. It does not start"):
        build(machine.context(8, unusable=(broken,)), checkout(tmp_path))


def installed(feature: int) -> Jdk:
    """A JDK of this machine."""
    found = next((jdk for jdk in find_jdks() if jdk.feature == feature), None)
    if found is None:
        pytest.skip(f"JDK {feature} is not installed (JAVA_HOME_{feature} can name it)")
    return found


@pytest.mark.maven
@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
def test_a_library_for_a_newer_jdk_is_compiled_against_with_one(tmp_path: Path, direct: bool) -> None:
    """The compiler says so of the revision that uses it; another revision with the same POM stays on its JDK."""
    eight, seventeen = installed(8), installed(17)
    library = tmp_path / "library"
    library.mkdir()
    (library / "Lib.java").write_text("package l; public class Lib { public static int one() { return 1; } }")
    options = ["--release", "11", "-d", str(library / "classes")]
    subprocess.run([seventeen.home / "bin" / "javac", *options, library / "Lib.java"], check=True)
    dependency = (
        "<dependencies><dependency><groupId>l</groupId><artifactId>l</artifactId><version>1</version>"
        "<scope>system</scope><systemPath>${project.basedir}/lib.jar</systemPath></dependency></dependencies>"
    )

    def revision(name: str, expression: str) -> Checkout:
        made = checkout(tmp_path, name, dependency)
        subprocess.run(
            [seventeen.home / "bin" / "jar", "cf", made.folder / "lib.jar", "-C", library / "classes", "."], check=True
        )
        sources = made.folder / "src" / "main" / "java" / "g"
        sources.mkdir(parents=True)
        (sources / "A.java").write_text(f"package g; class A {{ int one() {{ return {expression}; }} }}")
        return made

    local = local_repository(PROJECT / "results" / "cache", "worlds", None)
    context = BuildContext(local, tmp_path / "cache", tmp_path / "work", [eight, seventeen])
    engine = DirectEngine(context) if direct else MavenEngine(context)
    try:
        uses, plain = engine.build(revision("a", "l.Lib.one()")), engine.build(revision("b", "1"))
        again = engine.build(revision("c", "l.Lib.one() + 1"))
        assert [(one.outcome, one.jdk_feature) for one in (uses, plain, again)] == [
            (BuildOutcome.BUILT, 17),
            (BuildOutcome.BUILT, 8),
            (BuildOutcome.BUILT, 17),
        ], uses.reason
        assert uses.jdk_reason is not None and "JDK 8 is too old: a library needs JDK 11" in uses.jdk_reason
        assert uses.tree is not None
        variant = engine.build_variant(uses.tree, {"src/main/java/g/A.java": b"package g; class A { }"})
        assert variant.tree is not None and variant.tree.jdk == seventeen, "a variant keeps the JDK of its revision"
        assert plain.tree is not None
        edit = b"package g; class A { int one() { return l.Lib.one(); } }"
        assert (
            engine.build_variant(plain.tree, {"src/main/java/g/A.java": edit}).outcome is BuildOutcome.NEWER_JDK_NEEDED
        )
    finally:
        engine.close()


@pytest.mark.maven
@pytest.mark.parametrize("direct", [True, False], ids=["direct", "maven"])
def test_a_module_descriptor_beside_code_of_java_8_takes_a_newer_jdk(tmp_path: Path, direct: bool) -> None:
    """The level is 8, and an execution of the compiler asks for release 9 of one file alone."""
    eight, seventeen = installed(8), installed(17)
    made = checkout(tmp_path, "a", RELEASE_9_FOR_THE_DESCRIPTOR)
    sources = made.folder / "src" / "main" / "java"
    (sources / "g").mkdir(parents=True)
    (sources / "g" / "A.java").write_text("package g; public class A { }")
    (sources / "module-info.java").write_text("module g { exports g; }")
    local = local_repository(PROJECT / "results" / "cache", "worlds", None)
    context = BuildContext(local, tmp_path / "cache", tmp_path / "work", [eight, seventeen])
    engine = DirectEngine(context) if direct else MavenEngine(context)
    try:
        built = engine.build(made)
        assert (built.outcome, built.jdk_feature) == (BuildOutcome.BUILT, 17), built.reason
        reason = "JDK 8 is too old: the option --release of its compiler needs JDK 9"
        assert built.jdk_reason is not None and reason in built.jdk_reason
    finally:
        engine.close()
