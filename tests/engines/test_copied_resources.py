"""`copy-resources` into class folders: the engine `direct` leaves the same bytes there as Maven does."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from testevo.builds.engine import BuildResult, Checkout
from tests.engines.both_engines import Engines, engines
from tests.engines.small_projects import write_project

pytestmark = [pytest.mark.maven, pytest.mark.skipif(shutil.which("mvn") is None, reason="Maven is not installed")]

PARENT = """<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>all</artifactId>
<version>1.5</version><packaging>pom</packaging><modules><module>core</module><module>app</module></modules>
<properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding><some.value>some value</some.value></properties>
</project>"""
MODULE = """<project><modelVersion>4.0.0</modelVersion><parent><groupId>g</groupId><artifactId>all</artifactId>
<version>1.5</version></parent><artifactId>{name}</artifactId><dependencies>{dependencies}</dependencies><build><plugins>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
<plugin><artifactId>maven-resources-plugin</artifactId><version>{version}</version><executions>{executions}</executions>
</plugin></plugins></build></project>"""
EXECUTION = """<execution><id>{id}</id><phase>{phase}</phase><goals><goal>copy-resources</goal></goals><configuration>
<outputDirectory>{output}</outputDirectory>{more}<resources>{resources}</resources></configuration></execution>"""
CORE = "<dependency><groupId>g</groupId><artifactId>core</artifactId><version>1.5</version></dependency>"
CLASSES, TEST_CLASSES = "${project.build.outputDirectory}", "${project.build.testOutputDirectory}"
BINARY = b"${some.value} \x89PNG \xff\x00 ${project.version}"


def resource(directory: str, inside: str = "") -> str:
    return f"<resource><directory>{directory}</directory>{inside}</resource>"


def execution(phase: str, output: str, resources: str, more: str = "") -> str:
    return EXECUTION.format(
        id=f"{phase}-{output.strip('${}')}", phase=phase, output=output, resources=resources, more=more
    )


FILTERED = "<filtering>true</filtering>"
CHOSEN = "<targetPath>chosen</targetPath><includes><include>**/*.txt</include></includes>"
CHOSEN += "<excludes><exclude>**/b.txt</exclude></excludes>"
PARAMETERS = """<overwrite>true</overwrite><escapeString>\\</escapeString><nonFilteredFileExtensions>
<nonFilteredFileExtension>png</nonFilteredFileExtension></nonFilteredFileExtensions><encoding>UTF-8</encoding>"""
EXECUTIONS = "".join(
    [
        execution("initialize", f"{CLASSES}/first", resource("none") + resource("extra")),
        execution("generate-sources", f"{CLASSES}/sources", resource("${project.basedir}/extra", CHOSEN)),
        execution(
            "generate-resources",
            f"{CLASSES}/META-INF",
            resource("${project.basedir}/../core/src/main/resources", FILTERED),
            PARAMETERS,
        ),
        execution(
            "process-resources",
            CLASSES,
            resource("${project.basedir}/..", "<includes><include>LICENSE*</include></includes>"),
        ),
        execution("process-resources", "target/classes/again", resource("../core/src/main/resources")),
        execution("process-classes", CLASSES, resource("late", FILTERED)),
        execution("generate-test-resources", f"{TEST_CLASSES}/data", resource("./extra/")),
        execution("process-test-resources", TEST_CLASSES, resource("late", "<targetPath>late/</targetPath>")),
        execution("process-test-sources", f"{CLASSES}/of-tests", resource("late")),
        execution("test-compile", f"{TEST_CLASSES}/last", resource("late", FILTERED)),
        execution("test-compile", f"{TEST_CLASSES}/skipped", resource("late"), "<skip>true</skip>"),
        execution("none", f"{TEST_CLASSES}/never", resource("late")),
        execution("package", f"{TEST_CLASSES}/never", resource("late")),
    ]
)
FILES: Mapping[str, str | bytes] = {
    "pom.xml": PARENT,
    "LICENSE.txt": "free",
    "LICENSE-other.md": "free too",
    "core/src/main/java/g/Core.java": "package g; public class Core { }",
    "core/src/main/resources/a.txt": "${some.value} \\${some.value} @project.version@ ${unknown}",
    "core/src/main/resources/plain.txt": "nothing to filter",
    "core/src/main/resources/picture.png": BINARY,
    "app/src/main/java/g/App.java": "package g; public class App extends Core { int number = 3; }",
    "app/src/test/java/g/AppCheck.java": "package g; public class AppCheck extends App { }",
    "app/src/main/resources/own.txt": "own",
    "app/extra/a.txt": "a",
    "app/extra/b.txt": "b",
    "app/extra/deep/er/a.txt": "deep",
    "app/extra/run.sh": "#!/bin/sh",
    "app/extra/picture.png": BINARY,
    "app/extra/.cvsignore": "x",
    "app/late/late.txt": "${project.artifactId}",
}


def project(folder: Path, version: str, executions: str, files: Mapping[str, str | bytes] = FILES) -> Checkout:
    poms = {
        f"{name}/pom.xml": MODULE.format(name=name, version=version, dependencies=needed, executions=said)
        for name, needed, said in (("core", "", ""), ("app", CORE, executions))
    }
    checkout = write_project(folder, {**files, **poms})
    for script in folder.rglob("*.sh"):
        script.chmod(0o755)
    return checkout


def contents(result: BuildResult) -> dict[str, tuple[bytes, bool]]:
    """Content of each file in class folders, and whether it can be executed."""
    assert result.tree is not None, result.reason
    return {
        f"{module.path}/{side}/{file.relative_to(folder)}": (file.read_bytes(), bool(file.stat().st_mode & 0o100))
        for module in result.tree.modules
        for side, folder in (("classes", module.production_classes), ("test-classes", module.test_classes))
        for file in folder.rglob("*")
        if file.is_file()
    }


def compared(both: Engines, checkout: Checkout) -> tuple[dict[str, tuple[bytes, bool]], str | None]:
    """What both engines leave in the class folders of a project, and why Maven built it for `direct`."""
    direct, maven = both.direct.build(checkout), both.maven.build(checkout)
    assert contents(direct) == contents(maven)
    return contents(maven), direct.fallback


@pytest.mark.parametrize("version", ["2.6", "3.3.1", "3.5.0"])
def test_class_folders_are_those_of_maven(version: str, tmp_path: Path) -> None:
    with engines(tmp_path) as both:
        made, fallback = compared(both, project(tmp_path / "one", version, EXECUTIONS))
        assert fallback is None
        assert made["app/classes/META-INF/a.txt"][0] == b"some value ${some.value} 1.5 ${unknown}"
        assert made["app/classes/META-INF/picture.png"][0] == BINARY
        assert made["app/classes/late.txt"][0] == made["app/test-classes/last/late.txt"][0] == b"app"
        assert {path for path in made if "/sources/" in path} == {
            "app/classes/sources/chosen/a.txt",
            "app/classes/sources/chosen/deep/er/a.txt",
        }
        assert ("app/test-classes/skipped/late.txt" in made) is (version == "2.6"), "older ones know no such parameter"
        assert not [path for path in made if "never" in path]

        later = {
            **FILES,
            "app/extra/new.txt": "n",
            "app/late/new.txt": "n",
            "core/src/main/resources/plain.txt": "other",
        }
        del later["app/extra/b.txt"]
        made, fallback = compared(both, project(tmp_path / "two", version, EXECUTIONS, later))
        assert fallback is None
        assert made["app/classes/META-INF/plain.txt"][0] == made["app/classes/again/plain.txt"][0] == b"other"
        assert "app/classes/first/new.txt" in made and "app/classes/first/b.txt" not in made


def test_a_replaced_file_of_another_module_is_copied(tmp_path: Path) -> None:
    replaced = {"core/src/main/resources/plain.txt": b"replaced"}
    with engines(tmp_path) as both:
        checkout = project(tmp_path / "one", "3.3.1", EXECUTIONS)
        found = []
        for engine in (both.direct, both.maven):
            base = engine.build(checkout)
            assert base.tree is not None, base.reason
            found.append(engine.build_variant(base.tree, replaced))
        made = contents(found[0])
        assert found[0].fallback is None
        assert made == contents(found[1])
        assert made["app/classes/again/plain.txt"][0] == b"replaced"


def test_a_revision_that_does_not_compile_tells_no_less(tmp_path: Path) -> None:
    broken = {**FILES, "app/src/main/java/g/App.java": "package g; public class App extends Missing { }"}
    with engines(tmp_path) as both:
        result = both.direct.build(project(tmp_path / "broken", "3.3.1", EXECUTIONS, broken))
        assert (result.tree, result.fallback) == (None, None)
        assert compared(both, project(tmp_path / "one", "3.3.1", EXECUTIONS))[1] is None


LATE = "is copied when classes beside it are compiled already"


@pytest.mark.parametrize(
    ("executions", "reason"),
    [
        (
            execution("process-resources", CLASSES, resource("twice")),
            "several entries of the resources plugin write own.txt",
        ),
        (execution("process-classes", CLASSES, resource("classes")), f"g/Other.class {LATE}"),
        (
            execution("process-classes", CLASSES, resource("processors")),
            f"META-INF/services/javax.annotation.processing.Processor {LATE}",
        ),
    ],
)
def test_what_only_maven_does_is_named(executions: str, reason: str, tmp_path: Path) -> None:
    more: dict[str, str | bytes] = {
        "app/twice/own.txt": "twice",
        "app/classes/g/Other.class": b"\xca\xfe\xba\xbe",
        "app/processors/META-INF/services/javax.annotation.processing.Processor": "",
    }
    with engines(tmp_path) as both:
        assert compared(both, project(tmp_path / "one", "3.3.1", executions, {**FILES, **more}))[1] == reason
