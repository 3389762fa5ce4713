"""A run can read the candidate's test file, and the developer's nowhere."""

import dataclasses

import pytest

from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.sandboxes.sandbox import Bubblewrap, bubblewrap_works
from tests.controls.place import MakePlace

pytestmark = pytest.mark.maven

TEST = "src/test/java/h/HTest.java"
GOLD = """package h;
/** Written by the developer: gold-7f3a. */
public class HTest { @org.junit.Test public void walks() { } }
"""
WALKS = """package h;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.junit.*;
public class HTest {
  static final byte[] MARK = ("gold" + '-' + Integer.toHexString(0x7f3a)).getBytes();
  static boolean holds(File file) {
    try {
      byte[] content = Files.readAllBytes(file.toPath());
      for (int at = 0; at + MARK.length <= content.length; at++)
        if (Arrays.equals(Arrays.copyOfRange(content, at, at + MARK.length), MARK)) return true;
    } catch (IOException | OutOfMemoryError unreadable) { }
    return false;
  }
  @Test public void walks() {
    List<String> found = new ArrayList<>();
    int files = 0;
    Set<String> system = new HashSet<>(Arrays.asList("/proc", "/sys", "/dev", "/usr", "/etc", "/bin"));
    system.add(System.getProperty("java.home"));
    Deque<File> todo = new ArrayDeque<>(Arrays.asList(new File("/")));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) todo.add(new File(entry));
    while (!todo.isEmpty()) {
      File[] inside = todo.remove().listFiles();
      for (File file : inside == null ? new File[0] : inside) {
        if (system.contains(file.getPath()) || Files.isSymbolicLink(file.toPath())) continue;
        if (file.isDirectory()) todo.add(file);
        else if (++files > 0 && file.length() < 4000000 && holds(file)) found.add(file.getPath());
      }
    }
    Assert.assertTrue("too few files were read", files > 3);
    Assert.assertEquals(Collections.emptyList(), found);
  }
}
"""


def test_a_run_on_new_code_finds_no_text_of_the_developers_test(make_place: MakePlace) -> None:
    """The revision holds it; the tree with the edit, its working copy and its class path do not."""
    if not bubblewrap_works():
        pytest.skip("bubblewrap does not work on this machine")
    place = make_place({"h/HTest.java": WALKS}, "junit4")
    (place.tree.checkout.folder / TEST).write_text(GOLD)
    tree = dataclasses.replace(place.tree, replaced={TEST: WALKS.encode()})
    runner = OneShotRunner(place.work, Limits(method_seconds=60), Bubblewrap())
    test = TestKey(module="", path=TEST, type_name="h.HTest", name="walks")
    found = runner.run_method(place.tree, test)
    assert found.outcome is Outcome.ASSERTION_FAILED and TEST in (found.message or "")  # the walk sees what is there
    assert runner.run_method(tree, test).outcome is Outcome.PASSED
