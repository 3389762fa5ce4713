"""Call maps are read from their file when they are asked for, and few are held."""

import random
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from testevo.config.rules import ChangeRules, PairRules
from testevo.labels.join import join_candidates
from testevo.records.base import read_records, write_records
from testevo.records.calls import Callee, CallMap
from testevo.records.changes import CommitPair, MethodChange, PairRelation
from testevo.records.methods import ChangeKind, MethodKey, Side, Span, TestKey
from testevo.records.verdicts import Outcome
from testevo.revisions.recorded_calls import CallKey, RecordedCalls
from testevo.runtime.errors import UserError

REVISIONS = [f"r{number}" for number in range(8)]
TESTS = 40
METHODS = [MethodKey(type_name="p.Code", name=f"m{number}") for number in range(12)]


def key_of(number: int) -> TestKey:
    return TestKey(module="", path="src/test/java/p/ÄTest.java", type_name="p.ÄTest", name=f"test{number}")


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """Maps of forty tests at eight revisions, as the stage writes them."""
    choice = random.Random(3)
    path = tmp_path / "calls.jsonl"
    write_records(
        path,
        [
            CallMap(
                repository="o/r",
                revision=revision,
                test=key_of(number),
                outcome=Outcome.PASSED,
                direct=tuple(Callee(method=one, descriptor="()V") for one in choice.sample(METHODS, 2)),
            )
            for revision in REVISIONS
            for number in range(TESTS)
        ],
    )
    return path


def all_at_once(path: Path) -> dict[CallKey, CallMap]:
    return {(one.revision, one.test): one for one in read_records(path, CallMap)}


def test_the_maps_are_those_of_the_file(recorded: Path) -> None:
    whole, calls = all_at_once(recorded), RecordedCalls(recorded, held=5)
    assert list(calls) == list(whole)
    assert dict(calls) == whole
    assert calls.get(("r0", key_of(TESTS))) is None
    assert ("r9", key_of(0)) not in calls


def test_no_more_maps_are_held_than_asked_for(recorded: Path) -> None:
    calls, seen = RecordedCalls(recorded, held=5), []
    for key in calls:
        seen.append(weakref.ref(calls[key]))
        assert sum(one() is not None for one in seen) <= 5
    assert len(seen) == TESTS * len(REVISIONS)


class Watched(Mapping[CallKey, CallMap]):
    """Counts the maps of another mapping that are alive."""

    def __init__(self, calls: Mapping[CallKey, CallMap]) -> None:
        self._calls, self._seen, self.most = calls, list[weakref.ref[CallMap]](), 0

    def __getitem__(self, key: CallKey) -> CallMap:
        self._seen.append(weakref.ref(self._calls[key]))
        self._seen = [one for one in self._seen if one() is not None]
        self.most = max(self.most, len(self._seen))
        return self._calls[key]

    def __iter__(self) -> Iterator[CallKey]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)


@pytest.mark.parametrize("join", ["none", "code_then_test"])
def test_candidates_are_joined_with_few_maps_in_memory(join: str, recorded: Path) -> None:
    pairs = [pair(old, new) for old, new in zip(REVISIONS[-2::-1], REVISIONS[:0:-1], strict=True)]
    changes = {(one.old_revision, one.new_revision): changed(one, number) for number, one in enumerate(pairs)}
    rules = PairRules.model_validate({"join": join})
    watched = Watched(RecordedCalls(recorded, held=5))
    found = join_candidates(pairs, changes, watched, rules, ChangeRules())
    assert found == join_candidates(pairs, changes, all_at_once(recorded), rules, ChangeRules())
    assert len(found) > TESTS
    assert 0 < watched.most <= 6


def pair(old: str, new: str) -> CommitPair:
    return CommitPair(
        repository="o/r",
        old_revision=old,
        new_revision=new,
        position=0,
        relation=PairRelation.PARENT_CHILD,
        author_gap=1,
        committer_gap=1,
    )


def changed(ends: CommitPair, number: int) -> list[MethodChange]:
    """A changed method of the code and a changed test."""
    key = key_of(number)
    code, test = METHODS[number], MethodKey(type_name=key.type_name, name=key.name)
    return [
        MethodChange(
            repository="o/r",
            old_revision=ends.old_revision,
            new_revision=ends.new_revision,
            side=side,
            module="",
            method=method,
            kind=ChangeKind.MODIFIED,
            text_differs=True,
            old_path=key.path,
            new_path=key.path,
            old_span=Span(first_line=1, last_line=2),
            new_span=Span(first_line=1, last_line=2),
            test_kind="jupiter" if side is Side.TEST else None,
        )
        for side, method in ((Side.PRODUCTION, code), (Side.TEST, test))
    ]


@pytest.mark.parametrize("content", ["{", "[]\n", '{"revision": "r", "test": {}}\n', "\n"])
def test_a_damaged_file_is_named_with_its_line(content: str, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_text(content)
    with pytest.raises(UserError, match=r"calls\.jsonl:1 is not a CallMap record"):
        RecordedCalls(path)


def test_a_missing_file_names_the_stage_to_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read: No such file"):
        RecordedCalls(tmp_path / "calls.jsonl")
