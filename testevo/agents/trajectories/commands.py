"""All commands that a shell's text would start, with those inside of others: `sh -c`, `xargs`, `$(...)`, scripts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath

from testevo.agents.trajectories.shell import Simple, expanded, simple_commands

_DEEPEST = 8
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_INTERPRETERS = re.compile(
    r"(?:python[\d.]*|pypy3?|perl|ruby|node|nodejs|php|jshell|groovy|lua|awk|gawk|mawk|deno|bun)"
)
_INLINE = frozenset({"-c", "-e", "-E", "-r", "--eval", "-p", "--print"})
_CODE_FILES = (".py", ".pl", ".rb", ".js", ".mjs", ".groovy", ".jsh", ".php", ".lua")
_SHELL_FILES = (".sh", ".bash", ".mk", "Makefile")
_MOST_OF_FIND = 20
_TAKES_VALUE: dict[str, frozenset[str]] = {
    "env": frozenset({"-u", "-C", "--unset", "--chdir"}),
    "sudo": frozenset({"-u", "-g", "-C", "-D", "-h"}),
    "doas": frozenset({"-u", "-C"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n", "-p"}),
    "timeout": frozenset({"-k", "-s", "--signal", "--kill-after"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "xargs": frozenset({"-I", "-n", "-P", "-d", "-a", "-L", "-E", "-s", "--max-args", "--delimiter", "--arg-file"}),
    "parallel": frozenset({"-j", "-a", "-I"}),
    "watch": frozenset({"-n", "--interval"}),
    "exec": frozenset({"-a"}),
    "strace": frozenset({"-e", "-o", "-s", "-p"}),
    "setpriv": frozenset({"--pdeathsig"}),
    "flock": frozenset({"-w", "-E"}),
    "chroot": frozenset(),
    "time": frozenset({"-f", "-o"}),
    **dict.fromkeys(
        ("nohup", "setsid", "command", "builtin", "busybox", "toybox", "unshare", "ltrace", "catchsegv", "coproc"),
        frozenset(),
    ),
}
"""Programs that start the command after their own options, which may take the next word as a value."""
_OWN_ARGUMENTS = {"timeout": 1, "flock": 1, "chroot": 1}


@dataclass(frozen=True)
class Started:
    """A command that a text starts."""

    program: str
    """Its name without folder."""
    arguments: tuple[str, ...]
    reader: "Started | None" = None
    """The command that its output is piped into."""
    written: tuple[str, ...] = ()
    """Files that its output goes to."""

    @property
    def text(self) -> str:
        return " ".join((self.program, *self.arguments, *(f">{one}" for one in self.written)))


@dataclass(frozen=True)
class Code:
    """The text of a program in another language than the shell's."""

    text: str


def started(text: str, depth: int = 0) -> Iterator[Started | Code]:
    """What a text starts, in no useful order."""
    if depth > _DEEPEST:
        return
    commands, nested = simple_commands(text)
    for one in nested:
        yield from started(one, depth + 1)
    for command in expanded(commands):
        yield from _of_command(command, depth)


def _of_command(command: Simple, depth: int) -> Iterator[Started | Code]:
    reader = _plain(command.into.words) if command.into is not None else None
    found = _plain(command.words, reader, command.written)
    if found is None:
        for document in command.documents:
            yield from _of_text(command, None, document, depth)
        return
    yield found
    yield from _inner(found, depth)
    for document in command.documents:
        yield from _of_text(command, found, document, depth)
    if found.program in ("echo", "printf"):
        said = " ".join(found.arguments).replace("\\n", "\n")
        if reader is not None and reader.program in ("xargs", "parallel"):
            yield from _again([*_after_options(reader.program, list(reader.arguments)), *said.split()], found, depth)
        elif reader is not None or command.written:
            yield from _of_text(command, reader, said, depth)


def _of_text(command: Simple, reader: Started | None, text: str, depth: int) -> Iterator[Started | Code]:
    """What comes of a text that a command gets or writes: started where it is read by an interpreter or is a script."""
    if reader is not None and _INTERPRETERS.fullmatch(reader.program):
        yield Code(text)
        return
    last = _plain(command.into.words) if command.into is not None else None
    readers = [one.program for one in (reader, last) if one is not None]
    written = [*command.written, *(reader.arguments if reader is not None and reader.program == "tee" else ())]
    if any(one in _SHELLS or one in ("xargs", "parallel", "git") for one in readers):
        yield from started(text, depth + 1)
    else:
        yield from of_file(written, text, depth)


def of_file(paths: Sequence[str], text: str, depth: int = 0) -> Iterator[Started | Code]:
    """What a text starts that is written to files: a script, by the name of a file or its first characters."""
    if any(one.endswith(_CODE_FILES) for one in paths):
        yield Code(text)
    elif any(one.endswith(_SHELL_FILES) for one in paths) or (text.startswith("#!") and paths):
        yield from started(text, depth + 1)


def _plain(words: list[str], reader: Started | None = None, written: Sequence[str] = ()) -> Started | None:
    if not words or not words[0]:
        return None
    name = PurePosixPath(words[0]).name or words[0]
    arguments = words[1:]
    if name.startswith("git-"):  # a program of git's own folder
        name, arguments = "git", [name.removeprefix("git-"), *arguments]
    return Started(name, tuple(arguments), reader, tuple(written))


def _inner(outer: Started, depth: int) -> Iterator[Started | Code]:
    """The commands that a command starts by its arguments."""
    name, arguments = outer.program, list(outer.arguments)
    if name in _SHELLS or name == "su":
        for option, value in pairwise(arguments):
            if option.startswith("-") and not option.startswith("--") and option.endswith("c"):
                yield from started(value, depth + 1)
    elif name in ("eval", "trap", "script"):
        yield from started(" ".join(one for one in arguments if not one.startswith("-")), depth + 1)
    elif _INTERPRETERS.fullmatch(name):
        inline = [value for option, value in pairwise(arguments) if option in _INLINE]
        yield from (Code(value) for value in (inline or arguments if "awk" in name else inline))
    elif name == "find":
        places = [place for place, word in enumerate(arguments) if word in ("-exec", "-execdir", "-ok", "-okdir")]
        for place, after in zip(places[:_MOST_OF_FIND], [*places[1:], len(arguments)], strict=False):
            yield from _again(arguments[place + 1 : after], outer, depth)
    elif name in _TAKES_VALUE:
        yield from _again(_after_options(name, arguments), outer, depth)
    else:
        yield from _by_name(name, arguments, depth)


def _by_name(name: str, arguments: list[str], depth: int) -> Iterator[Started | Code]:
    """The commands that a shell or git gets a name for, and those that git gets as a text."""
    if name == "alias":
        for one in arguments:
            yield from started(one.partition("=")[2], depth + 1)
    elif name == "git":
        for before, word in pairwise(["", *arguments]):
            if word.startswith("alias.") and "=" in word:
                yield from started(_of_alias(word.partition("=")[2]), depth + 1)
            elif before.startswith("alias."):
                yield from started(_of_alias(word), depth + 1)
            elif " " in word:  # such as of `submodule foreach`
                yield from started(word, depth + 1)


def _of_alias(value: str) -> str:
    return value[1:] if value.startswith("!") else f"git {value}"


def _after_options(name: str, arguments: list[str]) -> list[str]:
    place = 0
    while place < len(arguments):
        word = arguments[place]
        if word in ("-S", "--split-string") and name == "env":
            return [*" ".join(arguments[place + 1 :]).split()]
        if word == "--":
            place += 1
            break
        if not word.startswith("-") and not (name in ("env", "sudo") and re.match(r"\w+=", word)):
            break
        place += 2 if word in _TAKES_VALUE[name] else 1
    return arguments[place + _OWN_ARGUMENTS.get(name, 0) :]


def _again(words: list[str], outer: Started, depth: int) -> Iterator[Started | Code]:
    if depth < _DEEPEST and words and (found := _plain(words, outer.reader)) is not None:
        yield found
        yield from _inner(found, depth + 1)
