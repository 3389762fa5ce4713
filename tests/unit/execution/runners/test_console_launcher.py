"""The console launcher passes what does not see that a class loader of its own, below an older JUnit, loads it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from testevo.builds.engine import BuiltTree
from testevo.config.model import Execution
from testevo.execution.runners.console_launcher import ConsoleLauncher
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.files.jars import pinned_jars

MakeTree = Callable[..., BuiltTree]

BODIES = {
    "passes": "",
    "asksItsOwnLoader": 'require(getClass().getResource("T.class"));',
    "asksTheSystem": 'require(ClassLoader.getSystemResource("a/T.class"));',
    "loadsByTheSystem": 'require(ClassLoader.getSystemClassLoader().loadClass("a.T"));',
    "fails": "require(null);",
}
METHODS = "".join(
    f"  @Test {{modifier}} void {name}() throws Exception {{{{ {body} }}}}\n" for name, body in BODIES.items()
)
CLASS = """package a;
import {test};
public class T {{
  static void require(Object found) {{ if (found == null) throw new IllegalStateException(); }}
{methods}}}
"""
NEWER = """package a;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
class NewerTest {
  @Test void passes() {}
  @Test void namesWhatIsNewIn59() throws Exception { ExtensionContext.class.getMethod("getExecutableInvoker"); }
}
"""
SEES_ITS_LOADER = {"passes": True, "asksItsOwnLoader": True, "asksTheSystem": False, "loadsByTheSystem": False}


def source(test: str, modifier: str) -> str:
    return CLASS.format(test=test, methods=METHODS.format(modifier=modifier))


def key(type_name: str, name: str) -> TestKey:
    path = f"src/test/java/{type_name.replace('.', '/')}.java"
    return TestKey(module="", path=path, type_name=type_name, name=name)


def console(folder: Path) -> ConsoleLauncher:
    return ConsoleLauncher(Execution(sandbox="none", method_seconds=30), folder)


@pytest.mark.parametrize(
    ("framework", "test", "modifier"),
    [("junit4", "org.junit.Test", "public"), ("platform", "org.junit.jupiter.api.Test", "")],
)
def test_what_asks_for_the_class_path_of_the_jvm_fails_there_and_nowhere_else(
    framework: str, test: str, modifier: str, make_tree: MakeTree, tmp_path: Path, launcher: None
) -> None:
    tree = make_tree({"a/T.java": source(test, modifier)}, framework=framework)
    launched, asked = OneShotRunner(tmp_path / "work"), console(tmp_path / "console")
    usual = {name: launched.run_method(tree, key("a.T", name)).outcome is Outcome.PASSED for name in BODIES}
    assert usual == {name: name != "fails" for name in BODIES}
    assert {name: asked.passes(tree, key("a.T", name)) for name in BODIES} == {**SEES_ITS_LOADER, "fails": False}
    assert not asked.passes(tree, key("a.T", "missing")), "no test is none that passes"


def test_a_test_that_needs_a_newer_junit_fails_there(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a/NewerTest.java": NEWER}, framework="platform")
    asked = console(tmp_path / "console")
    assert asked.passes(tree, key("a.NewerTest", "passes"))
    assert not asked.passes(tree, key("a.NewerTest", "namesWhatIsNewIn59"))


def test_a_class_path_may_be_longer_than_an_argument(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a/NewerTest.java": NEWER}, framework="platform")
    absent = tuple(tmp_path / f"absent-{number:0200}.jar" for number in range(999))
    [module] = tree.modules
    longer = replace(tree, modules=(replace(module, class_path=(*module.class_path, *absent)),))
    assert console(tmp_path / "console").passes(longer, key("a.NewerTest", "passes"))


def test_another_jar_has_another_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Journals hold what it said."""
    assert console(tmp_path / "a").key == console(tmp_path / "b").key
    slower = ConsoleLauncher(Execution(sandbox="none", method_seconds=31), tmp_path)
    assert slower.key != console(tmp_path / "a").key
    assert [jar.name for jar in pinned_jars("console")] == ["junit-platform-console-standalone-1.8.2.jar"]
