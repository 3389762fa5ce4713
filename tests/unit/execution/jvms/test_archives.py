"""An archive of class data makes test JVMs start faster and changes nothing else."""

import os
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms.archives import FIRST_JDK, ClassArchive, ClassArchives
from testevo.execution.jvms.jvm import JvmLauncher, JvmRun
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.errors import MachineError
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, Sandbox, bubblewrap_works

MakeTree = Callable[..., BuiltTree]

BODY = """
  int next;
  {annotation} public void testPasses() {{ next++; }}
  {annotation} public void testFails() {{ org.junit.Assert.assertEquals("a", "b"); }}
  {annotation} public void testThrows() {{ throw new IllegalStateException("no"); }}
  {annotation} public void testSays() {{
    System.out.print("said"); Runnable run = () -> System.err.print(next); run.run(); }}
  {annotation} public void testEnds() {{ Runtime.getRuntime().halt(3); }}
  {annotation} public void testSeesItsClassPath() throws Exception {{
    if (System.getProperty("java.class.path").contains("launcher")) throw new Exception("the launcher is there");
    if (ClassLoader.getSystemResource("a/SampleTest.class") == null) throw new Exception("no class of ours is there");
    if (getClass().getClassLoader() != ClassLoader.getSystemClassLoader()) throw new Exception("another loader");
  }}
"""
STYLES = {
    "junit3": (
        "public class SampleTest extends junit.framework.TestCase {",
        BODY.format(annotation="").replace("org.junit.Assert.", ""),
    ),
    "junit4": ("public class SampleTest {", BODY.format(annotation="@org.junit.Test")),
    "platform": (
        "class SampleTest {",
        BODY.format(annotation="@org.junit.jupiter.api.Test").replace(
            "org.junit.Assert", "org.junit.jupiter.api.Assertions"
        ),
    ),
}
METHODS = ("testPasses", "testFails", "testThrows", "testSays", "testEnds", "testSeesItsClassPath")

needs_bubblewrap = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Archives are made once for all tests that leave them as they are."""
    return tmp_path_factory.mktemp("archives")


def sample(make_tree: MakeTree, framework: str, more: str = "") -> BuiltTree:
    head, body = STYLES[framework]
    return make_tree({"a/SampleTest.java": f"package a;\n{head}\n{body}\n{more}\n}}\n"}, framework=framework)


def key(name: str) -> TestKey:
    return TestKey(module="", path="src/test/java/a/SampleTest.java", type_name="a.SampleTest", name=name)


def origins(tree: BuiltTree, store: Path, work: Path, sandbox: Sandbox) -> dict[str, str]:
    """Where one run has loaded each class from."""
    launcher = JvmLauncher(Limits(), sandbox, work, ClassArchives(store))
    module = replace(tree.modules[0], jvm_arguments=(*tree.modules[0].jvm_arguments, "-Xlog:class+load:stdout:none"))
    launched = launcher.launch(JvmRun(tree, module, ["select-method a.SampleTest#testPasses()"], 60))
    assert launched.record.ended, launched.watched.stderr
    lines = launched.watched.stdout.decode().splitlines()
    return {line.split(" ", 1)[0]: line.split("source: ", 1)[1] for line in lines}


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
@pytest.mark.parametrize("framework", list(STYLES))
def test_verdicts_and_output_are_the_same_with_and_without(
    make_tree: MakeTree, store: Path, tmp_path: Path, framework: str
) -> None:
    tree = sample(make_tree, framework)
    archives = ClassArchives(store)
    runners = [OneShotRunner(tmp_path / "work", Limits(), NoSandbox(), archives=each) for each in (None, archives)]
    assert runners[0].key == runners[1].key
    runs = [[runner.run_method(tree, key(name)) for name in METHODS] for runner in runners]
    for name, without, with_archive in zip(METHODS, *runs, strict=True):
        same = ("outcome", "exception", "message", "trace", "stdout_bytes", "stderr_bytes", "invocations")
        assert [getattr(without, part) for part in same] == [getattr(with_archive, part) for part in same], name
    assert [run.outcome for run in runs[1]] == [
        Outcome.PASSED,
        Outcome.ASSERTION_FAILED,
        Outcome.EXCEPTION,
        Outcome.PASSED,
        Outcome.CRASHED,
        Outcome.PASSED,
    ]
    assert runners[0].run_suite(tree) == runners[1].run_suite(tree)
    assert len(list(store.glob("*.jsa"))) >= 1


IN_LAMBDA = """
  @org.junit.jupiter.api.Test void testFailsInLambdas() {
    org.junit.jupiter.api.Assertions.assertAll(
      () -> { throw new IllegalStateException("one"); }, () -> { int[] a = {}; a[0]++; });
  }
"""


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
def test_a_trace_through_lambdas_of_junit_is_the_same_with_and_without(
    make_tree: MakeTree, store: Path, tmp_path: Path
) -> None:
    tree = sample(make_tree, "platform", IN_LAMBDA)
    runners = [
        OneShotRunner(tmp_path / "work", Limits(), NoSandbox(), archives=each) for each in (None, ClassArchives(store))
    ]
    traces = [runner.run_method(tree, key("testFailsInLambdas")).trace or "" for runner in runners]
    assert traces[0] == traces[1]
    assert "org.junit.jupiter.api.AssertAll.lambda$" in traces[0], "frames of the lambdas' bodies"


LOOKS_FOR_FOLDERS = """
  static void expectFolder(java.net.URL found, String end) {
    org.junit.jupiter.api.Assertions.assertTrue(("" + found).matches("file:.*" + end), "" + found);
  }
  @org.junit.jupiter.api.Test void testFindsFolders() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    expectFolder(SampleTest.class.getResource("/"), "/");
    expectFolder(loader.getResource(""), "/");
    expectFolder(loader.getResource("org"), "/org/?");
  }
"""


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
def test_folders_of_the_project_are_found_before_those_of_junit(
    make_tree: MakeTree, store: Path, tmp_path: Path
) -> None:
    """As by Surefire, also the root, which jars for several Java versions seem to have (`getResource("/")`)."""
    tree = sample(make_tree, "platform", LOOKS_FOR_FOLDERS)
    (tree.modules[0].test_classes / "org").mkdir()
    for archives in (None, ClassArchives(store)):
        runner = OneShotRunner(tmp_path / "work", Limits(), NoSandbox(), archives=archives)
        run = runner.run_method(tree, key("testFindsFolders"))
        assert run.outcome is Outcome.PASSED, run.message


SANDBOXES = [NoSandbox(), pytest.param(Bubblewrap() if bubblewrap_works() else None, marks=needs_bubblewrap)]


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
@pytest.mark.parametrize("sandbox", SANDBOXES, ids=["none", "bubblewrap"])
def test_junit_comes_from_the_archive_and_the_project_from_its_classes(
    make_tree: MakeTree, store: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    found = origins(sample(make_tree, "junit4"), store, tmp_path / "work", sandbox)
    for name in ("org.junit.runner.JUnitCore", "testevo.launcher.Main", "testevo.launcher.junit4.BackEnd"):
        assert found[name] == "shared objects file"
    assert found["a.SampleTest"].startswith("file:")


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
@pytest.mark.parametrize("damage", ["a jar is newer", "a jar is another one", "no archive", "cut", "empty", "no note"])
def test_what_is_not_whole_is_made_anew(make_tree: MakeTree, tmp_path: Path, damage: str) -> None:
    """A JVM believes its archive: one that is cut would crash it."""
    tree, store = sample(make_tree, "junit4"), tmp_path / "store"
    assert outcome(tree, store, tmp_path) is Outcome.PASSED
    file, jar = next(store.glob("*.jsa")), next(store.glob("jars/*/junit-*.jar"))
    content, whole = file.read_bytes(), jar.read_bytes()
    if damage == "a jar is newer":
        os.utime(jar, (1, 1))
    elif damage == "a jar is another one":
        jar.write_bytes(whole + b"\0")
    elif damage == "no note":
        file.with_suffix(".json").unlink()
    else:
        file.unlink()
        file.write_bytes({"no archive": b"no archive" * 5000, "cut": content[:200_000], "empty": b""}[damage])
    assert outcome(tree, store, tmp_path) is Outcome.PASSED
    assert jar.read_bytes() == whole
    assert file.stat().st_size > 1_000_000
    found = origins(tree, store, tmp_path / "work", NoSandbox())
    assert found["org.junit.runner.JUnitCore"] == "shared objects file"


HARM = """
  static java.nio.file.Path named(String option) {
    for (String a : java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments())
      if (a.startsWith(option)) return java.nio.file.Paths.get(a.substring(option.length()));
    throw new IllegalStateException(option);
  }
  static void harm(java.nio.file.Path p) throws Exception {
    p.toFile().setWritable(true); p.toFile().setLastModified(1);
  }
  @org.junit.Test public void testHarmsTheArchive() throws Exception { harm(named("-XX:SharedArchiveFile=")); }
  @org.junit.Test public void testHarmsAJar() throws Exception {
    harm(java.nio.file.Paths.get(org.junit.Test.class.getProtectionDomain().getCodeSource().getLocation().toURI())); }
"""


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
def test_a_test_that_harms_its_archive_harms_no_other_run(make_tree: MakeTree, tmp_path: Path) -> None:
    """Without a sandbox a run gets a copy, and the next run another one when it has been touched."""
    tree, store = sample(make_tree, "junit4", HARM), tmp_path / "store"
    runner = OneShotRunner(tmp_path / "work", Limits(), NoSandbox(), archives=ClassArchives(store))
    assert runner.run_method(tree, key("testPasses")).outcome is Outcome.PASSED
    file = next(store.glob("*.jsa"))
    before = (file.stat().st_ino, file.read_bytes())
    assert runner.run_method(tree, key("testHarmsTheArchive")).outcome is Outcome.PASSED
    assert (file.stat().st_ino, file.read_bytes()) == before
    copies = list((tmp_path / "work").glob("classes-*/*/*.jsa"))
    assert copies == []
    assert runner.run_method(tree, key("testPasses")).outcome is Outcome.PASSED
    with pytest.raises(MachineError, match=r"changed .*junit-4\.13\.2\.jar"):
        runner.run_method(tree, key("testHarmsAJar"))


@needs_bubblewrap
@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
def test_in_a_sandbox_archives_can_only_be_read(make_tree: MakeTree, store: Path, tmp_path: Path) -> None:
    tree = sample(make_tree, "junit4", HARM)
    runner = OneShotRunner(tmp_path / "work", Limits(), Bubblewrap(), archives=ClassArchives(store))
    runner.run_method(tree, key("testPasses"))
    made = {path: path.stat().st_ctime_ns for path in store.rglob("*")}
    for name in ("testHarmsTheArchive", "testHarmsAJar"):
        runner.run_method(tree, key(name))
    assert {path: path.stat().st_ctime_ns for path in store.rglob("*")} == made


@needs_bubblewrap
@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
def test_in_a_sandbox_an_archive_behind_a_link_is_used(make_tree: MakeTree, store: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(store)
    tree = sample(make_tree, "junit4")
    for folder in (store, tmp_path / "link"):
        assert origins(tree, folder, tmp_path / "work", Bubblewrap())["org.junit.Test"] == "shared objects file"


def outcome(tree: BuiltTree, store: Path, folder: Path) -> Outcome:
    """Of a run in a launcher of its own; it must not have said anything."""
    runner = OneShotRunner(folder / "work", Limits(), NoSandbox(), archives=ClassArchives(store))
    run = runner.run_method(tree, key("testPasses"))
    assert (run.stdout_bytes, run.stderr_bytes) == (b"", b"")
    return run.outcome


def jdk(folder: Path, feature: int = 17) -> Jdk:
    return Jdk(folder / "jdk", feature, f"{feature}.0.1")


CLASS = bytes.fromhex("cafebabe00000034")


def jars(folder: Path, *contents: str) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / f"{number}.jar" for number in range(len(contents))]
    for jar, content in zip(made, contents, strict=True):
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr(zipfile.ZipInfo(f"{content}.class"), CLASS + content.encode())
    return made


class TrainingRuns:
    """Stands for the JVMs that write an archive."""

    def __init__(self, failure: str = "") -> None:
        self.made: list[Path] = []
        self._failure = failure

    def make(self, archive: ClassArchive) -> str:
        self.made.append(archive.file)
        if not self._failure:
            archive.file.write_bytes(b"".join(jar.read_bytes() for jar in archive.jars))
        return self._failure


def test_equal_jars_share_an_archive_wherever_they_lie(tmp_path: Path) -> None:
    archives, train = ClassArchives(tmp_path / "store"), TrainingRuns()
    made = [
        archives.archive(jdk(tmp_path), given, train)
        for given in (
            jars(tmp_path / "one", "a", "b"),
            jars(tmp_path / "other", "a", "b"),
            jars(tmp_path / "third", "b", "a"),
        )
    ]
    assert made[0] is not None and made[2] is not None
    assert made[0] == made[1]
    assert made[0].file != made[2].file
    assert [jar.read_bytes() for jar in made[0].jars] == [jar.read_bytes() for jar in jars(tmp_path / "x", "a", "b")]
    assert len(train.made) == 2
    assert archives.archive(jdk(tmp_path, 21), jars(tmp_path / "one", "a", "b"), train) not in made
    again = ClassArchives(tmp_path / "store").archive(jdk(tmp_path), jars(tmp_path / "one", "a", "b"), train)
    assert again == made[0]
    assert len(train.made) == 3


def test_an_archive_that_is_gone_is_made_again(tmp_path: Path) -> None:
    archives, train, given = ClassArchives(tmp_path / "store"), TrainingRuns(), jars(tmp_path / "one", "a")
    first = archives.archive(jdk(tmp_path), given, train)
    assert first is not None
    first.file.unlink()
    assert archives.archive(jdk(tmp_path), given, train) == first
    assert first.file.is_file()


class Careless(TrainingRuns):
    """Loses a jar while the archive is made."""

    def make(self, archive: ClassArchive) -> str:
        reason = super().make(archive)
        archive.jars[0].unlink()
        return reason


def test_an_archive_whose_jar_was_gone_when_it_was_made_is_never_believed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, train = jars(tmp_path / "one", "a"), TrainingRuns()
    assert ClassArchives(tmp_path / "store").archive(jdk(tmp_path), given, Careless()) is None
    assert "a jar was changed meanwhile" in capsys.readouterr().err
    made = ClassArchives(tmp_path / "store").archive(jdk(tmp_path), given, train)
    assert made is not None and made.jars[0].read_bytes() == given[0].read_bytes()
    assert len(train.made) == 1


def test_archives_that_share_a_jar_leave_the_copy_of_it_alone(tmp_path: Path) -> None:
    """A run without a sandbox watches that no test changes its jars; another job may make an archive meanwhile."""
    archives, given = ClassArchives(tmp_path / "store"), jars(tmp_path / "one", "a", "b", "c")
    first = archives.archive(jdk(tmp_path), given[:2], TrainingRuns())
    assert first is not None
    before = [jar.stat() for jar in first.jars]
    second = ClassArchives(tmp_path / "store").archive(jdk(tmp_path), given[:1] + given[2:], TrainingRuns())
    assert second is not None and second.jars[0] == first.jars[0]
    assert [jar.stat() for jar in first.jars] == before


def test_a_damaged_copy_that_archives_share_is_made_anew_and_they_stay(tmp_path: Path) -> None:
    given, train = jars(tmp_path / "one", "a", "b"), TrainingRuns()
    first = ClassArchives(tmp_path / "store").archive(jdk(tmp_path), given, train)
    assert first is not None
    first.jars[1].write_bytes(b"damaged")
    again = ClassArchives(tmp_path / "store").archive(jdk(tmp_path), given, train)
    assert again == first
    assert [jar.read_bytes() for jar in first.jars] == [jar.read_bytes() for jar in given]
    assert len(train.made) == 1


@pytest.mark.parametrize(("feature", "failure"), [(FIRST_JDK - 1, ""), (17, "the disk is full")])
def test_where_none_can_be_made_runs_go_without_and_say_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], feature: int, failure: str
) -> None:
    archives, train = ClassArchives(tmp_path / "store"), TrainingRuns(failure)
    given = jars(tmp_path / "one", "a")
    for _ in range(3):
        assert archives.archive(jdk(tmp_path, feature), given, train) is None
    said = capsys.readouterr().err
    assert said.count("without an archive of class data") == 1
    assert (failure or f"Java {feature}") in said
    assert len(train.made) == (1 if failure else 0)


def test_two_that_ask_at_once_make_one(tmp_path: Path) -> None:
    given, train, together = jars(tmp_path / "one", "a"), TrainingRuns(), threading.Barrier(2)
    found = []

    def ask() -> None:
        archives = ClassArchives(tmp_path / "store")
        together.wait()
        found.append(archives.archive(jdk(tmp_path), given, train))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(train.made) == 1
    assert found[0] == found[1] is not None


def test_classes_from_before_java_6_are_never_mapped_where_nothing_may_change_them(tmp_path: Path) -> None:
    """A JVM rewrites them when it links them, and would crash."""
    train = TrainingRuns()
    new = ClassArchives(tmp_path / "store").archive(jdk(tmp_path), jars(tmp_path / "new", "a"), train)
    with zipfile.ZipFile(tmp_path / "old.jar", "w") as archive:
        archive.writestr("A.class", CLASS)
        archive.writestr("B.class", bytes.fromhex("cafebabe00000031"))
    given = [tmp_path / "old.jar"]
    old = [ClassArchives(tmp_path / "store").archive(jdk(tmp_path), given, train) for _ in range(2)]
    assert len(train.made) == 2
    assert new is not None and old[0] is not None and old[1] is not None
    assert [archive.in_place for archive in (new, old[0], old[1])] == [True, False, False]
    assert "-XX:ArchiveRelocationMode=0" in new.options(jdk(tmp_path))
    assert "-XX:ArchiveRelocationMode=1" in old[0].options(jdk(tmp_path))


FATAL = """
  @org.junit.Test public void testCrashesTheJvm() throws Exception {
    java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField("theUnsafe"); f.setAccessible(true);
    boolean first = java.lang.management.ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
      .anyMatch(a -> a.startsWith("-XX:SharedArchiveFile="));
    if (first) ((sun.misc.Unsafe) f.get(null)).putAddress(0, 0);
  }
"""


@pytest.mark.maven
@pytest.mark.usefixtures("launcher")
@pytest.mark.parametrize("sandbox", SANDBOXES, ids=["none", "bubblewrap"])
def test_a_jvm_that_fails_runs_again_without_an_archive(
    make_tree: MakeTree, store: Path, tmp_path: Path, sandbox: Sandbox
) -> None:
    """So no archive can make a test crash."""
    runner = OneShotRunner(tmp_path / "work", Limits(), sandbox, archives=ClassArchives(store))
    tree = sample(make_tree, "junit4", FATAL)
    assert runner.run_method(tree, key("testCrashesTheJvm")).outcome is Outcome.PASSED
