"""Read unified diffs as bytes: what git, diff and difflib write, and what people and programs make of it.

Reading is strict and loses nothing: a hunk whose header miscounts its lines, a rename, a binary part are facts that the
caller names as defects. Bytes matter here: line ends are LF only, a CR is part of its line, and nothing is decoded.
Libraries for diffs (`unidiff`, `whatthepatch`) work on text, split at every kind of line end and drop what they do not
know, which are the very defects that have to be named.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_MOST_STRIPPED = 100
"""Blank lines that the end of a patch may have lost."""
_BARE_HUNK = re.compile(rb"@@(?: [^-+@]*)?(?:@@.*)?$")
_MODE = re.compile(rb"(old mode|new mode|new file mode|deleted file mode|index \S+) ([0-7]{6})$")
_ESCAPE = re.compile(rb'\\([0-7]{3}|[abfnrtv"\\])')
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_RENAMES = (b"rename from ", b"rename to ", b"rename old ", b"rename new ", b"copy from ", b"copy to ")
_LINK_MODES = (b"120000", b"160000")
_PLAIN_MODE = b"100644"
_NOTHING = b"/dev/null"

LineKind = Literal["context", "removed", "added"]
Fact = Literal["created", "deleted", "renamed", "mode", "link", "binary"]
_KINDS: dict[bytes, LineKind] = {b" ": "context", b"-": "removed", b"+": "added"}


@dataclass(frozen=True)
class HunkLine:
    """A line of a hunk without its mark. `content` ends with LF unless the diff says that the file does not."""

    kind: LineKind
    content: bytes


@dataclass(frozen=True)
class Hunk:
    """A hunk; `old_start` counts from 1, is the line before the change when no old line is shown, None when unknown."""

    at: int
    """Its line in the patch, from 1."""
    old_start: int | None
    lines: tuple[HunkLine, ...]
    miscounted: bool
    """The header promises other numbers of lines than follow."""
    stripped: int = 0
    """Blank context lines that the end of the patch has lost, and that are filled in here."""

    @property
    def old(self) -> list[bytes]:
        return [line.content for line in self.lines if line.kind != "added"]


@dataclass
class FilePatch:
    """The part of a patch for one file. Paths are as written (`a/src/X.java`); None for none, or for /dev/null."""

    at: int
    old_path: bytes | None = None
    new_path: bytes | None = None
    facts: set[Fact] = field(default_factory=set)
    hunks: list[Hunk] = field(default_factory=list)

    @property
    def paths(self) -> list[bytes]:
        return [path for path in (self.old_path, self.new_path) if path is not None]


@dataclass(frozen=True)
class Patch:
    """All files of a patch, and what is odd about its text."""

    files: tuple[FilePatch, ...]
    final_newline: bool
    carriage_returns: bool
    """Its header lines end with CRLF: the whole text was converted."""
    bad_lines: tuple[int, ...] = ()
    """Hunk headers that cannot be read, and lines of hunks without header or file; lines from 1."""


def parse_patch(text: bytes) -> Patch:
    """The files and hunks of a patch. Text before, between and after them is skipped, as git does."""
    return _Reader(text).read()


class _Reader:
    """One pass over the lines of a patch."""

    def __init__(self, text: bytes) -> None:
        self.lines = text.split(b"\n")
        self.final_newline = self.lines[-1] == b""
        if self.final_newline:
            self.lines.pop()
        self.at = 0
        self.files: list[FilePatch] = []
        self.bad: list[int] = []
        self.carriage_returns = False
        self.after_names = -1

    def read(self) -> Patch:
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith(b"diff --git "):
                self._git_header()
            elif self._names_follow(self.at):
                self._names()
            elif line.startswith(b"@@"):
                self._hunk()
            elif line.startswith((b"GIT binary patch", b"Binary files ")) and self.files:
                self.files[-1].facts.add("binary")
                self.at += 1
            else:
                if self.files and self._is_stray(line):
                    self.bad.append(self.at + 1)
                self.at += 1
        return Patch(tuple(self.files), self.final_newline, self.carriage_returns, tuple(self.bad))

    def _is_stray(self, line: bytes) -> bool:
        """A line of a hunk whose `@@` line is lost: nothing of a change is skipped as if it were prose."""
        if self.at == self.after_names and line[:1] == b" ":
            return True
        # `---` and `-- ` frame mailed patches.
        return line[:1] in (b"+", b"-") and line.rstrip() not in (b"--", b"---")

    def _header(self) -> bytes:
        """The line as a header: without the CR of a converted text."""
        line = self.lines[self.at]
        if line.endswith(b"\r"):
            self.carriage_returns = True
            return line[:-1]
        return line

    def _names_follow(self, at: int) -> bool:
        """Whether `---` and `+++` lines stand there; a removed line `-- x` alone is none."""
        pair = self.lines[at : at + 2]
        return len(pair) == 2 and pair[0].startswith(b"--- ") and pair[1].startswith(b"+++ ")

    def _git_header(self) -> None:
        old, new = _paths_of_git_header(self._header()[len(b"diff --git ") :])
        file = FilePatch(self.at + 1, old, new)
        self.files.append(file)
        self.at += 1
        while self.at < len(self.lines) and self._extended_header(file):
            self.at += 1

    def _extended_header(self, file: FilePatch) -> bool:
        """Note a line between `diff --git` and the hunks; False when it is not such a line."""
        line = self._header()
        mode = _MODE.match(line)
        if mode is not None:
            _note_mode(file, mode.group(1), mode.group(2))
            return True
        if line.startswith(_RENAMES):
            file.facts.add("renamed")
            path = _unquoted(line.split(b" ", 2)[2])
            if b" from " in line[:12] or b" old " in line[:12]:
                file.old_path = path
            else:
                file.new_path = path
            return True
        return line.startswith((b"index ", b"similarity index ", b"dissimilarity index "))

    def _names(self) -> None:
        file = self.files[-1] if self.files else None
        # The names belong to the `diff --git` right above them, else they begin a file of their own.
        if file is None or file.hunks or not self._continues(file):
            file = FilePatch(self.at + 1)
            self.files.append(file)
        old = _path_of_name(self._header())
        self.at += 1
        new = _path_of_name(self._header())
        self.at += 1
        self.after_names = self.at
        file.old_path = None if old == _NOTHING else old
        file.new_path = None if new == _NOTHING else new
        if file.old_path is None:
            file.facts.add("created")
        if file.new_path is None:
            file.facts.add("deleted")

    def _continues(self, file: FilePatch) -> bool:
        return self.lines[file.at - 1].startswith(b"diff --git ") and not any(
            self._names_follow(at) for at in range(file.at, self.at)
        )

    def _hunk(self) -> None:
        header, at = self._header(), self.at + 1
        numbers = _HUNK.match(header)
        if not self.files or (numbers is None and _BARE_HUNK.match(header) is None):
            self.bad.append(at)
            self.at += 1
            return
        self.at += 1
        if numbers is None:
            hunk = Hunk(at, None, tuple(self._all_lines()), miscounted=True)
        else:
            start = int(numbers.group(1))
            counts = [1 if count is None else int(count) for count in (numbers.group(2), numbers.group(4))]
            hunk = self._counted_hunk(at, start, counts[0], counts[1])
        self.files[-1].hunks.append(hunk)

    def _counted_hunk(self, at: int, start: int, old: int, new: int) -> Hunk:
        first = self.at
        lines, old, new = self._counted_lines(old, new)
        stripped = 0
        if 0 < old == new <= _MOST_STRIPPED and self.at == len(self.lines) and not self.final_newline:
            stripped = old
            lines += [HunkLine("context", b"\n")] * stripped
            old = new = 0
        miscounted = old != 0 or new != 0 or self._goes_on()
        if miscounted:
            self.at = first
            lines = self._all_lines()
        return Hunk(at, start, tuple(lines), miscounted, stripped)

    def _counted_lines(self, old: int, new: int) -> tuple[list[HunkLine], int, int]:
        """As many lines as the header promises, and how many are missing on either side."""
        lines: list[HunkLine] = []
        while (old > 0 or new > 0) and self.at < len(self.lines):
            line = self._hunk_line()
            if line is None or (line.kind != "added" and old == 0) or (line.kind != "removed" and new == 0):
                break
            old -= line.kind != "added"
            new -= line.kind != "removed"
            lines.append(line)
            self.at += 1
            self._no_newline(lines)
        return lines, old, new

    def _all_lines(self) -> list[HunkLine]:
        """All lines up to the next header, whatever the hunk's own header promises; empty ones at the end are none."""
        lines: list[HunkLine] = []
        kept = 0
        while self.at < len(self.lines) and not self._names_follow(self.at):
            line = self._hunk_line()
            if line is None:
                break
            lines.append(line)
            if self.lines[self.at] not in (b"", b"\r"):
                kept = len(lines)
            self.at += 1
            self._no_newline(lines)
        return lines[:kept]

    def _hunk_line(self) -> HunkLine | None:
        line = self.lines[self.at]
        if line in (b"", b"\r"):  # white space at the end of lines was stripped
            return HunkLine("context", line + b"\n")
        kind = _KINDS.get(line[:1])
        return None if kind is None else HunkLine(kind, line[1:] + b"\n")

    def _no_newline(self, lines: list[HunkLine]) -> None:
        """Take the line end off the last line when the diff says that the file has none there."""
        if self.at < len(self.lines) and self.lines[self.at].startswith(b"\\"):
            lines[-1] = HunkLine(lines[-1].kind, lines[-1].content.removesuffix(b"\n"))
            self.at += 1

    def _goes_on(self) -> bool:
        """Whether further lines of the hunk follow those its header promised."""
        if self.at >= len(self.lines) or self._names_follow(self.at):
            return False
        line = self.lines[self.at]
        # `-- ` ends a mailed patch.
        if line[:1] in (b"+", b"-", b" ") and line.rstrip() not in (b"--", b""):
            return True
        return line[:1] == b" " and self._changes_follow()

    def _changes_follow(self) -> bool:
        """Whether blank context is followed by a change of the same hunk."""
        for at in range(self.at, len(self.lines)):
            line = self.lines[at]
            if self._names_follow(at) or line.rstrip() in (b"--", b"---"):
                return False
            if line[:1] in (b"+", b"-"):
                return True
            if line.rstrip() and line[:1] != b" ":
                return False
        return False


def _note_mode(file: FilePatch, what: bytes, mode: bytes) -> None:
    if mode in _LINK_MODES:
        file.facts.add("link")
    elif what in (b"old mode", b"new mode") or (what == b"new file mode" and mode != _PLAIN_MODE):
        file.facts.add("mode")
    if what == b"new file mode":
        file.facts.add("created")
    elif what == b"deleted file mode":
        file.facts.add("deleted")


def _path_of_name(line: bytes) -> bytes:
    """The path of a `---` or `+++` line; GNU diff puts a time behind a tab."""
    name = line[4:]
    if name.startswith(b'"'):
        return _unquoted(name)
    return name.split(b"\t", 1)[0].rstrip(b" ")


def _paths_of_git_header(names: bytes) -> tuple[bytes | None, bytes | None]:
    """Both paths of `diff --git a/x b/x`. Unquoted spaces leave one way to read it: both names are equal."""
    if names.startswith(b'"'):
        end = _end_of_quote(names)
        return _unquoted(names[: end + 1]), _unquoted(names[end + 1 :].strip())
    if names.endswith(b'"'):
        old, _, new = names.partition(b' "')
        return old, _unquoted(b'"' + new)
    middle = len(names) // 2
    old, new = names[:middle], names[middle + 1 :]
    if names[middle : middle + 1] != b" " or old.split(b"/", 1)[-1] != new.split(b"/", 1)[-1]:
        old, _, new = names.partition(b" ")
    return old, new


def _end_of_quote(text: bytes) -> int:
    at = 1
    while at < len(text) and text[at : at + 1] != b'"':
        at += 2 if text[at : at + 1] == b"\\" else 1
    return at


def _unquoted(path: bytes) -> bytes:
    """A path as git quotes it (C style) without quotes and escapes."""
    if not path.startswith(b'"'):
        return path
    inside = path[1 : _end_of_quote(path)]
    return _ESCAPE.sub(lambda found: _escaped(found.group(1)), inside)


def _escaped(code: bytes) -> bytes:
    return bytes([int(code, 8) & 0xFF]) if code.isdigit() else _ESCAPED.get(code, code)


def split_lines(content: bytes) -> list[bytes]:
    """Lines with their LF; the last one may have none. Joined again they are the content."""
    lines = content.split(b"\n")
    ended = [line + b"\n" for line in lines[:-1]]
    return [*ended, lines[-1]] if lines[-1] else ended
