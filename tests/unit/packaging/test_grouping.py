"""Labels become tasks (TEB-K04 to K08)."""

from dataclasses import replace

import pytest
from task_factories import NEW, OLD, TEST_PATH, dependency, label, repository_facts

from testevo.packaging.dataset.grouping import group_tasks, ranked_union
from testevo.packaging.exports.pair_export import tasks_by_pair
from testevo.records.labels import DropReason, Label, LabelKind
from testevo.records.tasks import Task, Track, surefire_of
from testevo.records.verdicts import SourceEncoding

OTHER_PATH = "src/test/java/p/BTest.java"


def tasks_of(*labels: Label) -> list[Task]:
    return group_tasks(labels, repository_facts(*labels))


def test_there_is_one_task_per_pair_file_and_track() -> None:
    tasks = tasks_of(
        label("one"),
        label("two", line=30),
        label("new", LabelKind.DISCRIMINATING),
        label("elsewhere", path=OTHER_PATH),
        label("later", new_revision="c" * 40),
    )
    assert {(t.new_revision[0], t.test_file, t.track, len(t.tests)) for t in tasks} == {
        ("b", TEST_PATH, Track.UPDATE, 2),
        ("b", TEST_PATH, Track.GENERATION, 1),
        ("b", OTHER_PATH, Track.UPDATE, 1),
        ("c", TEST_PATH, Track.UPDATE, 1),
    }


def test_labels_with_a_reason_make_no_task() -> None:
    assert tasks_of(label("same", LabelKind.REFINEMENT, reason=DropReason.REFINEMENT)) == []


def test_a_task_carries_where_it_comes_from_and_what_was_proven() -> None:
    """TEB-K05, K06, K08; generation has no old source."""
    update, generation = tasks_of(label("one"), label("new", LabelKind.DISCRIMINATING))[::-1]
    if update.track == Track.GENERATION:
        update, generation = generation, update
    assert update.task_id.startswith(f"o_r-v1.0__{OLD[:7]}_{NEW[:7]}__ATest_")
    assert (update.old_time, update.new_time) == (1_600_000_000, 1_600_003_600)
    assert (update.java_level, update.jdk, update.clone_url) == ("8", 17, "https://example.org/o/r.git")
    (evidence,) = update.tests
    assert evidence.old_source == f"a:{TEST_PATH}:20"
    assert evidence.new_source == f"b:{TEST_PATH}:20"
    assert evidence.outcomes == {"new_test_new_code": "passed", "old_test_new_code": "assertion_failed"}
    assert evidence.focal == "p.A#add()"
    assert generation.tests[0].old_source is None
    assert generation.old_test_file == TEST_PATH


def in_encodings(old: str | None, new: str, *, is_ascii: bool) -> list[Task]:
    """The tasks of a label between two builds of these encodings; None for a build whose record tells none."""
    of = label("one")
    facts = repository_facts(of)
    told = {
        revision: encoding and (SourceEncoding(folder="src/test/java", encoding=encoding),)
        for revision, encoding in ((OLD, old), (NEW, new))
    }
    builds = {end: build.model_copy(update={"encodings": told[end]}) for end, build in facts.builds.items()}
    return group_tasks([of], replace(facts, builds=builds, is_ascii=lambda revision, path: is_ascii))


def test_a_task_says_the_encodings_of_its_test_file_where_they_matter() -> None:
    told = [
        (task.encoding, task.old_encoding, "encoding" in task.line())
        for old, new, is_ascii in (
            ("utf8", "ISO-8859-1", False),
            ("Cp1252", "UTF-8", False),
            ("utf-8", "UTF8", False),
            ("ISO-8859-1", "ISO-8859-1", True),
        )
        for task in in_encodings(old, new, is_ascii=is_ascii)
    ]
    assert told == [("ISO-8859-1", None, True), (None, "Cp1252", True), (None, None, False), (None, None, False)]


def test_a_test_file_in_an_encoding_that_nobody_recorded_makes_no_task() -> None:
    with pytest.raises(ValueError, match=r"no encoding of src/test/java/p/ATest\.java is recorded for both ends"):
        in_encodings(None, "UTF-8", is_ascii=False)
    assert len(in_encodings(None, "UTF-8", is_ascii=True)) == 1


def test_a_test_file_that_is_new_has_no_old_one() -> None:
    (task,) = tasks_of(label("new", LabelKind.DISCRIMINATING, path=OTHER_PATH))
    assert task.old_test_file is None


def test_dependencies_of_a_task_are_those_of_its_tests_overloads_apart() -> None:
    union = ranked_union(
        [
            (dependency("put", "int", score=0.2), dependency("get", score=0.3)),
            (dependency("put", "long", score=0.4), dependency("put", "int", score=0.9)),
        ]
    )
    assert [(str(d.method), d.score) for d in union] == [
        ("p.A#put(int)", 0.9),
        ("p.A#put(long)", 0.4),
        ("p.A#get()", 0.3),
    ]


def test_inherited_tests_belong_to_the_file_that_declares_them() -> None:
    """That file is what a solution edits, and where the spans lie."""
    base = "src/test/java/p/BaseTest.java"
    inherited = [
        label("one", path=path).model_copy(update={"declared_path": base, "old_path": base})
        for path in (TEST_PATH, OTHER_PATH)
    ]
    (task,) = tasks_of(*inherited)
    assert (task.test_file, [evidence.test.path for evidence in task.tests]) == (base, [TEST_PATH, OTHER_PATH])
    assert task.tests[0].new_source == f"b:{base}:20"


def test_the_order_of_labels_changes_no_task() -> None:
    labels = [label("b", line=30), label("a", line=20), label("c", LabelKind.DISCRIMINATING)]
    assert tasks_of(*labels) == tasks_of(*reversed(labels))


def test_tasks_are_also_grouped_by_commit_pair() -> None:
    """The paper's unit beside the released one."""
    tasks = tasks_of(label("one"), label("elsewhere", path=OTHER_PATH), label("new", LabelKind.DISCRIMINATING))
    (pair,) = tasks_by_pair(tasks)
    assert (len(pair.update), len(pair.generation), pair.test_methods) == (2, 1, 3)
    assert pair.test_files == (TEST_PATH, OTHER_PATH)


@pytest.mark.parametrize(
    ("old", "new", "module", "said"),
    [
        ({}, {}, "", None),
        ({"": "old"}, {"": "new"}, "", "new"),
        ({"": "old"}, {}, "", "old"),
        ({"other": "old"}, {"other": "new"}, "", None),
        ({"gone": "old"}, {}, "moved", "old"),
    ],
    ids=["nowhere", "both", "old end", "another module", "the module is not there at the old end"],
)
def test_a_task_says_why_surefire_runs_the_tests_of_its_module(
    old: dict[str, str], new: dict[str, str], module: str, said: str | None
) -> None:
    of = label("one")
    of = of.model_copy(update={"test": of.test.model_copy(update={"module": module})})
    facts = repository_facts(of)
    ends = {OLD: (old, ("", "other", "gone")), NEW: (new, ("", "other", "moved"))}
    builds = {
        end: build.model_copy(update={"surefire": ends[end][0], "modules": ends[end][1]})
        for end, build in facts.builds.items()
    }
    (task,) = group_tasks([of], replace(facts, builds=builds))
    assert task.surefire == said
    told = {module: said} if said else None
    assert surefire_of([task]) == ({OLD: told, NEW: told} if told else {})


@pytest.mark.parametrize(
    ("old_file", "module", "old_module"),
    [
        ("a/src/test/java/p/ATest.java", "b", "a"),
        ("src/test/java/p/ATest.java", "b", ""),
        ("a/src/test/java/p/ATest.java", "", "a"),
        ("b/src/test/p/ATest.java", "b", "b"),
        (None, "b", "b"),
    ],
    ids=["renamed", "of the root", "to the root", "another source folder", "a new file"],
)
def test_the_reason_is_told_of_the_module_that_the_old_end_has(
    old_file: str | None, module: str, old_module: str
) -> None:
    (task,) = tasks_of(label("one"))
    file = f"{module}/src/test/java/p/ATest.java".lstrip("/")
    update = {"module": module, "test_file": file, "old_test_file": old_file, "surefire": "why"}
    assert surefire_of([task.model_copy(update=update)]) == {OLD: {old_module: "why"}, NEW: {module: "why"}}


def test_reasons_of_the_modules_of_several_tasks_come_together() -> None:
    (task,) = tasks_of(label("one"))
    parts = [task.model_copy(update={"module": name, "surefire": why}) for name, why in (("a", "x"), ("b", "y"))]
    assert surefire_of([*parts, task])[NEW] == {"a": "x", "b": "y"}
