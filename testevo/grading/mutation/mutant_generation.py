"""Candidate mutants of a file by the rules of universalmutator 1.14.1 (TEB-V13).

The rules work on text; the file keeps its bytes. Only the mutated line is replaced, in the original bytes, so that line
ends, other encodings and characters beyond ASCII survive.
"""

import contextlib
import hashlib
import io
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from universalmutator import mutator

RULES = ("universal.rules", "java.rules", "c_like.rules")
"""In the order in which `mutate` reads them for a Java file."""

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_TELLS_ABOUT_OTHERS = ("/*", "*/", "{-", "-}", "@BEGIN_TEST_CODE", "@END_TEST_CODE")
"""Lines with these decide whether later lines are comments in the eyes of the generator."""


@dataclass(frozen=True, order=True)
class Candidate:
    """A mutant before compilation: the bytes from `start` to `end` of the file become `text`.

    The order of candidates is canonical: line, place of the first difference in it, mutated text.
    """

    line: int
    column: int
    """First byte of the line that differs, from 0."""
    mutated: str
    """The line as it becomes, without line end."""
    original: str
    start: int
    end: int
    text: bytes


@dataclass(frozen=True)
class Generated:
    """All that the generator emits for some lines of a file."""

    candidates: tuple[Candidate, ...]
    """In canonical order, without two that make the same file."""
    redundant: tuple[int, ...]
    """Line of each mutant that is equal to the source or to another mutant byte by byte."""
    duplicate_text: tuple[int, ...]
    """Those among `redundant` that are equal to another mutant."""
    string_only: tuple[int, ...]
    """Line of each mutant that the generator left out because only a string literal would change."""


def generate(source: bytes, lines: Collection[int]) -> Generated:
    """The mutants of the given lines (from 1) of a Java file; equal inputs give equal results."""
    pieces = _LINE.findall(source)
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece))
    texts = [_text(piece) for piece in pieces]
    shown = [text if number in lines or _decides(text) else "\n" for number, text in enumerate(texts, start=1)]
    emitted = [(line, text) for line, text in _mutants(shown, ignore_strings=True) if line in lines]
    everything = [(line, text) for line, text in _mutants(shown, ignore_strings=False) if line in lines]
    kept = set(emitted)
    found: dict[bytes, Candidate] = {}
    redundant: list[int] = []
    duplicates: list[int] = []
    for line, text in emitted:
        candidate = _candidate(line, text, texts[line - 1], pieces[line - 1], starts[line - 1])
        if candidate is None:
            redundant.append(line)
            continue
        whole = hashlib.sha256(mutated_source(source, candidate)).digest()
        if whole in found:
            redundant.append(line)
            duplicates.append(line)
        else:
            found[whole] = candidate
    return Generated(
        tuple(sorted(found.values())),
        tuple(redundant),
        tuple(duplicates),
        tuple(line for line, text in everything if (line, text) not in kept),
    )


def mutated_source(source: bytes, candidate: Candidate) -> bytes:
    """The whole file as the mutant has it."""
    return source[: candidate.start] + candidate.text + source[candidate.end :]


def _text(piece: bytes) -> str:
    """A line as the generator sees it: line end `\\n`, undecodable bytes kept apart as lone surrogates."""
    ending = _line_end(piece)
    return piece[: len(piece) - len(ending)].decode("utf-8", "surrogateescape") + ("\n" if ending else "")


def _line_end(piece: bytes) -> bytes:
    return piece[len(piece.rstrip(b"\r\n")) :]


def _decides(text: str) -> bool:
    return any(word in text for word in _TELLS_ABOUT_OTHERS)


def _mutants(source: Sequence[str], *, ignore_strings: bool) -> list[tuple[int, str]]:
    with contextlib.redirect_stdout(io.StringIO()):
        found = mutator.mutants_regexp(list(source), list(RULES), ignorePatterns=[], ignoreStringOnly=ignore_strings)
    return [(mutant[0], mutant[1]) for mutant in found]


def _candidate(line: int, mutated: str, original: str, piece: bytes, start: int) -> Candidate | None:
    """None when the file would stay as it is."""
    ending = _line_end(piece)
    text = mutated.removesuffix("\n").encode("utf-8", "surrogateescape").replace(b"\n", ending or b"\n") + ending
    if text == piece:
        return None
    same = next((at for at, (one, other) in enumerate(zip(piece, text, strict=False)) if one != other), None)
    column = min(len(piece), len(text)) if same is None else same
    return Candidate(
        line,
        column,
        _printable(mutated.removesuffix("\n")),
        _printable(original.removesuffix("\n")),
        start,
        start + len(piece),
        text,
    )


def _printable(text: str) -> str:
    """Text that a record can hold: undecodable bytes as `\\xNN`."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
