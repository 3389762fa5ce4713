"""Which answers of Maven let the errors stand that the compiler of `direct` has found in a revision."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from testevo.builds.maven.maven_failures import MavenFailure
from testevo.builds.model_source import ModelSource
from testevo.records.verdicts import BuildOutcome


@pytest.mark.parametrize(
    ("outcome", "refuses", "asked"),
    [
        (BuildOutcome.PRODUCTION_COMPILE_ERROR, True, 1),
        (BuildOutcome.TEST_COMPILE_ERROR, True, 1),
        (BuildOutcome.OLDER_JDK_NEEDED, True, 1),
        (BuildOutcome.NEWER_JDK_NEEDED, False, 2),
        (BuildOutcome.DEPENDENCY_UNAVAILABLE, False, 2),
        (BuildOutcome.TIMED_OUT, False, 2),
        (None, False, 2),
    ],
)
def test_errors_stand_where_maven_finds_some_too_and_it_is_asked_once(
    outcome: BuildOutcome | None, refuses: bool, asked: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[object] = []

    def run(source: ModelSource, job: object, *, skip: bool) -> MavenFailure | None:
        questions.append(job)
        assert not skip, "the sources are compiled"
        return MavenFailure(outcome, "why") if outcome is not None else None

    monkeypatch.setattr(ModelSource, "_proven_run", run)
    resident = SimpleNamespace(folder=tmp_path / "resident", serves=lambda folder: False)
    checkout = SimpleNamespace(key="key", folder=tmp_path / "checkout")
    prepared = cast(Any, SimpleNamespace(checkout=checkout, fingerprint="fingerprint"))
    maven = cast(Any, SimpleNamespace(local=SimpleNamespace(key="local"), jdk=SimpleNamespace(version="17.0.1")))
    for _ in range(2):
        source = ModelSource(tmp_path / "cache", offline=True, resident=cast(Any, resident))
        assert source.refuses(prepared, maven) is refuses
    assert len(questions) == asked
