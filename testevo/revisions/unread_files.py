"""Files that differ between two revisions and that nobody knows the declarations of, since the parser finds errors in
what the compiler takes: a method may seem to be gone, or end elsewhere."""

from collections.abc import Iterable
from functools import lru_cache

from testevo.records.methods import MethodKey, Side
from testevo.revisions.changes import HELD_PAIRS, compared_paths
from testevo.revisions.revision import Revisions, RevisionView


class UnreadFiles:
    """Per candidate the unread files that could make its label wrong.

    All candidates of a pair ask one after another, so those of the last pairs are held.
    """

    def __init__(self, revisions: Revisions) -> None:
        self._revisions = revisions
        self._held = lru_cache(HELD_PAIRS)(self._between)

    def of(self, old: RevisionView, new: RevisionView, entered: Iterable[MethodKey]) -> tuple[str, ...]:
        """The unread files of the test sources, where its helpers may lie, and of the classes of `entered`."""
        unread = self._held(old.revision, new.revision)
        production = {path for path, side in unread.items() if side is Side.PRODUCTION}
        if production:
            methods = list(entered)
            production &= {file.path for view in (old, new) for file in view.declaring(methods)}
        return tuple(sorted(production | {path for path, side in unread.items() if side is Side.TEST}))

    def _between(self, old_revision: str, new_revision: str) -> dict[str, Side]:
        old, new = self._revisions.view(old_revision), self._revisions.view(new_revision)
        differing = compared_paths(old, new, everything=False)
        return {
            path: side
            for view in (old, new)
            for side in Side
            for path in view.paths(side)
            if path in differing and view.file(path).has_errors
        }
