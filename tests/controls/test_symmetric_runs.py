"""Runs on new code, on old code and on mutants look the same from inside, but for the code under test.

A test prints all that it can see; what it sees must be equal in all runs. Left out is what differs between two starts
of one and the same run, by the rules below: each was seen to vary in repeated starts beside load, or is drawn on
purpose.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.grading.mutation.mutant_runs import MutantRunner, TimeLimit
from testevo.records.evidence.mutants import Mutant, MutantFate
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import Watched
from tests.controls.place import MakePlace, Place

pytestmark = pytest.mark.maven

CODE = "package h;\npublic class Code { public static int value() { return %d; } }\n"
LOOKS = """package h;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.junit.*;
public class HTest {
  static void say(String fact, Object value) { System.out.println("VIEW " + fact + ": " + value); }
  static void lines(String fact, String file, String separator) throws IOException {
    String text = new String(Files.readAllBytes(Paths.get(file)), "UTF-8");
    for (String line : text.split(separator)) say(fact, fact.equals("mount") ? line.split(" ")[1] : line);
  }
  static void files(String fact, File file, int deep) {
    say(fact, file + " " + (file.isDirectory() ? "folder" : String.valueOf(file.length())) + " " + file.lastModified());
    File[] inside = deep == 0 ? null : file.listFiles();
    if (inside != null) for (File one : inside) files(fact, one, deep - 1);
  }
  static void loaders(String fact, ClassLoader loader) {
    for (; loader != null; loader = loader.getParent()) say(fact, loader.getClass().getName());
  }
  @Test public void looks() throws Exception {
    System.out.println("VIEW BEGIN " + Code.value());
    say("folder", new File(".").getCanonicalPath());
    for (Map.Entry<Object, Object> one : System.getProperties().entrySet()) say("property", one);
    for (Map.Entry<String, String> one : System.getenv().entrySet()) say("variable", one);
    loaders("loader of the test", HTest.class.getClassLoader());
    loaders("loader of the code", Code.class.getClassLoader());
    loaders("loader of the thread", Thread.currentThread().getContextClassLoader());
    say("thread", Thread.currentThread().getName() + " " + Thread.currentThread().getClass().getName());
    say("group", Thread.currentThread().getThreadGroup().getName());
    for (StackTraceElement one : new Throwable().getStackTrace()) say("frame", one.getClassName());
    say("source", Code.class.getProtectionDomain().getCodeSource().getLocation());
    say("resource", Code.class.getResource("Code.class"));
    say("package", Code.class.getPackage() + " " + Arrays.asList(Code.class.getDeclaredMethods()));
    files("file", new File("."), 6);
    for (String one : System.getProperty("java.class.path").split(File.pathSeparator))
      files("class path", new File(one), 6);
    files("home", new File(System.getProperty("user.home")), 3);
    files("temporary", new File(System.getProperty("java.io.tmpdir")), 3);
    for (String one : System.getProperty("sun.java.command").split(" "))
      say("word", one + (new File(one).isFile() ? " is a file" : " is no file"));  // the request is gone
    lines("argument", "/proc/self/cmdline", "\\0");
    lines("environ", "/proc/self/environ", "\\0");
    lines("mount", "/proc/self/mounts", "\\n");
    say("input", System.in.read());
    for (File one : new File("/proc/self/fd").listFiles()) try {
      say("descriptor", Files.readSymbolicLink(one.toPath()));
    } catch (IOException closed) { }
    System.out.println("VIEW END");
    Assert.assertEquals(2, Code.value());
  }
}
"""

# Of mounts only the places are looked at: the rest names what the engine of a container made for it.
LEFT_OUT = (
    # Which of the reflection's own classes stand in a trace depends on how often a method was called before.
    r"frame: (java\.lang\.(reflect|invoke)|jdk\.internal\.reflect|sun\.reflect)\.",
    # A look at /proc opens files in /proc; a JVM reads the limits of its control group when it likes.
    r"descriptor: /(proc|sys)/",
    # Which jars of the class path a JVM has open depends on its start; that they are the same is seen by their names.
    r"descriptor: /\S+/(repository|jvm/lib)/\S+\.jar$",
)
"""Facts that vary between two starts of one run."""
DRAWN = (
    (r"^((home|temporary): \S+ folder) \d+$", r"\1"),  # made for the run, when it starts
    (r"\b(run|classes|folders|pipes)-[a-z0-9_]{8}\b", r"\1-<drawn>"),  # Python's temporary folders
    (r"\b[0-9a-f]{16}\b", "<drawn>"),
    (r"(pipe|socket|anon_inode):\[[^\]]*\]", r"\1"),  # numbers of the kernel
)


@dataclass
class Seen:
    """A sandbox that keeps what its runs print."""

    sandbox: Sandbox
    printed: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.sandbox, name)

    def run(self, *arguments: Any, **named: Any) -> Watched:
        watched = self.sandbox.run(*arguments, **named)
        self.printed.append(watched.stdout.decode("utf-8", "replace"))
        return watched

    def views(self, places: Mapping[str, str]) -> list[tuple[int, Counter[str]]]:
        """Value of the code and the facts seen, of each run of the test, in order."""
        found = []
        for text in self.printed:
            for part in re.findall(r"VIEW BEGIN .*?VIEW END", text, re.DOTALL):
                first, *facts = [line[5:] for line in part.splitlines() if line.startswith("VIEW ")][:-1]
                view = Counter(fact for one in facts if (fact := levelled(one, places)) is not None)
                if not self.sandbox.isolates_files:  # then they are the machine's, where others mount what they like
                    view = Counter({fact: count for fact, count in view.items() if not fact.startswith("mount: ")})
                # How often a JVM has a file open, and as which number, depends on its cleaner and on its start.
                view.update({fact: 1 - count for fact, count in view.items() if fact.startswith("descriptor: /")})
                found.append((int(first.split()[1]), view))
        return found


def levelled(fact: str, places: Mapping[str, str]) -> str | None:
    if any(re.match(rule, fact) for rule in LEFT_OUT):
        return None
    for place, word in places.items():
        fact = fact.replace(place, word)
    for pattern, word in DRAWN:
        fact = re.sub(pattern, word, fact)
    return fact


def looked(place: Place, sandbox: Sandbox) -> list[tuple[int, Counter[str]]]:
    """The view of the run that gives a verdict, with class folders where Maven has them."""
    seen = Seen(sandbox)
    runner = OneShotRunner(place.work, Limits(method_seconds=60), seen)  # type: ignore[arg-type]
    module = replace(place.tree.modules[0], outputs=("target/classes", "target/test-classes"))
    tree = replace(place.tree, modules=(module,))
    run = runner.run_method(tree, TestKey(module="", path="", type_name="h.HTest", name="looks"))
    assert run.outcome in (Outcome.PASSED, Outcome.ASSERTION_FAILED), run
    return seen.views({str(place.folder): "<place>", place.mark: "<mark>"})


@pytest.fixture(scope="module")
def places(make_place: MakePlace) -> dict[int, Place]:
    """By what their code returns: the new revision returns 2, the old one and a mutant something else."""
    return {value: make_place({"h/HTest.java": LOOKS}, "junit4", {"h/Code.java": CODE % value}) for value in (2, 3, 4)}


def test_new_and_old_code_look_the_same(places: dict[int, Place], sandbox: Sandbox) -> None:
    ((new, of_new),), ((old, of_old),) = looked(places[2], sandbox), looked(places[3], sandbox)
    assert (new, old) == (2, 3)
    assert len(of_new) > 50 and of_new - of_old == of_old - of_new == Counter()


@pytest.mark.parametrize("mode", ["shared", "fresh"])
def test_a_mutant_looks_like_the_unmutated_code(mode: str, places: dict[int, Place], sandbox: Sandbox) -> None:
    place, seen = places[2], Seen(sandbox)
    classes = {
        f"secret-name-{value}": {"h.Code": (places[value].folder / "store/main/h/Code.class").read_bytes()}
        for value in (3, 4)
    }
    mutants = [
        Mutant(task_id="t", mutant=name, path="Code.java", first_line=1, original="", mutated="", classes={})
        for name in classes
    ]
    runner = MutantRunner(place.work, Limits(method_seconds=60), seen, TimeLimit(4, 30, 60), mode)  # type: ignore[arg-type]
    runs = runner.run(place.tree, TestKey(module="", path="", type_name="h.HTest", name="looks"), mutants, classes)
    assert [run.fate for run in runs] == [MutantFate.KILLED_BY_ASSERTION] * 2
    views = seen.views({str(place.folder): "<place>", place.mark: "<mark>"})
    # The unmutated code first, last and at a drawn place among the mutants: what comes second differs from run to run.
    values = [value for value, _ in views]
    if mode == "shared":  # then one kill is confirmed in a JVM of its own, which looks as all do in the other mode
        assert values.pop() in (3, 4)
        views.pop()
    assert sorted(values) == [2, 2, 2, 3, 4] and (values[0], values[2], values[-1]) == (2, 2, 2)
    first = views[0][1]
    for value, view in views[1:]:
        assert (value, view - first, first - view) == (value, Counter(), Counter())
    assert not any("secret-name" in fact for fact in first)
    assert not re.search(r"mutant|\bnew\b|\bold\b", "\n".join(one for one in first if not one.startswith("frame: ")))
