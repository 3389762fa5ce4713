"""Files that only moved or whose class was only renamed (TEB-X11)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from testevo.java.declarations import JavaFile
from testevo.java.syntax import parse_java
from testevo.java.tokens import decoded, end_of_annotation, tokens_of

_NO_TOKEN = "#"
"""In front of the number that stands for a declared name: no token of Java starts with it."""


@dataclass(frozen=True)
class Move:
    """A file of the old revision that lives on under another path with equal normalised text."""

    old_path: str
    new_path: str
    renamed_type: bool
    """Its top-level type has another simple name."""


def moved_files(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[Move]:
    """The files that are only in `old` and equal, once normalised, to one that is only in `new`; sorted by old path.

    Files of equal text are matched by file name first, then in the order of their paths. A renamed type changes the
    files that use it: a file that equals another up to the renames found so far has moved as well, and this goes on
    until nothing new is found.

    Args:
        old, new: paths and bytes of the Java files of the two revisions; those whose path is in both are ignored.
    """
    removed = {path: old[path] for path in sorted(old.keys() - new.keys())}
    added = {path: new[path] for path in sorted(new.keys() - old.keys())}
    moves: list[Move] = []
    renames: dict[str, str] = {}
    while True:
        found = _matches(removed, added, renames)
        moves += found
        for move in found:
            old_names = _own_names(parse_java(removed.pop(move.old_path), move.old_path))
            new_names = _own_names(parse_java(added.pop(move.new_path), move.new_path))
            renames.update(zip(old_names, new_names, strict=True))
        if not any(move.renamed_type for move in found):
            return sorted(moves, key=lambda move: move.old_path)


def _matches(removed: Mapping[str, bytes], added: Mapping[str, bytes], renames: Mapping[str, str]) -> list[Move]:
    by_text: dict[str, list[str]] = defaultdict(list)
    for path, file in added.items():
        by_text[_normalised(file, path, {})].append(path)
    kept_names = {_file_name(path) for path in added}
    moves = []
    # Files that keep their name choose first, so that no renamed copy takes their place.
    for path in sorted(removed, key=lambda path: (_file_name(path) not in kept_names, path)):
        candidates = by_text.get(_normalised(removed[path], path, renames), [])
        if candidates:
            match = min(candidates, key=lambda candidate: (_file_name(candidate) != _file_name(path), candidate))
            candidates.remove(match)
            renamed = _own_names(parse_java(removed[path], path)) != _own_names(parse_java(added[match], match))
            moves.append(Move(path, match, renamed))
    return moves


def _normalised(file: bytes, path: str, renames: Mapping[str, str]) -> str:
    java = parse_java(file, path)
    names = dict(renames) | {name: f"{_NO_TOKEN}{at}" for at, name in enumerate(_own_names(java))}
    return " ".join(names.get(token, token) for token in map(decoded, _after_header(tokens_of(file))))


def _after_header(tokens: list[bytes]) -> list[bytes]:
    """`tokens` after the package declaration and the imports; annotations of the package stay."""
    kept: list[bytes] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token in (b"package", b"import") and b";" in tokens[position:]:
            position = tokens.index(b";", position) + 1
        elif token == b";":
            position += 1
        elif token == b"@" and tokens[position + 1 : position + 2] != [b"interface"]:
            end = end_of_annotation(tokens, position)
            kept += tokens[position:end]
            position = end
        else:
            return kept + tokens[position:]
    return kept


def _own_names(java: JavaFile) -> list[str]:
    """Simple names of the top-level types, in the order of the file."""
    names = (type_.name.rsplit(".", 1)[-1] for type_ in java.types)
    return [name for name in names if "$" not in name]


def _file_name(path: str) -> str:
    return path.rsplit("/", 1)[-1]
