"""Compiling in the warm worker, and the statuses both languages share."""

import contextlib
import re
import zipfile
from pathlib import Path

import psutil
import pytest

from testevo.builds.compilation.worker import Compilation, Worker
from testevo.builds.maven.line_service import FIRST_TIER, RequestRefusedError, ServiceTimeoutError
from testevo.builds.project.jdks import Jdk
from testevo.runtime.errors import ExitStatus
from testevo.runtime.files.project import PROJECT
from tests.java_versions import JDKS

PLAIN = ["-proc:none"]


def compiled(worker: Worker, folder: Path, source: str, *, class_path: tuple[Path, ...] = (), name: str = "A") -> Path:
    """The output folder of one source file that must compile."""
    result = attempt(worker, folder, source, class_path=class_path, name=name)
    assert result.success, result.diagnostics
    return folder / "classes"


def attempt(
    worker: Worker, folder: Path, source: str, *, class_path: tuple[Path, ...] = (), name: str = "A"
) -> Compilation:
    output = folder / "classes"
    output.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.java"
    file.write_text(source, encoding="utf-8")
    return worker.compile([file], class_path, PLAIN, output)


def jar(folder: Path, target: Path) -> Path:
    with zipfile.ZipFile(target, "w") as archive:
        for file in folder.rglob("*"):
            archive.write(file, file.relative_to(folder).as_posix())
    return target


def test_exit_statuses_of_java_are_those_of_python() -> None:
    source = next(PROJECT.glob("jvm/*/src/main/java/**/ExitStatus.java")).read_text()
    in_java = {name: int(number) for name, number in re.findall(r"^\s+([A-Z_]+)\((\d+)\)[,;]", source, re.MULTILINE)}
    assert in_java
    assert in_java.items() <= {status.name: int(status) for status in ExitStatus}.items()


def test_a_class_is_compiled_into_the_output_folder(worker: Worker, tmp_path: Path) -> None:
    assert (compiled(worker, tmp_path, "package p; class A {}") / "p" / "A.class").is_file()


def test_errors_name_file_line_and_the_compilers_own_code(worker: Worker, tmp_path: Path) -> None:
    """TEB-X04 needs to tell a compile error in the method from one elsewhere."""
    result = attempt(worker, tmp_path, "class A {\n  int f() {\n    return missing;\n  }\n}\n")
    error = result.diagnostics[0]
    assert not result.success
    assert (error.path, error.line) == (tmp_path / "A.java", 3)
    assert error.code.startswith("compiler.err.cant.resolve")
    assert "missing" in error.message


def test_more_errors_than_the_compilers_usual_hundred_are_reported(worker: Worker, tmp_path: Path) -> None:
    lines = "\n".join(f"int f{number} = missing;" for number in range(150))
    assert len(attempt(worker, tmp_path, f"class A {{ {lines} }}").diagnostics) == 150


@pytest.mark.parametrize("worker", ["usual"], indirect=True)  # JDK 8 knows no modules
def test_a_module_descriptor_is_compiled_with_its_module(worker: Worker, tmp_path: Path) -> None:
    """Its class is called `some.named.module-info`, its class file `module-info.class`."""
    sources = {"module-info.java": "module some.named { exports p; }", "A.java": "package p; public class A { }"}
    for name, text in sources.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "classes").mkdir()
    files = [tmp_path / name for name in sources]
    result = worker.compile(files, (), PLAIN, tmp_path / "classes", source_path=[tmp_path])
    assert result.success and (tmp_path / "classes" / "module-info.class").is_file()
    assert {path.name: list(file.classes) for path, file in result.files.items()} == {
        "module-info.java": ["module-info"],
        "A.java": ["p.A"],
    }


def test_an_unknown_option_is_refused_and_the_worker_goes_on(worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {}")
    with pytest.raises(RequestRefusedError, match=r"\Ajavac takes no such option: .*-nonsense\Z"):
        worker.compile([tmp_path / "A.java"], [], ["-nonsense"], tmp_path)
    compiled(worker, tmp_path, "class A {}")


def test_a_level_that_the_compiler_does_not_know_is_refused_in_its_words(worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {}")
    with pytest.raises(RequestRefusedError, match=r"\Ajavac takes no such option: .*invalid target release: 99\Z"):
        worker.compile([tmp_path / "A.java"], [], ["-source", "8", "-target", "99"], tmp_path)


def test_a_request_past_its_limit_fails_and_the_worker_goes_on(jdk_home: Path, worker: Worker, tmp_path: Path) -> None:
    with Worker(jdk_home, memory_mb=256) as other:
        with pytest.raises(ServiceTimeoutError):
            other.digest(tmp_path, seconds=0)
        assert other.digest(tmp_path) == {}


def test_a_worker_that_has_worked_for_long_gets_the_second_tier(jdk_home: Path, tmp_path: Path) -> None:
    def jvms() -> list[list[str]]:
        commands = []
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.NoSuchProcess):  # one of another test that has ended
                commands.append(child.cmdline())
        return [command for command in commands if "testevo.worker.Main" in command]

    before = jvms()
    with Worker(jdk_home, memory_mb=256, second_tier_after=0.0) as other:
        one = compiled(other, tmp_path / "one", "class A {}")
        assert [FIRST_TIER in command for command in jvms() if command not in before] == [], "it has ended"
        two = compiled(other, tmp_path / "two", "class A {}")
        assert [FIRST_TIER in command for command in jvms() if command not in before] == [False]
        assert (one / "A.class").read_bytes() == (two / "A.class").read_bytes()
    with Worker(jdk_home, memory_mb=256) as other:
        compiled(other, tmp_path / "three", "class A {}")
        assert [FIRST_TIER in command for command in jvms() if command not in before] == [True]


def test_a_jar_that_was_replaced_on_the_class_path_is_read_again(worker: Worker, tmp_path: Path) -> None:
    library = tmp_path / "library.jar"
    jar(compiled(worker, tmp_path / "one", "package l; public class L { public int a; }", name="L"), library)
    assert attempt(worker, tmp_path / "u1", "class A { int f = new l.L().a; }", class_path=(library,)).success
    library.unlink()
    jar(compiled(worker, tmp_path / "two", "package l; public class L { public int bbbb; }", name="L"), library)
    assert not attempt(worker, tmp_path / "u2", "class A { int f = new l.L().a; }", class_path=(library,)).success


def test_a_class_folder_on_the_class_path_is_read_again(worker: Worker, tmp_path: Path) -> None:
    library = compiled(worker, tmp_path / "l", "public class L { public int a; }", name="L")
    user = "class A { int f = new L().b; }"
    assert not attempt(worker, tmp_path / "u1", user, class_path=(library,)).success
    compiled(worker, tmp_path / "l", "public class L { public int b; }", name="L")
    assert attempt(worker, tmp_path / "u2", user, class_path=(library,)).success


def test_sources_that_lie_in_the_class_path_are_not_compiled(worker: Worker, tmp_path: Path) -> None:
    library = tmp_path / "library"
    library.mkdir()
    (library / "L.java").write_text("public class L {}")
    assert not attempt(worker, tmp_path / "u", "class A { L l; }", class_path=(library,)).success


PROCESSOR = """
import java.io.*; import java.util.*; import javax.annotation.processing.*; import javax.lang.model.element.*;
@SupportedAnnotationTypes("*")
public class P extends AbstractProcessor {
  private boolean done;
  @Override public javax.lang.model.SourceVersion getSupportedSourceVersion() {
    return javax.lang.model.SourceVersion.latest();
  }
  @Override public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    System.out.println("a word that must not reach the protocol");
    if (done) return false;
    done = true;
    try (Writer file = processingEnv.getFiler().createSourceFile("Made").openWriter()) {
      file.write("public class Made {}");
    } catch (IOException error) { throw new UncheckedIOException(error); }
    return false;
  }
}
"""


def test_annotation_processors_run_when_options_ask_and_cannot_disturb_the_protocol(
    worker: Worker, tmp_path: Path
) -> None:
    processors = compiled(worker, tmp_path / "processor", PROCESSOR, name="P")
    source, output = tmp_path / "A.java", tmp_path / "out"
    source.write_text("class A { Made made; }")
    output.mkdir()
    result = worker.compile([source], [], ["-processorpath", str(processors), "-processor", "P"], output)
    assert result.success, result.diagnostics
    assert (output / "Made.class").is_file()


@pytest.mark.parametrize("jdk", JDKS[:1])
def test_an_option_that_jdk_8_would_overlook_is_refused(jdk: Jdk, tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {}")
    with Worker(jdk.home, memory_mb=256) as worker, pytest.raises(RequestRefusedError, match="overlook -extdirs"):
        worker.compile([tmp_path / "A.java"], [], [*PLAIN, "-extdirs", str(tmp_path)], tmp_path)
