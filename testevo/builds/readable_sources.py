"""Sources in an encoding that is not read here: their revision counts as not built, with the reason (TEB-M08)."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from testevo.builds.engine import BuildResult, BuiltTree
from testevo.java.encodings import is_read
from testevo.records.verdicts import BuildOutcome


def readable(result: BuildResult) -> BuildResult:
    """A build as it ended, unless a source of it cannot be read as its compiler reads it."""
    found = None if result.tree is None else next(_unread(result.tree), None)
    if found is None or result.tree is None:
        return result
    path, encoding = found
    reason = f"{result.tree.checkout}: {path} is compiled as {encoding}, an encoding that is not read here."
    return replace(result, outcome=BuildOutcome.ENCODING_UNREAD, reason=reason, tree=None)


def _unread(tree: BuiltTree) -> Iterator[tuple[str, str]]:
    """Paths of files that cannot be read, with their encodings. Only where an encoding is doubtful is a file opened."""
    folder = tree.checkout.folder
    for module in tree.modules:
        for roots, encoding in module.roots_by_side:
            if not is_read(encoding, b"\xff"):
                files = (file for root in roots for file in sorted(_sources(folder / root)))
                unread = (file for file in files if not is_read(encoding, file.read_bytes()))
                yield from ((file.relative_to(folder).as_posix(), encoding) for file in unread)


def _sources(root: Path) -> Iterator[Path]:
    return (file for file in root.rglob("*.java") if file.is_file())
