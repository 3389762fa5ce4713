"""`make live`: a repository whose history cannot be found is named, before anything is served."""

from pathlib import Path
from typing import Any

import pytest

from testevo.config.model import Config
from testevo.records.repository import Repository, RepositoryRejection
from testevo.runtime.errors import MachineError
from tests.github_server import __main__ as live


def test_a_history_that_cannot_be_found_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(candidate: Repository, config: Config, place: Path) -> tuple[Repository, Path]:
        rejection: Any = {"rejection": next(iter(RepositoryRejection)), "detail": "no such release"}
        return candidate.model_copy(update=rejection), place

    monkeypatch.setattr(live, "fetch", none)
    config = Config.model_validate({"sources": {"worlds": ["greetings"]}})
    with pytest.raises(
        MachineError, match=r"history of worlds/greetings\S* cannot be found: no such release.*--worlds"
    ):
        list(live.histories(config, tmp_path))
