"""What commands print: whole plain lines in pipes and files, colour and a pager at a terminal."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from testevo.cli.output import Line, columns, diff_lines, fits, painted, show
from testevo.history.git import GitRepository

LONG = "owner+name_0123456789abcdef_" + "src.test.java." * 20
PROGRAM = """
import sys
from testevo.cli.output import columns, Line, show

show([Line(sys.argv[1], "heading")] * int(sys.argv[2]))
"""


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    command = ["git", "-C", str(folder), *identity, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True, timeout=60).stdout


def at_terminal(*arguments: str, **environment: str) -> bytes:
    """What a program prints to a terminal of 24 lines."""
    main, other = pty.openpty()
    started = {**os.environ, "TERM": "xterm", "LINES": "24", "COLUMNS": "80", "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], stdin=other, stdout=other, stderr=other, env=started | environment
    ) as child:
        os.close(other)
        said = b""
        try:
            while part := os.read(main, 2**16):
                said += part
        except OSError:  # how Linux says that the other end is closed
            pass
        assert child.wait(timeout=60) == 0, said
    os.close(main)
    return said


def test_a_pipe_gets_whole_lines_without_colour(capsys: pytest.CaptureFixture[str]) -> None:
    """However long an id is, it is neither broken nor shortened."""
    show([*columns(("task", "tests"), [(LONG, "3"), ("short", "12")], right=(1,)), Line("done", "warning")])
    heading, first, second, last = capsys.readouterr().out.splitlines()
    assert heading.split() == ["task", "tests"]
    assert first.split() == [LONG, "3"] and second.split() == ["short", "12"] and last == "done"
    assert len(first) == len(second)


def test_a_cell_of_several_lines_stays_one_row() -> None:
    assert [line.text for line in columns(("a", "b"), [("x\ny", "z")])] == ["a    b", "x y  z"]


def test_a_terminal_gets_colour() -> None:
    assert at_terminal("said", "1") == b"\x1b[1msaid\x1b[0m\r\n"
    assert at_terminal("said", "1", NO_COLOR="1") == b"said\r\n"


def test_what_does_not_fit_a_terminal_goes_through_the_pager(tmp_path: Path) -> None:
    """The user's own pager; when it cannot be started, everything is printed."""
    pager = f"tee {tmp_path / 'seen'}"
    said = at_terminal("said", "30", PAGER=pager)
    assert (tmp_path / "seen").read_bytes() == b"\x1b[1msaid\x1b[0m\n" * 30
    assert said.count(b"said") == 30
    assert at_terminal("said", "30", PAGER=str(tmp_path / "nowhere")).count(b"said") == 30
    assert at_terminal("said", "30", PAGER="").count(b"said") == 30


def test_long_lines_take_several_rows_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    assert fits([Line("x" * 80)] * 23) and not fits([Line("x" * 81)] * 12)


def test_untrusted_text_cannot_steer_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert painted(Line("\x1b]0;mine\x07\ttext\x9b", "added")) == "\x1b[32m\\x1b]0;mine\\x07\ttext\\x9b\x1b[0m"


def test_cells_of_tables_hold_no_control_characters_anywhere() -> None:
    """Also in a file that is printed later."""
    assert columns(("task",), [("\x1b[2Ja\nb\x85",)])[1].text == "\\x1b[2Ja b"


def test_a_printed_diff_is_byte_for_byte_what_git_applies(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Line ends of Windows, bytes that are not UTF-8, tabs, form feeds, no last line end, names with brackets."""
    git(tmp_path, "init", "--quiet")
    names = ["src/A.java", "src/[B].java", "src/new.java"]
    (tmp_path / "src").mkdir()
    old = b"a\r\n\tb\x0c :smile:\n\xff\n[bold]c[/bold]\n" + LONG.encode()
    for name in names[:2]:
        (tmp_path / name).write_bytes(old)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "old")
    for name in names:
        (tmp_path / name).write_bytes(old.replace(b"b", b"\xe9") + b"\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "new")
    tree = git(tmp_path, "rev-parse", "HEAD^{tree}")
    show(["heading", *diff_lines(GitRepository(tmp_path / ".git").diff("HEAD~1", "HEAD", names)), "ending"])
    printed = capfdbinary.readouterr().out
    assert b"--- old/src/A.java" in printed and printed.count(b"diff --git") == 3
    git(tmp_path, "checkout", "--quiet", "HEAD~1")
    git(tmp_path, "apply", given=printed)
    git(tmp_path, "add", ".")
    assert git(tmp_path, "write-tree") == tree
