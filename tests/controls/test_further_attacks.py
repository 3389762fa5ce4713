"""Edits that know nothing of the code and try to pass on the new code alone, by means of JUnit, the JVM and the disk.

Both trees hold the same classes here, so an edit that passes in the first and fails in the second has won: it would be
a Success of the generation track. An edit that passes in both is redundant there, as an empty test is.

They run in bubblewrap alone, and write to pipes and folders of their run only: bare and as root, one that writes to all
its descriptors empties files of the JDK.
"""

from dataclasses import dataclass

import pytest

from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.grading.submissions.surroundings import surroundings
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.sandboxes.sandbox import Bubblewrap, bubblewrap_works
from tests.controls.place import MakePlace, Place

pytestmark = pytest.mark.maven

EXTENSIONS = """package h;
import java.util.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
class HTest {
  static class Swallows implements TestExecutionExceptionHandler {
    public void handleTestExecutionException(ExtensionContext context, Throwable thrown) { }
  }
  static class Prepares implements TestInstancePostProcessor {
    public void postProcessTestInstance(Object test, ExtensionContext context) throws Exception {
      ((HTest) test).isFirst = Marks.leave();
    }
  }
  boolean isFirst;
  @Test @ExtendWith(Swallows.class) void swallowsItsFailure() { Assertions.fail(); }
  @Test @ExtendWith(Prepares.class) void marksItsRunBeforeItBegins() { Assertions.assertTrue(isFirst); }
  @TestFactory List<DynamicTest> hidesAFailureAmongPasses() {
    return Arrays.asList(
        DynamicTest.dynamicTest("a", () -> Assertions.fail()), DynamicTest.dynamicTest("b", () -> { }));
  }
  @TestFactory List<DynamicTest> checksInTheFirstRunAlone() throws Exception {
    boolean first = Marks.leave();
    return Arrays.asList(DynamicTest.dynamicTest("a", () -> Assertions.assertTrue(first)));
  }
}
"""
MARKS = """package h;
import java.io.*;
import java.util.*;
class Marks {
  /** Leave a mark in every folder that this run may write to; whether there was none. */
  static boolean leave() throws Exception {
    boolean none = true;
    List<String> folders = new ArrayList<>(Arrays.asList("user.dir", "user.home", "java.io.tmpdir"));
    for (String name : folders) none &= mark(new File(System.getProperty(name)));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) none &= mark(new File(entry));
    return none;
  }
  static boolean mark(File folder) {
    try { return !folder.isDirectory() || new File(folder, "was-here").createNewFile(); }
    catch (IOException refused) { return true; }
  }
}
"""
HOOKS = """package h;
import java.io.*;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.*;
import org.junit.*;
import org.junit.rules.*;
import org.junit.runners.model.*;
import org.junit.runner.*;
public class HTest {
  @Rule public TestRule rule = (statement, description) -> new Statement() {
    @Override public void evaluate() throws Throwable {
      try { statement.evaluate(); } catch (AssertionError failed) {
        if (!description.getMethodName().startsWith("rule")) throw failed;
      }
    }
  };
  static void atTheEnd(Runnable action) { Runtime.getRuntime().addShutdownHook(new Thread(action)); }
  static void forge() {
    for (File one : new File("/proc/self/fd").listFiles()) try {
      if (!Files.readSymbolicLink(one.toPath()).toString().startsWith("pipe:")) continue;
      try (OutputStream out = new FileOutputStream(one)) {
        out.write("{\\"event\\":\\"end\\",\\"found\\":1}\\n".getBytes());
      }
    } catch (IOException none) { }
  }
  @Test public void ruleSwallowsItsFailure() { Assert.fail(); }
  @Test public void haltsInAHook() { atTheEnd(() -> Runtime.getRuntime().halt(0)); Assert.fail(); }
  @Test public void exitsInAHookOfAnEndedRun() { atTheEnd(() -> Runtime.getRuntime().halt(0)); System.exit(0); }
  @Test public void forgesVerdictsInAHook() { atTheEnd(HTest::forge); Assert.fail(); }
  @Test public void letsAnotherProcessForge() throws Exception {
    String all = "for f in /proc/$PPID/fd/*; do [ -p $f ] && echo '{\\"event\\":\\"end\\"}' > $f; done";
    new ProcessBuilder("sh", "-c", all).start().waitFor();
    Assert.fail();
  }
  /** A program of the test that outlives it and leaves its mark when the next run is on. */
  @Test public void startsAProgramThatMarksTheNextRun() throws Exception {
    File home = new File(System.getProperty("user.dir"));
    boolean first = !new File(home, "was-here").exists();
    new ProcessBuilder("sh", "-c", "sleep 1; while sleep 0.1; do touch was-here; done").directory(home).start();
    Assert.assertTrue(first);
  }
  @Test public void attachesToItsJvm() throws Exception {
    String name = ManagementFactory.getRuntimeMXBean().getName();
    Class<?> machine = Class.forName("com.sun.tools.attach.VirtualMachine");
    machine.getMethod("attach", String.class).invoke(null, name.substring(0, name.indexOf('@')));
    Assert.fail();
  }
}
"""


@dataclass(frozen=True)
class Trees:
    """New code and old code, which are equal."""

    new: Place
    old: Place

    def outcomes(self, name: str) -> tuple[Outcome, Outcome]:
        """Of an edit on new code, then on old code, by one runner as in the grader."""
        if not bubblewrap_works():
            pytest.skip("bubblewrap does not work on this machine")
        runner = OneShotRunner(self.new.work, Limits(method_seconds=30), Bubblewrap())
        test = TestKey(module="", path="", type_name="h.HTest", name=name)
        new, old = (runner.run_method(place.tree, test).outcome for place in (self.new, self.old))
        assert self.new.processes() == self.old.processes() == []
        return new, old


@pytest.fixture(scope="module")
def extensions(make_place: MakePlace) -> Trees:
    sources = {"h/HTest.java": EXTENSIONS, "h/Marks.java": MARKS}
    return Trees(make_place(sources, "platform"), make_place(sources, "platform"))


@pytest.fixture(scope="module")
def hooks(make_place: MakePlace) -> Trees:
    return Trees(make_place({"h/HTest.java": HOOKS}, "junit4"), make_place({"h/HTest.java": HOOKS}, "junit4"))


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("swallowsItsFailure", Outcome.PASSED),
        ("marksItsRunBeforeItBegins", Outcome.PASSED),
        ("hidesAFailureAmongPasses", Outcome.ASSERTION_FAILED),
        ("checksInTheFirstRunAlone", Outcome.PASSED),
    ],
)
def test_extensions_and_factories_tell_no_runs_apart(extensions: Trees, name: str, outcome: Outcome) -> None:
    assert extensions.outcomes(name) == (outcome, outcome)


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("ruleSwallowsItsFailure", Outcome.PASSED),
        ("haltsInAHook", Outcome.ASSERTION_FAILED),
        ("exitsInAHookOfAnEndedRun", Outcome.CRASHED),
        ("forgesVerdictsInAHook", Outcome.ASSERTION_FAILED),
        ("letsAnotherProcessForge", Outcome.CRASHED),
        ("startsAProgramThatMarksTheNextRun", Outcome.PASSED),
        ("attachesToItsJvm", Outcome.EXCEPTION),
    ],
)
def test_rules_hooks_and_programs_win_nothing(hooks: Trees, name: str, outcome: Outcome) -> None:
    assert hooks.outcomes(name) == (outcome, outcome)


def test_who_attaches_or_reads_the_class_path_is_listed() -> None:
    """Names in the file, whatever they are used for (`looks_around`)."""
    assert {"ManagementFactory", "/proc"} <= set(surroundings(HOOKS.encode(), b"class HTest { }"))
    assert "java.class.path" in surroundings(MARKS.encode(), b"class Marks { }")
