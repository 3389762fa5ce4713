"""Read a shell's text as the simple commands in it, as far as that can be done without running it.

It is tolerant: text that no shell would take is read as some command or other. Each character is looked at once for
each level of nesting, of which there are few.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=", re.DOTALL)
_VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_SKIPPED = frozenset(
    {"if", "then", "else", "elif", "do", "while", "until", "!", "{", "}", "time", "fi", "done", "esac"}
)
_MOST_EXPANDED = 4096


@dataclass
class Simple:
    """A command with its arguments."""

    words: list[str] = field(default_factory=list)
    """Without quotes; `$()` stands for a substitution, whose commands come by themselves."""
    written: list[str] = field(default_factory=list)
    """Files that its output goes to."""
    documents: list[str] = field(default_factory=list)
    """Texts given to its standard input."""
    into: "Simple | None" = None
    """The command that its output is piped into."""


@dataclass
class _Reader:
    text: str
    place: int = 0
    commands: list[Simple] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)
    _now: Simple = field(default_factory=Simple)
    _word: list[str] | None = None
    _redirect: str | None = None
    _waiting: list[tuple[Simple, str, bool]] = field(default_factory=list)
    """Here documents whose texts begin at the next line."""
    _piped: Simple | None = None

    def read(self) -> None:
        text, end = self.text, len(self.text)
        while self.place < end:
            char = text[self.place]
            if char in "\\'\"`" or text.startswith(("$(", "<(", ">("), self.place):
                self._quoted(char)
            elif char == "$" and text.startswith("$'", self.place):
                self.place += 1
            elif char in "<>":
                self._begin_redirect()
            elif char == "#" and self._word is None:
                self.place = self._until("\n", self.place)
            elif char in " \t\r":
                self._end_word()
                self.place += 1
            elif char in "\n;|&()":
                self._end_command(char)
            else:
                stop = self._plain_end()
                self._add(text[self.place : stop])
                self.place = stop
        self._end_word()
        self._finish(None)

    def _quoted(self, char: str) -> None:
        """A part of a word that is quoted or substituted."""
        text, place = self.text, self.place
        if char == "\\":
            if not text.startswith("\n", place + 1):
                self._add(text[place + 1 : place + 2])
            self.place += 2
        elif char == "'":
            stop = self._until("'", place + 1)
            self._add(text[place + 1 : stop])
            self.place = stop + 1
        elif char == '"':
            self._double_quoted()
        elif char == "`":
            stop = self._until("`", place + 1)
            self._nest(text[place + 1 : stop], stop + 1)
        else:
            stop = self._closing(place + 2)
            self._nest(text[place + 2 : stop], stop + 1)

    def _plain_end(self) -> int:
        found = _SPECIAL.search(self.text, self.place + 1)
        return found.start() if found else len(self.text)

    def _add(self, text: str) -> None:
        if self._word is None:
            self._word = []
        self._word.append(text)

    def _nest(self, text: str, after: int) -> None:
        self.nested.append(text)
        self._add("$()")
        self.place = after

    def _until(self, char: str, start: int) -> int:
        found = self.text.find(char, start)
        return found if found >= 0 else len(self.text)

    def _closing(self, start: int) -> int:
        """The end of a substitution; quotes in it are jumped over."""
        depth, place, text = 1, start, self.text
        while place < len(text):
            char = text[place]
            if char == "\\":
                place += 1
            elif char == "'":
                place = self._until("'", place + 1)
            elif char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if depth == 0:
                    return place
            place += 1
        return len(text)

    def _double_quoted(self) -> None:
        text, place = self.text, self.place + 1
        self._add("")
        start = place
        while place < len(text) and text[place] != '"':
            if text[place] == "\\":
                self._add(text[start:place])
                start = place + 1
                place += 2
            elif text.startswith("$(", place) or text[place] == "`":
                self._add(text[start:place])
                begin = place + (2 if text[place] == "$" else 1)
                stop = self._closing(begin) if text[place] == "$" else self._until("`", begin)
                self._nest(text[begin:stop], stop + 1)
                place = start = stop + 1
            else:
                place += 1
        self._add(text[start:place])
        self.place = place + 1

    def _begin_redirect(self) -> None:
        if self._word is not None and "".join(self._word).isdigit():
            self._word = None  # the number of a stream
        self._end_word()
        for operator in ("<<<", "<<-", "<<", ">>", "&>", ">&", "<&", "<>", ">|", "<", ">"):
            if self.text.startswith(operator, self.place):
                self._redirect = operator
                self.place += len(operator)
                return

    def _end_word(self) -> None:
        if self._word is None:
            return
        word, self._word = "".join(self._word), None
        operator, self._redirect = self._redirect, None
        if operator in ("<<", "<<-"):
            self._waiting.append((self._now, word, operator == "<<-"))
        elif operator == "<<<":
            self._now.documents.append(word)
        elif operator is None or operator in ("<", "<>"):
            self._now.words.append(word)
        elif operator not in (">&", "<&") or not word.isdigit():
            self._now.written.append(word)

    def _end_command(self, char: str) -> None:
        self._end_word()
        text = self.text
        if char == "&" and text.startswith("&>", self.place):
            self.place += 1
            self._begin_redirect()
            return
        pipe = char == "|" and not text.startswith("||", self.place)
        self._finish(self._now if pipe else None)
        self.place += 1
        if char == "\n":
            for command, word, tabs in self._waiting:
                command.documents.append(self._document(word, tabs=tabs))
            self._waiting = []

    def _finish(self, piping: Simple | None) -> None:
        if self._now.words or self._now.documents or self._waiting:
            self.commands.append(self._now)
        if self._piped is not None:
            self._piped.into = self._now
        self._piped, self._now = piping, Simple()

    def _document(self, word: str, *, tabs: bool) -> str:
        lines, text = [], self.text
        while self.place < len(text):
            stop = self._until("\n", self.place)
            line = text[self.place : stop]
            self.place = stop + 1
            if (line.lstrip("\t") if tabs else line).rstrip("\r") == word:
                break
            lines.append(line)
        return "\n".join(lines)


_SPECIAL = re.compile(r"""[\\'"`$<>\s;|&()]""")


def simple_commands(text: str) -> tuple[list[Simple], list[str]]:
    """The commands of a text in their order, and the texts of substitutions in it."""
    reader = _Reader(text)
    reader.read()
    return reader.commands, reader.nested


def expanded(commands: list[Simple]) -> Iterator[Simple]:
    """The commands with what is known of variables filled in, without assignments and the words that lead a command."""
    known: dict[str, str] = {}
    aliases: dict[str, list[str]] = {}
    for command in commands:
        words = [one for word in command.words for one in _filled(word, known)]
        while words:
            if words[0] in _SKIPPED:
                del words[0]
            elif words[0] == "for" and len(words) > 2:
                if words[2] == "in":
                    known[words[1]] = " ".join(words[3:])[:_MOST_EXPANDED]
                words = []
            elif words[0] in ("export", "local", "readonly", "declare", "typeset") and _ASSIGNMENT.match(words[-1]):
                del words[0]
            elif found := _ASSIGNMENT.match(words[0]):
                known[found[1]] = words[0][found.end() :][:_MOST_EXPANDED]
                del words[0]
            else:
                break
        if words and words[0] == "alias":
            named = [(found[1], word[found.end() :]) for word in words[1:] if (found := _ASSIGNMENT.match(word))]
            aliases |= {name: value[:_MOST_EXPANDED].split() for name, value in named}
        elif words and words[0] in aliases:
            words[:1] = aliases[words[0]]
        command.words = words
        yield command


def _filled(word: str, known: dict[str, str]) -> list[str]:
    if "$" not in word or not known:
        return [word]
    filled = _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), word)[: len(word) + _MOST_EXPANDED]
    return filled.split() if filled != word and not _ASSIGNMENT.match(word) else [filled]
