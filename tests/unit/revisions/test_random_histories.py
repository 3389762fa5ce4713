"""Histories of changing tests never end a stage, and each candidate has one label and one reason or a task.

Examples are numbered by their seed: `--examples 1000` looks at more, `--first-example 337 --examples 1` at one again.
"""

import random
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from mined_texts import Behaviour, Mined, mine
from random_tests import random_history

from testevo.execution.refactoring_detector import Detection
from testevo.java.syntax import parse_java
from testevo.labels.join import key_of_test
from testevo.records.labels import LabelKind, Refactoring
from testevo.records.methods import ChangeKind, TestKey
from testevo.records.verdicts import Outcome
from testevo.revisions.revision import RevisionView

OUTCOMES = [Outcome.PASSED] * 8 + [Outcome.ASSERTION_FAILED, Outcome.EXCEPTION, Outcome.NOT_FOUND, Outcome.SKIPPED]
SWAPPED = [Outcome.ASSERTION_FAILED, Outcome.PASSED] * 5 + list(Outcome)


def test_random_histories_are_mined(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    first, count = request.config.getoption("--first-example"), request.config.getoption("--examples")
    labels: Counter[LabelKind] = Counter()
    changes: Counter[ChangeKind] = Counter()
    for seed in range(first, first + count):
        try:
            mined = mine_example(seed, tmp_path / str(seed))
            check(mined)
        except Exception as error:
            raise AssertionError(f"the history of seed {seed}: --first-example {seed} --examples 1") from error
        labels.update(label.label for label in mined.labels)
        changes.update(label.change for label in mined.labels)
    if count >= 50:
        assert labels.keys() >= {LabelKind.UPDATE, LabelKind.DISCRIMINATING, LabelKind.UNCHANGED}
        assert set(changes) == set(ChangeKind), "the histories show too little"


def mine_example(seed: int, folder: Path) -> Mined:
    choice = random.Random(seed)
    preset, instrument = choice.choice(["strict", "strict", "released"]), choice.choice(["all", "all", "touched"])
    return mine(random_history(seed), folder, preset, made_up(seed), instrument)


def made_up(seed: int) -> Behaviour:
    """Outcomes by chance, equal for equal seeds."""

    def chance(*names: object) -> random.Random:
        return random.Random("|".join(map(str, (seed, *names))))

    def outcome(tree: str, test: TestKey, repeat: int) -> Outcome:
        known = chance(tree, test).choice(SWAPPED if "+" in tree else OUTCOMES)
        return chance(tree, test, repeat).choice([*[known] * 15, Outcome.PASSED])

    def strays(view: RevisionView) -> list[TestKey]:
        """Now and then a test that a library declares, and one that JUnit 4 reports without its parameters."""
        keys = [view.test_key(test) for test in view.tests]
        bare = [key.model_copy(update={"parameters": ()}) for key in keys if key.parameters]
        inherited = [key.model_copy(update={"name": "ofLibrary"}) for key in keys[:1]]
        return [key for key in bare + inherited if chance("stray", key).random() < 0.3 and key not in keys]

    def detected(before: Mapping[str, str], after: Mapping[str, str]) -> Detection:
        picked = chance("detected", *sorted(before), *sorted(after))
        if picked.random() < 0.1:
            return Detection((), "it took too long")
        places = [
            f"{side}:{path}:{method.span.first_line}-{method.span.last_line}"
            for side, files in (("L", before), ("R", after))
            for path, text in sorted(files.items())
            for method in parse_java(text.encode(), path).methods
        ]
        kinds = ["Rename Method", "Pull Up Method", "Extract Method", "Move Method", "Inline Method"]
        return Detection(
            tuple(
                Refactoring(
                    kind=picked.choice(kinds),
                    description="Rename Method test1() renamed to test2() in class p.T0",
                    declarations=tuple(picked.sample(places, min(2, len(places)))),
                )
                for _ in range(picked.randint(0, 3))
            )
        )

    return Behaviour(
        outcome=outcome,
        compiles=lambda key: chance("compiles", key).random() < 0.8,
        strays=strays,
        ran=lambda test: chance("ran", test).random() < 0.7,
        detected=detected,
    )


def check(mined: Mined) -> None:
    """What holds of every history."""
    keys = [(label.old_revision, label.new_revision, label.test) for label in mined.labels]
    assert len(set(keys)) == len(keys), "a candidate has two labels"
    assert sorted(keys, key=str) == sorted(mined.candidates, key=str), "a candidate has no label"
    for label in mined.labels:
        accepted = label.label in (LabelKind.UPDATE, LabelKind.DISCRIMINATING)
        assert accepted == (label.reason is None), label
        runs_before, runs_after = (label.test in mined.tests[end] for end in (label.old_revision, label.new_revision))
        assert runs_after or label.change is ChangeKind.REMOVED or label.reason is not None, label
        assert runs_before or label.change is not ChangeKind.REMOVED, label
        assert not (accepted and label.label is LabelKind.UPDATE and label.old_span is None), label
    packaged = [(task.old_revision, task.new_revision, one.test) for task in mined.tasks for one in task.tests]
    assert sorted(packaged, key=str) == sorted(
        (k for k, one in zip(keys, mined.labels, strict=True) if one.reason is None), key=str
    )
    changed = [
        (one.old_revision, one.new_revision, key_of_test(one))
        for one in mined.changes
        if one.test_kind is not None and one.kind is not ChangeKind.UNCHANGED
    ]
    assert len(set(changed)) == len(changed), "a test changed twice between two revisions"
