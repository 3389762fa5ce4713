"""Apply hunks to the bytes of a file in a few ways of growing tolerance; no way leaves out a line of context.

Tried in this order, and the first that places every hunk is recorded:

- `exact`: each hunk where its header says, byte for byte;
- `whitespace`: each hunk there, lines equal but for white space; lines of the file that stay keep their own bytes;
- `offset`: each hunk where its lines are found, nearest to where the header says, between its neighbours; a hunk that
  moved moves the place of those behind it as far.

What `git apply --reject` and `patch --fuzz` do beyond that, dropping context until something fits, puts tests in wrong
places without a word.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from testevo.grading.submissions.unified_diff import Hunk, split_lines

Way = Literal["exact", "whitespace", "offset"]
WAYS: tuple[Way, ...] = ("exact", "whitespace", "offset")
Normal = Callable[[bytes], bytes]


@dataclass(frozen=True)
class Applied:
    """The file afterwards and how it was reached. `line_ends`: lines agree only when line ends are left out."""

    content: bytes
    way: Way
    line_ends: bool


@dataclass(frozen=True)
class HunkMismatch:
    """The first hunk that no way can place."""

    hunk: Hunk
    places: int
    """How many places are equally near: 0 for none, 2 or more for a tie."""
    line: bytes | None
    """The first of its old lines that the file has nowhere."""


def apply_hunks(content: bytes, hunks: Sequence[Hunk]) -> Applied | HunkMismatch:
    """`content` after the hunks, in the strictest way that places all of them."""
    file = split_lines(content)
    mismatch: HunkMismatch | None = None
    for way in WAYS:
        placed = _place_all(file, hunks, way)
        if not isinstance(placed, HunkMismatch):
            return _result(file, hunks, placed, way)
        mismatch = placed
    if mismatch is None:
        raise ValueError("no way of applying hunks was tried")
    return mismatch


def _same(line: bytes) -> bytes:
    return line


def _without_line_end(line: bytes) -> bytes:
    return line.rstrip(b"\r\n")


def _without_white_space(line: bytes) -> bytes:
    return b" ".join(line.split())


_NORMALS: dict[Way, tuple[Normal, ...]] = {
    "exact": (_same,),
    "whitespace": (_same, _without_line_end, _without_white_space),
    "offset": (_same, _without_line_end, _without_white_space),
}


def _place_all(file: Sequence[bytes], hunks: Sequence[Hunk], way: Way) -> list[int] | HunkMismatch:
    """The index of the first line of each hunk in `file`."""
    normalised = {normal: [normal(line) for line in file] for normal in _NORMALS[way]}
    places: list[int] = []
    free = shift = 0
    for hunk in hunks:
        at = _place(normalised, hunk, free, shift, way)
        if isinstance(at, HunkMismatch):
            return at
        places.append(at)
        free = at + len(hunk.old)
        shift = at - _stated(hunk) if hunk.old_start is not None else shift
    return places


def _stated(hunk: Hunk) -> int:
    """Where the header says that the hunk begins, as an index. Without old lines it names the line before."""
    if hunk.old_start is None:
        return 0
    return hunk.old_start - 1 if hunk.old else hunk.old_start


def _place(normalised: dict[Normal, list[bytes]], hunk: Hunk, free: int, shift: int, way: Way) -> int | HunkMismatch:
    size = len(next(iter(normalised.values())))
    for normal, file in normalised.items():
        wanted = [normal(line) for line in hunk.old]
        at = _stated(hunk) + shift
        if hunk.old_start is not None and _fits(file, wanted, at, free):
            return at
    if way != "offset" or not hunk.old:
        return HunkMismatch(hunk, 0, _absent_line(normalised, hunk))
    for normal, file in normalised.items():
        wanted = [normal(line) for line in hunk.old]
        found = [at for at in range(free, size - len(wanted) + 1) if _fits(file, wanted, at, free)]
        if hunk.old_start is None and len(found) > 1:
            return HunkMismatch(hunk, len(found), None)
        if found:
            return _nearest(hunk, found, _stated(hunk) + shift)
    return HunkMismatch(hunk, 0, _absent_line(normalised, hunk))


def _fits(file: Sequence[bytes], wanted: Sequence[bytes], at: int, free: int) -> bool:
    return free <= at <= len(file) - len(wanted) and list(file[at : at + len(wanted)]) == list(wanted)


def _nearest(hunk: Hunk, found: Sequence[int], expected: int) -> int | HunkMismatch:
    least = min(abs(at - expected) for at in found)
    nearest = [at for at in found if abs(at - expected) == least]
    return nearest[0] if len(nearest) == 1 else HunkMismatch(hunk, len(nearest), None)


def _absent_line(normalised: dict[Normal, list[bytes]], hunk: Hunk) -> bytes | None:
    normal, file = list(normalised.items())[-1]
    known = set(file)
    return next((line for line in hunk.old if normal(line) not in known), None)


def _result(file: Sequence[bytes], hunks: Sequence[Hunk], places: Sequence[int], way: Way) -> Applied:
    line_ends = any(_differs_in_line_ends(file, hunk, at) for hunk, at in zip(hunks, places, strict=True))
    result: list[bytes] = []
    done, end = 0, _line_end(file)
    for hunk, place in zip(hunks, places, strict=True):
        result += file[done:place]
        done = place
        for line in hunk.lines:
            if line.kind == "added":
                result.append(_ended(line.content, end) if line_ends else line.content)
                continue
            if line.kind == "context":
                result.append(file[done])
            done += 1
    result += file[done:]
    # A line without a line end that is no longer the last one gets one.
    ended = [line if line.endswith(b"\n") else line + end for line in result[:-1]]
    return Applied(b"".join([*ended, *result[-1:]]), way, line_ends)


def _differs_in_line_ends(file: Sequence[bytes], hunk: Hunk, at: int) -> bool:
    pairs = zip(hunk.old, file[at : at + len(hunk.old)], strict=True)
    return any(one.endswith(b"\r\n") != other.endswith(b"\r\n") for one, other in pairs if one[-1:] == other[-1:])


def _ended(line: bytes, end: bytes) -> bytes:
    """A line with another line end, if it has one."""
    return line.rstrip(b"\r\n") + end if line.endswith(b"\n") else line


def _line_end(file: Sequence[bytes]) -> bytes:
    """The line end that most lines of the file have."""
    returns = sum(line.endswith(b"\r\n") for line in file)
    return b"\r\n" if 2 * returns > len(file) else b"\n"
