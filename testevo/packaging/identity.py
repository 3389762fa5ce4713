"""Names of tasks, exactly as in the released data (TEB-K07)."""

import hashlib
from collections.abc import Iterable
from pathlib import PurePosixPath

HASH_DIGITS = 8
REVISION_DIGITS = 7


def methods_hash(test_methods: Iterable[str]) -> str:
    """First 8 hex digits of the MD5 of the comma-joined, sorted method names.

    Args:
        test_methods: `Class#method`, whatever their order and however often; overloads are one.
    """
    names = sorted(method.rsplit("#", 1)[-1] for method in set(test_methods))
    return hashlib.md5(",".join(names).encode(), usedforsecurity=False).hexdigest()[:HASH_DIGITS]


def task_id(project: str, old_revision: str, new_revision: str, test_file: str, test_methods: Iterable[str]) -> str:
    """`<project>__<7 digits of old>_<7 digits of new>__<test file stem>_<hash of the test methods>`."""
    revisions = f"{old_revision[:REVISION_DIGITS]}_{new_revision[:REVISION_DIGITS]}"
    return f"{project}__{revisions}__{PurePosixPath(test_file).stem}_{methods_hash(test_methods)}"
