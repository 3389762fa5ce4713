"""The command line itself: help, misspelt options, names of histories, tools that are missing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import testevo
from testevo.cli import main
from testevo.cli.machines import doctor
from testevo.cli.machines.doctor import TOOLS, Finding, examine
from testevo.cli.mining import mine
from testevo.config.load import load_config
from testevo.runtime.errors import ExitStatus, UsageError


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | None:
    monkeypatch.setattr(sys, "argv", ["testevo", *arguments])
    return main.invoke()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["mine", "--bogus"], "--bogus"),
        (["frobnicate"], "frobnicate"),
        (["task", "show"], "task_id"),
        (["mine", "x", "--cores", "many"], "--cores"),
        (["mine", ""], "The history is empty"),
        (["compare-engines", " "], "The history is empty"),
        (["mine"], "give either one history or --configuration"),
        (["mine", "a:b"], "needs --versions"),
        (["mine", "a:b", "--start", "v1", "--versions", "1,2"], "do not apply to Maven coordinates"),
        (["mine", "some/folder", "--versions", "1,2"], "belongs to Maven coordinates"),
        (["mine", "--configuration", "nowhere.yaml"], "nowhere.yaml cannot be read"),
        (["mine", "some/folder", "--preset", "strikt"], "did you mean strict?"),
    ],
)
def test_a_mistake_on_the_command_line_is_a_message(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    """Status 2 and one sentence, never a traceback."""
    with pytest.raises(UsageError) as caught:
        call(monkeypatch, *arguments)
    assert says in str(caught.value) and caught.value.status is ExitStatus.USAGE


@pytest.mark.parametrize(
    ("written", "options", "says"),
    [
        ("rules: 5", ["--until", "2025-01-01"], "rules = 5: should hold keys and values"),
        ("rules: {walk: [x]}", [], "rules.walk = ['x']: should hold keys and values"),
        ("sources: some", ["--mirror", "clones"], "sources = 'some': should hold keys and values"),
        ("rules: {walk: }", ["--until", "2025-02-29"], "rules.walk.cutoff = '2025-02-29': no day of the calendar"),
    ],
)
def test_the_command_line_hides_no_mistake_of_a_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str, options: list[str], says: str
) -> None:
    configuration = tmp_path / "snapshot.yaml"
    configuration.write_text(f"snapshot: s\n{written}\n")
    with pytest.raises(UsageError) as caught:
        call(monkeypatch, "mine", "--configuration", str(configuration), "--results", str(tmp_path / "out"), *options)
    assert says in str(caught.value) and not (tmp_path / "out").exists()


def test_ctrl_c_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler of all commands says how to resume; the command-line library would end without a word."""

    def interrupted(extra: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "find_jdks", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call(monkeypatch, "doctor")


def test_ctrl_c_while_the_command_loads_its_verbs_is_no_bug() -> None:
    program = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
class Interrupting:
    def find_spec(self, name, *rest):
        if name == "testevo.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from testevo.cli.start import main
main()
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    said = "interrupted; run the same command again to resume.\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (ExitStatus.INTERRUPTED, "", said)


@pytest.mark.parametrize("verb", [[], ["task"]])
def test_a_verb_alone_prints_its_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], verb: list[str]
) -> None:
    """Nothing to do is not a success."""
    assert call(monkeypatch, *verb) == ExitStatus.USAGE
    assert "Usage" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not call(monkeypatch, "--version")
    assert capsys.readouterr().out == f"testevo {testevo.__version__}\n"


def test_verbs_and_options_are_completed() -> None:
    """`testevo --install-completion` writes a script that asks in this way."""
    program = "import sys; sys.argv = ['testevo']; from testevo.cli.main import main; main()"
    asked = {"_TESTEVO_COMPLETE": "complete_bash", "COMP_WORDS": "testevo task li", "COMP_CWORD": "2"}
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert finished.stdout.split() == ["list"]


def test_help_shows_an_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`testevo mine --help` names every option and an example."""
    monkeypatch.setenv("COLUMNS", "200")
    assert not call(monkeypatch, "mine", "--help")
    text = capsys.readouterr().out
    assert all(option in text for option in ("--preset", "--start", "--until", "--output", "--retry", "--cores"))
    assert "testevo mine ../some-clone" in text


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://example.org/owner/project.git", "owner/project"),
        ("git@example.org:owner/project.git", "owner/project"),
        ("../project", "local/project"),
        ("/home/someone/project/.git", "someone/project"),
        ("/clones/owner+project/repo", "owner/project"),
        ("/clones/repo", "clones/repo"),
        ("folder/my project.bundle", "folder/my-project"),
    ],
)
def test_a_history_is_named_after_its_address(address: str, name: str) -> None:
    """`owner/name`, and a snapshot of that name, that the configuration accepts."""
    assert mine.name_of(address) == name
    assert load_config(mine.single(address, None, None, None)).snapshot == name.replace("/", "__")


def test_this_folder_has_a_name_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`testevo mine .` works."""
    monkeypatch.chdir(tmp_path)
    assert mine.name_of(".") == f"local/{tmp_path.name}"


def test_the_doctor_lists_what_is_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`doctor --json` is a list of findings with versions (TEB-E04)."""
    call(monkeypatch, "doctor", "--json")
    findings = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert findings["git"]["version"] and {"mvn", "worker.jar", "bwrap"} <= set(findings)


def test_a_missing_tool_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No JDK, no Maven: status 4, and how to install them (TEB-E04)."""
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(doctor, "find_jdks", lambda extra: [])
    assert call(monkeypatch, "doctor", "--json") == ExitStatus.MACHINE
    missing = [Finding(**one) for one in json.loads(capsys.readouterr().out) if one["version"] is None]
    assert {"git", "mvn", "jdk"} <= {one.name for one in missing}
    assert all(one.advice for one in missing)


@pytest.mark.parametrize(("version", "advised"), [("3.8.7", True), ("3.9.9", False)])
def test_the_doctor_says_what_a_newer_maven_would_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, advised: bool
) -> None:
    mvn = tmp_path / "mvn"
    mvn.write_text(f"#!/bin/sh\necho Apache Maven {version}\n")
    mvn.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    found = examine(next(tool for tool in TOOLS if tool.name == "mvn"))
    assert found.version == version and bool(found.advice) == advised


def test_a_tool_that_does_not_start_is_not_reported_as_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A Maven without a working JVM: status 4, and what it said."""
    mvn = tmp_path / "mvn"
    mvn.write_text("#!/bin/sh\necho 'Error: could not find libjava.so' >&2\nexit 2\n")
    mvn.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert call(monkeypatch, "doctor", "--json") == ExitStatus.MACHINE
    [found] = [Finding(**one) for one in json.loads(capsys.readouterr().out) if one["name"] == "mvn"]
    assert found.version is None and "exit status 2" in found.fault and "libjava.so" in found.advice
    assert call(monkeypatch, "doctor") == ExitStatus.MACHINE
    assert "DOES NOT WORK" in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["status", "task"])
def test_a_verb_loads_no_code_of_the_others(verb: str) -> None:
    """All of it takes a second."""
    program = f"""
import atexit, sys
atexit.register(lambda: print("\\nloaded", *(name for name in sys.modules if name.startswith("testevo.cli."))))
sys.argv = ["testevo", {verb!r}, "--help"]
from testevo.cli.start import main
main()
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    loaded = said.stdout.rpartition("\nloaded ")[2].split()
    assert f"testevo.cli.inspecting.{verb}" in loaded
    assert {"testevo.cli.grading.evaluate", "testevo.cli.machines.plan"}.isdisjoint(loaded)


def test_an_unknown_verb_is_told_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"No such command 'evalute'\. Did you mean 'evaluate'"):
        call(monkeypatch, "evalute")
