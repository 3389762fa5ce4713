"""Tests that get hold of the objects that carry verdicts win nothing by them.

Each attacks from inside a test class, which is more than a sabotage in a method body can do.
"""

import pytest

from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.sandboxes.sandbox import NoSandbox
from tests.controls.place import MakePlace, Place

pytestmark = pytest.mark.maven

JUNIT3 = """package h;
import java.lang.reflect.*;
import java.util.*;
import junit.framework.*;
public class HTest extends TestCase {
  private TestResult result;
  static Object field(Object of, String name) throws Exception {
    for (Class<?> c = of.getClass(); c != null; c = c.getSuperclass()) try {
      Field f = c.getDeclaredField(name); f.setAccessible(true); return f.get(of);
    } catch (NoSuchFieldException up) { }
    throw new NoSuchFieldException(name);
  }
  Map<String, Object> event(String kind) {
    Map<String, Object> e = new LinkedHashMap<>();
    e.put("event", kind); e.put("class", "h.HTest"); e.put("method", getName()); e.put("parameters", new String[0]);
    e.put("id", "junit3:" + this); e.put("display", getName()); e.put("status", "passed"); e.put("outcome", "passed");
    e.put("found", 1); return e;
  }
  TestListener listener() throws Exception { return (TestListener) ((List<?>) field(result, "fListeners")).get(0); }
  Object sink() throws Exception { return field(field(listener(), "events"), "sink"); }
  @Override public void run(TestResult result) {
    this.result = result;
    try {
      if (getName().equals("testListenerInsteadOfRun")) { listener().startTest(this); listener().endTest(this); }
      else super.run(result);
    } catch (Exception e) { throw new RuntimeException(e); }
  }
  public void testListenerInsteadOfRun() { fail(); }
  public void testEndsItself() { result.endTest(this); Runtime.getRuntime().halt(0); }
  @SuppressWarnings("unchecked") public void testSink() throws Exception {
    ((java.util.function.Consumer<Map<String, Object>>) sink()).accept(event("finished")); fail(); }
  public void testEnd() throws Exception {
    Method end = sink().getClass().getDeclaredMethod("end"); end.setAccessible(true); end.invoke(sink()); fail(); }
  public void testWrite() throws Exception {
    Object channel = field(sink(), "channel");
    Method write = channel.getClass().getDeclaredMethod("write", Map.class); write.setAccessible(true);
    write.invoke(channel, event("finished")); write.invoke(channel, event("end")); Runtime.getRuntime().halt(0); }
  public void testFromAnotherThread() throws Exception {
    Thread thread = new Thread() { public void run() { result.endTest(HTest.this); } };
    thread.start(); thread.join(); Runtime.getRuntime().halt(0); }
  public void testPasses() { }
}
"""
JUPITER = """package h;
import java.lang.reflect.*;
import java.util.*;
import org.junit.jupiter.api.*;
import org.junit.jupiter.api.extension.*;
class HTest {
  static Object sink(Object from) throws Exception {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> todo = new ArrayDeque<>(Collections.singleton(from));
    while (!todo.isEmpty()) {
      Object at = todo.remove();
      if (at.getClass().getName().equals("testevo.launcher.Verdicts")) return at;
      if (!seen.add(at) || seen.size() > 20000) continue;
      if (at instanceof Collection) { todo.addAll((Collection<?>) at); continue; }
      if (at.getClass().getName().startsWith("java.")) continue;
      for (Class<?> c = at.getClass(); c != null; c = c.getSuperclass()) for (Field f : c.getDeclaredFields())
        if (!f.getType().isPrimitive() && !Modifier.isStatic(f.getModifiers())) try {
          f.setAccessible(true); Object v = f.get(at); if (v != null) todo.add(v);
        } catch (RuntimeException closed) { }
    }
    throw new IllegalStateException("no sink");
  }
  @Test @SuppressWarnings("unchecked") void testSink(TestReporter reporter) throws Exception {
    Map<String, Object> e = new LinkedHashMap<>();
    e.put("event", "finished"); e.put("class", "h.HTest"); e.put("method", "testSink"); e.put("id", "1");
    e.put("status", "passed");
    ((java.util.function.Consumer<Map<String, Object>>) sink(reporter)).accept(e); Assertions.fail(); }
  @TestFactory Iterable<DynamicTest> testsOfTheProject() {
    return () -> Arrays.asList(DynamicTest.dynamicTest("a", () -> { }), DynamicTest.dynamicTest("b", () -> { }))
        .iterator(); }
}
"""
JUNIT4 = """package h;
import org.junit.*;
import org.junit.runner.*;
import org.junit.runner.notification.*;
import org.junit.runners.*;
import org.junit.runners.model.*;
@RunWith(HTest.Own.class)
public class HTest {
  static RunNotifier notifier;
  static Description running;
  public static class Own extends BlockJUnit4ClassRunner {
    public Own(Class<?> type) throws InitializationError { super(type); }
    @Override public void run(RunNotifier given) { notifier = given; super.run(given); }
    @Override protected void runChild(FrameworkMethod method, RunNotifier given) {
      running = describeChild(method); super.runChild(method, given); }
  }
  @Test public void testEndsItself() { notifier.fireTestFinished(running); Runtime.getRuntime().halt(0); }
  @Test public void testPasses() { }
  @Test(timeout = 10000) public void testPassesInTime() { }
}
"""


def outcome(place: Place, name: str, parameters: tuple[str, ...] = ()) -> tuple[Outcome, str]:
    runner = OneShotRunner(place.work, Limits(method_seconds=30), NoSandbox())
    test = TestKey(module="", path="", type_name="h.HTest", name=name, parameters=parameters)
    run = runner.run_method(place.tree, test)
    return run.outcome, run.message or ""


def assert_caught(place: Place, name: str, parameters: tuple[str, ...] = ()) -> None:
    found, message = outcome(place, name, parameters)
    assert found is Outcome.CRASHED
    assert message.startswith("tampered with the verdict channel: "), message


@pytest.fixture(scope="module")
def junit3(make_place: MakePlace) -> Place:
    return make_place({"h/HTest.java": JUNIT3}, "junit3")


@pytest.mark.parametrize(
    "name", ["testListenerInsteadOfRun", "testEndsItself", "testSink", "testEnd", "testWrite", "testFromAnotherThread"]
)
def test_events_that_junit_did_not_send_are_seen(junit3: Place, name: str) -> None:
    assert_caught(junit3, name)


def test_a_test_case_that_overrides_run_is_no_attack(junit3: Place) -> None:
    assert outcome(junit3, "testPasses") == (Outcome.PASSED, "")


def test_the_platform_s_listener_is_no_way_in_either(make_place: MakePlace) -> None:
    place = make_place({"h/HTest.java": JUPITER}, "platform")
    assert_caught(place, "testSink", ("TestReporter",))
    assert outcome(place, "testsOfTheProject") == (Outcome.PASSED, "")


def test_a_runner_of_the_project_may_send_events_and_its_tests_may_not(make_place: MakePlace) -> None:
    place = make_place({"h/HTest.java": JUNIT4}, "junit4")
    assert_caught(place, "testEndsItself")
    assert outcome(place, "testPasses") == (Outcome.PASSED, "")
    assert outcome(place, "testPassesInTime") == (Outcome.PASSED, "")
