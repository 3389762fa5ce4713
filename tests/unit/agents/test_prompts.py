"""Prompts: the whole text of each track, and what no prompt may tell."""

import pytest

from testevo.agents.prompts.page import PAGE, prompts_page
from testevo.agents.prompts.prompt import dependency_section, prompt_of
from testevo.agents.prompts.texts import GENERATION, UPDATE
from testevo.packaging.dataset.grouping import group_tasks
from testevo.packaging.start_states.brief import brief_of
from testevo.records.labels import LabelKind
from testevo.records.methods import ChangeKind
from testevo.records.tasks import Task
from tests.unit.packaging.task_factories import CODE_PATH, NEW, OLD, dependency, label, repository_facts

COMMIT = "c" * 40
UPDATE_PROMPT = """\
Production code of this repository has changed. Update the JUnit tests that the change broke.

## The repository

- Its only commit is cccccccccccccccccccccccccccccccccccccccc.
- The production code is as it is AFTER a change.
- src/test/java/p/ATest.java is as it was BEFORE that change, and has to follow it.

## The tests

File: src/test/java/p/ATest.java
Methods to update:
- ATest#one

## The production methods that the change touched (DM)

- modified `p.A#add()` in `src/main/java/p/A.java`

## What to do

1. Read the test methods listed above and the methods of DM.
2. Edit each listed test method so that it compiles and passes with the production code as it is now.
3. Keep what the old test checked wherever it still holds. Where DM behaves in a new way, check the new way.
4. Never change production code. Edit src/test/java/p/ATest.java and nothing else.
5. Compile with `./.testevo/compile`. It runs `mvn test-compile` without the network.
6. Run the tests with `./.testevo/run-test`, or some of them with `./.testevo/run-test 'ATest#one'`. It starts the \
launcher of JUnit tests (`.testevo/launcher.jar`), each time in a new JVM, prints the outcome of each test with its \
stack trace, and writes the same below `.testevo/reports`.
7. If the variable MAVEN_SETTINGS_PATH is set, give `-s "$MAVEN_SETTINGS_PATH"` to each Maven that you start yourself: \
dependencies come from a local repository.
8. Before you finish, look at `git diff --name-only HEAD`. Builds can change tracked files. Undo each change of a file \
other than src/test/java/p/ATest.java with `git checkout -- <path>`: the final diff may hold \
src/test/java/p/ATest.java alone.

You can read and edit files and use a shell. Work on your own, and do not ask for confirmation.
"""


def task(kind: LabelKind = LabelKind.UPDATE) -> Task:
    of = label("one", kind, dependency("add"))
    [made] = group_tasks([of], repository_facts(of))
    return made


def test_a_prompt_is_the_same_to_the_byte() -> None:
    assert prompt_of(brief_of(task()), COMMIT) == UPDATE_PROMPT


def test_the_page_shows_the_prompts_as_they_are() -> None:
    said = "docs/prompts.md is out of step: run `python -m testevo.agents.prompts.page`"
    assert PAGE.read_text(encoding="utf-8") == prompts_page(), said


def test_a_prompt_of_generation_asks_for_tests_that_tell_old_from_new() -> None:
    said = prompt_of(brief_of(task(LabelKind.DISCRIMINATING)), COMMIT)
    assert "Methods to add:\n- ATest#one\n" in said and "PASSES on the code as it is, and would FAIL" in said


@pytest.mark.parametrize("kind", [LabelKind.UPDATE, LabelKind.DISCRIMINATING])
def test_a_prompt_names_no_revision_of_the_history_and_no_address(kind: LabelKind) -> None:
    one = task(kind)
    said = prompt_of(brief_of(one), COMMIT)
    told = [OLD, NEW, OLD[:7], NEW[:7], str(one.web_url), str(one.clone_url)]
    assert not [word for word in told if word in said]


def test_a_module_is_named_in_the_build() -> None:
    said = prompt_of(brief_of(task().model_copy(update={"module": "core"})), COMMIT)
    assert "`mvn -pl core -am test-compile`" in said


def test_changed_methods_are_sorted_and_listed_once() -> None:
    found = (
        dependency("b", "int"),
        dependency("a", kind=ChangeKind.REMOVED),
        dependency("b", "int", line=40),
        dependency("a", "String[]", kind=ChangeKind.INSERTED),
    )
    brief = brief_of(task().model_copy(update={"dependencies": found}))
    expected = [
        f"- {text} in `{CODE_PATH}`"
        for text in ("removed `p.A#a()`", "inserted `p.A#a(String[])`", "modified `p.A#b(int)`")
    ]
    assert dependency_section(brief.dependencies).splitlines() == expected
    assert dependency_section(reversed(brief.dependencies)).splitlines() == expected


def test_the_words_of_prompts_are_ascii() -> None:
    assert UPDATE.isascii() and GENERATION.isascii()
