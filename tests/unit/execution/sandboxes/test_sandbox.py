"""Sandboxes behind one interface."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from testevo.builds.engine import BuiltTree
from testevo.config.load import load_config
from testevo.execution.runner import Limits
from testevo.execution.runners.one_shot import OneShotRunner
from testevo.records.methods import TestKey
from testevo.records.verdicts import Outcome
from testevo.runtime.errors import MachineError, UsageError
from testevo.sandboxes import sandbox
from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.name_spaces import name_spaces_work
from testevo.sandboxes.sandbox import Bubblewrap, NoSandbox, bubblewrap_works
from testevo.sandboxes.sandboxes import sandbox_named

MakeTree = Callable[..., BuiltTree]


needs_name_spaces = pytest.mark.skipif(not name_spaces_work(), reason="the kernel makes no name spaces for this user")
needs_bubblewrap = pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap does not work on this machine")


@pytest.fixture
def confinement(tmp_path: Path) -> Confinement:
    for name in ("tree", "copy", "private", "inputs"):
        (tmp_path / name).mkdir()
    (tmp_path / "tree" / "real").write_text("")
    (tmp_path / "copy" / "copied").write_text("")
    (tmp_path / "inputs" / "given").write_text("given")
    (tmp_path / "secret").write_text("secret")
    return Confinement(
        tmp_path / "tree",
        (tmp_path / "tree", tmp_path / "inputs", tmp_path / "inputs" / "given"),
        (tmp_path / "private",),
        64,
        tmp_path / "copy",
        tmp_path / "tree",
    )


def wait_for(condition: Callable[[], bool]) -> None:
    """Look again and again; fail when it does not come."""
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    pytest.fail("waited in vain")


def words_of(process: psutil.Process) -> list[str]:
    """Its command line; of a process that has ended, none."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def test_running_without_a_sandbox_warns_loudly_and_once(
    confinement: Confinement, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "_warned", set())
    commands = [NoSandbox().command(["java", "-version"], confinement) for _ in range(2)]
    assert [command[-2:] for command in commands] == [["java", "-version"]] * 2
    assert capsys.readouterr().err.count("WITHOUT A SANDBOX") == 1


def test_bubblewrap_gets_no_network_and_read_only_inputs(confinement: Confinement, tmp_path: Path) -> None:
    command = Bubblewrap("/usr/bin/bwrap").command(["java"], confinement)
    assert {"--unshare-all", "--die-with-parent", "--new-session"} <= set(command)
    assert "--share-net" not in command
    binds = [tuple(command[i : i + 3]) for i, word in enumerate(command) if word in ("--bind", "--ro-bind")]
    assert ("--ro-bind", str(tmp_path / "inputs"), str(tmp_path / "inputs")) in binds
    assert [bind[1:] for bind in binds if bind[0] == "--bind"] == [
        (str(tmp_path / "copy"), str(tmp_path / "tree")),
        (str(tmp_path / "private"), str(tmp_path / "private")),
    ]
    assert command[-1] == "java"
    shown = {place for _, _, place in binds}
    assert not {"/etc", "/etc/ssl", "/etc/ssl/private"} & shown
    assert ("/etc/ssl/certs" in shown) is Path("/etc/ssl/certs").exists()


def test_an_unknown_or_missing_sandbox_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="`jail` is not a sandbox"):
        sandbox_named("jail")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MachineError, match="not installed"):
        sandbox_named("bubblewrap")


def test_the_default_is_bubblewrap_where_it_works(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keys of results name the one in force."""
    monkeypatch.setattr(sandbox, "bubblewrap_works", lambda: True)
    monkeypatch.setattr(sandbox.shutil, "which", lambda program: f"/usr/bin/{program}")
    chosen = sandbox_named("auto")
    assert chosen.name == "bubblewrap"
    assert (
        OneShotRunner(tmp_path, Limits(), chosen).key
        == OneShotRunner(tmp_path, Limits(), sandbox_named("bubblewrap")).key
    )
    assert load_config({}).execution.sandbox == "auto"


def test_a_program_that_may_make_no_name_spaces_is_no_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(MachineError, match="may not make name spaces"):
        sandbox_named("auto")


@pytest.mark.parametrize(
    "name",
    ["none", pytest.param("unshare", marks=needs_name_spaces), pytest.param("bubblewrap", marks=needs_bubblewrap)],
)
def test_a_confined_program_ends_with_the_process_that_started_it(
    name: str, confinement: Confinement, tmp_path: Path
) -> None:
    """Also where that is killed and can end nothing itself."""
    begun = tmp_path / "private" / "begun"
    command = sandbox_named(name).command(["/bin/sh", "-c", f": > {begun}; sleep 600"], confinement)
    program = "import subprocess, sys; subprocess.run(sys.argv[1:], start_new_session=True)"
    with subprocess.Popen([sys.executable, "-c", program, *command]) as parent:
        wait_for(begun.exists)
        parent.kill()
    wait_for(lambda: not any(str(begun) in word for process in psutil.process_iter() for word in words_of(process)))


@needs_bubblewrap
def test_what_a_confined_program_can_see_and_do(confinement: Confinement, tmp_path: Path) -> None:
    script = f"""
    echo "folder $(ls | tr '\\n' ' ')"
    cat {tmp_path}/secret 2>/dev/null && echo leaked || echo hidden
    echo "given $(cat {tmp_path}/inputs/given)"
    touch {tmp_path}/inputs/new 2>/dev/null && echo wrote-input || echo input-read-only
    touch written {tmp_path}/private/kept /tmp/scratch && echo wrote
    echo "processes $(ls -d /proc/[0-9]* | wc -l)"
    echo "networks $(grep -c : /proc/net/dev)"
    echo "home $(ls /root /home 2>/dev/null | wc -l)"
    """
    command = Bubblewrap().command(["sh", "-c", script], confinement)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": os.environ["PATH"]})
    lines = done.stdout.splitlines()
    assert lines[:5] == ["folder copied ", "hidden", "given given", "input-read-only", "wrote"], done.stderr
    assert int(lines[5].split()[1]) < 10
    assert lines[6:] == ["networks 1", "home 0"]
    assert {path.name for path in (tmp_path / "copy").iterdir()} == {"copied", "written"}
    assert (tmp_path / "private" / "kept").is_file()


CONFINED = """package a;
import org.junit.*;
import static org.junit.Assert.*;
import java.io.*;
public class SampleTest {
  @Test public void passes() throws Exception { assertTrue(new File("src/test/java/a/SampleTest.java").isFile());
    assertTrue(new File("made").createNewFile()); File.createTempFile("aaa", "b"); }
  @Test public void network() throws Exception { new java.net.Socket("192.0.2.1", 80); }
  @Test public void loopback() throws Exception { java.net.ServerSocket s = new java.net.ServerSocket(0);
    new java.net.Socket(java.net.InetAddress.getLocalHost(), s.getLocalPort()).close(); }
  @Test public void writesClasses() throws Exception {
    new FileOutputStream(new File(SampleTest.class.getResource("SampleTest.class").toURI())).close(); }
  @Test public void forks() throws Exception { for (int i = 0; i < 20; i++) new ProcessBuilder("sleep", "600").start();
    Runtime.getRuntime().halt(0); }
}
"""


@needs_bubblewrap
@pytest.mark.maven
def test_tests_run_confined(make_tree: MakeTree, tmp_path: Path, launcher: None) -> None:
    tree = make_tree({"a/SampleTest.java": CONFINED}, framework="junit4")
    runner = OneShotRunner(tmp_path / "work", Limits(method_seconds=60), Bubblewrap())
    expected = {
        "passes": Outcome.PASSED,
        "network": Outcome.EXCEPTION,
        "loopback": Outcome.PASSED,
        "writesClasses": Outcome.EXCEPTION,
        "forks": Outcome.CRASHED,
    }
    runs = {
        name: runner.run_method(tree, TestKey(module="", path="", type_name="a.SampleTest", name=name))
        for name in expected
    }
    assert {name: run.outcome for name, run in runs.items()} == expected, runs
    assert not (tree.modules[0].folder / "made").exists()
