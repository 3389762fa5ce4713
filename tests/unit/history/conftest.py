"""Small histories made in a temporary folder for the tests of `testevo.history`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from testevo.history.git import GitRepository
from testevo.sources.embedded.made_history import MadeCommit, MadeFile, make_history

NOON = 1_709_294_400  # 2024-03-01 12:00 UTC
HOUR = 3600

Build = Callable[..., tuple[GitRepository, dict[str, str]]]


@pytest.fixture
def history(tmp_path: Path) -> Build:
    """`history({name: (parents, hour, java)})` → repository, revision by name; the last commit is the head of main."""

    def build(
        commits: Mapping[str, tuple[Sequence[str], float, str]],
        tags: Mapping[str, str] | None = None,
        author_hours: Mapping[str, float] | None = None,
        files: Mapping[str, bytes] | None = None,
    ) -> tuple[GitRepository, dict[str, str]]:
        made = []
        for name, (parents, hour, java) in commits.items():
            time = NOON + int(hour * HOUR)
            author = NOON + int((author_hours or {}).get(name, hour) * HOUR)
            tree = {"pom.xml": b"<project/>", "notes.txt": name.encode(), "src/A.java": java.encode()} | dict(
                files or {}
            )
            content = {path: MadeFile(data) for path, data in tree.items()}
            made.append(MadeCommit(name, name, author, time, tuple(parents), content))
        result = make_history(tmp_path / "made.git", made, tags or {})
        return GitRepository(result.folder), dict(result.revisions)

    return build
